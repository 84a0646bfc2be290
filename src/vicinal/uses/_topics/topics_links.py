"""Links given to Topics: pairs of documents become units and what keeps them apart, or a contradiction is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from numbers import Integral
from typing import TypeAlias, final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from vicinal._consensus.pairwise import NOT_ENOUGH, Links, distinct_pairs, numbered_by_first
from vicinal._typing import IntArray
from vicinal.errors import BadParameter
from vicinal.uses._topics.topics_seeds import KnownClasses

#: Pairs of numbers of documents.
Pairs: TypeAlias = "Iterable[tuple[int, int]] | NDArray[np.integer]"


@final
@dataclass(frozen=True, eq=False)
class Beforehand:
    """What is known of clusters before a fit, checked already.

    Attributes
    ----------
    known : KnownClasses
    links : Links or None
    """

    known: KnownClasses
    links: Links | None = None


def check_links(must_link: Pairs | None, cannot_link: Pairs | None, n_documents: int) -> Links | None:
    """Links of so many documents; None where none are given."""
    together, apart = _pairs("must_link", must_link, n_documents), _pairs("cannot_link", cannot_link, n_documents)
    return None if len(together) + len(apart) == 0 else links_of_pairs(together, apart, n_documents)


def links_of_pairs(together: IntArray, apart: IntArray, n_documents: int, named: Callable[[int], str] = str) -> Links:
    """Links of pairs of documents, each of which is there; ``named`` says what a document is called in a message."""
    graph = sp.csr_array((np.ones(len(together)), (together[:, 0], together[:, 1])), shape=(n_documents, n_documents))
    units = numbered_by_first(connected_components(graph, directed=False)[1])
    same = apart[units[apart[:, 0]] == units[apart[:, 1]]]
    if len(same):
        a, b = same[0].tolist()
        raise BadParameter(
            f"documents {named(a)} and {named(b)} are in cannot_link but must_link joins them, directly or by other documents, "
            f"got both. Leave out one of the pairs."
        )
    return Links(units, distinct_pairs(units[apart]))


def _pairs(name: str, given: object, n_documents: int) -> IntArray:
    if given is None:
        return np.zeros((0, 2), dtype=np.int64)
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise BadParameter(f"{name} must be pairs of numbers of documents, got {given!r}. Use {name}=[(0, 3), (3, 7)].")
    return np.array([_pair(name, pair, n_documents) for pair in given], dtype=np.int64).reshape(-1, 2)


def _pair(name: str, pair: object, n_documents: int) -> tuple[int, int]:
    both = list(pair) if isinstance(pair, Iterable) and not isinstance(pair, str | bytes) else []
    if len(both) != 2 or not all(isinstance(each, Integral) and not isinstance(each, bool | np.bool_) for each in both):
        raise BadParameter(f"{name} must be pairs of whole numbers, those of two documents, got {pair!r}. Use {name}=[(0, 3)].")
    a, b = (int(each) for each in both)
    if not (0 <= a < n_documents and 0 <= b < n_documents):
        raise BadParameter(f"{name} has {pair!r}, but documents are numbered 0 to {n_documents - 1}. Use numbers of these.")
    if a == b and name == "cannot_link":
        raise BadParameter(f"cannot_link has {pair!r}, but a document is always in a cluster with itself. Leave it out.")
    return a, b


def with_links(known: KnownClasses, links: Links | None, with_terms: NDArray[np.bool_]) -> KnownClasses:
    """What is known of classes, where a document that must be with a labelled one has its class; contradictions are refused."""
    if links is None or known.labels is None:
        return known
    labels = known.fixed
    assert labels is not None
    units = links.fixed_units(labels)
    _refuse_two_classes(labels, units[links.units], known)
    _refuse_one_class(units[links.apart], known)
    joined = with_terms & (units[links.units] >= 0)
    suggested = None if known.suggested is None else known.suggested & ~joined
    return replace(known, labels=np.where(joined, units[links.units], known.labels), suggested=suggested)


def _refuse_two_classes(labels: IntArray, of_unit: IntArray, known: KnownClasses) -> None:
    different = np.flatnonzero((labels >= 0) & (labels != of_unit))
    if len(different):
        document = int(different[0])
        raise BadParameter(
            f"must_link joins documents of two classes, {_name(known, labels[document])} (document {document}) and "
            f"{_name(known, of_unit[document])}, and each class is a cluster of its own. Correct the labels, or leave out a pair."
        )


def _refuse_one_class(pairs: IntArray, known: KnownClasses) -> None:
    same = pairs[(pairs[:, 0] >= 0) & (pairs[:, 0] == pairs[:, 1]), 0]
    if len(same):
        raise BadParameter(
            f"cannot_link keeps documents apart that have one label, {_name(known, same[0])}, and each class is one cluster. "
            f"Correct the labels, or leave out the pair."
        )


def _name(known: KnownClasses, number: int) -> str:
    assert known.names is not None
    return repr(known.names[number])


def refuse_too_few_clusters(links: Links | None, known: KnownClasses, n_clusters: int | str, with_terms: NDArray[np.bool_]) -> None:
    """Refuse a number of clusters that cannot keep documents apart; one that is chosen automatically is made large enough."""
    if links is None or isinstance(n_clusters, str):
        return
    enough = max(n_clusters, 0 if known.names is None else len(known.names))
    if not links.can_be_obeyed(enough, np.flatnonzero(with_terms), known.fixed):
        raise BadParameter(NOT_ENOUGH.format(n=enough))
