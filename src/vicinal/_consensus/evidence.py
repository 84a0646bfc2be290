"""Evidence besides terms, an encoder's vectors, links or other clusterings, which counts by how much the terms confirm its edges.

Nobody says beforehand whether vectors know something of these documents or are noise. Documents that they call neighbours should
be more similar by terms than two documents drawn at random: by how much, compared with neighbours by terms, is their share (V19).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vicinal._matrix import unit_rows
from vicinal._typing import FloatArray, Floats, IntArray
from vicinal._warn import warn
from vicinal.errors import UnconfirmedEvidence
from vicinal.graph import ClassGraph, Graph, SparseGraph

TINY = float(np.finfo(float).tiny)
BROADEST = 20  # latent components that are compared: they say which subject a document is of, later ones which words it has
CERTAIN = 4.0  # standard errors above chance below which evidence is not used


@final
@dataclass(frozen=True, eq=False)
class BesideTerms:
    """What is known of the documents besides their terms: one of vectors, edges and a clustering.

    Attributes
    ----------
    name : str
        How it was given, in a few words.
    rows : float array (documents, numbers) or None
        One vector per document; zero where there is none.
    graph : SparseGraph or None
    labels : int array (documents,) or None
        Numbered from 0; -1 where a document is in no cluster.
    """

    name: str
    rows: Floats | None = None
    graph: SparseGraph | None = None
    labels: IntArray | None = None

    def restrict(self, documents: IntArray) -> BesideTerms:
        """The same of some of the documents."""
        return replace(
            self,
            rows=None if self.rows is None else self.rows[documents],
            graph=None if self.graph is None else self.graph.restrict(documents),
            labels=None if self.labels is None else self.labels[documents],
        )


@final
@dataclass(frozen=True, eq=False)
class ConfirmedEvidence:
    """Evidence with the graph of who is near whom by it, and how much it counts.

    Attributes
    ----------
    evidence : BesideTerms
    graph : Graph
    share : float
        From 0 to 1: how much its edges are confirmed by terms, compared with those by terms themselves (V19).
    """

    evidence: BesideTerms
    graph: Graph
    share: float


def confirm(evidence: BesideTerms, graph: Graph, by_terms: SparseGraph, latent: FloatArray) -> ConfirmedEvidence | None:
    """Weigh evidence by how much the terms confirm its edges (V19); None, with a warning, where they do no more than by chance."""
    U = np.asarray(unit_rows(latent[:, :BROADEST]))
    found, error = autocorrelation(graph, U)
    if found <= CERTAIN * error:
        warn(
            f"{evidence.name} agrees with the terms no more than by chance (correlation {found:.4f}, standard error {error:.4f}) "
            f"and is not used. Compare the order of its rows with that of the documents.",
            UnconfirmedEvidence,
        )
        return None
    usual = autocorrelation(by_terms, U)[0]
    return ConfirmedEvidence(evidence, graph, 1.0 if usual <= found else found / usual)


def autocorrelation(graph: Graph, U: FloatArray) -> tuple[float, float]:
    """Mean product of the rows at the ends of an edge, less that of ends drawn at random, and its standard error by chance (V19).

    It is Moran's statistic of spatial autocorrelation, for rows of several numbers. No document is compared with itself.
    """
    itself, squares = _diagonal(graph), _sum_of_squares(graph)
    d = graph.degrees - itself
    volume = float(d.sum())
    if volume <= 0:
        return 0.0, 0.0
    lengths = np.einsum("ij,ij->i", U, U)
    inside = (float(np.sum(U * graph.matmul(U))) - float(itself @ lengths)) / volume
    total = d @ U
    outside = (float(total @ total) - float(d**2 @ lengths)) / max(volume**2 - float(d @ d), TINY)
    centred = U - total / volume
    scatter = centred.T @ (centred * (d / volume)[:, None])
    return inside - outside, float(np.sqrt(2.0 * squares * np.sum(scatter**2))) / volume


def _diagonal(graph: Graph) -> FloatArray:
    """The weight of each document with itself."""
    if isinstance(graph, ClassGraph):
        return np.asarray(graph.indicators @ graph.class_weights)
    assert isinstance(graph, SparseGraph)
    return np.asarray(graph.weights.diagonal())


def _sum_of_squares(graph: Graph) -> float:
    """Of all weights of one document with another."""
    if isinstance(graph, ClassGraph):
        sizes = np.bincount(graph.labels[graph.labels >= 0], minlength=len(graph.class_weights))
        return float(np.sum(graph.class_weights**2 * sizes * (sizes - 1)))
    assert isinstance(graph, SparseGraph)
    return float(np.sum(graph.weights.data**2) - np.sum(graph.weights.diagonal() ** 2))
