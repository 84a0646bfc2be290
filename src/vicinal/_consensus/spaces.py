"""Several ways to look at the same documents: by the words they share, and by latent directions.

All views share their work: one neighbour search by words and one in the latent space, and per graph one spectrum of the largest
size and one regression, of which the smaller views take the first columns.
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

NEIGHBORS = 15
LATENT = 100  # latent directions at most
PENALTY = 1.0  # of the ridge
POWER = 2  # times the latent directions are turned
SPARE = 10  # directions more than wanted that are turned along
LOOSE = 1e-2  # relative error of the regressions, which k-means does not see


@final
@dataclass(frozen=True, eq=False)
class Space:
    """Coordinates of all documents, ready to be clustered.

    Attributes
    ----------
    name : str
        How it was made, in a few words.
    rows : float array (documents, d)
        A document without a place has a row of zeros.
    """

    name: str
    rows: FloatArray


@final
@dataclass(frozen=True, eq=False)
class Neighborhoods:
    """Who is near whom: by shared words, in the latent space, and both added up, which merges and judgements go by."""

    by_words: SparseGraph
    latent: SparseGraph
    both: SparseGraph
    coordinates: FloatArray  # of the latent space


def look_around(X: Terms, random_state: int, n_jobs: int | None) -> Neighborhoods:
    """Build the neighbourhoods of weighted documents."""
    n_neighbors = min(NEIGHBORS, X.shape[0] - 1)
    coordinates = latent_coordinates(X, min(LATENT, *(side - 1 for side in X.shape)), random_state, n_jobs)
    by_words, latent = (_neighbors(rows, X, n_neighbors, n_jobs) for rows in (X, np.ascontiguousarray(coordinates)))
    both = mix(by_words, latent)
    assert isinstance(both, SparseGraph)
    return Neighborhoods(by_words, latent, both, coordinates)


def _neighbors(rows: Terms, X: Terms, n_neighbors: int, n_jobs: int | None) -> SparseGraph:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # said once, by whoever asked for the views
        graph = repair_of_checked(knn_of_checked(rows, n_neighbors, n_jobs=n_jobs), X, n_jobs=n_jobs)
    assert isinstance(graph, SparseGraph)
    return graph


def latent_coordinates(X: Terms, d: int, random_state: int, n_jobs: int | None = None) -> FloatArray:
    """Documents along the directions of largest variation (LSI): approximate, which is enough for finding neighbours.

    A random block of directions is multiplied by X and Xᵀ a few times, which turns it towards the largest singular vectors.
    """
    if d < 1:
        return np.asarray(X.sum(axis=1), dtype=np.float64).reshape(-1, 1)
    products = Products(X, n_jobs=n_jobs)
    width = min(d + SPARE, *X.shape)
    with single_threaded_libraries():
        block = products.forward(np.random.RandomState(random_state).standard_normal((X.shape[1], width)))
        for _ in range(POWER):
            block = products.forward(products.backward(np.linalg.qr(block)[0]))
        Q = np.linalg.qr(block)[0]
        across, singular, _ = np.linalg.svd(products.backward(Q).T, full_matrices=False)
        return np.asarray(Q @ (across * singular))[:, :d]


def placed_by(graph: Graph, X: Terms, d: int, labels: IntArray | None, random_state: int, n_jobs: int | None) -> FloatArray:
    """The smoothest functions on a graph, regressed onto words: RLPI's coordinates of the documents."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        if labels is not None and labels.max() > 0:  # one class by itself separates nothing
            graph = with_labels(graph, labels)
        spectrum = smoothest(graph, d, random_state=random_state)
        return embed(regress_of_checked(X, spectrum, Ridge(PENALTY), tol=LOOSE, n_jobs=n_jobs), X)


def with_constant(Z: FloatArray) -> FloatArray:
    """Directions of (1, z): rows of length one, of which documents that no function moves stay together (V5).

    In k clean groups the functions of a graph satisfy 1 + ‖z‖² = n / size, and documents of different groups become orthogonal:
    dividing by ‖z‖ alone would instead scatter the largest group, which lies nearest to zero.
    """
    return np.asarray(unit_rows(np.column_stack([np.ones(len(Z)), Z])))


def spaces(X: Terms, around: Neighborhoods, k: int, labels: IntArray | None, random_state: int, n_jobs: int | None) -> list[Space]:
    """Every view of the documents, for k groups."""
    found = []
    wide = max(2, round(1.5 * k))
    for name, graph in (("words", around.by_words), ("latent", around.latent)):
        Z = placed_by(graph, X, wide, labels, random_state, n_jobs)
        found += [
            Space(f"{name}, {k} dimensions", Z[:, :k]),
            Space(f"{name}, {k} directions", with_constant(Z[:, :k])),
            Space(f"{name}, {wide} directions", with_constant(Z)),
        ]
    latent = around.coordinates
    for d in (latent.shape[1] // 2, latent.shape[1]):
        found.append(Space(f"LSI, {d} directions", np.asarray(unit_rows(latent[:, : max(1, d)]))))
    return found
