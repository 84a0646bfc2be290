"""The targets of `make fuzz`, in their small form: every reader has one, and what was ever found stays mended."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tools.fuzz import blindly, mutated
from tools.fuzz_targets import SEEDS_OF, TARGETS, Find, readers_without_target

FOUND = Path(__file__).parents[1] / "data" / "fuzz"


def test_every_reader_has_a_target_and_every_target_an_input():
    assert readers_without_target() == set()
    assert TARGETS.keys() == SEEDS_OF.keys()


@pytest.mark.parametrize("name", TARGETS)
def test_mutations_end_well_or_with_an_error_that_is_expected(name):
    chance = random.Random(name)
    for data in SEEDS_OF[name]:
        TARGETS[name](data)
    for _ in range(60):
        TARGETS[name](mutated(chance.choice(SEEDS_OF[name]), chance, SEEDS_OF[name]))


@pytest.mark.parametrize("file", sorted(FOUND.glob("*.bin")), ids=lambda file: file.stem)
def test_what_was_ever_found_stays_mended(file):
    TARGETS[file.stem.partition("-")[0]](file.read_bytes())


@pytest.mark.parametrize("error", [TypeError, RecursionError])
def test_a_mistake_in_a_reader_would_be_found(monkeypatch, error):
    def broken(*_, **__):
        raise error("a mistake")

    monkeypatch.setattr("vicinal.corpus._formats.input.Input.document", broken)
    with pytest.raises(Find, match=error.__name__):
        TARGETS["txt"](b"a text")


def test_a_find_is_kept():
    kept = []

    def target(data):
        if b"\xff" in data:
            raise Find

    with pytest.raises(Find):
        blindly(target, [b"abc"], 60, 1, kept.append)
    assert b"\xff" in kept[0]
    assert blindly(target, [b"abc"], 0, 1, kept.append) == 0
