"""Where a layout starts: at the first two principal components of an embedding, or of the smoothest functions of its graph (N2)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr, unit_rows
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, SparseMatrix
from vicinal.uses._layout.orientation import known

WIDTH = 1.0  # standard deviation of the start: the distance at which attraction is strongest
NOISE = 1e-2  # share of random numbers in it, which tell duplicates apart
NUDGE = 0.05  # in mean distances of points that would be spread evenly
N_ROUNDS = 5  # by which documents without an earlier point are reached from those with one
N_FUNCTIONS, N_PRODUCTS, APART = 10, 60, 10  # smooth functions, products with the graph, and products between orthogonalisations


def start_of(embeddings: FloatArray, random_state: int) -> FloatArray:
    """Two principal components of rows of unit length, of canonical sign, with a little noise.

    Parameters
    ----------
    embeddings : (documents, d)
    random_state : int
    """
    with single_threaded_libraries():
        rows = np.asarray(unit_rows(np.asarray(embeddings, dtype=np.float64)))
        rows = rows - rows.mean(axis=0)
        vectors = np.linalg.eigh(rows.T @ rows)[1][:, ::-1][:, :2]
        points = np.zeros((len(rows), 2))
        points[:, : vectors.shape[1]] = rows @ vectors
    points *= np.where((points**3).sum(axis=0) < 0, -1.0, 1.0)  # the longer tail is on the right, and above
    points /= max(float(points[:, 0].std()), 1e-12)
    noise = np.random.RandomState(random_state).standard_normal(points.shape)
    return np.asarray(WIDTH * (points + NOISE * noise))


def start_like(affinities: SparseMatrix, like: FloatArray, random_state: int) -> FloatArray:
    """Earlier points, and for documents without one the mean of the points of their neighbours, step by step (N8).

    Parameters
    ----------
    affinities : csr (documents, documents)
    like : (documents, 2)
        Rows of NaN for documents without an earlier point.
    random_state : int
    """
    found = known(like)
    middle = like[found].mean(axis=0)
    points = np.where(found[:, None], like - middle, 0.0)
    for _ in range(N_ROUNDS):
        shares = affinities @ found.astype(np.float64)
        reached = ~known(like) & (shares > 0)
        points[reached] = (affinities @ (points * found[:, None]))[reached] / shares[reached, None]
        found = found | reached
    noise = np.random.RandomState(random_state).standard_normal(points.shape)
    return np.asarray(points + NOISE * noise)


def nudged(points: FloatArray, random_state: int) -> FloatArray:
    """Points moved by far less than to their neighbours, so that duplicates are beside each other and not on one point.

    Parameters
    ----------
    points : (documents, 2)
    random_state : int
    """
    apart = float(np.ptp(points, axis=0).max()) / np.sqrt(len(points))
    return np.asarray(points + NUDGE * apart * np.random.RandomState(random_state).standard_normal(points.shape))


def smooth_functions(weights: SparseMatrix, random_state: int) -> FloatArray:
    """A few functions that differ little between neighbours, by a few products with the graph: near its spectrum, and no more.

    Parameters
    ----------
    weights : csr (documents, documents)
        Symmetric; every row has an entry.
    random_state : int

    Returns
    -------
    (documents, functions)
    """
    roots = np.sqrt(np.asarray(weights.sum(axis=1), dtype=np.float64).ravel())
    scaled = csr(sp.diags_array(1.0 / roots) @ weights @ sp.diags_array(1.0 / roots))
    block = np.random.RandomState(random_state).standard_normal((len(roots), min(N_FUNCTIONS, len(roots))))
    constant = (roots / np.linalg.norm(roots))[:, None]
    with single_threaded_libraries():
        for product in range(N_PRODUCTS):
            if product % APART == 0:
                block = np.linalg.qr(block - constant @ (constant.T @ block))[0]
            block = (block + scaled @ block) / 2
    return np.asarray(block / roots[:, None])
