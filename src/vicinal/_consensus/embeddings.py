"""Neighbour graphs of a corpus, by its terms and by latent components, and the embeddings that views are clusterings of.

Views share their work: one neighbour search by terms and one among latent components, and per graph one spectrum of the largest
size and one regression, of which the smaller embeddings take the first components.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
import scipy.sparse as sp

from vicinal._consensus.evidence import BesideTerms, ConfirmedEvidence, confirm
from vicinal._matrix import csr, unit_rows
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, SparseMatrix, Terms
from vicinal.errors import VicinalWarning
from vicinal.graph import ClassGraph, Graph, SparseGraph, mix
from vicinal.graph._build import knn_of_checked
from vicinal.graph._combine import mean_degree, with_labels_of_checked
from vicinal.graph._exact_duplicates import first_duplicates
from vicinal.graph._joining import repair_of_checked
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
    n_clusters : int
        How many clusters its views have.
    share : float
        What the share of the view is multiplied by: that of the evidence it is made of.
    labels : int array (documents,) or None
        A clustering that is the view itself, where one was given.
    """

    name: str
    rows: FloatArray
    n_clusters: int
    share: float = 1.0
    labels: IntArray | None = None


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
    by_evidence : tuple of ConfirmedEvidence
        Graphs of what is known besides terms, each with its share.
    """

    by_terms: SparseGraph
    by_latent: SparseGraph
    combined: SparseGraph
    latent: FloatArray
    by_evidence: tuple[ConfirmedEvidence, ...] = ()

    @property
    def for_sharing(self) -> SparseGraph:
        """Whose assignments a document takes into account (V3): neighbours by terms, and by evidence as far as terms confirm it."""
        return _weighted_sum((self.by_terms,), self.by_evidence, self.by_terms)

    def with_other_latent(self, X: Terms, random_state: int, n_jobs: int | None) -> NeighborGraphs:
        """The same neighbours by terms, and latent ones by another random seed."""
        latent, by_latent = _latent_neighbors(X, random_state, n_jobs)
        combined = _combined(self.by_terms, by_latent, self.by_evidence)
        return replace(self, by_latent=by_latent, combined=combined, latent=latent)


def neighbor_graphs(
    X: Terms,
    random_state: int,
    n_jobs: int | None,
    *,
    by_terms: SparseGraph | None = None,
    evidence: Sequence[BesideTerms] = (),
    recall: float = 1.0,
) -> NeighborGraphs:
    """Build the neighbour graphs of weighted documents.

    Parameters
    ----------
    X : documents x terms
        Weighted.
    random_state : int
    n_jobs : int or None
    by_terms : SparseGraph, optional
        The repaired graph of the 15 nearest neighbours by terms, where somebody has built it already; it is not built again.
    evidence : sequence of BesideTerms
        What is known of the documents besides their terms.
    recall : float
        Share of the true neighbours by terms that is enough.
    """
    n_neighbors = min(N_NEIGHBORS, X.shape[0] - 1)
    by_terms = _nearest_neighbors(X, X, n_neighbors, n_jobs, recall) if by_terms is None else by_terms
    latent, by_latent = _latent_neighbors(X, random_state, n_jobs)
    confirmed = (confirm(each, _evidence_graph(each, X, n_neighbors, n_jobs), by_terms, latent) for each in evidence)
    by_evidence = tuple(each for each in confirmed if each is not None)
    return NeighborGraphs(by_terms, by_latent, _combined(by_terms, by_latent, by_evidence), latent, by_evidence)


def _latent_neighbors(X: Terms, random_state: int, n_jobs: int | None) -> tuple[FloatArray, SparseGraph]:
    """The latent embedding, and the graph of the neighbours in it."""
    latent = latent_embedding(X, min(MAX_LATENT, *(side - 1 for side in X.shape)), random_state, n_jobs)
    return latent, _nearest_neighbors(np.ascontiguousarray(latent), X, min(N_NEIGHBORS, X.shape[0] - 1), n_jobs)


def _combined(by_terms: SparseGraph, by_latent: SparseGraph, by_evidence: Sequence[ConfirmedEvidence]) -> SparseGraph:
    """The sum of both, and of every evidence with edges as far as terms confirm it: at most as heavy as the latent graph (V20)."""
    return _weighted_sum((by_terms, by_latent), by_evidence, by_latent)


def _weighted_sum(graphs: tuple[SparseGraph, ...], by_evidence: Sequence[ConfirmedEvidence], heaviest: SparseGraph) -> SparseGraph:
    """Graphs and the evidence that has edges, each of which counts by its share and at most as much as the heaviest."""
    stored = [each for each in by_evidence if isinstance(each.graph, SparseGraph)]
    shares = [each.share * mean_degree(heaviest) / mean_degree(each.graph) for each in stored]
    total = mix(*graphs, *(each.graph for each in stored), shares=(*(1.0 for _ in graphs), *shares))
    assert isinstance(total, SparseGraph)
    return total


def random_walk(graph: SparseGraph) -> SparseMatrix:
    """The weights of the neighbours of each document, of sum one; zero for a document without neighbours."""
    weights = csr(graph.weights.astype(np.float64))
    others = csr(weights - sp.diags_array(weights.diagonal()))
    degrees = np.asarray(others.sum(axis=1)).ravel()
    scale = np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0)
    return csr(sp.diags_array(scale) @ others)


def _evidence_graph(evidence: BesideTerms, X: Terms, n_neighbors: int, n_jobs: int | None) -> Graph:
    """Neighbours by vectors, the classes of a clustering, or the edges that were given."""
    if evidence.rows is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VicinalWarning)  # negative cosines are no neighbours here
            return knn_of_checked(evidence.rows, n_neighbors, n_jobs=n_jobs)
    if evidence.labels is not None:
        sizes = np.bincount(evidence.labels[evidence.labels >= 0])
        return ClassGraph(evidence.labels, 1.0 / np.maximum(sizes, 1))
    assert evidence.graph is not None
    return evidence.graph


def _nearest_neighbors(rows: Terms, X: Terms, n_neighbors: int, n_jobs: int | None, recall: float = 1.0) -> SparseGraph:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # the caller warns of documents without terms, once
        graph = repaired(knn_of_checked(rows, n_neighbors, recall=recall, n_jobs=n_jobs), X, n_jobs)
    assert isinstance(graph, SparseGraph)
    return graph


def repaired(graph: Graph, X: Terms, n_jobs: int | None) -> Graph:
    """The graph with documents and connected components joined by terms, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        return repair_of_checked(graph, X, n_jobs=n_jobs)


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
        across, singular, _ = np.linalg.svd(np.asarray(np.linalg.qr(products.backward(Q), mode="r")).T)  # of the triangle: small
        return np.asarray(Q @ (across * singular))[first_duplicates(X), :n_components]  # rounding must not tell duplicates apart


