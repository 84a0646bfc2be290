"""Neighbour graphs of a corpus, by its terms and by latent components, and the embeddings that views are clusterings of.

Views share their work: one neighbour search by terms and one among latent components, and per graph one spectrum of the largest
size and one regression, of which the smaller embeddings take the first components.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._matrix import unit_rows
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.errors import VicinalWarning
from vicinal.graph import Graph, SparseGraph, mix, with_labels
from vicinal.graph._build import knn_of_checked
from vicinal.graph._repair import repair_of_checked
from vicinal.projection import Ridge
from vicinal.projection._products import Products
from vicinal.projection._projection import embed
from vicinal.projection._regress import regress_of_checked
from vicinal.spectrum._solve import smoothest

N_NEIGHBORS = 15
MAX_LATENT = 100  # latent components at most
ALPHA = 1.0  # ridge penalty of the regressions
POWER = 2  # power iterations towards the largest singular vectors
OVERSAMPLING = 10  # components more than wanted that the power iterations carry along
LOOSE = 1e-2  # relative error of the regressions, which k-means does not see


@final
@dataclass(frozen=True, eq=False)
class ViewEmbedding:
    """An embedding of all documents, ready to be clustered.

    Attributes
    ----------
    name : str
        How it was made, in a few words.
    rows : float array (documents, components)
        Zero for a document that is not embedded.
    """

    name: str
    rows: FloatArray


@final
@dataclass(frozen=True, eq=False)
class NeighborGraphs:
    """The neighbour graphs of a corpus.

    Attributes
    ----------
    by_terms : SparseGraph
        Neighbours by cosine of the weighted terms.
    by_latent : SparseGraph
        Neighbours by cosine of the latent embedding.
    combined : SparseGraph
        The sum of both, on which clusters are merged and compared.
    latent : float array (documents, components)
        The latent embedding (LSI).
    """

    by_terms: SparseGraph
    by_latent: SparseGraph
    combined: SparseGraph
    latent: FloatArray


def neighbor_graphs(X: Terms, random_state: int, n_jobs: int | None, *, by_terms: SparseGraph | None = None) -> NeighborGraphs:
    """Build the neighbour graphs of weighted documents.

    Parameters
    ----------
    X : documents x terms
        Weighted.
    random_state : int
    n_jobs : int or None
    by_terms : SparseGraph, optional
        The repaired graph of the 15 nearest neighbours by terms, where somebody has built it already; it is not built again.
    """
    n_neighbors = min(N_NEIGHBORS, X.shape[0] - 1)
    latent = latent_embedding(X, min(MAX_LATENT, *(side - 1 for side in X.shape)), random_state, n_jobs)
    by_terms = _nearest_neighbors(X, X, n_neighbors, n_jobs) if by_terms is None else by_terms
    by_latent = _nearest_neighbors(np.ascontiguousarray(latent), X, n_neighbors, n_jobs)
    combined = mix(by_terms, by_latent)
    assert isinstance(combined, SparseGraph)
    return NeighborGraphs(by_terms, by_latent, combined, latent)


def _nearest_neighbors(rows: Terms, X: Terms, n_neighbors: int, n_jobs: int | None) -> SparseGraph:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # the caller warns of documents without terms, once
        graph = repair_of_checked(knn_of_checked(rows, n_neighbors, n_jobs=n_jobs), X, n_jobs=n_jobs)
    assert isinstance(graph, SparseGraph)
    return graph


def latent_embedding(X: Terms, n_components: int, random_state: int, n_jobs: int | None = None) -> FloatArray:
    """Documents along the largest singular vectors of X (LSI), by randomised power iteration: exact enough to find neighbours."""
    if n_components < 1:
        return np.asarray(X.sum(axis=1), dtype=np.float64).reshape(-1, 1)
    products = Products(X, n_jobs=n_jobs)
    width = min(n_components + OVERSAMPLING, *X.shape)
    with single_threaded_libraries():
        block = products.forward(np.random.RandomState(random_state).standard_normal((X.shape[1], width)))
        for _ in range(POWER):
            block = products.forward(products.backward(np.linalg.qr(block)[0]))
        Q = np.linalg.qr(block)[0]
        across, singular, _ = np.linalg.svd(products.backward(Q).T, full_matrices=False)
        return np.asarray(Q @ (across * singular))[:, :n_components]


def embed_graph(
    graph: Graph, X: Terms, n_components: int, labels: IntArray | None, random_state: int, n_jobs: int | None
) -> FloatArray:
    """The smoothest functions on a graph, regressed onto terms: the embedding of RLPI."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        if labels is not None and labels.max() > 0:  # one class by itself separates nothing
            graph = with_labels(graph, labels)
        spectrum = smoothest(graph, n_components, random_state=random_state)
        return embed(regress_of_checked(X, spectrum, Ridge(ALPHA), tol=LOOSE, n_jobs=n_jobs), X)


def unit_with_constant(Z: FloatArray) -> FloatArray:
    """Rows (1, z) scaled to unit length, so that documents near zero stay together (V5).

    In k clean clusters the functions of a graph satisfy 1 + ‖z‖² = n / size, and documents of different clusters become orthogonal:
    dividing by ‖z‖ alone would instead scatter the largest cluster, which lies nearest to zero.
    """
    return np.asarray(unit_rows(np.column_stack([np.ones(len(Z)), Z])))


def n_consensus_components(n_clusters: int) -> int:
    """How many components the larger embeddings and the consensus have."""
    return max(2, round(1.5 * n_clusters))


def view_embeddings(
    X: Terms, graphs: NeighborGraphs, n_clusters: int, labels: IntArray | None, random_state: int, n_jobs: int | None
) -> list[ViewEmbedding]:
    """Every embedding that a view is made of, for a number of clusters."""
    found = []
    wide = n_consensus_components(n_clusters)
    for name, graph in (("terms", graphs.by_terms), ("latent", graphs.by_latent)):
        Z = embed_graph(graph, X, wide, labels, random_state, n_jobs)
        found += [
            ViewEmbedding(f"{name}, {n_clusters} components", Z[:, :n_clusters]),
            ViewEmbedding(f"{name}, {n_clusters} components, unit length", unit_with_constant(Z[:, :n_clusters])),
            ViewEmbedding(f"{name}, {wide} components, unit length", unit_with_constant(Z)),
        ]
    latent = graphs.latent
    for d in (latent.shape[1] // 2, latent.shape[1]):
        found.append(ViewEmbedding(f"LSI, {d} components, unit length", np.asarray(unit_rows(latent[:, : max(1, d)]))))
    return found
