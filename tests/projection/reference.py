"""Ridge regression and the pencil in 40 decimal digits, and fourteen inputs on which double precision has a hard time."""

from __future__ import annotations

from dataclasses import dataclass

import mpmath as mp
import numpy as np

from tests.laws.toys import copies, cycle, random_graph

DIGITS = 40
ZERO = mp.mpf(10) ** -30  # share of the largest singular value below which one is zero


@dataclass(frozen=True)
class Nasty:
    """An input: X, weights of a graph, and the penalties to try."""

    X: np.ndarray
    W: np.ndarray
    alphas: tuple[float, ...] = (0.0, 1e-3)


def _counts(n, m, seed=0):
    return np.abs(np.random.default_rng(seed).normal(size=(n, m)))


def _near_duplicates():
    X = _counts(8, 12)
    X[-1] = X[0] * (1 + 1e-9 * np.random.default_rng(1).normal(size=12))
    return X


def _without_terms():
    X = _counts(10, 6)
    X[4] = 0.0
    return X


def nasty_inputs():
    tall, wide = _counts(12, 7), _counts(8, 14)
    graph = {n: random_graph(n, density=0.5) for n in (8, 10, 12)}
    return {
        "document lengths from 1e-6 to 1e6, tall": Nasty(tall * np.geomspace(1e-6, 1e6, 12)[:, None], graph[12]),
        "document lengths from 1e-6 to 1e6, wide": Nasty(wide * np.geomspace(1e-6, 1e6, 8)[:, None], graph[8]),
        "column scales from 1e-6 to 1e6": Nasty(tall * np.geomspace(1e-6, 1e6, 7), graph[12]),
        "one document times 1e8": Nasty(tall * np.where(np.arange(12) == 3, 1e8, 1.0)[:, None], graph[12]),
        "near-duplicates": Nasty(_near_duplicates(), graph[8]),
        "duplicate columns": Nasty(np.column_stack([tall, tall[:, :3]]), graph[12]),
        "nearly disconnected graph": Nasty(tall, copies(random_graph(6, density=0.5), 2, joint=1e-9).toarray()),
        "repeated eigenvalues": Nasty(wide, cycle(8)),
        "tiny and huge penalties": Nasty(tall, graph[12], (1e-300, 1e-14, 1e-12, 1e9)),
        "rank one": Nasty(np.outer(np.arange(1.0, 11), np.arange(2.0, 8)), graph[10]),
        "more terms than documents": Nasty(wide, graph[8]),
        "more documents than terms": Nasty(tall, graph[12]),
        "a document without terms": Nasty(_without_terms(), graph[10]),
        "float32": Nasty(tall.astype(np.float32), graph[12]),
    }


def matrix(array):
    """Numbers as they are, every bit."""
    return mp.matrix(np.asarray(array, dtype=np.float64).tolist())


def floats(M):
    return np.array(M.tolist(), dtype=np.float64).reshape(M.rows, M.cols)


def _decomposed(X):
    """U, S and V of X = U S Vᵀ, cut to the rank."""
    U, S, Vt = mp.svd_r(X)
    rank = sum(1 for s in S if s > ZERO * S[0])
    return U[:, :rank], [S[i] for i in range(rank)], Vt[:rank, :].T


def ridge(X, Y, alpha):
    """A and X A of the ridge regression."""
    with mp.workdps(DIGITS):
        X, alpha = matrix(X), mp.mpf(float(alpha))
        U, S, V = _decomposed(X)
        C = mp.diag([s / (s**2 + alpha) for s in S]) * (U.T * matrix(Y))
        return floats(V * C), floats(X * (V * C))


@dataclass(frozen=True)
class Pencil:
    """Eigenvalues, weights and embeddings, all components there are."""

    values: np.ndarray
    weights: np.ndarray
    embeddings: np.ndarray


def pencil(X, W, alpha, *, center=False, orthogonal=False):
    """(P12) under the condition (P12'), and (P13)."""
    with mp.workdps(DIGITS):
        X, W = matrix(X), matrix(W)
        degrees = W * mp.ones(W.rows, 1)
        if center:
            X = X - mp.ones(X.rows, 1) * (degrees.T * X) / sum(degrees)
        U, S, V = _decomposed(X)
        M = U.T * mp.diag(list(degrees)) * U + mp.mpf(alpha) * mp.diag([s**-2 for s in S])
        inverse = mp.inverse(mp.cholesky(M)).T  # R^-1 of M = RᵀR
        H = inverse.T * (U.T * W * U) * inverse
        taken = [] if center else [inverse.T * (U.T * degrees)]
        if orthogonal:
            values, C = _one_by_one(H, inverse, S, taken)
        else:
            values, h = _largest(H, taken, len(S) - len(taken))
            C = inverse * h * mp.sqrt(sum(degrees)) if values else None
        if not values:
            return Pencil(np.empty(0), np.empty((X.cols, 0)), np.empty((X.rows, 0)))
        return Pencil(np.array([float(value) for value in values]), floats(V * mp.diag([1 / s for s in S]) * C), floats(U * C))


def _largest(H, taken, count):
    """Eigenpairs of H outside ``taken``, largest first."""
    if count == 0:
        return [], None
    basis = _complement(H.rows, taken)
    values, h = mp.eigsy(basis.T * H * basis)
    order = range(len(values) - 1, len(values) - 1 - count, -1)
    picked = mp.matrix(h.rows, count)
    for column, source in enumerate(order):
        picked[:, column] = h[:, source]
    return [values[i] for i in order], basis * picked


def _one_by_one(H, inverse, S, taken):
    """(P13): each direction of length one and orthogonal to those before."""
    values, columns = [], []
    while len(taken) < H.rows:
        value, h = _largest(H, taken, 1)
        b = mp.diag([1 / s for s in S]) * (inverse * h)
        b /= mp.norm(b)
        values.append(value[0])
        columns.append(mp.diag(S) * b)
        taken = [*taken, inverse.T * (mp.diag([1 / s for s in S]) * b)]
    C = mp.matrix(H.rows, len(columns))
    for column, c in enumerate(columns):
        C[:, column] = c
    return values, C


def _complement(size, vectors):
    """An orthonormal basis of what is orthogonal to some vectors."""
    if not vectors:
        return mp.eye(size)
    columns = mp.matrix(size, len(vectors))
    for j, v in enumerate(vectors):
        columns[:, j] = v / mp.norm(v)
    Q, _ = mp.qr(columns, mode="full")
    return Q[:, len(vectors) :]
