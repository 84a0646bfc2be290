"""Evidence given to Topics besides terms: an encoder's vectors, clusterings and graphs are told apart and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final

import numpy as np

from vicinal._consensus.evidence import BesideTerms
from vicinal._matrix import dense, is_sparse, nonzero_rows
from vicinal._typing import ArrayLike
from vicinal._validate import check_labels, check_terms
from vicinal.errors import BadData, BadLabels, BadParameter, VicinalError
from vicinal.graph import Graph, SparseGraph
from vicinal.uses._topics.topics_links import Pairs
from vicinal.uses._topics.topics_seeds import SeedWords

#: Clusterings, vectors and graphs.
Views: TypeAlias = "Sequence[Graph | ArrayLike]"

ONE_EACH = "Give one row per document, in their order"


@final
@dataclass(frozen=True, eq=False)
class Given:
    """The evidence that a fit was given, not checked yet: see the parameters of `Topics.fit`."""

    embeddings: ArrayLike | None = None
    views: Views | Sequence[BesideTerms] | None = None
    seed_words: SeedWords | None = None
    must_link: Pairs | None = None
    cannot_link: Pairs | None = None


NOTHING = Given()


def check_evidence(given: Given, n_documents: int) -> tuple[BesideTerms, ...]:
    """What was given besides documents, checked against their number."""
    embeddings, views = given.embeddings, given.views
    found = () if embeddings is None else (_vectors("embeddings", embeddings, n_documents),)
    if views is None:
        return found
    if isinstance(views, str | Graph) or hasattr(views, "shape") or not isinstance(views, Sequence):
        raise BadParameter(f"views must be a list of clusterings, vectors or graphs, got {type(views).__name__}. Use views=[…].")
    return (*found, *(_view(f"views[{i}]", view, n_documents) for i, view in enumerate(views)))


def _view(name: str, given: Any, n_documents: int) -> BesideTerms:
    """A clustering has one number or name per document, vectors a row of numbers each; a graph says what it is."""
    if isinstance(given, BesideTerms):  # checked already
        return given
    if isinstance(given, Graph):
        return _graph(name, given, n_documents)
    if is_sparse(given) or np.ndim(given) == 2:
        return _vectors(name, given, n_documents)
    try:
        labels = check_labels(given, n_documents)
    except BadLabels as error:
        raise BadLabels(f"{name} is not a clustering of the documents: {error}") from None
    return BesideTerms(name, labels=labels)


def _graph(name: str, graph: Graph, n_documents: int) -> BesideTerms:
    if not isinstance(graph, SparseGraph):
        raise BadParameter(f"{name} must be a graph whose edges are stored, got {graph!r}. Use graph.knn, graph.links or a matrix.")
    _refuse_other_number(name, len(graph), n_documents)
    return BesideTerms(name, graph=graph)


def _vectors(name: str, given: ArrayLike, n_documents: int) -> BesideTerms:
    try:
        rows = check_terms(given, name)
    except VicinalError as error:
        raise type(error)(f"{name} must be numbers, one row per document: {error}") from None
    _refuse_other_number(name, rows.shape[0], n_documents)
    rows = dense(rows)
    if not nonzero_rows(rows).any():
        raise BadData(f"{name} holds nothing but zeros, which say nothing of who is near whom. {ONE_EACH}.")
    return BesideTerms(name, rows=rows)


def _refuse_other_number(name: str, found: int, n_documents: int) -> None:
    if found != n_documents:
        raise BadData(f"{name} has {found} rows but there are {n_documents} documents. {ONE_EACH}.")
