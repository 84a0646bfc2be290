"""Which column of a table is the text, which the title, which the name: guessed by name and content, and said aloud."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

from vicinal.corpus._document import Scalar

TEXT_NAMES = ("text", "body", "content", "contents", "abstract", "description", "article", "document", "message", "post", "review")
TITLE_NAMES = ("title", "headline", "subject", "name")
ID_NAMES = ("id", "key", "url", "doi")
#: How much of a table is looked at before the first document comes out.
SAMPLE_ROWS, SAMPLE_CHARACTERS = 100, 1_000_000
#: Whole numbers beyond 64 bits have no place in any store and are kept as digits.
_LARGEST = 2**63 - 1


class Row(NamedTuple):
    """One record of a table: its number, and its values by column."""

    number: int
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Wishes:
    """The columns that were asked for by name; None leaves the choice open."""

    text: str | None = None
    title: str | None = None
    id: str | None = None
    label: str | None = None
    metadata: tuple[str, ...] | None = None

    def named(self) -> Iterator[tuple[str, str]]:
        """Each column asked for, with the parameter that asks."""
        for parameter in ("text", "title", "id", "label"):
            column = getattr(self, parameter)
            if column is not None:
                yield parameter, column
        yield from (("metadata", column) for column in self.metadata or ())


class UnknownColumn(LookupError):
    """A column was asked for that a table does not have."""


@dataclass(frozen=True)
class Roles:
    """What each column is for."""

    text: str
    title: str | None
    id: str | None
    label: str | None
    metadata: tuple[str, ...]
    nested: tuple[str, ...]

    def said(self) -> str:
        """The choice in words: ``text from "body", title from "headline", metadata: date``."""
        parts = [
            f'{role} from "{column}"' for role in ("text", "title", "id", "label") if (column := getattr(self, role)) is not None
        ]
        if self.metadata:
            parts.append(f"metadata: {', '.join(self.metadata)}")
        if self.nested:
            parts.append(f"left out, not plain values: {', '.join(self.nested)}")
        return ", ".join(parts)


def sampled(rows: Iterator[Row]) -> tuple[list[Row], Iterator[Row]]:
    """The first rows of a table, and all rows from the beginning."""
    sample: list[Row] = []
    characters = 0
    for row in rows:
        sample.append(row)
        characters += sum(len(value) for value in row.values.values() if isinstance(value, str))
        if len(sample) >= SAMPLE_ROWS or characters >= SAMPLE_CHARACTERS:
            break
    return sample, chain(sample, rows)


def choose(sample: Sequence[Row], wishes: Wishes) -> Roles | None:
    """Decide what each column is for, by the names asked for, by usual names, by content; None where no column has text."""
    columns = list(dict.fromkeys(column for row in sample for column in row.values))
    for parameter, column in wishes.named():
        if column not in columns:
            raise UnknownColumn(f"{parameter}: there is no column {column!r}; the columns are {', '.join(map(repr, columns[:50]))}")
    taken = {column for _, column in wishes.named()}
    text = wishes.text or _text_column(columns, sample, taken)
    if text is None:
        return None
    taken.add(text)
    title = wishes.title or _by_name(columns, TITLE_NAMES, taken)
    taken.add(title or text)
    key = wishes.id or next((column for column in _all_by_name(columns, ID_NAMES, taken) if _is_key(column, sample)), None)
    rest = [column for column in columns if column not in {text, title, key, wishes.label}]
    nested = tuple(column for column in rest if _is_nested(column, sample)) if wishes.metadata is None else ()
    metadata = wishes.metadata if wishes.metadata is not None else tuple(column for column in rest if column not in nested)
    return Roles(text, title, key, wishes.label, metadata, nested)


def _all_by_name(columns: Iterable[str], names: Sequence[str], taken: set[str]) -> list[str]:
    known = {name: place for place, name in enumerate(names)}
    found = [column for column in columns if column.strip().lower() in known and column not in taken]
    return sorted(found, key=lambda column: known[column.strip().lower()])


def _by_name(columns: Iterable[str], names: Sequence[str], taken: set[str]) -> str | None:
    return next(iter(_all_by_name(columns, names, taken)), None)


def _text_column(columns: Sequence[str], sample: Sequence[Row], taken: set[str]) -> str | None:
    """The first usual name with words under it, or else the column with the longest strings."""
    lengths = {column: _length(column, sample) for column in columns if column not in taken}
    for column in _all_by_name(columns, TEXT_NAMES, taken):
        if lengths[column]:
            return column
    longest = max(lengths, key=lambda column: lengths[column], default=None)
    return longest if longest is not None and lengths[longest] else None


def _length(column: str, sample: Sequence[Row]) -> int:
    """How many characters a column's values have in all, those that are text with a letter in it."""
    values = (as_text(row.values.get(column), numbers=False) for row in sample)
    return sum(len(value) for value in values if any(character.isalpha() for character in value))


def _is_key(column: str, sample: Sequence[Row]) -> bool:
    values = [as_text(row.values.get(column)) for row in sample]
    return all(values) and len(set(values)) == len(values)


def _is_nested(column: str, sample: Sequence[Row]) -> bool:
    values = [row.values.get(column) for row in sample]
    return any(isinstance(value, list | dict | bytes) for value in values)


def as_text(value: object, numbers: bool = True) -> str:
    """A value of a table as text; a list of texts becomes lines."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(part for part in value if isinstance(part, str))
    if value is None or not numbers or isinstance(value, dict | bytes):
        return ""
    return str(as_scalar(value))


def as_scalar(value: object) -> Scalar:
    """A value of a table as something plain: numbers stay numbers, dates become text, what is nested becomes nothing."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return value if -_LARGEST <= value <= _LARGEST else str(value)
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else None
