"""Which of two clusterings is better, without labels: the words and the neighbours are asked."""

from __future__ import annotations

import numpy as np

from vicinal.graph import SparseGraph
from vicinal.projection.products import Products
from vicinal.typing import IntArray
from vicinal.views.merge import edges_between
from vicinal.views.words import nats_per_word

EXCHANGE = 0.04  # nats per word that neighbours cut e times as seldom are worth


def mean_cut(graph: SparseGraph, labels: IntArray, n_groups: int) -> float:
    """The share of its edges that a group has with other groups, averaged over groups: the normalised cut over k (V9)."""
    between = edges_between(graph, labels, n_groups)
    volume = between.sum(axis=1)
    full = volume > 0
    return float(np.mean(1.0 - np.diagonal(between)[full] / volume[full])) if full.any() else 1.0


def quality(evidence: Products | None, graph: SparseGraph, labels: IntArray, n_groups: int) -> float:
    """How well a clustering explains words, and how seldom it cuts between neighbours (V10): higher is better.

    Either alone misleads. Words alone would split a large topic into halves that differ a little rather than tell two small
    topics apart; neighbours alone would cut off a handful of outliers and leave the rest in one.
    """
    cut = max(mean_cut(graph, labels, n_groups), 1e-6)
    nats = 0.0 if evidence is None else nats_per_word(evidence, labels, n_groups)
    return nats - EXCHANGE * float(np.log(cut))
