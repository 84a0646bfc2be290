"""The note of the writer: a file beside the index that tells a second writer which process is writing.

SQLite's own lock decides who may write; this note only names the process. Its writer holds an operating system lock
on it, which ends with the process however that ends: a note without a lock is stale and ignored.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # not on Windows, where a note is never stale
    fcntl = None

_LONGEST_NOTE = 100
_ATTEMPTS = 50


def note_path(path: Path) -> Path:
    """Where the writer of an index leaves its note.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Path
    """
    return path.with_name(path.name + "-writer")


@contextlib.contextmanager
def note(path: Path) -> Iterator[None]:
    """Leave a note, inside the block, that this process writes the index; where the file cannot be made, do without.

    Parameters
    ----------
    path : Path
    """
    where = note_path(path)
    with contextlib.ExitStack() as closing:
        with contextlib.suppress(OSError):
            descriptor = _take(where)
            closing.callback(_take_away, where, descriptor)
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()} {time.time():.0f}\n".encode())
        yield


def _take(where: Path) -> int:
    """Open the note and lock it, once the writer before us has taken its own away."""
    for _ in range(_ATTEMPTS):
        descriptor = os.open(where, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(descriptor).st_nlink or fcntl is None:
                return descriptor
        except OSError:
            time.sleep(0.001)
        os.close(descriptor)
    raise OSError("the note is held by another process")


def _take_away(where: Path, descriptor: int) -> None:
    with contextlib.suppress(OSError):
        where.unlink()
    os.close(descriptor)


def describe_writer(path: Path) -> str:
    """Describe which process writes an index and since when, as far as it is known.

    Parameters
    ----------
    path : Path

    Returns
    -------
    str
        Such as "by process 4711 since 2026-08-01 12:00:00 (3 s)".
    """
    try:
        pid, since = _read(note_path(path))
        began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(since))
    except (OSError, ValueError, OverflowError):
        return "by another process"
    return f"by process {pid} since {began} ({max(0.0, time.time() - since):.0f} s)"


def _read(where: Path) -> tuple[int, float]:
    with where.open("rb") as file:
        if fcntl is not None and _is_free(file.fileno()):
            raise ValueError("nobody holds this note")
        pid, since = file.read(_LONGEST_NOTE).decode("ascii").split()
        return int(pid), float(since)


def _is_free(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
