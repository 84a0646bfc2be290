"""Files that are written whole or not at all: under a name that nobody else has, and under their own when they are complete."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LONGEST = 50  # characters of the name that the other name begins with


@contextmanager
def written_whole(file: Path) -> Iterator[Path]:
    """The path to write to, which becomes ``file`` where no error ends the block; nothing is left of it otherwise.

    Parameters
    ----------
    file : Path
        Replaced, and then as readable as it was before.
    """
    unfinished = None
    try:
        unfinished = _new_file(file)
        yield unfinished
        unfinished.chmod(_mode_of(file))
        unfinished.replace(file)
    except OSError as error:
        if error.errno is not None:  # people know the file by its own name, and a full disk tells none
            error.filename, error.filename2 = str(file), None
        raise
    finally:
        if unfinished is not None:
            unfinished.unlink(missing_ok=True)


def _new_file(file: Path) -> Path:
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name[:_LONGEST]}.", suffix=".part", dir=file.parent)
    os.close(descriptor)
    return Path(name)


def _mode_of(file: Path) -> int:
    """Who may read and write a file: as before where it is there, or as every new file."""
    if file.is_file():
        return stat.S_IMODE(file.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
