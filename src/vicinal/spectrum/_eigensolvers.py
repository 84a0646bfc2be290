"""The largest eigenvalues of a symmetric operator: dense, Lanczos, Chebyshev-filtered block; in closed form for factored graphs.

Each takes a :class:`Symmetric` and a count, and returns values (falling) and vectors of length one, the trivial one left out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from vicinal._typing import FloatArray
from vicinal.errors import NotConverged
from vicinal.spectrum._operator import OUT_OF_THE_WAY, Symmetric

Eigen = tuple[FloatArray, FloatArray]
Apply = Callable[[FloatArray], FloatArray]
Solver = Callable[[Symmetric, int, float, "int | None", np.random.RandomState], Eigen]

RANK = 1e-8  # eigenvalues of a factored graph below this are zero
MISSED = 1e-7  # an eigenvalue found afterwards and larger by this was missed before


def dense(S: Symmetric, count: int, tol: float, max_iter: int | None, random: np.random.RandomState) -> Eigen:
    """All of S as an array: for few documents, or when nearly all eigenvectors are asked for."""
    deflated = S.apply_deflated(np.eye(S.size))
    values, vectors = eigh((deflated + deflated.T) / 2, subset_by_index=(S.size - count, S.size - 1))
    return values[::-1].copy(), vectors[:, ::-1].copy()


def lanczos(S: Symmetric, count: int, tol: float, max_iter: int | None, random: np.random.RandomState) -> Eigen:
    """ARPACK, with a check for eigenvalues that it missed."""
    return lanczos_without_loss(S.apply_deflated, S.size, count, tol, max_iter, random)


def lanczos_without_loss(
    apply: Apply, size: int, count: int, tol: float, max_iter: int | None, random: np.random.RandomState
) -> Eigen:
    """The largest eigenpairs of a symmetric operator with eigenvalues in [-2, 1], none of a repeated one lost.

    A Krylov space grown from one vector holds one direction of each eigenspace, so ARPACK can return converged pairs and still
    miss a repeated or nearly repeated eigenvalue. What was found is therefore moved out of the way, and the largest that remains
    must not exceed the smallest found; if it does it is taken in, and the look repeated.
    """
    values, vectors = arpack(apply, size, count, tol, max_iter, random)
    while True:

        def rest(V: FloatArray, lam: FloatArray = values, U: FloatArray = vectors) -> FloatArray:
            """The operator with the found vectors moved out of the way."""
            return apply(V) - (U * (lam - OUT_OF_THE_WAY)) @ (U.T @ V)

        value, vector = arpack(rest, size, 1, max(tol, MISSED / 10), max_iter, random)
        if value[0] <= values[-1] + MISSED:
            return values, vectors
        vector = arpack(rest, size, 1, tol, max_iter, random, start=vector[:, 0])[1]
        values, vectors = rayleigh_ritz(apply, np.column_stack([vectors, vector]), count)


def arpack(
    apply: Apply,
    size: int,
    count: int,
    tol: float,
    max_iter: int | None,
    random: np.random.RandomState,
    start: FloatArray | None = None,
) -> Eigen:
    """The ``count`` largest eigenpairs of one operator, falling."""
    operator = LinearOperator((size, size), matvec=lambda v: apply(v.reshape(-1, 1)).ravel(), matmat=apply, dtype=np.float64)
    start = random.standard_normal(size) if start is None else start
    room = min(size, max(2 * count + 1, 20))
    try:
        values, vectors = eigsh(operator, count, which="LA", tol=tol, v0=start, maxiter=max_iter, ncv=room)
    except ArpackNoConvergence:
        values, vectors = _arpack_again(operator, count, tol, start, min(size, 2 * room))
    order = np.argsort(-values, kind="stable")
    return values[order], vectors[:, order]


def _arpack_again(operator: LinearOperator, count: int, tol: float, start: FloatArray, room: int) -> Eigen:
    """One retry with a larger basis and a high limit on iterations."""
    limit = 50 * operator.shape[0]
    try:
        return eigsh(operator, count, which="LA", tol=tol, v0=start, maxiter=limit, ncv=room)  # type: ignore[no-any-return]
    except ArpackNoConvergence as error:
        raise NotConverged(
            f"lanczos found {len(error.eigenvalues)} of {count} functions in {limit} iterations, after a retry. "
            f"Use a larger tol, fewer components, or solver='chebyshev'."
        ) from None


def chebyshev(S: Symmetric, count: int, tol: float, max_iter: int | None, random: np.random.RandomState) -> Eigen:
    """A block of vectors filtered by a polynomial that is small below the wanted eigenvalues (S7), until all have converged.

    A block sees repeated eigenvalues as they are, needs no long basis, and multiplies S with many columns at a time.
    """
    needed = max(1, count - 1)  # the last is asked for only to see the gap at the cut, and may sit in a crowd that a block cuts
    block = min(S.size - 1, count + max(8, count // 4))
    V = np.linalg.qr(without(S.trivial, random.standard_normal((S.size, block))))[0]
    values, V = rayleigh_ritz(S.apply_deflated, V, block)
    for _ in range(max_iter or 200):
        # Below the block's last value: a cluster of eigenvalues cut by the block would else sit on the edge and never sharpen.
        edge = min(values[-1], 1 - 1e-6) - 0.1 * (values[0] - values[-1])
        V = filtered(S, V, low=-1.0, high=edge, degree=_degree(values, count))
        values, V = rayleigh_ritz(S.apply_deflated, np.linalg.qr(without(S.trivial, V))[0], block)
        if S.residuals(values[:needed], V[:, :needed]).max() <= tol:
            break
    return values[:count], V[:, :count]


def _degree(values: FloatArray, count: int) -> int:
    """Degree that magnifies the last wanted eigenvalue by about 1e3 over the filter's edge, within sensible bounds."""
    gap = max((values[count - 1] - values[-1]) / (values[-1] + 1.0 + 1e-12), 1e-12)
    return int(np.clip(np.log(2e3) / np.sqrt(2.0 * gap), 8, 60))


