"""Relabelling: documents of a fitted index get other clusters, and the rule and the terms of all clusters follow them.

The embedding and the vocabulary stay as they are. The rule is fitted to the clusters that documents have now, as a fit does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

import numpy as np

from vicinal._consensus.mixture import refine
from vicinal._consensus.rule import rule_of_terms
from vicinal._probabilities import normalized_entropy
from vicinal._typing import BoolArray, FloatArray, IntArray, Terms
from vicinal.index._clusters.cluster_table import ClusterTable, distinguishing_terms, save_cluster_table
from vicinal.index._clusters.cluster_tree import save_tree_of_changed
from vicinal.index._clusters.typical import by_typicality
from vicinal.index._drift.drift_rows import put_changed_drift
from vicinal.index._model import Model, save_rule, single_precision
from vicinal.index._rows import put_clusters
from vicinal.projection._products import Products

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState

DESCRIBED_BY = 20  # terms and exemplars that are kept of a cluster


@final
@dataclass(frozen=True, eq=False)
class Relabelled:
    """A model whose rule is that of given clusters.

    Attributes
    ----------
    model : Model
    uncertainty : float32 array (documents,)
    terms : tuple of tuples of (str, float)
        That distinguish each cluster.
    """

    model: Model
    uncertainty: FloatArray
    terms: tuple[tuple[tuple[str, float], ...], ...]


def relabelled(model: Model, counts: Terms, clusters: IntArray, n_clusters: int) -> Relabelled:
    """Fit the rule of a model to clusters of documents, each of which has a document.

    Parameters
    ----------
    model : Model
    counts : sparse (documents, terms)
    clusters : int array (documents,)
        From 0; -1 for none.
    n_clusters : int
    """
    evidence = model.evidence(counts)
    found = rule_of_terms(Products(evidence), clusters, n_clusters)
    forms = model.vocabulary.forms[model.vocabulary.shared]
    terms = tuple(tuple(distinguishing_terms(found, each, forms, DESCRIBED_BY)) for each in range(n_clusters))
    scores = single_precision(found.scores).named(forms)
    rule = replace(found, scores=scores, temperature=model.rule.temperature, per_term=model.rule.per_term)
    uncertainty: Any = normalized_entropy(rule.log_probabilities(evidence)).astype(np.float32)
    return Relabelled(replace(model, rule=rule), uncertainty, terms)


def relabel(state: IndexState, numbers: IntArray) -> tuple[int, ...]:
    """Keep other clusters of the documents of an index, inside the transaction of the caller; return the clusters that ended.

    Parameters
    ----------
    state : IndexState
    numbers : int array (rows,)
        The number of the cluster of each row of the state, -1 for none.
    """
    old, given = state.cluster_table, set(numbers[numbers >= 0].tolist())
    order = [each for each in old.numbers if each in given] + sorted(given - set(old.numbers))
    clusters = _positions(order, numbers)
    found = relabelled(state.model, state.rows.counts, clusters, len(order))
    exemplars = tuple(_exemplars(state, numbers, each) for each in order)
    save_rule(found.model, state.store)
    rows = put_clusters(state.store, state.rows, clusters, found.uncertainty)
    put_changed_drift(state.store, rows, found.model, state.rows.counts, clusters)
    save_tree_of_changed(state, clusters, np.array(order, dtype=np.int64))
    stable = tuple(_stability(state, numbers, each) for each in order), old.overall_stability
    save_cluster_table(state.store, ClusterTable(tuple(order), found.terms, exemplars, max(old.last, *order), *stable))
    return tuple(each for each in old.numbers if each not in given)


def _positions(order: Sequence[int], numbers: IntArray) -> IntArray:
    """The position of each number in an order; -1 stays."""
    known = np.array(order, dtype=np.int64)
    rank = np.argsort(known, kind="stable")
    found = rank[np.minimum(np.searchsorted(known[rank], numbers), len(known) - 1)]
    return np.where(numbers >= 0, found, -1).astype(np.int64)


def _is_unchanged(state: IndexState, numbers: IntArray, cluster: int) -> bool:
    """Whether the documents of a cluster are the same as before."""
    return cluster in state.cluster_table.numbers and np.array_equal(numbers == cluster, state.cluster_numbers == cluster)


def _stability(state: IndexState, numbers: IntArray, cluster: int) -> float | None:
    """That of the fit, for a cluster whose documents are the same."""
    table = state.cluster_table
    return table.stability[table.position(cluster)] if _is_unchanged(state, numbers, cluster) else None


def _exemplars(state: IndexState, numbers: IntArray, cluster: int) -> tuple[int, ...]:
    """Numbers of the most typical documents: those that were kept, for a cluster whose documents are the same."""
    rows, table = np.flatnonzero(numbers == cluster), state.cluster_table
    if _is_unchanged(state, numbers, cluster):
        return table.exemplars[table.position(cluster)]
    return tuple(state.rows.numbers[by_typicality(state, rows)[:DESCRIBED_BY]].tolist())


def by_terms(state: IndexState, numbers: IntArray, free: BoolArray, choices: Sequence[int]) -> IntArray:
    """Clusters of documents, where those that are free go to the one of some clusters that their terms fit best.

    Parameters
    ----------
    state : IndexState
    numbers : int array (rows,)
        The number of the cluster of each row, -1 for none.
    free : bool array (rows,)
        Documents that may go elsewhere.
    choices : sequence of int
        Numbers of clusters, each of which has a document that is not free.
    """
    rows = np.flatnonzero(np.isin(numbers, choices) | free)
    fixed = np.where(free[rows], -1, np.searchsorted(choices, numbers[rows]))
    found = refine(Products(state.model.evidence(state.rows.counts[rows])), fixed, len(choices), fixed=fixed)
    moved = numbers.copy()
    moved[rows] = np.where(found >= 0, np.array(choices)[found], numbers[rows])
    return moved
