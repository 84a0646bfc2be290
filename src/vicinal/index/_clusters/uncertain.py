"""The documents with the highest uncertainty, with the two clusters that each lies between and the terms for both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from vicinal._store import Labels
from vicinal._typing import FloatArray, IntArray
from vicinal.index._clusters.cluster_results import Uncertain
from vicinal.index._clusters.constraints import MOVE, PIN, held_clusters, load_constraints
from vicinal.index._recipe import load_recipe
from vicinal.projection._projection import explain_direction

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState

TERMS_FOR_EACH = 5


def uncertain(state: IndexState, limit: int) -> list[Uncertain]:
    """The documents with the largest stored uncertainty, without those that a person moved, pinned or labelled for the fit."""
    if len(state.cluster_table.numbers) < 2:
        return []
    decided = held_clusters(each for each in load_constraints(state.store) if each.kind in (MOVE, PIN))
    labelled = Labels(state.store).get() if load_recipe(state.store).use_labels else {}
    asked = (state.rows.clusters >= 0) & ~np.isin(state.rows.numbers, [*decided, *labelled])
    rows = np.flatnonzero(asked)
    rows = rows[np.argsort(-state.rows.uncertainty[rows], kind="stable")][:limit]
    return _described(state, rows) if len(rows) else []


def _described(state: IndexState, rows: IntArray) -> list[Uncertain]:
    evidence = state.model.evidence(sp.csr_array(state.rows.counts[rows]))
    probabilities = np.exp(state.model.rule.log_probabilities(evidence))
    names, found = state.cluster_names(), []
    for place, stored in enumerate(state.documents.at(state.rows.numbers[rows].tolist())):
        pair = _two(probabilities[place], int(state.rows.clusters[rows[place]]))
        numbers = [state.cluster_table.numbers[each] for each in pair]
        clusters = tuple((n, names[n], float(probabilities[place, each])) for n, each in zip(numbers, pair, strict=True))
        terms = _terms(state, sp.csr_array(evidence[[place]]), pair)
        uncertainty = float(state.rows.uncertainty[rows[place]])
        found.append(Uncertain(stored.document.id, stored.document.title, uncertainty, clusters, terms))
    return found


def _two(probabilities: FloatArray, own: int) -> tuple[int, int]:
    """The cluster of a document, and the most probable other one."""
    others = probabilities.copy()
    others[own] = -1.0
    return own, int(np.argmax(others))


def _terms(state: IndexState, x: sp.csr_array, pair: tuple[int, int]) -> tuple[tuple[tuple[str, float], ...], ...]:
    """The terms of a document that speak for the one and for the other of two clusters: the difference of their parts (V2)."""
    direction = np.zeros(state.model.n_clusters)
    direction[pair[0]], direction[pair[1]] = 1.0, -1.0
    why = explain_direction(state.model.rule.scores, x, direction)
    parts = sorted(zip(why.terms, why.parts.tolist(), strict=True), key=lambda each: (-abs(each[1]), each[0]))
    return tuple(
        tuple((str(term), sign * part) for term, part in parts if sign * part > 0)[:TERMS_FOR_EACH] for sign in (1.0, -1.0)
    )
