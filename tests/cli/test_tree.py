"""The tree on the command line: drawn on wide and narrow screens, cut by number and level, and as JSON."""

from __future__ import annotations

import json
import shutil

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from tests.data.make_format_1 import FILE
from tests.index.small import made
from vicinal.cli._app import app


def invoke(*arguments, width=100):
    return CliRunner().invoke(app, ["clusters", *map(str, arguments)], env={"COLUMNS": str(width)})


def answered(*arguments):
    done = invoke(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module", name="file")
def small_index(tmp_path_factory):
    return made(tmp_path_factory.mktemp("tree") / "news.vic", n=20)


@pytest.mark.parametrize("width", [36, 60, 120])
def test_no_line_of_the_tree_is_wider_than_the_screen(file, width):
    done = invoke(file, "--tree", "--level", "fine", width=width)
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    nodes = answered(file, "--tree", "--level", "fine")["nodes"]
    assert len(lines) == 1 + len(nodes)
    assert max(map(cell_len, lines)) <= width
    assert width < 60 or not any("…" in line for line in lines[1:])  # terms are left out whole, where one fits
    assert all(node["id"] in line for node, line in zip(nodes, lines[1:], strict=True))


def test_the_drawing_shows_what_is_part_of_what(file):
    lines = invoke(file, "--tree").stdout.splitlines()
    assert lines[0].split()[:3] == ["docs", "share", "no."]
    assert len(lines) == 1 + 5  # a root, a node of two clusters, three clusters
    assert lines[1].split()[1] == "100%"
    assert sum("├─" in line for line in lines) == sum("└─" in line for line in lines) == 2


def test_programs_get_the_nodes_parents_first(file):
    said = answered(file, "--tree", "--limit", "2")
    assert said["n_clusters"] == 3
    known = {""}
    for node in said["nodes"]:
        assert node["parent"] in known
        assert len(node["terms"]) <= 2
        known.add(node["id"])
    assert sorted(node["cluster"] for node in said["nodes"] if node["cluster"] >= 0) == [0, 1, 2]


def test_clusters_and_level_cut_the_tree(file):
    assert [each["path"] for each in answered(file, "--clusters", "3")["clusters"]] == ["0", "1", "2"]
    assert len(answered(file, "--clusters", "5")["clusters"]) == 5
    fine = answered(file, "--level", "fine")["clusters"]
    assert sum(each["size"] for each in fine) == 66
    shown = invoke(file, "--level", "fine").stdout.splitlines()
    assert len(shown) == 1 + len(fine)
    documents = answered(file, "--open", fine[0]["path"], "--documents", "3")
    assert len(documents["hits"]) == 3


def test_options_that_contradict_each_other_are_refused(file):
    assert invoke(file, "--tree", "--open", "1").exit_code == 2
    assert invoke(file, "--level", "fine", "--open", "1").exit_code == 2
    assert invoke(file, "--level", "fine", "--clusters", "4").exit_code == 2
    assert invoke(file, "--level", "finest").exit_code == 2
    done = invoke(file, "--clusters", "5000")
    assert done.exit_code == 2
    assert "Use at most" in done.stderr


def test_an_index_of_the_first_format_says_fit_again(tmp_path):
    old = shutil.copy(FILE, tmp_path / "old.vic")
    for options in (("--tree",), ("--level", "fine"), ("--clusters", "2")):
        done = invoke(old, *options)
        assert done.exit_code == 3
        assert "Fit again to get a tree" in done.stderr
    assert invoke(old).exit_code == 0


def test_the_tree_follows_names_merges_and_undoing(file, tmp_path):
    own = shutil.copy(file, tmp_path / "own.vic")
    before = answered(own, "--tree")
    assert invoke(own, "--name", "2", "Mobile phones", "--merge", "0,1").exit_code == 0
    after = answered(own, "--tree")
    assert {node["cluster"]: node["size"] for node in after["nodes"] if node["cluster"] >= 0} == {0: 44, 2: 22}
    assert [node["name"] for node in after["nodes"] if node["cluster"] == 2] == ["Mobile phones"]
    assert sum("Mobile phones: " in line for line in invoke(own, "--tree").stdout.splitlines()) == 1
    assert invoke(own, "--undo", "1").exit_code == 0
    assert {node["id"] for node in answered(own, "--tree")["nodes"]} == {node["id"] for node in before["nodes"]}


def test_a_name_that_is_longer_than_the_screen_is_cut(file, tmp_path):
    own = shutil.copy(file, tmp_path / "own.vic")
    invoke(own, "--name", "2", "Mobile phones and whatever else people carry about with them")
    for options in ((), ("--tree",)):
        lines = invoke(own, *options, width=50).stdout.splitlines()
        assert max(map(cell_len, lines)) <= 50
        assert sum("Mobile" in line for line in lines) == 1


def test_a_change_and_another_question_are_two_commands(file):
    for options in (("--tree",), ("--level", "fine"), ("--open", "1"), ("--open", "1", "--documents", "3")):
        done = invoke(file, "--merge", "0,1", *options)
        assert done.exit_code == 2
        assert "in a command after it" in " ".join(done.stderr.replace("│", " ").split())
    assert len(answered(file)["clusters"]) == 3