def filtered(S: Symmetric, V: FloatArray, low: float, high: float, degree: int) -> FloatArray:
    """T_k((S - c)/e) V by the three-term recurrence, which stays below 1 on [low, high] and grows fast above it."""
    centre, half = (high + low) / 2, (high - low) / 2

    def step(block: FloatArray) -> FloatArray:
        """The operator, moved and scaled so that what is not wanted lies between -1 and 1."""
        return (S.apply_deflated(block, to=0.0) - centre * block) / half  # 0 is where the filter is small

    before, now = V, step(V)
    for _ in range(degree - 1):
        before, now = now, 2.0 * step(now) - before
        scale = np.abs(now).max()
        if scale > 1e100:  # only directions matter
            before, now = before / scale, now / scale
    return now


def without(u: FloatArray, V: FloatArray) -> FloatArray:
    """V without its part along u, which has length one."""
    return np.asarray(V - np.outer(u, u @ V))


def factored(S: Symmetric, count: int) -> Eigen:
    """In closed form where S = B Bᵀ with few columns: the eigenvectors of BᵀB, carried over by B (S8).

    The trivial eigenvector t is taken off first: (B - t tᵀB)ᵀ(B - t tᵀB) = BᵀB - (Bᵀt)(Bᵀt)ᵀ. Functions beyond the rank of B have
    the value zero and say nothing; they are left out, so there may be fewer than asked for.
    """
    B = S.factor
    assert B is not None  # who chooses this solver has asked
    along = B.T @ S.trivial
    values, vectors = eigh((B.T @ B).toarray() - np.outer(along, along))
    values, vectors = values[::-1][:count].copy(), vectors[:, ::-1][:, :count]
    values, vectors = values[values > RANK], vectors[:, values > RANK]
    V = B @ vectors - np.outer(S.trivial, along @ vectors)
    return values, V / np.linalg.norm(V, axis=0)


def rayleigh_ritz(apply: Apply, V: FloatArray, count: int) -> Eigen:
    """The best ``count`` eigenpairs within the span of V."""
    V = np.linalg.qr(V)[0]
    small = V.T @ apply(V)
    values, rotation = np.linalg.eigh((small + small.T) / 2)
    order = np.argsort(-values, kind="stable")[:count]
    return values[order], V @ rotation[:, order]


EIGENSOLVERS: dict[str, Solver] = {"dense": dense, "lanczos": lanczos, "chebyshev": chebyshev}
