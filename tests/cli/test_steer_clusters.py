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


def test_a_document_without_a_title_is_listed_by_its_id_once(file, tmp_path):
    (tmp_path / "more.csv").write_text("id,text\nbetween,car engine wheel road rose tulip garden flower\n", encoding="utf-8")
    assert invoke("add", file, tmp_path / "more.csv").exit_code == 0
    shown = invoke("clusters", file, "--uncertain", "1").stdout.splitlines()
    assert len(shown) == 3
    assert [line.count("between") for line in shown] == [1, 0, 0]


def test_all_names_of_a_command_are_given_or_none(file):
    found = answered("clusters", file, "--name", "0", "First", "--name=1", "Second one", "--name", "2", "Third")["clusters"]
    assert {each["number"]: each["name"] for each in found} == {0: "First", 1: "Second one", 2: "Third"}
    done = invoke("clusters", file, "--name", "0", "Other", "--name", "1", "Third")
    assert (done.exit_code, "cluster 2 has the name 'Third' already" in done.stderr) == (2, True)
    assert answered("info", file)["names"] == {"0": "First", "1": "Second one", "2": "Third"}
    answered("clusters", file, "--name", "0", "", "--name", "2", "--dashes")
    assert answered("info", file)["names"] == {"1": "Second one", "2": "--dashes"}


def test_the_table_and_the_note_of_a_merge_agree_and_undoing_gives_the_name_back(file):
    invoke("clusters", file, "--name", "2", "Sports")
    done = invoke("clusters", file, "--merge", "0,2")
    assert "cluster 2 ended; its name 'Sports' goes on with cluster 0." in done.stderr
    assert "Sports: " in done.stdout
    invoke("clusters", file, "--undo", "1")
    assert answered("info", file)["names"] == {"2": "Sports"}


def test_what_the_library_would_have_called_is_said_as_an_option(file):
    assert "Use --merge 1,4." in invoke("clusters", file, "--merge", "1,1").stderr
    assert "as vicinal clusters lists it" in invoke("clusters", file, "--open", "x1y2z3").stderr
    assert "vicinal clusters --tree shows the ids" in " ".join(invoke("clusters", file, "--nodes", "zzzz").stderr.split())
    invoke("clusters", file, "--pin", "1")
    assert "Undo it first: --undo 1." in invoke("clusters", file, "--split", "1").stderr


def test_nodes_are_opened_and_cut_by_hand(file):
    nodes = {each["id"]: each for each in answered("clusters", file, "--tree")["nodes"]}
    [root] = [each for each in nodes.values() if not each["parent"]]
    parts = answered("clusters", file, "--open", root["id"])["clusters"]
    assert {each["path"] for each in parts} == set(root["children"])
    cut = answered("clusters", file, "--nodes", ",".join(root["children"]))["clusters"]
    assert [(each["path"], each["size"]) for each in cut] == [(each["path"], each["size"]) for each in parts]
    assert answered("clusters", file, "--tree", "--nodes", root["id"])["n_clusters"] == 1
    assert {each["number"] for each in cut} <= {-1, 0, 1, 2}


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
        (("--split", "2.0"), "2.0 is a part of cluster 2", 2),
        (("--pin", "1.0"), "first: --split 1", 2),
        (("--unpin", "1.0"), "is a part of cluster 1", 2),
        (("--move", "a", "--to", "1:3.0"), "is a part of cluster 1", 2),
        (("--merge", "0,1.0"), "1.0 is a part of cluster 1", 2),
        (("--name", "1.1", "Part"), "1.1 is a part of cluster 1", 2),
        (("--name", "x", "Part"), "number of a cluster", 2),
        (("--name", "1"), "a cluster and a text", 2),
        (("--name", "1", "A", "--name", "1", "B"), "two names", 2),
        (("--undo", "1.0"), "number of a constraint", 2),
        (("--open", "1", "--uncertain"), "leave out --open", 2),
        (("--tree", "--uncertain", "2"), "leave out --tree", 2),
        (("--level", "fine", "--uncertain"), "leave out --level", 2),
        (("--clusters", "2", "--uncertain"), "leave out --clusters", 2),
        (("--name", "2", "X", "--uncertain", "2"), "give --uncertain in a command after it", 2),
        (("--name", "1", "S", "--constraints"), "give --constraints in a command after it", 2),
        (("--constraints", "--undo", "1"), "give --constraints in a command after it", 2),
        (("--constraints", "--tree"), "leave out --tree", 2),
        (("--constraints", "--uncertain"), "leave out --constraints", 2),
        (("--pin", "1", "stray"), "--move or --uncertain", 2),
        (("--pin", "1", "--clusters", "4"), "give --split", 2),
        (("--level", "fine", "--clusters", "4"), "leave out one", 2),
        (("--nodes", "a,,b"), "commas", 2),
        (("--open", "1", "--documents", "2", "--clusters", "4"), "leave out --clusters", 2),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line_and_changes_nothing(file, arguments, said, code):
    before = answered("clusters", file)
    done = invoke("clusters", file, *arguments)
    shown = " ".join(done.stderr.replace("│", " ").split())
    assert (done.exit_code, said in shown) == (code, True), done.stderr
    assert answered("clusters", file) == before
