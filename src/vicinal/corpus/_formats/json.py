"""JSON: a list of objects, one object, or one object per line; what is not exact is refused, with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from vicinal.corpus._columns import Row
from vicinal.corpus._formats.base import Desk, Draft, Line, lines
from vicinal.corpus._formats.records import drafts
from vicinal.corpus._report import Unreadable

MOST_NESTED = 200
_MOST_DIGITS = 308
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},:]|-?(?:NaN|Infinity)|-?[0-9][0-9.eE+-]*+', re.DOTALL)


class Refused(ValueError):
    """Text that is no JSON, or JSON of which two readers would make two things."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


def json_file(desk: Desk) -> Iterator[Draft]:
    """Read a file that holds a list of objects or of texts, one object, or one object per line after all."""
    text = desk.text().removeprefix("\ufeff")
    if not text.strip():
        raise Unreadable("empty")
    try:
        value = loads(text)
    except Refused as refused:
        if refused.reason.startswith("Extra data") and text.lstrip().startswith("{"):
            desk.note(f"{desk.name}: one JSON value per line, although the name says one per file")
            yield from json_lines_of((Line(n, line) for n, line in enumerate(text.split("\n"), 1)), desk)
            return
        raise Unreadable(f"line {refused.line:,}: {refused.reason}") from None
    yield from drafts(iter(_rows(value, desk)), desk, "item")


def json_lines(desk: Desk) -> Iterator[Draft]:
    """Read a file with one object per line; a line that is none is skipped."""
    yield from json_lines_of(lines(desk), desk)


def json_lines_of(coming: Iterable[Line], desk: Desk) -> Iterator[Draft]:
    """Read one object per line from lines that are there already."""
    yield from drafts(_objects(coming, desk), desk, "line")


def _objects(coming: Iterable[Line], desk: Desk) -> Iterator[Row]:
    for line in coming:
        if line.cut:
            desk.skip(f"line {line.number:,}: longer than {desk.limits.document_bytes:,} characters")
        elif line.text.strip():
            try:
                value = loads(line.text.strip())
            except Refused as refused:
                desk.skip(f"line {line.number:,}: {refused.reason}")
                continue
            row = _row(line.number, value)
            if row is None:
                desk.skip(f"line {line.number:,}: {_kind(value)}, neither an object nor a text")
            else:
                yield row


def _rows(value: Any, desk: Desk) -> Iterator[Row]:
    if isinstance(value, dict):
        lists = [inner for inner in value.values() if isinstance(inner, list) and inner and isinstance(inner[0], dict)]
        value = lists[0] if len(lists) == 1 and not any(isinstance(inner, str) for inner in value.values()) else [value]
    if not isinstance(value, list):
        raise Unreadable(f"{_kind(value)}, neither an object nor a list of objects")
    for number, item in enumerate(value, start=1):
        row = _row(number, item)
        if row is None:
            desk.skip(f"item {number:,}: {_kind(item)}, neither an object nor a text")
        else:
            yield row


def _row(number: int, value: Any) -> Row | None:
    if isinstance(value, str):
        return Row(number, {"text": value})
    return Row(number, value) if isinstance(value, dict) else None


def _kind(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "a constant"
    return "a number" if isinstance(value, int | float) else "a text" if isinstance(value, str) else "a list"


def loads(text: str) -> Any:
    """Read JSON strictly: no NaN, no number beyond floating point, no key twice, no nesting without end."""
    try:
        return json.loads(text, parse_constant=_constant, parse_int=_whole, parse_float=_decimal, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise Refused(f"{error.msg} at column {error.colno:,}", error.lineno) from None
    except RecursionError:
        raise first_fault(text) or Refused("nested too deeply") from None
    except Refused as refused:
        raise first_fault(text) or refused from None


def _constant(name: str) -> Any:
    raise Refused(f"{name} is no number")


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise Refused("a number too large")
    return int(digits)


def _decimal(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        raise Refused("a number too large")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Refused("a key twice in one object")
    return found


def first_fault(text: str) -> Refused | None:
    """Find the line of what made `loads` refuse a text; walks over its signs without building anything."""
    keys: list[set[str]] = []
    before = ""
    for match in _TOKEN.finditer(text):
        sign = match[0]
        reason = ""
        if sign in "[{":
            keys.append(set())
            reason = f"nested more than {MOST_NESTED} deep" if len(keys) > MOST_NESTED else ""
        elif sign in "]}":
            keys = keys[:-1] if keys else keys
        elif sign == ":" and keys:
            reason = f"the key {before[:50]} twice in one object" if before in keys[-1] else ""
            keys[-1].add(before)
        elif sign.endswith(("NaN", "Infinity")):
            reason = f"{sign} is no number"
        elif sign[0] in "-0123456789" and _is_too_large(sign):
            reason = f"the number {sign[:20]}{'…' if len(sign) > 20 else ''} is too large"
        if reason:
            return Refused(reason, text.count("\n", 0, match.start()) + 1)
        before = sign
    return None


def _is_too_large(digits: str) -> bool:
    try:
        number = float(digits)
    except ValueError:
        return False
    return number - number != 0 or (len(digits) > _MOST_DIGITS and digits.lstrip("-").isdigit())
