"""The generalised eigenproblem XᵀWX a = λ (XᵀDX + αI) a inside the row space of X (P10), plain or with orthonormal weights.

Both are solved in symmetric form. With X a = U c and M = UᵀDU + α S^-2 = RᵀR, the vector h = R c turns the pencil into
H h = λ h, H = R^-ᵀ (UᵀWU) R^-1 (P12): symmetric, so eigenvalues are real and all methods for them apply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.linalg import LinAlgError, cholesky, eigh, solve_triangular

from vicinal._matrix import is_sparse
from vicinal._typing import FloatArray
from vicinal.errors import BadData, NoVariation
from vicinal.graph import ClassGraph, Graph
from vicinal.projection._products import Products
from vicinal.projection._solvers.pencil_by_documents import Reachable, find_reachable, largest_outside
from vicinal.projection._solvers.row_space import RowSpace, row_space
from vicinal.spectrum._basis import TIE, canonical_rotation, say_indistinct, signs
from vicinal.spectrum._eigensolvers import lanczos_without_loss
from vicinal.spectrum._operator import OUT_OF_THE_WAY, Symmetric

DENSE_SIZE = 400  # rank up to which a dense eigensolver is the fastest
CENTRED = 1e-12  # share of its terms' sizes, added up, below which 1ᵀDX is zero but for rounding: X is centred already


def refuse_flat(n_components: int, n_documents: int) -> None:
    """Raise NoVariation where no component is left."""
    if n_components == 0:
        raise NoVariation(
            f"no component tells the {n_documents} documents of the graph apart: they have the same terms and at most their "
            f"lengths differ. Add other documents."
        )


@final
@dataclass(frozen=True, eq=False)
class DensePencil:
    """H h = λ h for one matrix, graph and α, with the constant function to leave out where it is in reach.

    Attributes
    ----------
    space : RowSpace
    H : (rank, rank)
    R : (rank, rank)
        Upper triangular, M = RᵀR.
    scale : float
        What H is multiplied by so that its eigenvalues stay near 1 under a large α.
    constant : (rank, k)
        Orthonormal: with k = 1 the h that is left out so that embeddings have mean zero by degree (P12'); k = 0 where X is centred.
    n_components : int
        The number of components to find.
    volume : float
        Sum of the degrees.
    """

    space: RowSpace
    H: FloatArray
    R: FloatArray
    scale: float
    constant: FloatArray
    n_components: int
    volume: float

    @classmethod
    def of(cls, products: Products, graph: Graph, alpha: float) -> DensePencil:
        """Build H by two triangular solves."""
        space, degrees = row_space(products), graph.degrees
        refuse_flat(space.rank, len(degrees))
        scale = 1.0 + alpha / (float(degrees.max()) * space.singular[0] ** 2)
        M = space.quadratic(lambda Y: (degrees / scale)[:, None] * Y)
        M[np.diag_indices_from(M)] += (alpha / scale) / space.singular**2
        R = _root(M)
        half = solve_triangular(R, space.quadratic(graph.matmul), trans="T")
        H = solve_triangular(R, half.T, trans="T")
        constant = _constant(space, R, degrees) if has_mean(products, degrees) else np.empty((space.rank, 0))
        n_components = min(space.rank - constant.shape[1], _rank_of(graph))
        return cls(space, (H + H.T) / 2, R, scale, constant, n_components, float(degrees.sum()))

    @property
    def rank(self) -> int:
        """How many independent documents, or terms."""
        return self.space.rank

    def plain(
        self, count: int, solver: str, tol: float, max_iter: int | None, random: np.random.RandomState
    ) -> tuple[FloatArray, FloatArray]:
        """The ``count`` largest eigenvectors of H, without the constant."""
        extra = min(count + 1, self.n_components)
        values, h = _largest(_avoiding(self.H, self.constant), extra, solver, tol, max_iter, random)
        _say_cut(values, count, self.scale)
        values, h = values[:count], h[:, :count]
        C = solve_triangular(self.R, h) * np.sqrt(self.volume / self.scale)
        return values / self.scale, self.space.lift(C @ canonical_rotation(values, self.space.span(C)))

    def orthogonal(
        self, count: int, solver: str, tol: float, max_iter: int | None, random: np.random.RandomState
    ) -> tuple[FloatArray, FloatArray]:
        """One component after another, each the best that is orthogonal to those before (P13).

        Orthogonality of a = V b to an earlier b_i reads (R^-ᵀ S^-1 b_i)ᵀ h = 0, so each step is a symmetric eigenproblem
        on the complement of those vectors, which themselves are moved to -2: the spurious solutions can never be the largest. Of
        components that are equally good, the canonical one is taken.
        """
        singular = self.space.singular[:, None]
        taken, values, directions = self.constant, [], np.empty((self.space.rank, 0))
        for _ in range(count):
            value, tied = _top_outside(self.H, taken, solver, tol, max_iter, random)
            h = _outside(taken, self._canonical(tied))
            b = solve_triangular(self.R, h) / singular
            b -= directions @ (directions.T @ b)  # already orthogonal but for rounding
            b /= np.linalg.norm(b)
            values.append(value)
            directions = np.column_stack([directions, b])
            taken = np.column_stack([taken, _outside(taken, solve_triangular(self.R, b / singular, trans="T"))])
        if tied.shape[1] > 1:
            say_indistinct(count, value / self.scale)
        C = singular * directions
        return np.array(values) / self.scale, self.space.lift(C * signs(self.space.span(C)))

    def _canonical(self, tied: FloatArray) -> FloatArray:
        """Of equally good h, as a column, the one that the canonical basis of their embeddings has first (S5)."""
        if tied.shape[1] == 1:
            return tied
        embeddings = self.space.span(solve_triangular(self.R, tied))
        return np.asarray(tied @ canonical_rotation(np.zeros(tied.shape[1]), embeddings)[:, :1])


@final
@dataclass(frozen=True, eq=False)
class GraphPencil:
    """The same without α, for documents that are nearly independent: the graph's own eigenproblem, with few conditions.

    Attributes
    ----------
    reachable : Reachable
    S : Symmetric
        The graph.
    taken : (documents, k)
        Orthonormal: what h = D^½ y must avoid.
    """

    reachable: Reachable
    S: Symmetric
    taken: FloatArray

    @classmethod
    def of(cls, products: Products, graph: Graph) -> GraphPencil | None:
        """None where the dense route is better."""
        reachable = find_reachable(products)
        if reachable is None:
            return None
        return cls(reachable, Symmetric(graph), reachable.forbidden(graph.degrees, has_mean(products, graph.degrees)))

    @property
    def rank(self) -> int:
        """How many independent documents."""
        return self.reachable.rank

    @property
    def n_components(self) -> int:
        """The number of components to find."""
        return min(self.S.size - int(self.taken.shape[1]), _rank_of(self.S.graph))

    def plain(
        self, count: int, solver: str, tol: float, max_iter: int | None, random: np.random.RandomState
    ) -> tuple[FloatArray, FloatArray]:
        """The ``count`` largest eigenvectors outside what is taken, as embeddings, and the weights of terms that give them."""
        extra = min(count + 1, self.n_components)
        values, h = largest_outside(self.S, self.taken, extra, tol, max_iter, random)
        _say_cut(values, count, 1.0)
        values, h = values[:count], h[:, :count]
        Y = h / self.S.roots[:, None] * np.sqrt(self.S.graph.degrees.sum())
        return values, self.reachable.lift(Y @ canonical_rotation(values, Y))


def _say_cut(values: FloatArray, count: int, scale: float) -> None:
    """Warn where the last component that was asked for and the next have the same eigenvalue."""
    if len(values) > count and values[count - 1] - values[count] < TIE:
        say_indistinct(count, values[count] / scale)


def _root(M: FloatArray) -> FloatArray:
    """R of M = RᵀR."""
    try:
        return np.asarray(cholesky(M))
    except LinAlgError:
        raise BadData(
            "the degrees of the graph are too uneven to solve with: the smallest is below the rounding error of the "
            "largest. Use weights of one size, or an alpha above zero."
        ) from None


def _rank_of(graph: Graph) -> int:
    """The number of components that a graph determines: classes less one for a class graph; any number for others."""
    return int(graph.connected_components.max()) if isinstance(graph, ClassGraph) else graph.n_documents


def has_mean(products: Products, degrees: FloatArray) -> bool:
    """Whether some embedding X a has a mean by degree, 1ᵀDXa ≠ 0, to take out: not where X is centred, nor for one document."""
    if len(degrees) == 1:
        return False
    weights = degrees[:, None]
    X = products.X
    sizes = Products(abs(X) if is_sparse(X) else np.abs(X), None, products.n_jobs).backward(weights)
    if products.mean is not None:
        sizes += degrees.sum() * np.abs(products.mean)[:, None]
    rounding = max(CENTRED, 16.0 * float(np.finfo(products.X.dtype).eps))
    return bool(np.linalg.norm(products.backward(weights)) > rounding * np.linalg.norm(sizes))


def _constant(space: RowSpace, R: FloatArray, degrees: FloatArray) -> FloatArray:
    """h₁ = R^-ᵀ Uᵀ D 1 of length one: the condition 1ᵀDXa = 0 reads h₁ᵀh = 0 (P12')."""
    h = solve_triangular(R, space.project(degrees[:, None]), trans="T")
    return np.asarray(h / np.linalg.norm(h))


def _avoiding(H: FloatArray, taken: FloatArray) -> FloatArray:
    """H on the complement of ``taken``, whose own eigenvalues are moved to where H has none."""
    if taken.shape[1] == 0:
        return H
    side = H @ taken
    inside = side @ taken.T + taken @ side.T - taken @ (taken.T @ side) @ taken.T
    return np.asarray(H - inside + OUT_OF_THE_WAY * taken @ taken.T)


def _outside(taken: FloatArray, v: FloatArray) -> FloatArray:
    """v made orthogonal to ``taken``, twice for rounding, and scaled to length one."""
    for _ in range(2):
        v = v - taken @ (taken.T @ v)
    return np.asarray(v / np.linalg.norm(v))


def _top_outside(
    H: FloatArray, taken: FloatArray, solver: str, tol: float, max_iter: int | None, random: np.random.RandomState
) -> tuple[float, FloatArray]:
    """The largest eigenvalue of H on the complement of ``taken``, with an orthonormal basis of all its eigenvectors."""
    size, count = len(H), 2

    def apply(V: FloatArray) -> FloatArray:
        """The matrix with what was found before moved out of the way."""
        inside = taken @ (taken.T @ V)
        product = H @ (V - inside)
        return np.asarray(product - taken @ (taken.T @ product) + OUT_OF_THE_WAY * inside)

    if solver == "dense" or (solver == "auto" and size <= DENSE_SIZE) or size <= 3:
        values, vectors = eigh(_avoiding(H, taken))
        return float(values[-1]), vectors[:, values >= values[-1] - TIE]
    while True:
        values, vectors = lanczos_without_loss(apply, size, min(count, size - 1), tol, max_iter, random)
        if values[-1] < values[0] - TIE or count >= size - 1:
            return float(values[0]), vectors[:, values >= values[0] - TIE]
        count *= 2


def _largest(
    H: FloatArray, count: int, solver: str, tol: float, max_iter: int | None, random: np.random.RandomState
) -> tuple[FloatArray, FloatArray]:
    size = len(H)
    if solver == "dense" or (solver == "auto" and size <= DENSE_SIZE) or count >= size - 1:
        values, vectors = eigh(H, subset_by_index=(size - count, size - 1))
        return values[::-1], vectors[:, ::-1]
    return lanczos_without_loss(lambda V: H @ V, size, count, tol, max_iter, random)
