"""The whole story on the command line: a folder is indexed, its clusters are named, merged and pinned, and a fit keeps it all."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from tests.index.small import documents
from vicinal.cli._app import app


def invoke(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)), env={"COLUMNS": "100"})


def answered(*arguments):
    done = invoke(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def write(folder, numbers):
    folder.mkdir(exist_ok=True)
    for each in documents(numbers):
        (folder / f"{each.id}.txt").write_text(each.text, encoding="utf-8")


def subject(cluster):
    return cluster["exemplars"][0]["id"].partition("-")[0].rpartition("/")[2]


@pytest.fixture(name="file")
def indexed_folder(tmp_path):
    write(tmp_path / "notes", range(12))
    done = invoke("index", tmp_path / "notes", "-o", tmp_path / "notes.vic", "--clusters", "3")
    assert done.exit_code == 0, done.stderr
    return tmp_path / "notes.vic"


def numbers_of(file):
    return {subject(each): each["number"] for each in answered("clusters", file)["clusters"]}


def test_names_merges_and_moves_survive_a_fit_to_more_files(file, tmp_path):
    numbers = numbers_of(file)
    cars, garden, kitchen = (numbers[each] for each in ("cars", "garden", "kitchen"))
    [moved] = [hit["id"] for hit in answered("clusters", file, "--open", cars, "--documents", "1")["hits"]]
    done = answered("clusters", file, "--name", kitchen, "Cooking", "--merge", f"{cars},{garden}", "--move", moved, "--to", kitchen)
    assert [each["kind"] for each in done["changes"]] == ["merge", "move"]
    write(tmp_path / "notes", range(12, 18))
    assert invoke("add", file, tmp_path / "notes").exit_code == 0
    fitted = answered("fit", file)
    assert "2 constraints hold" in fitted["change"]
    found = {each["number"]: each for each in answered("clusters", file)["clusters"]}
    assert {number: (each["size"], each["named"]) for number, each in found.items()} == {cars: (35, False), kitchen: (19, True)}
    assert found[kitchen]["name"] == "Cooking"
    inside = [hit["id"] for hit in answered("clusters", file, "--open", kitchen, "--documents", "100")["hits"]]
    assert moved in inside
    assert f"{kitchen} Cooking" in invoke("info", file).stdout
    assert answered("info", file)["names"] == {str(kitchen): "Cooking"}
    listed = invoke("clusters", file, "--constraints").stdout
    assert f"constraint 1 (merge of clusters {cars} and {garden}): " in listed
    assert "Cooking: " in invoke("clusters", file).stdout
    assert invoke("clusters", file, "--undo", "1").stderr.startswith("undone: constraint 1 (merge")
    assert len(answered("clusters", file)["clusters"]) == 3


def test_several_documents_are_moved_as_written_in_one_go(file):
    numbers = numbers_of(file)
    ids = [hit["id"] for hit in answered("clusters", file, "--open", numbers["cars"], "--documents", "3")["hits"]]
    answered("clusters", file, "--move", *ids, "--to", numbers["garden"])
    inside = {hit["id"] for hit in answered("clusters", file, "--open", numbers["garden"], "--documents", "100")["hits"]}
    assert set(ids) <= inside


def test_pins_are_shown_and_taken_away(file):
    assert [each["pinned"] for each in answered("clusters", file, "--pin", "1")["clusters"] if each["number"] == 1] == [True]
    assert "(pinned): " in invoke("clusters", file).stdout
    assert not any(each["pinned"] for each in answered("clusters", file, "--unpin", "1")["clusters"])


def test_a_cluster_is_split_in_as_many_parts_as_asked_for(file):
    answered("fit", file, "--clusters", "2")
    largest = answered("clusters", file)["clusters"][0]["number"]
    done = answered("clusters", file, "--split", largest, "--clusters", "2")
    assert len(done["clusters"]) == 3
    assert done["changes"][0]["clusters"][0] == largest


def test_the_documents_worth_a_look_have_two_clusters_and_their_terms(file):
    for arguments, n_listed in (((), 20), (("4",), 4)):
        found = answered("clusters", file, "--uncertain", *arguments)["uncertain"]
        assert len(found) == n_listed
        assert [each["uncertainty"] for each in found] == sorted((each["uncertainty"] for each in found), reverse=True)
        assert all(len(each["clusters"]) == 2 for each in found)
    shown = invoke("clusters", file, "--uncertain", "1").stdout.splitlines()
    assert len(shown) == 4
    assert f"cluster {found[0]['clusters'][0]['number']} (" in shown[2]


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (("--move", "a"), "--to", 2),
        (("--to", "1"), "--move", 2),
        (("--merge", "1"), "commas", 2),
        (("--uncertain", "x"), "--uncertain", 2),
        (("stray",), "--move or --uncertain", 2),
        (("--merge", "0,9"), "there is no cluster 9", 2),
        (("--undo", "3"), "there is no constraint 3", 2),
        (("--constraints",), "no constraints", 1),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line_and_changes_nothing(file, arguments, said, code):
    before = answered("clusters", file)
    done = invoke("clusters", file, *arguments)
    assert (done.exit_code, said in " ".join(done.stderr.split())) == (code, True), done.stderr
    assert answered("clusters", file) == before
