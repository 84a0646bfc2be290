"""Made-up documents and graphs that theorems are tried on, and the few ways in which two answers are compared."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from vicinal._matrix import unit_rows
from vicinal._typing import FloatArray
from vicinal.graph import Graph


def documents(n: int = 60, n_terms: int = 90, n_topics: int = 4, seed: int = 0) -> FloatArray:
    """Weights of words, scaled to length one, most of them of the document's own topic: that of document i is i modulo topics."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((n, n_terms))
    share = n_terms // n_topics
    for i in range(n):
        np.add.at(counts[i], i % n_topics * share + rng.integers(0, share, 14), 1.0)
        np.add.at(counts[i], rng.integers(0, n_terms, 8), 1.0)
    found: FloatArray = unit_rows(counts * rng.uniform(0.5, 1.5, size=counts.shape))
    return found


def worded(n: int, n_terms: int, n_topics: int, seed: int = 0, own: int = 6, common: int = 30) -> FloatArray:
    """Counts of words as they are in texts, scaled to length one: the n-th most common word is n times rarer than the first.

    Half of the words belong to topics besides, and a document has ``own`` of those of its topic.
    """
    rng = np.random.default_rng(seed)
    share = 1.0 / np.arange(1, n_terms + 1)
    counts = rng.multinomial(common, share / share.sum(), size=n).astype(float)
    block = n_terms // (2 * n_topics)
    first = n_terms // 2 + block * (np.arange(n) % n_topics)
    np.add.at(counts, (np.arange(n)[:, None], first[:, None] + rng.integers(0, block, (n, own))), 1.0)
    found: FloatArray = unit_rows(counts)
    return found


def tall() -> FloatArray:
    """More documents than words: the words are independent, and not every function of documents is in their reach."""
    return documents(80, 24, 2)


def wide() -> FloatArray:
    """More words than documents: the documents are independent, and every function is in reach."""
    return documents(30, 120, 3)


def weights(n: int = 30, seed: int = 0, density: float = 0.2) -> FloatArray:
    """Symmetric weights between random pairs and along a path, so that the graph is connected; each document is near itself too."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) * (rng.random((n, n)) < density), k=1) + np.diag(rng.uniform(0.1, 1, n - 1), k=1)
    return np.asarray(upper + upper.T + np.diag(rng.random(n)))


def stored(graph: Graph) -> FloatArray:
    """W as an array, by way of its product."""
    return np.asarray(graph.matmul(np.eye(len(graph))))


def forms(X: FloatArray, W: FloatArray) -> tuple[FloatArray, FloatArray]:
    """XᵀWX and XᵀDX."""
    return X.T @ W @ X, X.T @ (W.sum(axis=1)[:, None] * X)


def residual(X: FloatArray, W: FloatArray, A: FloatArray, values: FloatArray) -> float:
    """The largest ‖XᵀWX a - λ XᵀDX a‖ of the columns of A, compared with ‖XᵀDX a‖."""
    left, right = (form @ A for form in forms(X, W))
    return float((np.linalg.norm(left - right * values, axis=0) / np.linalg.norm(right, axis=0)).max())


def smoothness(X: FloatArray, W: FloatArray) -> FloatArray:
    """All eigenvalues of XᵀLX a = l XᵀDX a, rising."""
    near, degrees = forms(X, W)
    return np.asarray(eigh(degrees - near, degrees, eigvals_only=True))


def error(found: FloatArray, expected: FloatArray) -> float:
    """The largest difference, compared with the largest expected number."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def error_up_to_sign(found: FloatArray, expected: FloatArray) -> float:
    """The same, each column turned to the side of the expected one."""
    return error(found * np.where(np.sum(found * expected, axis=0) < 0, -1.0, 1.0), expected)


def sine(A: FloatArray, B: FloatArray) -> float:
    """Sine of the largest angle between what the columns of B span and what those of A do."""
    Q, P = np.linalg.qr(A)[0], np.linalg.qr(B)[0]
    return float(np.linalg.norm(P - Q @ (Q.T @ P), ord=2))


def tiny(number: float) -> str:
    """A bound on what is rounding, the same on every machine; other numbers as they are."""
    return next((f"{bound:.0e}" for bound in (1e-10, 1e-8) if number < bound / 10), f"{number:.1g}")


def unlike_identity(M: FloatArray) -> float:
    """The largest entry of M - I."""
    return float(np.abs(M - np.eye(len(M))).max())
