"""Signals: SIGTERM has the manners of Ctrl-C: one line, exit code 143, no journal left, and nothing half done."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import vicinal
from vicinal.cli._terminal import signals
from vicinal.index import check

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_command_that_is_asked_to_end_leaves_a_sound_index_and_no_journal(tmp_path, name, code):
    """Documents come through a pipe that never ends, so that the command is in the middle of its work."""
    path = tmp_path / "news.vic"
    command = [sys.executable, "-m", "vicinal", "add", str(path), "-"]
    vicinal.open(path, create=True).close()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True, env=os.environ
    ) as process:
        for number in range(2500):
            process.stdin.write(json.dumps({"id": f"d{number}", "text": f"wheat and corn {number}"}) + "\n")
        process.stdin.flush()
        deadline = time.monotonic() + 120
        while not (path.with_name("news.vic-commits").exists()) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(getattr(signal, name))
        process.stdin.close()
        said = process.stderr.read()
        assert process.wait() == code, said
    assert "interrupted" in said
    assert "Traceback" not in said
    assert [each.name for each in tmp_path.iterdir()] == ["news.vic"]
    assert check(path) == []
    with vicinal.open(path) as index:
        assert len(index) % 1000 == 0
        assert len(index) > 0


def test_an_interrupt_that_sqlite_swallowed_still_has_the_code_of_its_signal(monkeypatch):
    assert signals.signal_of(KeyboardInterrupt()) == signal.SIGINT
    monkeypatch.setattr(signals, "_arrived", [])
    with pytest.raises(signals.Terminated) as caught:
        signals._end(signal.SIGTERM, None)
    assert signals.signal_of(caught.value) == signals.signal_of(KeyboardInterrupt()) == signal.SIGTERM


def test_signals_that_the_parent_ignores_stay_ignored(monkeypatch):
    set_to = {}
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN if number == signal.SIGHUP else signal.SIG_DFL)
    monkeypatch.setattr(signal, "signal", lambda number, handler: set_to.update({number: handler}))
    signals.listen()
    assert set(set_to) == {signal.SIGTERM}
