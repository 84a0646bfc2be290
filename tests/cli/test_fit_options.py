"""Labels, seed words and links on the command line: what they do, how they are listed and taken away, and what is refused."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

import vicinal
from tests.index.small import documents
from vicinal.cli._app import app


def invoke(*arguments, columns=100):
    return CliRunner().invoke(app, list(map(str, arguments)), env={"COLUMNS": str(columns)})


def answered(*arguments):
    done = invoke(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module", name="made")
def fitted_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("options") / "three.vic"
    with vicinal.open(path, create=True) as index:
        index.add(documents(range(36)))
        index.fit(n_clusters=3, n_components=5)
    return path


@pytest.fixture(name="file")
def copied(made, tmp_path):
    copy = tmp_path / "copy.vic"
    copy.write_bytes(made.read_bytes())
    return copy


def named(file):
    return {each["name"] for each in answered("clusters", file)["clusters"] if each["named"]}


def cluster(file, id):
    return answered("show", file, id)["cluster"]


def test_labels_are_offered_used_remembered_and_left_alone_again(file, tmp_path):
    labels = tmp_path / "labels.csv"
    rows = [f"{subject}-{i},{name}" for subject, name in (("cars", "out"), ("garden", "out"), ("kitchen", "in")) for i in range(4)]
    labels.write_text("\n".join(["id,label", *rows]), encoding="utf-8")
    assert invoke("label", file, "--file", labels).exit_code == 0
    done = invoke("fit", file)
    assert "note: the labels of 12 documents, of 2 classes, do not shape the clusters. --use-labels makes each" in done.stderr
    done = invoke("fit", file, "--use-labels", "--clusters", "2")
    assert "12 labels hold their documents in the clusters of 2 classes." in done.stdout
    assert named(file) == {"in", "out"}
    assert cluster(file, "cars-9") == cluster(file, "garden-9") != cluster(file, "kitchen-9")
    assert answered("info", file)["options"]["use_labels"] is True
    assert "--use-labels" in invoke("info", file).stdout
    assert "12 labels hold" in answered("fit", file)["change"]
    done = invoke("fit", file, "--no-labels", "--clusters", "3")
    assert "labels" not in done.stdout + done.stderr
    assert named(file) == set()
    assert "--no-labels" in invoke("info", file).stdout


def test_labels_where_there_are_none_are_an_error(file):
    done = invoke("fit", file, "--use-labels")
    assert done.exit_code == 2
    assert "has a label that clusters could follow. Label some documents first." in done.stderr


def test_seed_words_of_options_and_files_are_kept_listed_and_taken_away(file, tmp_path):
    lines = tmp_path / "seeds.txt"
    lines.write_text("\ufeff# subjects\n\nmotor: engine, brake\nplants: tulip\n", encoding="utf-8")
    done = invoke("fit", file, "--seed-words", lines, "--seed-words", "food: oven, dough", "--seed-words=plants: soil")
    assert done.exit_code == 0, done.stderr
    assert named(file) == {"motor", "plants", "food"}
    assert invoke("clusters", file, "--constraints").stdout.splitlines() == [
        "constraint 1 (seed words of 'food': dough, oven)",
        "constraint 2 (seed words of 'motor': brake, engine)",
        "constraint 3 (seed words of 'plants': soil, tulip)",
    ]
    told = answered("clusters", file, "--constraints")["constraints"]
    assert [(each["kind"], each["name"], each["words"]) for each in told[:1]] == [("seed_words", "food", ["dough", "oven"])]
    undone = invoke("clusters", file, "--undo", "2")
    assert "undone: constraint 2 (seed words of 'motor': brake, engine)\nthe next fit does without it." in undone.stderr
    assert "Seed words start 2 clusters." in answered("fit", file)["change"]


def test_links_are_obeyed_and_listed(file):
    done = invoke("fit", file, "--must-link", "cars-0", "kitchen-0", "--cannot-link", "cars-1", "cars-2")
    assert done.exit_code == 0, done.stderr
    assert cluster(file, "cars-0") == cluster(file, "kitchen-0")
    assert cluster(file, "cars-1") != cluster(file, "cars-2")
    assert invoke("clusters", file, "--constraints").stdout.splitlines() == [
        "constraint 1 ('cars-0' and 'kitchen-0' must be in one cluster): 2 documents",
        "constraint 2 ('cars-1' and 'cars-2' cannot be in one cluster): 2 documents",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--seed-words", "nocolon"], 2, 'Write --seed-words "rugby: scrum, try"'),
        (["--seed-words", "motor:"], 2, "it takes a class and its words"),
        (
            ["--seed-words", "motor: zeppelin"],
            2,
            "--seed-words of 'motor' has no known word, got 'zeppelin': no two",
        ),
        (["--seed-words", "a: oven", "--seed-words", "b: oven"], 2, "--seed-words have 'oven' for both 'a' and 'b'"),
        (["--must-link", "cars-0"], 2, "it takes the ids of two documents. Write --must-link a17 b4."),
        (["--cannot-link", "cars-0", "--json"], 2, "Write --cannot-link a17 b4."),
        (["--must-link", "cars-0", "cars-99"], 2, "cars-99"),
        (["--must-link", "cars-0", "cars-1", "--cannot-link", "cars-1", "cars-0"], 2, "are in --cannot-link but --must-link joins"),
    ],
)
def test_what_cannot_be_is_refused_in_the_words_of_the_command_line(file, arguments, code, message):
    done = invoke("fit", file, *arguments, columns=300)
    assert (done.exit_code, message in " ".join(done.stderr.split())) == (code, True), done.stderr
    assert invoke("clusters", file, "--constraints").exit_code == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no seed words. Write a line for each class"),
        (b"motor: engine\nplants\n", "line 2 is no class with its words, got 'plants'"),
        (b"motor: \xff\xfe", "is not text in UTF-8"),
    ],
)
def test_a_file_of_seed_words_that_cannot_be_read_is_named(file, tmp_path, content, message):
    (tmp_path / "bad.txt").write_bytes(content)
    done = invoke("fit", file, "--seed-words", tmp_path / "bad.txt")
    assert (done.exit_code, message in done.stderr) == (3, True), done.stderr


def test_stability_is_shown_where_there_is_room_in_info_and_as_json(file):
    heads = [invoke("clusters", file, columns=columns).stdout.splitlines()[0].split() for columns in (100, 120)]
    assert ["stability" in head for head in heads] == [False, True]
    fitted = answered("fit", file)["stability"]
    assert 0.9 < fitted <= 1.0
    assert answered("info", file)["stability"] == fitted
    assert "stability" in invoke("info", file).stdout
    assert all(0.9 < each["stability"] <= 1.0 for each in answered("clusters", file)["clusters"])


def test_what_was_chosen_automatically_is_said_with_the_option_and_not_with_the_parameter(file):
    done = invoke("fit", file, "--clusters", "auto")
    assert "--clusters 3 chosen automatically" in done.stdout
    assert not re.search(r"\bn_\w+=", done.stdout + done.stderr)
    assert answered("fit", file, "--clusters", "auto")["chosen"]["n_clusters"].startswith("n_clusters=3 chosen automatically")
