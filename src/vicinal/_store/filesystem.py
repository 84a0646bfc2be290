"""The path of an index: what is there already, and whether it can be written."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path

from vicinal._sqlite_files import SMALLEST_PAGE, has_journal, header_error
from vicinal.errors import BadIndex, BadParameter, NotAnIndex, ReadOnlyIndex


def index_path(path: str | os.PathLike[str]) -> Path:
    """Return the absolute path of an index, or raise BadParameter where it cannot be one.

    A symbolic link to a file is followed first: the journal lies beside the file, and not beside the link.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    Path
    """
    text = os.fspath(path)
    if not isinstance(text, str) or not text or "\0" in text:
        raise BadParameter(f"path must be the name of a file, got {text!r}. Use a name such as 'news.vic'.")
    whole = os.path.abspath(text)
    return Path(os.path.realpath(whole) if os.path.islink(whole) else whole)


def refuse_other_files(path: Path, create: bool) -> None:
    """Refuse what is no SQLite file before it is opened for writing.

    Parameters
    ----------
    path : Path
    create : bool
        Whether the file may be missing, or not yet finished.
    """
    status = _status(path)
    if status is None:
        if not create:
            raise BadIndex(f"there is no index at {path}. Check the path, or open it with create=True.")
        return
    if not stat.S_ISREG(status.st_mode):
        raise NotAnIndex(f"{path} is a folder or a device, and an index is one file. Check the path.")
    if status.st_nlink > 1:
        raise BadIndex(
            f"{path} has {status.st_nlink} names (hard links), and the journal of an index lies beside one of them: under another "
            f"name changes would be missed. Copy it to a file of its own (cp), and use that."
        )
    if create and (not status.st_size or path.with_name(path.name + "-journal").exists()):
        return
    if has_journal(path) or (status.st_size >= SMALLEST_PAGE and header_error(path) != sqlite3.SQLITE_NOTADB):
        return  # a page that was being copied from the journal may be half written: the journal has it whole
    got = "a file of another kind, or one whose first page is damaged" if status.st_size else "an empty file"
    raise NotAnIndex(f"{path} is not an index, which is an SQLite file: got {got}. Check the path; the file was not changed.")


def _status(path: Path) -> os.stat_result | None:
    """The status of what is at a path; None where nothing is."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadIndex(f"{path} cannot be read: {error.strerror}. Check the path and who may read it.") from None


def file_key(path: Path) -> tuple[int, int]:
    """What tells the file at a path from all others, whatever its name: device and inode; zeros where nothing is.

    Parameters
    ----------
    path : Path

    Returns
    -------
    (int, int)
    """
    status = _status(path)
    return (0, 0) if status is None else (status.st_dev, status.st_ino)


def may_write(path: Path) -> bool:
    """Whether the file can be written, and its folder, since the journal is kept beside the file.

    Parameters
    ----------
    path : Path

    Returns
    -------
    bool
    """
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def longest_value(path: Path) -> int:
    """No value of a file is longer than the file and its journal together: what claims more bytes is damaged, or a trap.

    Parameters
    ----------
    path : Path

    Returns
    -------
    int
        In bytes, and not less than a few million: values of queries count too.
    """
    size = 0
    for end in ("", "-wal"):
        with suppress(OSError):
            size += os.stat(f"{path}{end}").st_size
    return max(size, 1 << 24)


def as_unchanging(path: Path) -> str:
    """How SQLite reads the file alone, which holds everything if no journal was left beside it.

    Parameters
    ----------
    path : Path

    Returns
    -------
    str
    """
    journal = path.with_name(path.name + "-wal")
    if journal.exists() and journal.stat().st_size:
        raise ReadOnlyIndex(
            f"{path} cannot be read here: a journal beside it holds changes that must first be copied into the file, and nothing "
            f"can be written here. Copy both to a place where you may write."
        )
    return "mode=ro&immutable=1"
