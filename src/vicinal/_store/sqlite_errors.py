"""Translates errors of SQLite into those of `vicinal.errors`, with the path and what to do."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vicinal._store.writer_note import describe_writer
from vicinal.errors import BadIndex, DamagedIndex, DiskError, DiskFull, IndexLocked, ReadOnlyIndex, VicinalError

#: The low byte of SQLite's error number is its family.
_FULL, _BUSY, _LOCKED, _PROTOCOL, _READONLY, _CANTOPEN, _IOERR, _PERM = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PROTOCOL,  # others changed the state of the journal a hundred times in a row while this process looked at it
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
)
#: The file that readers and the writer share could not grow.
_SHARED_FULL = 4874
#: With so many bytes free a disk may be called full.
LITTLE = 1 << 20


@contextmanager
def in_our_words(path: Path) -> Iterator[None]:
    """Turn SQLite's errors inside the block into errors of `vicinal.errors` that name the path.

    Parameters
    ----------
    path : Path
    """
    try:
        yield
    except sqlite3.ProgrammingError as error:
        raise VicinalError(f"{path} cannot be used here: {error}. Open the index again.") from error
    except sqlite3.Error as error:
        raise _ours(error, path) from error
    except UnicodeDecodeError as error:  # SQLite quotes a damaged table in its message
        raise DamagedIndex(f"{path} is damaged: a name in it is not UTF-8. Run vicinal check.") from error


def _ours(error: sqlite3.Error, path: Path) -> VicinalError | KeyboardInterrupt:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    family = code & 0xFF
    if family == sqlite3.SQLITE_INTERRUPT:
        return _stopped(path)
    if family == sqlite3.SQLITE_AUTH:
        return DamagedIndex(f"{path} is damaged: it holds statements of its own, which are not run ({error}). Run vicinal check.")
    if family == _FULL or (code == _SHARED_FULL and free_bytes(path) < LITTLE):
        return DiskFull(full(path))
    if family in (_BUSY, _LOCKED, _PROTOCOL):
        return IndexLocked(locked(path))
    if family in (_READONLY, _PERM):
        return ReadOnlyIndex(f"{path} cannot be written: {error}. Copy it to a place where you may write; reading it works here.")
    if family == _CANTOPEN:
        return BadIndex(f"{path} cannot be opened: {error}. Check that its folder exists and that you may read and write there.")
    if family == _IOERR and code != sqlite3.SQLITE_IOERR_SHORT_READ:
        return DiskError(
            f"{path} cannot be read or written: the operating system reports an error of the disk ({error}), and what the file "
            f"contains may be sound. Check the disk, then run vicinal check."
        )
    return DamagedIndex(f"{path} is damaged: SQLite reports: {error}. Run vicinal check.")


def full(path: Path, kept: str = "The change that did not fit was undone.") -> str:
    """Return the sentence for a disk without room.

    Parameters
    ----------
    path : Path
    kept : str, default="The change that did not fit was undone."
        What is there now.

    Returns
    -------
    str
    """
    try:
        free = f"{shutil.disk_usage(path.parent).free:,} bytes are free"
    except OSError:
        free = "how much is free is not known"
    why = "" if free_bytes(path) < LITTLE else ", so a quota or a limit on the size of files may have been reached"
    return f"the disk of {path} is full: {free}{why}. {kept} Make room and do it again."


def free_bytes(path: Path) -> int:
    """How many bytes are free where an index lies; 0 where that is not known.

    Parameters
    ----------
    path : Path

    Returns
    -------
    int
    """
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return 0


class _Steps(threading.local):
    """Whether a statement of this thread was ended because it took more steps than the file can need."""

    exceeded = False


STEPS = _Steps()


def _stopped(path: Path) -> VicinalError | KeyboardInterrupt:
    """The error after a statement that did not come to its end: too many steps, or a person who asked to stop."""
    if not STEPS.exceeded:
        return KeyboardInterrupt()
    STEPS.exceeded = False
    return DamagedIndex(f"{path} is damaged: to read it takes more steps than a file of its size can need. Run vicinal check.")


def locked(path: Path) -> str:
    """Return the sentence for the second writer.

    Parameters
    ----------
    path : Path

    Returns
    -------
    str
    """
    who = describe_writer(path)
    return f"{path} is being written {who}, and an index has one writer at a time. Wait for it to end; reading works meanwhile."
