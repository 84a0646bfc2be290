"""Where an index is: what is there already, and whether it can be written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from vicinal.errors import BadIndex, BadParameter, NotAnIndex, ReadOnlyIndex

_MAGIC = b"SQLite format 3\0"


def place_of(path: str | os.PathLike[str]) -> Path:
    """Return the whole path of an index, or say why it is none.

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
    return Path(os.path.abspath(text))


def look_at(path: Path, create: bool) -> None:
    """Refuse what is no SQLite file before SQLite sees it.

    Parameters
    ----------
    path : Path
    create : bool
        Whether the file may be missing, or not yet finished.
    """
    try:
        kind = path.stat().st_mode
        if stat.S_ISREG(kind):
            with path.open("rb") as file:
                start = file.read(len(_MAGIC))
    except FileNotFoundError:
        if not create:
            raise BadIndex(f"there is no index at {path}. Check the path, or open it with create=True.") from None
        return
    except OSError as error:
        raise BadIndex(f"{path} cannot be read: {error.strerror}. Check the path and who may read it.") from None
    if not stat.S_ISREG(kind):
        raise NotAnIndex(f"{path} is a folder or a device, and an index is one file. Check the path.")
    unfinished = create and (not start or path.with_name(path.name + "-journal").exists())
    if start != _MAGIC and not unfinished:
        got = "an empty file" if not start else f"a file that begins with {start!r}"
        raise NotAnIndex(
            f"{path} is not an index, which begins with {_MAGIC!r}: got {got}. Check the path; the file was not changed."
        )


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
