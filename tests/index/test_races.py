"""Three writers at once, beside readers and a server: nothing that was acknowledged is lost. `make races` runs five hundred."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import vicinal
from tools import races

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no fork")


def test_nothing_that_three_writers_were_told_is_kept_is_lost(tmp_path, capsys):
    folder = tmp_path / "run"
    assert races.run(folder, 2).races == 2
    outside = races.stretch(folder, 2, 3, inside=False, end=float("inf"))
    assert outside.kept + races.EACH * outside.refused == races.WRITERS * races.ADDS * races.EACH
    assert races.main(["--races", "2", "--folder", str(folder)]) == 0  # the run is at its end
    assert "2 races of 3 writers, 1 of them beside a server: " in capsys.readouterr().out


#: The deliberately unsafe variant: closing any descriptor of a file drops the locks that the process has on it.
UNSAFE = """
import contextlib, sys
from pathlib import Path
import vicinal
from tools import races

def looks(path, folder, chance):
    for name in (path, f"{path}-shm", f"{path}-wal"):
        with contextlib.suppress(OSError), open(name, "rb"):
            pass
    vicinal.open(path).close()

races.meanwhile, races.ADDS = looks, 8
races.run(Path(sys.argv[1]), 60)
"""


def test_a_process_that_looks_into_the_files_of_an_index_would_be_seen(tmp_path):
    command = [sys.executable, "-c", UNSAFE, str(tmp_path / "run")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode != 0, "documents that were lost went unnoticed"
    assert done.returncode < 0 or "its folder is kept as" in done.stdout  # a process may also die, of memory cut under it


def test_a_document_that_is_gone_and_one_that_nobody_added_would_be_seen(tmp_path):
    path = tmp_path / "raced.vic"
    with vicinal.open(path, create=True) as index:
        index.add(races.documents(0, 0, 0))
        ids = set(index)
    for kept in (ids | {"more"}, ids - {min(ids)}):
        with pytest.raises(AssertionError, match="missing"):
            races.verify(path, kept)
    races.verify(path, ids)
