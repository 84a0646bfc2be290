"""The benchmark of later documents, on an index that is made in no time."""

from __future__ import annotations

import vicinal
from bench.living import changes, measured
from tests.index.small import made

TEXTS = ["bread from the oven", "a rose in the garden", "the engine of a car"]


def test_every_change_is_done_and_measured(tmp_path):
    path = made(tmp_path / "small.vic", added=0)
    with vicinal.open(path) as index:
        before = len(index)
        found = changes(index, TEXTS)
        assert len(index) == before + 4 * 1000 + 3 * 100 + 3 - 10
    assert all(seconds > 0 for seconds in found.values())


def test_a_copy_is_changed_and_the_command_line_is_measured(tmp_path):
    path = str(made(tmp_path / "small.vic", added=0))
    n_documents, found = measured(path, TEXTS)
    assert found["1,000 added from the command line"] > 0
    with vicinal.open(path) as index:
        assert len(index) == n_documents == 24
