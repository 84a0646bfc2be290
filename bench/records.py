"""What every long run needs: results as lines of a file, a mark of the library they came from, and failures that do not end it."""

from __future__ import annotations

import hashlib
import json
import sys
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

LIBRARY = Path(__file__).resolve().parents[1] / "src" / "vicinal"
T = TypeVar("T")


@cache
def fingerprint(folder: Path = LIBRARY) -> str:
    """Ten digits that change when any line of the library does; taken once, as modules are loaded once."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:10]


def append_line(values: dict[str, Any], file: Path) -> None:
    """Add one line at the end, on a line of its own even where an earlier run was cut off in the middle of one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab+") as stream:
        if stream.tell() > 0:
            stream.seek(-1, 2)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
        stream.write(json.dumps(values).encode() + b"\n")


def attempt(what: str, action: Callable[[], T]) -> T | None:
    """The answer, or None where there is none: what went wrong is said."""
    try:
        return action()
    except Exception:  # one failure must not end a run of hours
        say(f"{what}: failed\n{traceback.format_exc()}")
        return None


def say(line: str) -> None:
    """On the screen at once, beside what the run prints as its answer."""
    print(line, file=sys.stderr, flush=True)
