"""What must hold of the documents that a query finds: phrases, prefixes, fields and operators as sets of documents."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce
from typing import final

import numpy as np

from vicinal._query import Both, Either, Field, Must, Node, Not, Phrase, Prefix, SideBySide, Word
from vicinal._scripts import fold_accents
from vicinal._store import Store, containing, containing_prefix
from vicinal._store.filters import Derived, Filters, has_column, values
from vicinal._store.fulltext import FIELDS
from vicinal._typing import BoolArray, IntArray
from vicinal.errors import BadParameter
from vicinal.index._search.state_protocols import Queried, Searched

#: A name with a colon behind it, which may be a field.
_MAYBE_FIELD = re.compile(r"([^\W\d][\w.-]*):(?=\S)")
_WORDS = re.compile(r"\w+")
CLUSTER = "cluster"
_BY_NAME: dict[str, Callable[[str, str], bool]] = {
    "=": str.__eq__,
    "!=": str.__ne__,
    "contains": lambda name, part: fold_accents(part) in fold_accents(name),
}
_COMPARED: dict[str, Callable[..., object]] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "in": np.isin,
}


def fields_of(state: Searched, text: str) -> dict[str, str]:
    """The columns that a query may name before a colon: as they are written in small letters, and as they are."""
    found = {name: name for name in (*FIELDS, CLUSTER)}
    for name in _MAYBE_FIELD.findall(text):
        column = next((each for each in (name, name.lower()) if has_column(state.store, each)), None)
        if column is not None:
            found.setdefault(name.lower(), column)
    return found


def passing(state: Searched, where: Filters) -> IntArray | None:
    """The numbers of the documents that pass filters, rising; None where there are none to pass."""
    return state.documents.where(where, derived=derived_columns(state)) if where else None


def derived_columns(state: Searched) -> Derived:
    """Columns of documents that are not in the table of documents: the cluster, by its number or its name."""
    return {CLUSTER: lambda operation, value: _in_clusters(state, operation, value)}


def _in_clusters(state: Searched, operation: str, value: object) -> IntArray:
    state.require_fitted("tell documents by their cluster")
    if isinstance(value, str):
        if operation not in _BY_NAME:
            raise BadParameter(
                f"the name of a cluster can be compared by = != and ~, got {operation!r}. Use its number for {operation}."
            )
        value = [number for number, name in state.cluster_names().items() if _BY_NAME[operation](name, value)]
        operation = "in"
    if operation not in _COMPARED:
        raise BadParameter(
            f"{operation!r} cannot be asked of the number of a cluster, got {value!r:.80}. Use = != < <= > >= or in."
        )
    wanted = [value] if isinstance(value, int | float) else value if isinstance(value, list | tuple | set | frozenset) else []
    if operation in ("=", "in") and any(isinstance(each, float) and not each.is_integer() for each in wanted):
        raise BadParameter(
            f"clusters have whole numbers, got {value!r:.80}. Name the whole cluster: a part such as 3.1 is no column."
        )
    there = np.asarray(_COMPARED[operation](state.cluster_numbers, value), dtype=np.bool_)
    return state.rows.numbers[there]


@final
class TextLookup:
    """Which documents contain a phrase or a prefix: each is looked up once in a search, however often it is asked for.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._found: dict[tuple[str, str | None, bool], IntArray] = {}

    def containing(self, text: str, field: str | None = None) -> IntArray:
        """Numbers of the documents that contain a word or a phrase."""
        return self._looked_up(text, field, False)

    def containing_prefix(self, prefix: str, field: str | None = None) -> IntArray:
        """Numbers of the documents with a word that begins so."""
        return self._looked_up(prefix.lower(), field, True)

    def _looked_up(self, text: str, field: str | None, prefix: bool) -> IntArray:
        key = text, field, prefix
        if key not in self._found:
            self._found[key] = (containing_prefix if prefix else containing)(self._store, text, field)
        return self._found[key]


def meeting(state: Queried, lookup: TextLookup, nodes: tuple[Node, ...], fields: dict[str, str]) -> IntArray:
    """The numbers of the documents of which all nodes hold, rising."""
    return _Matcher(state, lookup, fields).all_of(nodes)


class _Matcher:
    """Finds the documents of which a node holds.

    Parameters
    ----------
    state : Queried
    lookup : TextLookup
    fields : dict from str to str
        Columns by the names that a query has for them.
    """

    def __init__(self, state: Queried, lookup: TextLookup, fields: dict[str, str]) -> None:
        self._state = state
        self._lookup = lookup
        self._fields = fields

    def all_of(self, nodes: tuple[Node, ...], field: str | None = None) -> IntArray:
        """Documents of which all nodes hold; what has no word excludes nothing."""
        wordy = [node for node in nodes if _has_words(node)]
        wanted = [self.holding(node, field) for node in wordy if not isinstance(node, Not)]
        excluded = [self.holding(node.node, field) for node in wordy if isinstance(node, Not)]
        found = reduce(np.intersect1d, wanted) if wanted else self._state.documents.numbers()
        return reduce(lambda left, gone: np.setdiff1d(left, gone, assume_unique=True), excluded, found)

    def holding(self, node: Node, field: str | None = None) -> IntArray:
        """Documents of which a node holds, in one field or in any text."""
        match node:
            case Word(text):
                return np.union1d(self._containing(text, field), self._in_another_form(text, field))
            case Phrase(text):
                return self._containing(text, field)
            case Prefix(text):
                return self._containing(text, field, prefix=True)
            case Field(name, inner):
                return self.holding(inner, self._fields[name])
            case Must(inner):
                return self.holding(inner, field)
            case Either(nodes):
                return reduce(np.union1d, [self.holding(each, field) for each in nodes if _has_words(each)])
            case Both(nodes) | SideBySide(nodes):
                return self.all_of(nodes, field)
            case Not():
                return self.all_of((node,), field)

    def _containing(self, text: str, field: str | None, *, prefix: bool = False) -> IntArray:
        if field is None or field in FIELDS:
            return self._lookup.containing_prefix(text, field) if prefix else self._lookup.containing(text, field)
        if field == CLUSTER:
            return self._in_cluster(text)
        sought, every = f" {_words(text)}" + ("" if prefix else " "), values(self._state.store, field)
        there = [number for number, value in every if sought in f" {_words(str(value))} "]
        return np.array(there, dtype=np.int64)

    def _in_another_form(self, word: str, field: str | None) -> IntArray:
        """A word also stands for its other forms, as in English the full text has it; a phrase is taken as it is written."""
        known = field is None or field in FIELDS
        return self._state.numbers_with_form(word, field) if known else np.empty(0, dtype=np.int64)

    def _in_cluster(self, text: str) -> IntArray:
        return _in_clusters(self._state, "=", int(text)) if text.isdecimal() else _in_clusters(self._state, "contains", text)


def _words(text: str) -> str:
    """The words of a text with a space between them; case and accents do not matter."""
    return " ".join(_WORDS.findall(fold_accents(text)))


def _has_words(node: Node) -> bool:
    match node:
        case Word(text) | Phrase(text) | Prefix(text):
            return any(map(str.isalnum, text))
        case Field(_, inner) | Must(inner) | Not(inner):
            return _has_words(inner)
        case Both(nodes) | Either(nodes) | SideBySide(nodes):
            return any(map(_has_words, nodes))


def among_rows(state: Searched, numbers: IntArray | None) -> BoolArray | None:
    """Which rows are of documents with these numbers; None stands for all."""
    return None if numbers is None else np.isin(state.rows.numbers, numbers)