def embed_graph(
    graph: Graph, X: Terms, n_components: int, labels: IntArray | None, random_state: int, n_jobs: int | None
) -> FloatArray:
    """The smoothest functions on a graph, regressed onto terms: the embedding of RLPI."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        if labels is not None and labels.max() > 0:  # one class by itself separates nothing
            graph = with_labels_of_checked(graph, labels)
        spectrum = smoothest(graph, n_components, random_state=random_state)
        return embed(regress_of_checked(X, spectrum, Ridge(ALPHA), tol=LOOSE, n_jobs=n_jobs, single=False), X)


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
    X: Terms,
    graphs: NeighborGraphs,
    numbers: Sequence[int],
    labels: IntArray | None,
    random_state: int,
    n_jobs: int | None,
    by_terms: FloatArray | None = None,
) -> list[ViewEmbedding]:
    """Every embedding that a view is made of, for one number of clusters or several, in rising order.

    The embedding by the terms graph may be given where it exists already.
    """
    found = []

    def embedded(graph: Graph) -> FloatArray:
        """The embedding by a graph, of which the smaller ones take the first components."""
        return embed_graph(graph, X, n_consensus_components(numbers[-1]), labels, random_state, n_jobs)

    found += _parts("terms", embedded(graphs.by_terms) if by_terms is None else by_terms, numbers)
    found += _parts("latent", embedded(graphs.by_latent), numbers)
    latent = graphs.latent
    for d in (latent.shape[1] // 2, latent.shape[1]):
        rows = np.asarray(unit_rows(latent[:, : max(1, d)]))
        found += [ViewEmbedding(f"LSI, {d} components, unit length", rows, number) for number in numbers]
    for each in graphs.by_evidence:
        found += _views_of_evidence(each, X, graphs, numbers, embedded, n_jobs)
    return found


def _parts(name: str, Z: FloatArray, numbers: Sequence[int], share: float = 1.0) -> list[ViewEmbedding]:
    """For each number of clusters as many components, as they are and with unit length, and half as many again with unit length."""
    found = []
    for number in numbers:
        few, more = Z[:, :number], Z[:, : n_consensus_components(number)]
        found += [
            ViewEmbedding(f"{name}, {number} components", few, number, share),
            ViewEmbedding(f"{name}, {number} components, unit length", unit_with_constant(few), number, share),
            ViewEmbedding(f"{name}, {more.shape[1]} components, unit length", unit_with_constant(more), number, share),
        ]
    return found


def _views_of_evidence(
    known: ConfirmedEvidence,
    X: Terms,
    graphs: NeighborGraphs,
    numbers: Sequence[int],
    embedded: Callable[[Graph], FloatArray],
    n_jobs: int | None,
) -> list[ViewEmbedding]:
    """A clustering as it is; edges alone and mixed with those by terms, regressed onto terms; vectors as they are besides (V20)."""
    name, given = known.evidence.name, known.evidence
    if given.labels is not None:
        n_found = int(given.labels.max(initial=0)) + 1
        return [ViewEmbedding(name, np.empty((len(given.labels), 0)), n_found, known.share, given.labels)]
    found = []
    for how, graph in (
        (name, repaired(known.graph, X, n_jobs)),
        (f"{name} and terms", mix(known.graph, graphs.by_terms, shares="equal")),
    ):
        parts = _parts(how, embedded(graph), numbers, known.share)
        found += [part for part in parts if part.name.endswith("unit length")]
    if given.rows is not None:
        rows = np.asarray(unit_rows(given.rows), dtype=np.float64)
        found += [ViewEmbedding(f"{name}, unit length", rows, number, known.share) for number in numbers]
    return found
