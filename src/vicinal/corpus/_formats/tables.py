"""From the records of any table to documents: which column is text, title or id is decided once, from the first records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from itertools import chain
from typing import TypeAlias, TypeVar

from vicinal.corpus._document import Document, Scalar
from vicinal.corpus._formats.input import Input
from vicinal.corpus._read_options import ReadOptions
from vicinal.corpus._read_report import Unreadable
from vicinal.errors import BadParameter

#: A record of a table: its number in the file, and its values by column.
Record: TypeAlias = tuple[int, Mapping[str, object]]
AnyRecord = TypeVar("AnyRecord", bound=Record)

#: Usual names of columns, in the order in which they are taken; first English, then other languages.
_OF_TEXTS = """
    text body content contents abstract description article document message post review
    inhalt beschreibung nachricht artikel texte contenu résumé texto contenido conteúdo resumen testo
    текст содержание описание κείμενο نص טקסט पाठ 正文 文本 内容 內容 本文 摘要 본문 내용 เนื้อหา
"""
_OF_TITLES = """
    title headline subject titel überschrift betreff titre título titulo titolo заголовок название
    τίτλος عنوان العنوان כותרת शीर्षक 标题 標題 题目 タイトル 題名 제목 หัวข้อ ชื่อเรื่อง name
"""
TEXT_NAMES, TITLE_NAMES = _OF_TEXTS.split(), _OF_TITLES.split()
ID_NAMES = ("id", "key", "url", "doi")
#: How much of a table is examined before the first document is made.
SAMPLE_RECORDS, SAMPLE_CHARACTERS = 100, 1_000_000
NO_LABEL = "-1"
#: Whole numbers beyond 64 bits are kept as text.
_LARGEST = 2**63 - 1


class UnknownColumn(LookupError):
    """A column was asked for that a table does not have."""


@dataclass(frozen=True)
class ColumnRoles:
    """Which column holds what; columns of nested values are left out."""

    text: str
    title: str | None
    id: str | None
    label: str | None
    metadata: tuple[str, ...]
    nested: tuple[str, ...]

    def described(self) -> str:
        """The choice in words: ``text from "body", title from "headline", metadata: date``."""
        parts = [
            f'{role} from "{column}"' for role in ("text", "title", "id", "label") if (column := getattr(self, role)) is not None
        ]
        if self.metadata:
            parts.append(f"metadata: {', '.join(self.metadata)}")
        if self.nested:
            parts.append(f"left out, not plain values: {', '.join(self.nested)}")
        return ", ".join(parts)


def documents_of(records: Iterator[Record], file: Input, unit: str = "row") -> Iterator[Document]:
    """Turn records into documents; notes which column was taken for what, and skips records without text."""
    sample, records = sampled(records)
    if not sample:
        return
    if len({column for _, values in sample for column in values}) > file.limits.columns:
        raise Unreadable(f"{unit} {sample[0][0]:,}: more than {file.limits.columns:,} columns")
    roles = _roles(sample, file)
    file.note(f"columns of {file.name}: {roles.described()}")
    unlabelled = 0
    for number, values in records:
        document = _document(number, values, roles, file)
        unlabelled += roles.label is not None and as_text(values.get(roles.label)).strip() == NO_LABEL
        if document.text.strip() or document.title:
            yield document
        else:
            file.skip(f"{unit} {number:,}: no text")
    if unlabelled:
        file.note(
            f"{file.name}: the label {NO_LABEL} means that there is none ({unlabelled:,} of these); call a class another name"
        )


def with_header(rows: Iterator[tuple[int, list[object]]], file: Input) -> Iterator[Record]:
    """Rows of values as records: the first row that is not empty names the columns."""
    filled = (each for each in rows if any(value not in {None, ""} for value in each[1]))
    first = next(filled, None)
    if first is None:
        return
    names = [str(value).strip() if value is not None else "" for value in first[1]]
    names = [name if name and name not in names[:at] else f"column {at + 1}" for at, name in enumerate(names)]
    for number, values in filled:
        if len(values) > len(names):
            file.skip(f"row {number:,}: {len(values):,} cells where the header has {len(names):,}")
        else:
            yield number, dict(zip(names, [*values, *[None] * (len(names) - len(values))], strict=True))


def sampled(records: Iterator[AnyRecord]) -> tuple[list[AnyRecord], Iterator[AnyRecord]]:
    """The first records of a table, and all records from the beginning."""
    sample: list[AnyRecord] = []
    characters = 0
    for record in records:
        sample.append(record)
        characters += sum(len(value) for value in record[1].values() if isinstance(value, str))
        if len(sample) >= SAMPLE_RECORDS or characters >= SAMPLE_CHARACTERS:
            break
    return sample, chain(sample, records)


def _roles(sample: list[Record], file: Input) -> ColumnRoles:
    try:
        roles = choose_roles([values for _, values in sample], file.options)
    except UnknownColumn as error:
        if file.by_itself:
            raise BadParameter(
                f"{error.args[0]} (in {file.source}). Use one of these names, or leave it out to have it guessed."
            ) from error
        raise Unreadable(error.args[0]) from error
    if roles is None:
        raise Unreadable("no column holds text")
    return roles


def _document(number: int, values: Mapping[str, object], roles: ColumnRoles, file: Input) -> Document:
    return file.document(
        as_text(values.get(roles.text)),
        as_text(values.get(roles.title)) if roles.title is not None else "",
        row=number,
        id=as_text(values.get(roles.id)) if roles.id is not None else "",
        label=_as_label(values.get(roles.label)) if roles.label is not None else "",
        metadata={column: as_scalar(values.get(column)) for column in roles.metadata},
    )


def choose_roles(sample: Sequence[Mapping[str, object]], options: ReadOptions) -> ColumnRoles | None:
    """Decide which column holds what, by the names asked for, by usual names, by content; None where no column has text."""
    columns = list(dict.fromkeys(column for values in sample for column in values))
    for parameter, column in options.columns():
        if column not in columns:
            raise UnknownColumn(f"{parameter}: there is no column {column!r}; the columns are {', '.join(map(repr, columns[:50]))}")
    taken = {column for _, column in options.columns()}
    text = options.text or _text_column(columns, sample, taken)
    if text is None:
        return None
    taken.add(text)
    title = options.title or next(iter(_by_usual_names(columns, TITLE_NAMES, taken)), None)
    taken.add(title or text)
    id = options.id or next((column for column in _by_usual_names(columns, ID_NAMES, taken) if _is_unique(column, sample)), None)
    rest = [column for column in columns if column not in {text, title, id, options.label}]
    nested = tuple(column for column in rest if _is_nested(column, sample)) if options.metadata is None else ()
    metadata = options.metadata if options.metadata is not None else tuple(column for column in rest if column not in nested)
    return ColumnRoles(text, title, id, options.label, metadata, nested)


def _by_usual_names(columns: Iterable[str], names: Sequence[str], taken: set[str]) -> list[str]:
    known = {name: position for position, name in enumerate(names)}
    found = [column for column in columns if column.strip().lower() in known and column not in taken]
    return sorted(found, key=lambda column: known[column.strip().lower()])


def _text_column(columns: Sequence[str], sample: Sequence[Mapping[str, object]], taken: set[str]) -> str | None:
    """The first usual name whose values have letters, or else the column with the longest texts."""
    lengths = {column: _length(column, sample) for column in columns if column not in taken}
    for column in _by_usual_names(columns, TEXT_NAMES, taken):
        if lengths[column]:
            return column
    longest = max(lengths, key=lambda column: lengths[column], default=None)
    return longest if longest is not None and lengths[longest] else None


def _length(column: str, sample: Sequence[Mapping[str, object]]) -> int:
    """The number of characters in all values of a column that are text with a letter in it."""
    texts = (as_text(values.get(column), numbers=False) for values in sample)
    return sum(len(value) for value in texts if any(character.isalpha() for character in value))


def _is_unique(column: str, sample: Sequence[Mapping[str, object]]) -> bool:
    ids = [as_text(values.get(column)) for values in sample]
    return all(ids) and len(set(ids)) == len(ids)


def _is_nested(column: str, sample: Sequence[Mapping[str, object]]) -> bool:
    return any(isinstance(values.get(column), list | dict | bytes) for values in sample)


def as_text(value: object, numbers: bool = True) -> str:
    """A value of a table as text; a list of texts becomes lines."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(part for part in value if isinstance(part, str))
    if value is None or not numbers or isinstance(value, dict | bytes):
        return ""
    return str(as_scalar(value))


def _as_label(value: object) -> str:
    """A label as text; -1 says that there is none, as in `Classifier` and `Index.label`."""
    text = as_text(value)
    return "" if text.strip() == NO_LABEL else text


def as_scalar(value: object) -> Scalar:
    """A value of a table as a plain value: numbers stay numbers, dates become text, nested values become None."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return value if -_LARGEST <= value <= _LARGEST else str(value)
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else None
