"""Filters on the columns and metadata of documents, as conditions of SQL.

A mapping asks for equality, ``{"year": 1999, "section": ["arts", "sport"]}`` (a list: one of these). A sequence of three parts
each compares, ``[("year", ">=", 1990), ("title", "contains", "tax")]``. All must hold. A text is parsed, such as
``"year>=1990 OR label=old"``, and so are texts in a sequence. A column is one of the document's own (id, title, source, label,
generation) or a name in its metadata. Numbers are compared with numbers and text with text; a document's own columns are text, and
a number is compared with them as it is written. A year, month or day is compared with dates in text. A name that a document does
not have is the same as None. To ``contains`` capitals and accents make no difference, as in
fields of a query.

Values and names go to SQLite as values, never as text of the statement.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, final

from vicinal._query import And, Comparison, Condition, Negated, Or, parse_condition, parse_period
from vicinal._store.document_row import encodable
from vicinal._store.statements import SqlValue
from vicinal._store.store import Store
from vicinal.errors import BadParameter

Filter: TypeAlias = tuple[str, str, Any]
Filters: TypeAlias = "str | Condition | Mapping[str, Any] | Filter | list[Filter | str] | tuple[Filter | str, ...]"
#: Columns that the table does not have: from an operation and a value to the numbers of the documents that pass.
Derived: TypeAlias = Mapping[str, Callable[[str, Any], Iterable[int]]]
Clause: TypeAlias = tuple[str, list[SqlValue]]

#: Each operation as SQL on a ``value``.
OPERATIONS = {
    "=": "{value} = ?",
    "!=": "{value} != ?",
    "<": "{value} < ?",
    "<=": "{value} <= ?",
    ">": "{value} > ?",
    ">=": "{value} >= ?",
    "in": "{value} IN (SELECT value FROM json_each(?))",
    "contains": "instr(folded({value}), folded(?)) > 0",
}
#: The document's own columns. The label in force is the one given last: see `Labels`.
OWN = {
    "id": "id",
    "title": "title",
    "source": "source",
    "label": "coalesce((SELECT labels.label FROM labels WHERE document = number), documents.label)",
    "generation": "generation",
}
#: Own columns that are not offered to people.
_INTERNAL = ("generation",)
_TEXT = "typeof({value}) = 'text'"
_NUMBER = "typeof({value}) IN ('integer', 'real')"
#: A text that begins with a date, most significant part first; slashes are taken for hyphens.
_DATE = "typeof(value) = 'text' AND value GLOB '[0-9][0-9][0-9][0-9]*' AND (length(value) = 4 OR substr(value, 5, 1) IN ('-', '/'))"
#: A number that may be a year, which is a date beside others in text.
_YEAR = "typeof(value) = 'integer' AND value BETWEEN 1000 AND 2999"
_AS_DATE = "replace(value, '/', '-')"
#: Each operation on a date and a period, whose beginning and end are given once each.
_PERIODS = {
    "=": "({date} >= ?1 AND {date} < ?2)",
    "!=": "NOT ({date} >= ?1 AND {date} < ?2)",
    "<": "{date} < ?1",
    "<=": "{date} < ?2",
    ">": "{date} >= ?2",
    ">=": "{date} >= ?1",
}
_MOST = 100
_WHOLE = 1 << 63


def condition(store: Store, filters: Filters, derived: Derived | None = None) -> Clause:
    """Turn filters into a condition on the table of documents, and the values for its question marks.

    Parameters
    ----------
    store : Store
        Asked which columns there are.
    filters : str, Condition, mapping, or sequence of (column, op, value)
    derived : mapping from str to function, optional
        Columns that the table does not have.

    Returns
    -------
    clause : str
    values : list

    Raises
    ------
    BadParameter
        An unknown column (with those that are known), an unknown operation, or a value that cannot be compared.
    """
    tree = as_condition(filters)
    _check_count(tree)
    return _clause(_Held(store, derived or {}), tree)


def as_condition(filters: Filters) -> Condition:
    """Filters in any form as one condition.

    Parameters
    ----------
    filters : str, Condition, mapping, or sequence of (column, op, value)

    Returns
    -------
    Condition
    """
    if isinstance(filters, str):
        return parse_condition(filters)
    if isinstance(filters, Comparison | And | Or | Negated):
        return filters
    return And(tuple(parse_condition(each) if isinstance(each, str) else Comparison(*each) for each in _listed(filters)))


def _check_count(tree: Condition) -> None:
    count = _n_comparisons(tree)
    if count > _MOST:
        raise BadParameter(f"there can be {_MOST} filters at once, got {count}. Use 'in' for many values of one column.")


def _n_comparisons(tree: Condition) -> int:
    match tree:
        case And(conditions) | Or(conditions):
            return sum(map(_n_comparisons, conditions))
        case Negated(inner):
            return _n_comparisons(inner)
    return 1


@final
class _Held:
    """What columns hold, looked up once for all comparisons of a condition: each look may go through all documents.

    Parameters
    ----------
    store : Store
    derived : mapping from str to function
        Columns that the table does not have.
    """

    def __init__(self, store: Store, derived: Derived) -> None:
        self.store, self.derived = store, derived
        self._known: dict[tuple[str, str], bool] = {}

    def has(self, column: str, test: str) -> bool:
        """Whether a value of a column passes a test in some document."""
        key = column, test
        if key not in self._known:
            self._known[key] = _has(self.store, column, test)
        return self._known[key]

    def is_of_dates(self, column: str) -> bool:
        """Whether a column of the metadata holds dates as text, and no numbers but years."""
        number = f"{_NUMBER.format(value='value')} AND NOT ({_YEAR})"
        return column not in OWN and self.has(column, _DATE) and not self.has(column, number)


def _clause(held: _Held, tree: Condition) -> Clause:
    match tree:
        case And(conditions):
            return _joined(" AND ", "TRUE", [_clause(held, each) for each in conditions])
        case Or(conditions):
            return _joined(" OR ", "FALSE", [_clause(held, each) for each in conditions])
        case Negated(inner):
            clause, values = _clause(held, inner)
            return f"NOT coalesce({clause}, FALSE)", values
    return _compared(held, tree)


def _joined(operator: str, neutral: str, clauses: list[Clause]) -> Clause:
    values = [value for _, some in clauses for value in some]
    return f"({operator.join([clause for clause, _ in clauses] or [neutral])})", values


def _compared(held: _Held, tree: Comparison) -> Clause:
    """One comparison: of a column of the table, a name in the metadata, a date, or a column that is derived."""
    column, operation, value = tree.column, tree.operation, tree.value
    if column in held.derived:
        numbers = [int(number) for number in held.derived[column](operation, value)]
        return "number IN (SELECT value FROM json_each(?))", [json.dumps(numbers)]
    _check_column(held, column)
    if (clause := _of_dates(held, tree)) is not None:
        return clause
    test, asked = _test(operation, _as_text(value) if column in OWN and column not in _INTERNAL else value, column)
    if column in OWN:
        return "(" + test.format(value=OWN[column]) + ")", [*asked]
    if value is None and operation == "=":
        return "NOT EXISTS (SELECT 1 FROM json_each(metadata) WHERE key = ? AND value IS NOT NULL)", [column]
    _check_kind(held, column, json.loads(str(asked[0])) if operation == "in" else asked)
    return "EXISTS (SELECT 1 FROM json_each(metadata) WHERE key = ? AND " + test.format(value="value") + ")", [column, *asked]


def _of_dates(held: _Held, tree: Comparison) -> Clause | None:
    """A comparison with a year, month or day, where the column holds dates as text, and no numbers but years; else None."""
    if tree.operation == "in" and _is_list(tree.value):
        return _in_dates(held, tree)
    period = parse_period(tree.value) if tree.operation in _PERIODS else None
    if period is None or not held.is_of_dates(tree.column):
        return None
    test = _PERIODS[tree.operation].format(date=_AS_DATE)
    values = [period.first if mark == "?1" else period.after for mark in re.findall(r"\?[12]", test)]
    clause = (
        f"EXISTS (SELECT 1 FROM json_each(metadata) WHERE key = ? AND (({_DATE}) OR ({_YEAR})) AND {re.sub(r'[?][12]', '?', test)})"
    )
    return clause, [tree.column, *values]


def _in_dates(held: _Held, tree: Comparison) -> Clause | None:
    """Any of some years, months or days."""
    dates = dict.fromkeys(value if isinstance(value, str | int) else repr(value) for value in tree.value)
    if not dates or any(parse_period(date) is None for date in dates) or not held.is_of_dates(tree.column):
        return None
    if len(dates) > _MOST:
        raise BadParameter(
            f"a list for {tree.column!r:.80} can have {_MOST} dates, got {len(dates):,}. Compare it with the first and the last: "
            f"{tree.column:.80}>=1990 AND {tree.column:.80}<=1999."
        )
    return _joined(" OR ", "FALSE", [_compared(held, Comparison(tree.column, "=", date)) for date in dates])


def _has(store: Store, column: str, test: str) -> bool:
    """Whether a value of a column passes a test in some document."""
    clause = f"EXISTS (SELECT 1 FROM json_each(metadata) WHERE key = ? AND {test})"
    return bool(store.rows(f"SELECT 1 FROM documents WHERE {clause} LIMIT 1", (column,)))


def _listed(filters: Any) -> list[Filter | str]:
    """Filters one by one: triples that were checked, and texts that are parsed."""
    if isinstance(filters, Mapping):
        listed: list[Any] = [(column, "in" if _is_list(value) else "=", value) for column, value in filters.items()]
    else:
        listed = list(filters) if isinstance(filters, tuple | list) and not _is_triple(filters) else [filters]
    return [each if isinstance(each, str) else _checked(each) for each in listed]


def _is_triple(filters: Any) -> bool:
    """Whether it is one comparison, without a list around it."""
    return len(filters) == 3 and isinstance(filters[0], str) and isinstance(filters[1], str) and filters[1] in OPERATIONS


def _checked(triple: Any) -> Filter:
    if not isinstance(triple, tuple | list) or len(triple) != 3 or not isinstance(triple[0], str):
        raise BadParameter(f"a filter must be (column, operation, value), got {triple!r:.80}. Use ('year', '>=', 1990).")
    if triple[1] not in OPERATIONS:
        raise BadParameter(f"the operation of a filter must be one of {' '.join(OPERATIONS)}, got {triple[1]!r:.80}. Choose one.")
    return triple[0], triple[1], triple[2]


def _is_list(value: object) -> bool:
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


def _as_text(value: Any) -> Any:
    """A number as ids, titles, sources and labels hold it, which are text; anything else as it is."""
    if _is_list(value):
        return [_as_text(each) for each in value]
    value = value.item() if type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0 else value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


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


def _check_column(held: _Held, column: str) -> None:
    if column not in OWN and not (encodable(column) and held.has(column, "TRUE")):
        own = [name for name in (*OWN, *held.derived) if name not in _INTERNAL]
        names = ", ".join([*own, *(name for name in columns(held.store) if name not in OWN)][:50])
        raise BadParameter(f"documents have no column {column!r:.80}. Known are {names}: choose one of them.")


def _check_kind(held: _Held, column: str, asked: Sequence[SqlValue]) -> None:
    """Refuse texts for a column of numbers, and numbers for one of text: nothing would ever be found."""
    kinds = {isinstance(value, str) for value in asked}
    if asked and not any(held.has(column, (_TEXT if kind else _NUMBER).format(value="value")) for kind in kinds):
        is_text = isinstance(asked[0], str)
        advice = "Compare it with numbers." if is_text else f'Compare it with text, in quotation marks: "{asked[0]!r}".'
        advice = "Put AND or OR between two conditions." if is_text and re.search(r"[<>=~]", str(asked[0])) else advice
        raise BadParameter(f"{column!r:.80} holds {'numbers' if is_text else 'text'}, got {asked[0]!r:.80}. {advice}")


def columns(store: Store) -> list[str]:
    """Names that occur in the metadata of documents, in alphabetical order.

    Parameters
    ----------
    store : Store

    Returns
    -------
    list of str
    """
    rows = store.rows("SELECT DISTINCT key FROM documents, json_each(metadata) ORDER BY key")
    return [name for (name,) in rows if isinstance(name, str)]  # damaged metadata may be no mapping


def values(store: Store, column: str) -> list[tuple[int, Any]]:
    """What documents have in a column, one pair for each that has something there.

    Parameters
    ----------
    store : Store
    column : str
        One of `OWN`, or a name in the metadata.

    Returns
    -------
    list of (int, value)
        Number and value, in the order of the documents; True is 1 and False 0, as conditions compare them.
    """
    if column in OWN:
        return store.rows(f"SELECT number, {OWN[column]} AS value FROM documents WHERE value != '' ORDER BY number")
    return store.rows(
        "SELECT number, value FROM documents, json_each(metadata) WHERE key = ? AND value IS NOT NULL ORDER BY number", (column,)
    )


def truth_values(store: Store, column: str) -> set[int]:
    """The numbers of the documents whose value in a column of the metadata is True or False.

    Parameters
    ----------
    store : Store
    column : str

    Returns
    -------
    set of int
    """
    rows = store.rows("SELECT number FROM documents, json_each(metadata) WHERE key = ? AND type IN ('true', 'false')", (column,))
    return {number for (number,) in rows}


def has_column(store: Store, column: str) -> bool:
    """Whether people may ask for a column: it is the document's own, or in the metadata of some document.

    Parameters
    ----------
    store : Store
    column : str

    Returns
    -------
    bool
    """
    return column not in _INTERNAL and (column in OWN or (encodable(column) and _has(store, column, "TRUE")))
