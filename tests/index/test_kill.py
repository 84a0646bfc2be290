"""kill -9 at any moment: what was acknowledged is there, what was not is there whole or not at all, and the index is sound.

Forty kills here; `make kills` for ten thousand. The page cache survives a process, so this proves
that changes are atomic; that they reach the disk is proved by power cuts (tests/store/test_power_cut.py).
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import pytest

from tools import kills
from tools.kills import Contents, expected_after, killed_writer, trimmed, verify

KILLS = 40
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no fork, no SIGKILL")


@pytest.fixture(scope="module", name="folder")
def many_kills(tmp_path_factory):
    """A folder in which there were many kills, and was one more run that went on."""
    folder = tmp_path_factory.mktemp("kills") / "run"
    assert kills.run(folder, KILLS // 2, seed=7).kills == KILLS // 2
    return folder


def test_nothing_acknowledged_is_lost_and_nothing_half_done_is_seen(folder, capsys):
    assert kills.main(["--kills", str(KILLS), "--folder", str(folder)]) == 0
    told = capsys.readouterr().out
    assert f"{KILLS} kills (seeds from 8), " in told  # the run went on with its own seed
    assert f"below {3 / KILLS:.3%} at 95 %" in told
    landed = kills.Progress.load(folder, 0).landed
    assert KILLS - landed.get("", 0) >= KILLS // 4, landed  # kills landed in the middle of something
    assert kills.run(folder, KILLS).kills == KILLS


def acknowledges_first(folder, seed, batches, pipe):
    """The deliberately unsafe variant: a writer that says what is done before it does it."""
    pipe.send(("begins", "add", 10**9))
    pipe.send(("done", "add", 10**9))
    time.sleep(60)


def test_a_writer_that_acknowledges_before_it_commits_would_be_seen(folder):
    before = trimmed(folder)
    said = killed_writer(folder, 1, [], 0.5, acknowledges_first)
    assert len(said) == 2
    with pytest.raises(AssertionError, match="allowed is"):
        verify(folder, before, said)


@pytest.mark.parametrize("kind", ["add", "remove", "label", "sync", "fit"])
def test_a_step_of_any_kind_that_was_acknowledged_and_is_gone_would_be_seen(kind):
    before = Contents(frozenset({1, 2}), frozenset({1}), ((0, 5),), 3)
    step = (kind, {"add": 9, "remove": 1}.get(kind, 2))
    [after], begun = expected_after(before, [("begins", *step), ("done", *step)], ())
    assert begun is None
    assert after != before
    allowed, begun = expected_after(before, [("begins", *step)], ((0, 5), (2, 2)))
    assert begun == step
    assert allowed == [before, after]
    assert replace(before, fits=9) not in allowed


def test_a_kill_that_fails_prints_its_seed_and_keeps_the_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(kills, "one_kill", lambda folder, seed: pytest.fail("lost"))
    with pytest.raises(pytest.fail.Exception):
        kills.run(tmp_path / "run", 3, seed=41)
    assert f"kill 1 with seed 42: its folder is kept as {tmp_path / 'run'}" in capsys.readouterr().out
    assert (tmp_path / "run").is_dir()
