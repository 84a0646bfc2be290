"""KernelRLPI: the row whose route is regression in the space of a kernel."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from vicinal._typing import ArrayLike, FloatArray, IntArray, RandomState, Terms
from vicinal._validate import check_choice, check_count, check_number
from vicinal.methods._estimator import GraphMethod
from vicinal.methods._responses import spectrum_of
from vicinal.projection._kernels.kernel_functions import Kernel
from vicinal.projection._kernels.kernel_ridge import DualMap, refuse_many, regress_dual


@final
class KernelRLPI(ClassNamePrefixFeaturesOutMixin, TransformerMixin, GraphMethod):
    """RLPI with a kernel: the smoothest functions on the graph, regressed onto how alike a document is to known ones.

    Where RLPI adds up weights of words, this adds up weights of documents, f(x) = Σ_j k(x, z_j) c_j with (K + αI) C = Y (P34), and
    so need not be linear in words. For a moderate number of documents: cubic in it, or, with ``n_landmarks``, linear. It cannot
    explain its answers by words.

    Parameters
    ----------
    n_components, n_neighbors, weight, graph, disconnected, n_jobs
        See the module's page.
    kernel : {"cosine", "linear", "rbf", "polynomial"}
        How alike two documents are. "linear" is :class:`RLPI` itself, and so is "cosine" on rows of length one. The others take
        the rows as they are: scale them to length one first, as :class:`~vicinal.Vectorizer` does.
    gamma : float or "scale"
        γ of exp(-γ‖x - z‖²) and of (γ x·z + coef0)^degree. "scale" is one over the variance of the documents, about 1 on
        rows of length one; ``gamma_`` tells.
    degree : int
        Of the polynomial.
    coef0 : float
        Of the polynomial; with 0 it has products of ``degree`` words alone, above also of fewer.
    alpha : float
        Strength of the ridge penalty, to be compared with the size of k(x, x).
    n_landmarks : int, optional
        Write the function by so many documents alone, drawn with equal chances (Nyström, P36). By default all, for up to 10,000
        documents; more are refused.
    eigen_solver : {"auto", "dense", "lanczos", "chebyshev"}
        How the eigenvectors are found.
    random_state : int, RandomState or None
        Draws the landmarks, and starts the eigensolver. With an int, every run gives the same bits.

    Attributes
    ----------
    dual_coef_ : array (landmarks, n_components)
        C: what each landmark adds to each dimension.
    landmarks_ : int array (landmarks,)
        Which training documents these are.
    gamma_ : float
        γ as a number.
    dual_map_ : DualMap
        The map itself.
    eigenvalues_, graph_, unembedded_
        See the module's page.
    """

    dual_map_: DualMap

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        kernel: str = "cosine",
        gamma: float | str = "scale",
        degree: int = 3,
        coef0: float = 1.0,
        alpha: float = 0.1,
        n_landmarks: int | None = None,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: Any = "knn",
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
            disconnected=disconnected,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.alpha = alpha
        self.n_landmarks = n_landmarks
        self.eigen_solver = eigen_solver

    def _check_parameters(self) -> None:
        super()._check_parameters()
        Kernel(self.kernel, self.gamma, self.degree, self.coef0)
        check_number("alpha", self.alpha)
        check_choice("eigen_solver", self.eigen_solver, GraphMethod._solvers)
        if self.n_landmarks is not None:
            check_count("n_landmarks", self.n_landmarks)

    def _learn(self, X: Terms, n_components: int) -> int:
        placed = np.flatnonzero(self.graph_.has_edges)
        if self.n_landmarks is None:
            refuse_many(len(placed))
        wanted = self._wanted(max(1, len(placed) - 1))  # not bound by the number of terms
        chosen = None if self.n_landmarks is None else self._draw(placed)
        self.dual_map_ = regress_dual(
            X,
            spectrum_of(self, wanted, solver=self.eigen_solver),
            Kernel(self.kernel, self.gamma, self.degree, self.coef0),
            self.alpha,
            landmarks=chosen,
            n_jobs=self.n_jobs,
        )
        self.landmarks_ = placed if chosen is None else chosen
        self.gamma_ = float(self.dual_map_.landmarks.kernel.gamma)
        self.dual_coef_, self.eigenvalues_ = self.dual_map_.weights, self.dual_map_.eigenvalues
        self.n_iter_ = 1  # it factors, and does not iterate
        return self.dual_map_.n_components

    def _draw(self, placed: IntArray) -> IntArray:
        """Some of the documents that take part, each with equal chances, in their order; all of them where there are no more."""
        count = min(check_count("n_landmarks", self.n_landmarks), len(placed))
        return np.sort(check_random_state(self.random_state).choice(placed, count, replace=False))

    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None) -> FloatArray:
        """Learn from documents and place them: the same bits as ``fit(X, y).transform(X)``."""
        return self.fit(X, y).transform(X)

    def transform(self, X: ArrayLike) -> FloatArray:
        """Place documents: the same answer for a document whatever the others are.

        Parameters
        ----------
        X : documents x terms, sparse or dense

        Returns
        -------
        array (documents, n_components)
            A document without words is placed at zero.
        """
        check_is_fitted(self, "dual_map_")
        return self.dual_map_.transform(self._check_documents(X, "transform"), self.n_jobs)

    @property
    def _n_features_out(self) -> int:
        return int(self.dual_coef_.shape[1])
