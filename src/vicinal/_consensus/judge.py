"""Which of two clusterings is better, without labels: the words and the neighbours are asked."""

from __future__ import annotations

import numpy as np

from vicinal._consensus.merge import edges_between
from vicinal._consensus.word_model import nats_per_word
from vicinal._typing import IntArray
from vicinal.graph import SparseGraph
from vicinal.projection._products import Products

EXCHANGE = 0.08  # nats per word that neighbours cut e times as seldom are worth
NEVER = 1e-4  # a smaller share of cut edges than this says nothing more


def cut(graph: SparseGraph, labels: IntArray, n_groups: int) -> float:
    """The share of all edge weight that runs between groups (V9)."""
    return float(1.0 - np.trace(edges_between(graph, labels, n_groups)))


def quality(alike: Products | None, graph: SparseGraph, labels: IntArray, n_groups: int) -> float:
    """How well a clustering explains words, and how seldom it cuts between neighbours (V10): higher is better.

    Either alone misleads. Words alone would split a large topic into halves that differ a little rather than tell two small
    topics apart; neighbours alone would cut off a handful of outliers and leave the rest in one.
    """
    nats = 0.0 if alike is None else nats_per_word(alike, labels, n_groups)
    return nats - EXCHANGE * float(np.log(max(cut(graph, labels, n_groups), NEVER)))
