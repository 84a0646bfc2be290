"""What every long run needs: results as lines of a file, a mark of the library they came from, and failures that do not end it."""

from __future__ import annotations

import hashlib
import json
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, TypeVar

LIBRARY = Path(__file__).resolve().parents[1] / "src" / "vicinal"
T = TypeVar("T")
KINDS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "list[str]": (list,),
    "list[float]": (list,),
    "dict[str, float]": (dict,),
}


@cache
def fingerprint(folder: Path = LIBRARY) -> str:
    """Ten digits that change when any line of the library does; taken once, as modules are loaded once."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:10]


def append_line(values: dict[str, Any], file: Path) -> None:
    """Add one line at the end, on a line of its own even where an earlier run was cut off in the middle of one.

    One process at a time: another would take a line that is being written for one that was cut off.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab+") as stream:
        _wait_for_others(stream)
        if stream.seek(0, 2) > 0:
            stream.seek(-1, 2)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
        stream.write(json.dumps(values).encode() + b"\n")


def _wait_for_others(stream: IO[bytes]) -> None:
    """Wait until no other process adds a line, and let none until the stream is closed; nothing on a machine without such locks.

    A lock of the process (lockf), not of the open file (flock): whoever holds a file with the latter may still add lines to it.
    """
    if find_spec("fcntl"):
        locks = import_module("fcntl")
        locks.lockf(stream, locks.LOCK_EX)


def read_lines(file: Path, parse: Callable[[Any], T]) -> tuple[list[T], list[str]]:
    """What each line says, and a complaint per line that says nothing of ours; such lines stay as they are."""
    found, complaints = [], []
    lines = file.read_bytes().split(b"\n") if file.exists() else []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(parse(_json(line)))
        except ValueError as reason:
            complaints.append(f"{file.name}, line {number}: {reason}; the line is not used.")
    return found, complaints


def typed(kind: type[T], values: Any) -> T:
    """A record from the values of a line: every field of its type, and nothing more."""
    if not isinstance(values, dict):
        raise ValueError("not a result")
    wanted = fields(kind)  # type: ignore[arg-type]
    wrong = [each.name for each in wanted if not _fits(values.get(each.name), str(each.type))]
    if wrong or len(values) != len(wanted):
        raise ValueError(f"not a result ({', '.join(wrong)} missing or of another kind)" if wrong else "more than a result")
    return kind(**values)


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:  # also what is not UTF-8
        raise ValueError(f"no JSON ({len(line)} bytes)") from None


def _fits(value: Any, kind: str) -> bool:
    return isinstance(value, KINDS[kind]) and not isinstance(value, bool)


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


def from_states(codes: Iterable[str | None]) -> str:
    """A sentence on the states of the library that results are from, for the page that shows them."""
    counted = Counter(code or "" for code in codes).most_common()
    each = [f"{n} from the library in state `{code}`" if code else f"{n} from an earlier state, not noted" for code, n in counted]
    return f"Of these results: {', '.join(each)}." if each else ""
