"""The note of commits: a file beside an index that is written, which names its last commit, so that a lost journal is noticed.

A commit is on the disk in the journal (``-wal``) before it is copied into the index. Where the journal is deleted, damaged or left
behind in between, SQLite shows an earlier state, which is sound in itself. This note is written after each commit, and taken away
when all commits are in the index itself: where it names a commit that the index has not seen, some were lost. It is not forced
to the disk by itself, which would double the time of a commit: it tells of lost journals, and durability does not depend on it.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from pathlib import Path

_LONGEST_NOTE = 40


def commits_path(path: Path) -> Path:
    """Where the note of an index lies.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Path
    """
    return path.with_name(path.name + "-commits")


def note_commits(path: Path, commits: int) -> None:
    """Note how many commits an index has; where the file cannot be written, do without.

    Parameters
    ----------
    path : Path
    commits : int
    """
    number = b"%020d" % commits
    with contextlib.suppress(OSError):
        flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(commits_path(path), flags, 0o644)
        try:
            os.write(descriptor, b"%s %08x\n" % (number, zlib.crc32(number)))
        finally:
            os.close(descriptor)


def noted_commits(path: Path) -> int:
    """How many commits an index must have; 0 where no note says so, or one that cannot be read.

    Parameters
    ----------
    path : Path

    Returns
    -------
    int
    """
    try:
        with commits_path(path).open("rb") as file:
            number, check = file.read(_LONGEST_NOTE).split()
        return int(number) if int(check, 16) == zlib.crc32(number) else 0
    except (OSError, ValueError):
        return 0


def forget_commits(path: Path) -> None:
    """Take the note away.

    Parameters
    ----------
    path : Path
    """
    with contextlib.suppress(OSError):
        commits_path(path).unlink()
