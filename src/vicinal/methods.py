"""The methods: each a scikit-learn estimator that is little more than its row of the table.

=================== ============================ =================== ===========================
method              graph                        route               penalty or option
=================== ============================ =================== ===========================
LSI                 (none)                       truncated SVD
LaplacianEigenmap   any                          the spectrum itself
LPP                 any                          pencil              Ridge(α), centred
LPI                 any                          pencil              Ridge(α), α = 0
OLPI                any                          pencil              orthonormal directions
RLPI                any                          regress             Ridge(α)
=================== ============================ =================== ===========================

*Any* graph is: nearest neighbours by default; the class graph when ``fit`` is given labels; both mixed when only some labels
are known; or whatever graph the ``graph`` parameter holds.

All of them take these parameters and learn these attributes:

n_components : int, optional
    How many dimensions; 30 by default, or as many as there are. A number that cannot be had gives a warning.
n_neighbors : int, optional
    How many neighbours each document chooses; 7 by default, or all others in a corpus smaller than that.
weight : {"cosine", "heat", "binary"}
    What an edge between neighbours weighs.
graph : {"knn", "complete"}, Graph, or matrix of weights
    Who is near whom: found from X, or given.
alpha : float
    Strength of the ridge penalty.
solver, tol, max_iter
    How the last step is solved; "auto" decides by size. Each class says what it offers.
disconnected : {"bridge", "keep", "apart"}
    What to do with a graph that falls apart: join its components through their most similar documents, keep dimensions that
    tell components apart, or embed each by itself.
n_jobs : int, optional
    Threads. No result depends on it.
random_state : int, RandomState or None
    Start of the iterative solvers. With an int, every run gives the same bits.

components_ : array (n_components, n_features)
    What each term adds to each dimension.
eigenvalues_ : array (n_components,)
    λ of each dimension; 1 is as smooth on the graph as a constant.
graph_ : Graph
    The graph learnt from, repaired where it had holes.
projection_ : Projection
    The map itself, which can explain its answers.
unplaced_ : bool array (documents,)
    Training documents outside the graph: without words, or with none in common with another document.
n_features_in_, feature_names_in_, get_feature_names_out()
    As everywhere in scikit-learn.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self, final

import numpy as np
from sklearn.decomposition import TruncatedSVD

from vicinal.errors import NoVariation
from vicinal.estimator import GraphMethod, LinearMethod, Method, refuse_hopeless
from vicinal.graph import ClassGraph
from vicinal.projection import Projection, Ridge, regress
from vicinal.projection.independent import independent_dimensions
from vicinal.projection.pencil import best_directions
from vicinal.projection.products import Products
from vicinal.projection.rowspace import row_space
from vicinal.spectrum import Spectrum
from vicinal.spectrum.basis import TIE, canonical_rotation, say_indistinct
from vicinal.spectrum.solve import smoothest
from vicinal.threads import single_threaded_libraries
from vicinal.typing import ArrayLike, FloatArray, RandomState, Terms
from vicinal.validate import check_choice

EXACT_SIZE = 500  # documents or terms up to which LSI decomposes the whole Gram matrix, which finds repeated values too


def _spectrum(method: GraphMethod, n_components: int, **options: Any) -> Spectrum:
    by_class = isinstance(method.graph_, ClassGraph)  # classes are components that must be told apart
    apart = "apart" if method.disconnected == "apart" and not by_class else "keep"
    return smoothest(method.graph_, n_components, disconnected=apart, random_state=method.random_state, **options)


@final
class LSI(LinearMethod):
    """Latent semantic indexing: the directions along which documents vary most, by a truncated SVD of X.

    The baseline of the papers; it knows no neighbours and no labels.

    Parameters
    ----------
    n_components : int, optional
        How many dimensions; 30 by default, or as many as there are.
    solver : {"auto", "arpack", "randomized"}
        "auto" is exact for few documents or terms, else "arpack", or "randomized" where all dimensions are asked for, which ARPACK
        cannot give.
    tol : float
        Tolerance of ARPACK; 0 is machine precision.
    max_iter : int
        Power iterations of the randomized solver.
    random_state : int, RandomState or None

    Attributes
    ----------
    components_ : array (n_components, n_features)
    singular_values_ : array (n_components,)
    eigenvalues_ : array (n_components,)
        The squares of the singular values: how much of X each dimension holds.
    projection_ : Projection
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        solver: str = "auto",
        tol: float = 0.0,
        max_iter: int = 7,
        random_state: RandomState = 0,
    ) -> None:
        self.n_components = n_components
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn from documents; labels are ignored."""
        X = self._check_documents(X, "fit")
        refuse_hopeless(X)
        check_choice("solver", self.solver, ("auto", "arpack", "randomized"))
        d = self._wanted(min(X.shape))
        singular, V = self._decompose(X, min(d + 1, *X.shape))
        if not singular.any():
            raise NoVariation(f"all {X.shape[0]} documents (n_samples = {X.shape[0]}) are empty, so there is nothing to index.")
        shares = singular / singular[0]
        rank = int(np.sum(shares > np.finfo(X.dtype).eps * max(X.shape)))
        if rank > d and shares[d - 1] - shares[d] < TIE:
            say_indistinct(d, float(singular[d] ** 2))
        d = min(d, rank)
        self.singular_values_ = singular[:d]
        V = V[:, :d] @ canonical_rotation(shares[:d], X @ V[:, :d])
        self._keep(Projection(V, singular[:d] ** 2, made_by={"route": "truncated SVD"}))
        self._say_fewer(d, f"the rank of {X.shape[0]} documents x {X.shape[1]} terms allows no more")
        return self

    def _decompose(self, X: Terms, d: int) -> tuple[FloatArray, FloatArray]:
        """Singular values, falling, and right singular vectors as columns."""
        if self.solver == "auto" and min(X.shape) <= EXACT_SIZE:
            self.n_iter_ = 1
            with single_threaded_libraries():
                space = row_space(Products(X))
                return space.singular[:d], space.lift(np.diag(space.singular)[:, :d])
        arpack = self.solver == "arpack" or (self.solver == "auto" and d < min(X.shape))
        self.n_iter_ = 1 if arpack else self.max_iter
        svd = TruncatedSVD(
            min(d, min(X.shape) - 1) if arpack and d > 1 else d,
            algorithm="arpack" if arpack else "randomized",
            n_iter=self.max_iter,
            tol=self.tol,
            random_state=self.random_state,
        )
        with single_threaded_libraries(), np.errstate(invalid="ignore", divide="ignore"):
            svd.fit(X.astype(np.float64))
        return svd.singular_values_, svd.components_.T


@final
class LaplacianEigenmap(GraphMethod):
    """Laplacian eigenmaps: the smoothest functions on the graph, themselves the places of the documents.

    It can place only the documents it was learnt from: there is no ``transform``. RLPI follows the same functions and places any
    document. ``solver`` is "auto", "dense", "lanczos" or "chebyshev"; ``tol`` the residual of an eigenvector.

    Attributes
    ----------
    embedding_ : array (documents, n_components)
        Places; zero for a document outside the graph.
    eigenvalues_, graph_, spectrum_, unplaced_
        See the module's page; ``spectrum_`` is the :class:`~vicinal.spectrum.Spectrum` itself.
    """

    def _learn(self, X: Terms, n_components: int) -> int:
        wanted = self._wanted(max(1, int(self.graph_.placed.sum()) - 1))  # not bound by the number of terms
        self.spectrum_ = _spectrum(self, wanted, solver=self.solver, tol=self.tol, max_iter=self.max_iter)
        self.embedding_, self.eigenvalues_ = self.spectrum_.vectors, self.spectrum_.values
        return len(self.spectrum_)

    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None) -> FloatArray:
        """Learn from documents and return their places."""
        return self.fit(X, y).embedding_


class _PencilMethod(GraphMethod, LinearMethod):
    """A row whose route is the pencil. ``solver`` is "auto", "dense" or "lanczos"; ``tol`` that of an eigenvector."""

    _orthogonal: ClassVar[bool] = False
    _center: ClassVar[bool] = False

    def __init__(
        self,
        n_components: int | None = None,
        *,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: Any = "knn",
        alpha: float = 0.0,
        solver: str = "auto",
        tol: float = 1e-10,
        max_iter: int | None = None,
        disconnected: str = "bridge",
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            n_components,
            n_neighbors=n_neighbors,
            weight=weight,
            graph=graph,
            solver=solver,
            tol=tol,
            max_iter=max_iter,
            disconnected=disconnected,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.alpha = alpha

    def _learn(self, X: Terms, n_components: int) -> int:
        projection = best_directions(
            X,
            self.graph_,
            n_components,
            alpha=self.alpha,
            orthogonal=self._orthogonal,
            center=self._center,
            solver=self.solver,
            tol=self.tol,
            max_iter=self.max_iter,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        )
        self._keep(projection)
        return projection.n_dimensions


@final
class LPP(_PencilMethod):
    """Locality preserving projections: directions in word space along which neighbours stay together, of centred documents.

    Solves XᵀWX a = λ (XᵀDX + αI) a with the mean document, weighted by degree, taken off. Cubic in the smaller side of X.
    Parameters and attributes are those of the module's page, with ``alpha=0.0`` by default.
    """

    _center = True


@final
class LPI(_PencilMethod):
    """Locality preserving indexing: LPP for documents, in the row space of X, not centred.

    Solves XᵀWX a = λ (XᵀDX + αI) a with α = 0 as published. Cubic in the smaller side of X; RLPI reaches the same directions,
    as its α goes to zero, without that. Parameters and attributes are those of the module's page.
    """


@final
class OLPI(_PencilMethod):
    """Orthogonal locality preserving indexing: LPI with directions that are orthonormal, so distances keep their meaning.

    Each direction is the best of those orthogonal to all before it. Cubic in the smaller side of X. Parameters and attributes are
    those of the module's page.
    """

    _orthogonal = True


@final
class RLPI(GraphMethod, LinearMethod):
    """Regularized locality preserving indexing: the smoothest functions on the graph, regressed onto words.

    Takes the eigenvectors y of W y = λ D y, or class indicators when labels are given, and finds the words whose weighted sum comes
    closest to each: min ‖Xa - y‖² + α‖a‖². Never forms a matrix larger than X itself.

    Parameters
    ----------
    n_components, n_neighbors, weight, graph, disconnected, n_jobs, random_state
        See the module's page.
    alpha : float
        Strength of the ridge penalty.
    solver : {"auto", "cholesky", "cgls"}
        How the regression is solved: by factoring the smaller Gram matrix, or by iterating with X alone. Same answer.
    tol : float
        Relative error of the fit at which the iteration stops. The same machine gives the same bits; another one may differ by
        as much as this.
    max_iter : int
        Its limit; :class:`~vicinal.errors.Unconverged` says when it was reached.
    center : bool
        Take the mean document off first, without making X dense.
    eigen_solver : {"auto", "dense", "lanczos", "chebyshev"}
        How the eigenvectors are found.

    Attributes
    ----------
    components_, eigenvalues_, graph_, projection_, unplaced_
        See the module's page.
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: Any = "knn",
        alpha: float = 0.1,
        solver: str = "auto",
        tol: float = 1e-3,
        max_iter: int = 200,
        center: bool = False,
        eigen_solver: str = "auto",
        disconnected: str = "bridge",
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            n_components,
            n_neighbors=n_neighbors,
            weight=weight,
            graph=graph,
            solver=solver,
            tol=tol,
            max_iter=max_iter,
            disconnected=disconnected,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.alpha = alpha
        self.center = center
        self.eigen_solver = eigen_solver

    def _learn(self, X: Terms, n_components: int) -> int:
        projection = regress(
            X,
            _spectrum(self, n_components, solver=self.eigen_solver),
            Ridge(self.alpha),
            center=self.center,
            solver=self.solver,
            tol=self.tol,
            max_iter=200 if self.max_iter is None else self.max_iter,
            n_jobs=self.n_jobs,
        )
        projection = independent_dimensions(projection, X)
        self.n_iter_ = max(1, projection.made_by.get("iterations", 1))
        self._keep(projection)
        return projection.n_dimensions


METHODS: tuple[type[Method], ...] = (LSI, LaplacianEigenmap, LPP, LPI, OLPI, RLPI)
