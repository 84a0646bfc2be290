"""The tool that breaks one line at a time: which results count, and what is judged again."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import asdict

import pytest

from tools import mutants
from tools.mutants import Mutant

KILLED, ALIVE, MOVED = (Mutant("graph", "src/vicinal/graph/_graph.py", "core/NumberReplacer", 0, line) for line in (1, 2, 3))
OTHER = Mutant("store", "src/vicinal/_store/store.py", "core/NumberReplacer", 0, 5)


@pytest.fixture(autouse=True)
def judged(tmp_path, monkeypatch):
    """Results of four mutants, one of which is not in the sources any more."""
    monkeypatch.setattr(mutants, "RESULTS", tmp_path / "mutants.jsonl")
    monkeypatch.setattr(mutants, "mutants_of", lambda subject: [each for each in (KILLED, ALIVE, OTHER) if each.subject == subject])
    for mutant, killed in ((KILLED, True), (ALIVE, False), (MOVED, False), (OTHER, False)):
        write(mutant, killed)


def write(mutant, killed):
    with mutants.RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**asdict(mutant), "killed": killed}) + "\n")


def options(**changed):
    return Namespace(**{"only": None, "survivors": False, "sample": 10, "seed": 0, **changed})


def test_a_mutant_that_is_not_in_the_sources_any_more_does_not_count(capsys):
    assert mutants.results() == {KILLED: True, ALIVE: False, OTHER: False}
    mutants.report()
    said = capsys.readouterr().out
    assert "1 of    2 killed (50.0%)" in said
    assert f"{MOVED.path}:{MOVED.line}" not in said


def test_survivors_are_judged_again_and_the_last_result_counts(capsys):
    assert mutants.waiting(options(survivors=True)) == [ALIVE, OTHER]
    assert mutants.waiting(options(survivors=True, only=["store"])) == [OTHER]
    write(ALIVE, True)
    assert mutants.waiting(options(survivors=True)) == [OTHER]
    mutants.report()
    assert "2 of    2 killed (100.0%)" in capsys.readouterr().out


def test_what_was_judged_is_not_judged_again_otherwise(monkeypatch):
    assert mutants.waiting(options()) == []
    mutants.RESULTS.unlink()
    assert sorted(mutants.waiting(options()), key=lambda each: each.line) == [KILLED, ALIVE, OTHER]


@pytest.mark.parametrize(
    ("path", "compiled"),
    [("graph/_prefix_filter.py", True), ("graph/_ties.py", True), ("graph/_joining.py", False), ("_store/arrays.py", False)],
)
def test_what_is_compiled_or_compiled_into_another_file_is_told_from_the_rest(path, compiled):
    """Of the second file a compiled function of others takes a number."""
    assert mutants.is_compiled(f"src/vicinal/{path}") is compiled


def test_a_mutant_is_judged_by_tests_that_reach_its_line_and_then_by_those_of_its_folder_that_import_its_file_first():
    mutant = Mutant("projection", "src/vicinal/projection/_solvers/krylov.py", "core/NumberReplacer", 0, 23)
    reaching = ["tests/laws/test_laws.py::test_one", "tests/projection/test_krylov.py::test_two"]
    first, then = mutants.judges(mutant, {(mutant.path, mutant.line): reaching})
    assert first == reaching[::-1]
    assert then == [*mutants.READERS, "tests/projection/test_krylov.py", "tests/projection"]
    assert list(mutants.judges(mutant, {})) == [then]
