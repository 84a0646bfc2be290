"""Filters on the columns and metadata of documents, as conditions of SQL.

A mapping asks for equality, ``{"year": 1999, "section": ["arts", "sport"]}`` (a list: one of these). A sequence of three parts each
compares, ``[("year", ">=", 1990), ("title", "contains", "tax")]``. All must hold. A column is one of the document's own (id, title,
source, label, generation) or a name in its metadata. Numbers are compared with numbers and text with text; a name that a document
does not have is the same as None. ``contains`` tells capitals from small letters.

Values and names go to SQLite as values, never as text of the statement.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

from vicinal._store.document_row import encodable
from vicinal._store.store import SqlValue, Store
from vicinal.errors import BadParameter

Filter: TypeAlias = tuple[str, str, Any]
Filters: TypeAlias = "Mapping[str, Any] | list[Filter] | tuple[Filter, ...]"

#: Each operation as SQL on a ``value``.
OPERATIONS = {
    "=": "{value} = ?",
    "!=": "{value} != ?",
    "<": "{value} < ?",
    "<=": "{value} <= ?",
    ">": "{value} > ?",
    ">=": "{value} >= ?",
    "in": "{value} IN (SELECT value FROM json_each(?))",
    "contains": "instr({value}, ?) > 0",
}
#: The document's own columns. The label in force is the one given last: see `Labels`.
OWN = {
    "id": "id",
    "title": "title",
    "source": "source",
    "label": "coalesce((SELECT labels.label FROM labels WHERE document = number), documents.label)",
    "generation": "generation",
}
_TEXT = "typeof({value}) = 'text'"
_NUMBER = "typeof({value}) IN ('integer', 'real')"
_MOST = 100
_WHOLE = 1 << 63


def condition(store: Store, filters: Filters) -> tuple[str, list[SqlValue]]:
    """Turn filters into a condition on the table of documents, and the values for its question marks.

    Parameters
    ----------
    store : Store
        Asked which columns there are.
    filters : mapping, or sequence of (column, op, value)

    Returns
    -------
    clause : str
    values : list

    Raises
    ------
    BadParameter
        An unknown column (with those that are known), an unknown operation, or a value that cannot be compared.
    """
    parts: list[str] = ["TRUE"]
    values: list[SqlValue] = []
    for column, operation, value in _triples(filters):
        _check_column(store, column)
        test, asked = _test(operation, value, column)
        if column not in OWN and len(asked) == 1 and operation != "in":
            _check_kind(store, column, asked[0])
        if column in OWN:
            parts.append("(" + test.format(value=OWN[column]) + ")")
        elif value is None and operation == "=":
            parts.append("NOT EXISTS (SELECT 1 FROM json_each(metadata) WHERE key = ? AND value IS NOT NULL)")
            values.append(column)
        else:
            parts.append("EXISTS (SELECT 1 FROM json_each(metadata) WHERE key = ? AND " + test.format(value="value") + ")")
            values.append(column)
        values += asked
    return " AND ".join(parts), values


def _triples(filters: Filters) -> list[Filter]:
    if isinstance(filters, Mapping):
        triples: list[Filter] = [(column, "in" if _is_list(value) else "=", value) for column, value in filters.items()]
    else:
        triples = list(filters) if isinstance(filters, tuple | list) else [filters]
    for triple in triples:
        if not isinstance(triple, tuple | list) or len(triple) != 3 or not isinstance(triple[0], str):
            raise BadParameter(f"a filter must be (column, operation, value), got {triple!r:.80}. Use ('year', '>=', 1990).")
        if triple[1] not in OPERATIONS:
            raise BadParameter(
                f"the operation of a filter must be one of {' '.join(OPERATIONS)}, got {triple[1]!r:.80}. Choose one."
            )
    if len(triples) > _MOST:
        raise BadParameter(f"there can be {_MOST} filters at once, got {len(triples)}. Use 'in' for many values of one column.")
    return [tuple(triple) for triple in triples]


def _is_list(value: Any) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)


def _test(operation: str, value: Any, column: str) -> tuple[str, list[str | int | float]]:
    """What SQLite is to ask of a value, and the values it is to ask with."""
    if value is None and operation in ("=", "!="):
        return ("{value} IS NULL" if operation == "=" else "{value} IS NOT NULL"), []
    if operation == "in":
        if not _is_list(value):
            raise BadParameter(f"'in' needs a list of values for {column!r:.80}, got {value!r:.80}. Use [{value!r:.80}].")
        return OPERATIONS[operation], [json.dumps([_scalar(each, column) for each in value], ensure_ascii=False)]
    asked = _scalar(value, column)
    if operation == "contains" and not isinstance(asked, str):
        raise BadParameter(f"'contains' looks for text in {column!r:.80}, got {value!r:.80}. Use '=' for numbers.")
    kind = _TEXT if isinstance(asked, str) else _NUMBER
    return f"{kind} AND {OPERATIONS[operation]}", [asked]


def _scalar(value: Any, column: str) -> str | int | float:
    value = value.item() if type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0 else value
    plain = isinstance(value, str | int | float)
    if plain and isinstance(value, str) and not encodable(value):
        plain = False
    if plain and isinstance(value, int | float):
        plain = math.isfinite(value) and -_WHOLE <= value < _WHOLE
    if not plain:
        raise BadParameter(
            f"{column!r:.80} can be compared with text or a number below 2**63, got {value!r:.80}. Use one of these."
        )
    return value  # type: ignore[no-any-return]


def _check_column(store: Store, column: str) -> None:
    known = column in OWN or (
        encodable(column)
        and store.rows("SELECT 1 FROM documents WHERE EXISTS (SELECT 1 FROM json_each(metadata) WHERE key = ?) LIMIT 1", (column,))
    )
    if not known:
        names = ", ".join([*OWN, *(name for name in columns(store) if name not in OWN)][:50])
        raise BadParameter(f"documents have no column {column!r:.80}. Known are {names}: choose one of them.")


def _check_kind(store: Store, column: str, value: str | int | float) -> None:
    """Refuse text for a column of numbers, and a number for one of text: nothing would ever be found."""
    kind = (_TEXT if isinstance(value, str) else _NUMBER).format(value="value")
    clause = f"EXISTS (SELECT 1 FROM json_each(metadata) WHERE key = ? AND {kind})"
    if not store.rows(f"SELECT 1 FROM documents WHERE {clause} LIMIT 1", (column,)):
        other = "numbers" if isinstance(value, str) else "text"
        raise BadParameter(f"{column!r:.80} holds {other}, got {value!r:.80}. Compare it with {other}.")


def columns(store: Store) -> list[str]:
    """Names that occur in the metadata of documents, in alphabetical order.

    Parameters
    ----------
    store : Store

    Returns
    -------
    list of str
    """
    return [name for (name,) in store.rows("SELECT DISTINCT key FROM documents, json_each(metadata) ORDER BY key")]
