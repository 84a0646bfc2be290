"""Block Lanczos on X Xᵀ: one sequence of products that serves every ridge penalty (P38).

Shifting K = X Xᵀ by α changes no Krylov space, so a block Lanczos run reduces K to a small matrix T once, and (K + αI)^-1 for any
α is a division by the eigenvalues of T. Blocks are kept orthonormal to their two predecessors only; what this loses repeats
eigenvalues of T, and neither sums over them nor combinations of their vectors change by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigh, qr

from vicinal._matrix import is_sparse
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray
from vicinal.projection._products import Products

SIZE = 420  # rows of T: with 30 responses 14 steps, after which α down to 0.03 has converged on the papers' corpora
FEWEST, MOST = 10, 60  # steps
DEPENDENT = 1e-11  # a column with less than this share of the largest outside the span of the others is rounding

Watch = Callable[[FloatArray], None]


@final
@dataclass(frozen=True, eq=False)
class Krylov:
    """The reduction of K = X Xᵀ to the block Krylov space of the columns V.

    Attributes
    ----------
    nodes : float array (q,)
        Eigenvalues of T, which stand for those of K.
    vectors : float array (q, q)
        Its eigenvectors, in the basis of the sequence.
    start : float array (q, columns)
        V in these eigenvectors: vᵀ f(K) v is about Σ f(node) start².
    """

    nodes: FloatArray
    vectors: FloatArray
    start: FloatArray

    def solved(self, alpha: float) -> FloatArray:
        """(K + αI)^-1 V, in the basis of the sequence."""
        return np.asarray(self.vectors @ (self.start / (self.nodes + alpha)[:, None]))


def lanczos(products: Products, V: FloatArray, watch: Watch | None = None, steps: int | None = None) -> Krylov:
    """Run block Lanczos with K = X Xᵀ from the columns of V on.

    Parameters
    ----------
    watch : function, optional
        Is shown Xᵀ Q for each block Q of the basis, in order.
    steps : int, optional
        By default fewer for a wide block: it reaches further with each.
    """
    products = as_sparse(products)
    steps = int(np.clip(SIZE // V.shape[1], FEWEST, MOST)) if steps is None else steps
    lengths = np.linalg.norm(V, axis=0)
    with single_threaded_libraries():
        Q, R = _orthonormal(V / np.where(lengths > 0, lengths, 1.0), 1.0)
        diagonal, below, before, size = list[FloatArray](), list[FloatArray](), Q, 0.0
        while len(diagonal) < steps and Q.shape[1]:
            back = products.backward(Q)
            if watch is not None:
                watch(back)
            W = products.forward(back)
            if below:
                W -= before @ below[-1].T
            A = Q.T @ W
            W -= Q @ A
            diagonal.append((A + A.T) / 2)
            size = max(size, float(np.abs(A).max(initial=0.0)))
            before, (Q, B) = Q, _orthonormal(W, size)
            below.append(B)
        nodes, vectors = eigh(_tridiagonal(diagonal, below)) if diagonal else (np.empty(0), np.empty((0, 0)))
    return Krylov(np.maximum(nodes, 0.0), vectors, vectors[: len(R)].T @ (R * lengths))


def as_sparse(products: Products) -> Products:
    """Dense rows converted to sparse ones: the same numbers in the same order give the same bits."""
    return products if is_sparse(products.X) else Products(sp.csr_array(products.X), products.mean, products.n_jobs)


def _orthonormal(W: FloatArray, size: float) -> tuple[FloatArray, FloatArray]:
    """Q and R with Q R = W, the columns of Q as many as W has that are not rounding."""
    Q, R, order = qr(W, mode="economic", pivoting=True)
    kept = int(np.sum(np.abs(np.diagonal(R)) > DEPENDENT * size))
    unpivoted = np.empty((kept, W.shape[1]))
    unpivoted[:, order] = R[:kept]
    return Q[:, :kept], unpivoted


def _tridiagonal(diagonal: list[FloatArray], below: list[FloatArray]) -> FloatArray:
    ends = np.cumsum([0, *(len(block) for block in diagonal)])
    T = np.zeros((ends[-1], ends[-1]))
    for k, block in enumerate(diagonal):
        T[ends[k] : ends[k + 1], ends[k] : ends[k + 1]] = block
        if k:
            T[ends[k] : ends[k + 1], ends[k - 1] : ends[k]] = below[k - 1]
            T[ends[k - 1] : ends[k], ends[k] : ends[k + 1]] = below[k - 1].T
    return T
