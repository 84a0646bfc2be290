"""Sharing: with whom a document shares its assignment while clusters are corrected by their terms, and how much (V3, V7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._typing import FloatArray, IntArray, SparseMatrix
from vicinal.graph import SparseGraph


def random_walk(graph: SparseGraph) -> SparseMatrix:
    """The weights of the neighbours of each document, of sum one; zero for a document without neighbours."""
    weights = csr(graph.weights.astype(np.float64))
    others = csr(weights - sp.diags_array(weights.diagonal()))
    degrees = np.asarray(others.sum(axis=1)).ravel()
    scale = np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0)
    return csr(sp.diags_array(scale) @ others)


def agreed_walk(graph: SparseGraph, clusterings: Sequence[IntArray], shares: Sequence[float]) -> SparseMatrix:
    """The same, each neighbour weighted by the share of clusterings that put it together with the document, which keeps the rest.

    A neighbour that most views put into another cluster would take the document along; so the documents of a small cluster stay in
    it, although many of their neighbours are in a large one.
    """
    walk = random_walk(graph)
    rows = np.repeat(np.arange(walk.shape[0]), np.diff(walk.indptr))
    walk.data *= _agreement(rows, walk.indices.astype(np.int64), clusterings, shares)
    rest = np.bincount(rows, minlength=walk.shape[0]) > 0
    return csr(walk + sp.diags_array(np.where(rest, 1.0 - np.asarray(walk.sum(axis=1)).ravel(), 0.0)))


def _agreement(one: IntArray, other: IntArray, clusterings: Sequence[IntArray], shares: Sequence[float]) -> FloatArray:
    """For each pair of documents, the share of clusterings that put both in one cluster."""
    together = np.zeros(len(one))
    for labels, share in zip(clusterings, shares, strict=True):
        together += share * ((labels[one] == labels[other]) & (labels[one] >= 0))
    return np.asarray(together / sum(shares))
