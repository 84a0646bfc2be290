"""Small corpora and graphs the laws are tried on, and the few ways in which two results are compared."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from hypothesis import settings

#: Few examples, the same in every run: a law that fails once fails always.
lawful = settings(max_examples=25, derandomize=True, deadline=None)


def documents(n=60, n_terms=90, n_topics=4, seed=0):
    """Weights of words, most of them from the document's own topic; no two cosines are equal."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((n, n_terms))
    share = n_terms // n_topics
    for i in range(n):
        words = np.concatenate([i % n_topics * share + rng.integers(0, share, 14), rng.integers(0, n_terms, 8)])
        np.add.at(counts[i], words, 1.0)
    return sp.csr_array(counts * rng.uniform(0.5, 1.5, size=counts.shape))


def tall():
    """More documents than terms: the terms are independent and the constant function is out of reach."""
    return documents(n=80, n_terms=24, n_topics=2)


def wide():
    """More terms than documents: the documents are independent and every function is in reach."""
    return documents(n=30, n_terms=120, n_topics=3)


def square():
    """As many documents as terms, all independent."""
    return documents(n=40, n_terms=40, n_topics=1)


def topics(n=60, n_topics=4):
    """The topic of each of the ``documents``."""
    return np.arange(n) % n_topics


def random_graph(n=40, density=0.2, seed=0, loops=True):
    """Symmetric weights between random pairs, along a path besides, so that the graph is connected.

    With ``loops`` every document is its own neighbour too, which keeps -1 out of the spectrum.
    """
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) * (rng.random((n, n)) < density), k=1) + np.diag(rng.uniform(0.1, 1, n - 1), k=1)
    return upper + upper.T + (np.diag(rng.random(n)) if loops else 0.0)


def repeated_spectrum(values=(0.05, 0.05, 0.05, 0.02), n=30, seed=0):
    """A weight matrix of degree 1 everywhere, whose eigenvalues are 1 and the small ``values``, with directions at random."""
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(np.column_stack([np.ones(n), rng.normal(size=(n, len(values)))]))[0][:, 1:]
    swing = (basis * np.array(values)) @ basis.T
    weights = 1.0 / n + swing
    assert weights.min() > 0
    return (weights + weights.T) / 2


def cycle(n):
    """A ring of documents: every place looks like every other, and eigenvalues come in pairs."""
    ring = np.roll(np.eye(n), 1, axis=1)
    return ring + ring.T


def copies(block, count, joint=0.0):
    """The same block of weights several times over, each joined to the next by one edge of weight ``joint``."""
    n, size = len(block) * count, len(block)
    weights = np.kron(np.eye(count), block)
    first = np.arange(0, n - size, size)
    weights[first, first + size] = weights[first + size, first] = joint
    return sp.csr_array(weights)


def around_a_hub(block, count, joint):
    """The same block of weights several times over, each joined to one more document in their middle: connected, and symmetric."""
    n, size = len(block) * count, len(block)
    weights = np.zeros((n + 1, n + 1))
    weights[:n, :n] = np.kron(np.eye(count), block)
    weights[-1, :n:size] = weights[:n:size, -1] = joint
    return weights


def nearly_constant(share=4e-5):
    """More documents than terms, with one term that all documents have nearly the same weight of: λ₁ is 1 but for ``share``."""
    X = tall().toarray()
    noise = np.random.default_rng(1).normal(size=(X.shape[0], 1))
    return np.column_stack([X, 1.0 + np.sqrt(share) * noise])


def without_mean(X, degrees):
    """An orthonormal basis of {a : 1ᵀDXa = 0}, the directions whose embeddings have mean zero by degree."""
    g = np.asarray(X.T @ degrees).ravel()
    return np.linalg.qr(np.column_stack([g, np.eye(len(g))]))[0][:, 1 : len(g)]


def stored(graph):
    """W as an array, through the only thing a graph promises: its product."""
    return graph.matmul(np.eye(len(graph)))


def eigenvalues(weights):
    """All λ of W y = λ D y, falling, from a dense decomposition."""
    scale = 1.0 / np.sqrt(weights.sum(axis=1))
    return np.linalg.eigvalsh(scale[:, None] * weights * scale)[::-1]


def error(found, expected):
    """The largest difference, compared with the largest expected number."""
    return float(np.abs(found - expected).max(initial=0.0) / max(np.abs(expected).max(initial=0.0), 1e-300))


def error_up_to_sign(found, expected):
    """The same, each column of ``found`` turned to the side of the expected one."""
    return error(found * np.where(np.sum(found * expected, axis=0) < 0, -1.0, 1.0), expected)


def angle(A, B):
    """Sine of the largest angle between the spans of two sets of columns."""
    Q, P = np.linalg.qr(A)[0], np.linalg.qr(B)[0]
    return float(np.linalg.norm(P - Q @ (Q.T @ P), ord=2))
