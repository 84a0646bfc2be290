"""JSON: a list of objects, one object, or one object per line; ambiguous JSON is refused, with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import NoReturn

from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input, Line, lines
from vicinal.corpus._formats.tables import Record, documents_of
from vicinal.corpus._read_report import Unreadable

MOST_NESTED = 200
_MOST_DIGITS = 308
#: Characters of a list from which on its items are parsed twice, to be seen to be sound and to be read, and never held together.
_LONG = 4_000_000
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},:]|-?(?:NaN|Infinity)|-?[0-9][0-9.eE+-]*+', re.DOTALL)


class Refused(ValueError):
    """Text that is not JSON, or JSON that two readers would understand differently."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


def json_file(file: Input) -> Iterator[Document]:
    """Read a file that holds a list of objects or of texts, one object, or one object per line."""
    text = file.text().removeprefix("\ufeff")
    if not text.strip():
        raise Unreadable("empty")
    if len(text) > _LONG and _is_list(text):
        yield from documents_of(_list_records(list_items(text), file), file, "item")
        return
    try:
        value = loads(text)
    except Refused as refused:
        if refused.reason.startswith("Extra data") and text.lstrip().startswith("{"):
            file.note(f"{file.name}: one JSON value per line, although the name says one per file")
            yield from json_lines_of((Line(n, line) for n, line in enumerate(text.split("\n"), 1)), file)
            return
        raise Unreadable(f"line {refused.line:,}: {refused.reason}") from None
    yield from documents_of(_records(value, file), file, "item")


def json_lines(file: Input) -> Iterator[Document]:
    """Read a file with one object per line; a line that is not one is skipped."""
    yield from json_lines_of(lines(file), file)


def json_lines_of(lines: Iterable[Line], file: Input) -> Iterator[Document]:
    """Read one object per line."""
    yield from documents_of(_objects(lines, file), file, "line")


def _objects(lines: Iterable[Line], file: Input) -> Iterator[Record]:
    for line in lines:
        if line.cut:
            file.skip(f"line {line.number:,}: longer than {file.limits.document_bytes:,} characters")
        elif line.text.strip():
            try:
                value = loads(line.text.strip())
            except Refused as refused:
                file.skip(f"line {line.number:,}: {refused.reason}")
                continue
            record = _record(line.number, value)
            if record is None:
                file.skip(f"line {line.number:,}: {_type_of(value)}, neither an object nor a text")
            else:
                yield record


def _records(value: object, file: Input) -> Iterator[Record]:
    if isinstance(value, dict):
        lists = [inner for inner in value.values() if isinstance(inner, list) and inner and isinstance(inner[0], dict)]
        value = lists[0] if len(lists) == 1 and not any(isinstance(inner, str) for inner in value.values()) else [value]
    if not isinstance(value, list):
        raise Unreadable(f"{_type_of(value)}, neither an object nor a list of objects")
    yield from _list_records(value, file)


def _list_records(items: Iterable[object], file: Input) -> Iterator[Record]:
    for number, item in enumerate(items, start=1):
        record = _record(number, item)
        if record is None:
            file.skip(f"item {number:,}: {_type_of(item)}, neither an object nor a text")
        else:
            yield record


def _record(number: int, value: object) -> Record | None:
    if isinstance(value, str):
        return number, {"text": value}
    return (number, value) if isinstance(value, dict) else None


def _type_of(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "a constant"
    return "a number" if isinstance(value, int | float) else "a text" if isinstance(value, str) else "a list"


def loads(text: str) -> object:
    """Parse JSON strictly: no NaN, no number beyond floating point, no key twice, no unlimited nesting."""
    try:
        return _parsed(text)
    except json.JSONDecodeError as error:
        raise Refused(f"{error.msg} at column {error.colno:,}", error.lineno) from None
    except RecursionError:
        raise first_fault(text) or Refused("nested too deeply") from None
    except Refused as refused:
        raise first_fault(text) or refused from None


def _parsed(text: str) -> object:
    value: object = json.loads(text, parse_constant=_constant, parse_int=_whole, parse_float=_decimal, object_pairs_hook=_object)
    return value


def _is_list(text: str) -> bool:
    """Whether a text is a list that `list_items` can read; one that it cannot is left to `loads`, which says why."""
    try:
        for _ in list_items(text):
            pass
    except (Refused, RecursionError, ValueError):
        return False
    return True


def list_items(text: str) -> Iterator[object]:
    """The items of a list, parsed one at a time, so that a list takes no more memory than its text and one item."""
    at, end = _past(text, 0, "["), len(text)
    while at < end:
        value, at = _DECODER.raw_decode(text, at)
        yield value
        if text[(at := _BLANKS.match(text, at).end()) : at + 1] == "]":  # type: ignore[union-attr]
            if _past(text, at, "]") < end:
                raise Refused("Extra data")
            return
        at = _past(text, at, ",")
    raise Refused("a list that does not end")


def _past(text: str, at: int, sign: str) -> int:
    """The position after a sign, and the blanks around it."""
    found = re.compile(rf"[ \t\n\r]*+{re.escape(sign)}[ \t\n\r]*+").match(text, at)
    if found is None:
        raise Refused(f"no {sign}")
    return found.end()


def _constant(name: str) -> NoReturn:
    raise Refused(f"{name} is not a number")


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise Refused("a number too large")
    return int(digits)


def _decimal(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        raise Refused("a number too large")
    return number


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Refused("a key twice in one object")
    return found


_DECODER = json.JSONDecoder(parse_constant=_constant, parse_int=_whole, parse_float=_decimal, object_pairs_hook=_object)
_BLANKS = re.compile(r"[ \t\n\r]*+")


def first_fault(text: str) -> Refused | None:
    """Find the line of what made `loads` refuse a text; goes over its tokens without building anything."""
    keys: list[set[str]] = []
    before = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        reason = ""
        if token in "[{":
            keys.append(set())
            reason = f"nested more than {MOST_NESTED} deep" if len(keys) > MOST_NESTED else ""
        elif token in "]}":
            keys = keys[:-1] if keys else keys
        elif token == ":" and keys:
            reason = f"the key {before[:50]} twice in one object" if before in keys[-1] else ""
            keys[-1].add(before)
        elif token.endswith(("NaN", "Infinity")):
            reason = f"{token} is not a number"
        elif token[0] in "-0123456789" and _is_too_large(token):
            reason = f"the number {token[:20]}{'…' if len(token) > 20 else ''} is too large"
        if reason:
            return Refused(reason, text.count("\n", 0, match.start()) + 1)
        before = token
    return None


def _is_too_large(digits: str) -> bool:
    try:
        number = float(digits)
    except ValueError:
        return False
    return number - number != 0 or (len(digits) > _MOST_DIGITS and digits.lstrip("-").isdigit())
