"""KernelRLPI: the eigenvectors of the neighbour graph, regressed onto kernel values."""

from __future__ import annotations

from abc import abstractmethod
from typing import final

import numpy as np
from sklearn.utils import check_random_state

from vicinal._typing import FloatArray, IntArray, RandomState, Terms
from vicinal._validate import check_choice, check_count, check_number
from vicinal.methods._base import EmbeddingMethod
from vicinal.methods._graph_method import GraphLike, GraphMethod
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.projection._kernels.kernel_functions import Kernel
from vicinal.projection._kernels.kernel_ridge import DualMap, refuse_many, regress_dual


class KernelMethod(GraphMethod, EmbeddingMethod):
    """A method whose embeddings are sums of similarities to landmarks, training documents all or some of them."""

    dual_map_: DualMap

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._kernel()
        if self.n_landmarks is not None:
            check_count("n_landmarks", self.n_landmarks)

    def _kernel(self) -> Kernel:
        return Kernel(self.kernel, self.gamma, self.degree, self.coef0)

    def _learn(self, X: Terms, n_components: int) -> int:
        embedded = np.flatnonzero(self.graph_.has_edges)
        if self.n_landmarks is None:
            refuse_many(len(embedded))
        wanted = self._wanted(max(1, len(embedded) - 1))  # not limited by the number of terms
        chosen = None if self.n_landmarks is None else self._draw(embedded)
        self.dual_map_ = self._dual_map(X, wanted, chosen)
        self.landmarks_ = embedded if chosen is None else chosen
        self.gamma_ = float(self.dual_map_.landmarks.kernel.gamma)
        self.dual_coef_, self.eigenvalues_ = self.dual_map_.weights, self.dual_map_.eigenvalues
        self.n_iter_ = 1  # a direct solver
        return self.dual_map_.n_components

    @abstractmethod
    def _dual_map(self, X: Terms, n_components: int, landmarks: IntArray | None) -> DualMap:
        """The map from documents to components."""

    def _draw(self, embedded: IntArray) -> IntArray:
        """Landmarks drawn uniformly from the documents that take part, in document order; all of them where there are no more."""
        count = min(check_count("n_landmarks", self.n_landmarks), len(embedded))
        return np.sort(check_random_state(self.random_state).choice(embedded, count, replace=False))

    def _embed(self, X: Terms) -> FloatArray:
        return self.dual_map_.transform(X, self.n_jobs)

    @property
    def _n_features_out(self) -> int:
        return int(self.dual_coef_.shape[1])


@final
@with_shared_docs
class KernelRLPI(KernelMethod):
    """RLPI with a kernel: the smoothest functions on the neighbour graph, regressed onto similarities to known documents.

    The components are f(x) = Σ_j k(x, z_j) c_j with (K + αI) C = Y (P34), a sum over training documents z_j instead
    of over terms, and so need not be linear in the weights of terms. The cost is cubic in the number of documents or,
    with ``n_landmarks``, linear (P36). An embedding cannot be explained term by term.

    Parameters
    ----------
    {n_components}
    kernel : {"cosine", "linear", "rbf", "polynomial"}, default="cosine"
        Similarity k of two documents. "linear" is :class:`~vicinal.RLPI`, and so is "cosine" on rows of length one.
        The others take the rows as they are: scale them to length one first, as :class:`~vicinal.Vectorizer` does.
    gamma : float or "scale", default="scale"
        Parameter γ of exp(-γ‖x - z‖²) and of (γ x·z + coef0)^degree. "scale" is one over the variance of the
        documents, about 1 on rows of length one.
    degree : int, default=3
        Degree of the polynomial kernel.
    coef0 : float, default=1.0
        Constant of the polynomial kernel. With 0 it consists of products of exactly ``degree`` terms.
    alpha : float, default=0.1
        Strength of the ridge penalty, on the scale of k(x, x).
    n_landmarks : int or None, default=None
        Number of training documents in the sum, drawn uniformly at random (the Nyström method, P36). None: all, for
        up to 10,000 documents; more are refused.
    {n_neighbors}
    {weight}
    {graph}
    {eigen_solver}
    {disconnected}
    {n_jobs}
    random_state : int, RandomState or None, default=0
        Random seed of the landmarks and of the eigensolver. With an int, every run gives the same bits.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_landmarks, n_components)
        C: weight of each landmark in each component.
    landmarks_ : ndarray of int, shape (n_landmarks,)
        Numbers of the training documents in the sum.
    gamma_ : float
        γ that was used.
    dual_map_ : DualMap
        The map from documents to components.
    {eigenvalues_}
    {fitted_n_components}
    {n_iter_}
    {fitted_graph}
    {fitted_features}

    References
    ----------
    .. [1] D. Cai, X. He and J. Han. Spectral regression for dimensionality reduction. Technical report
       UIUCDCS-R-2007-2856, University of Illinois at Urbana-Champaign, 2007.
    .. [2] C. K. I. Williams and M. Seeger. Using the Nyström method to speed up kernel machines. Advances in Neural
       Information Processing Systems 13, 2000.

    Examples
    --------
    >>> from vicinal import KernelRLPI
    {example_texts}
    >>> Z = KernelRLPI(n_components=1, kernel="rbf", n_neighbors=2).fit_transform(X)
    >>> (Z[:, 0] > 0).tolist()
    [True, True, True, False, False, False]
    """

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
        graph: GraphLike = "knn",
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
        check_number("alpha", self.alpha)
        check_choice("eigen_solver", self.eigen_solver, GraphMethod._solvers)

    def _dual_map(self, X: Terms, n_components: int, landmarks: IntArray | None) -> DualMap:
        spectrum = self._solve_spectrum(n_components, solver=self.eigen_solver)
        return regress_dual(X, spectrum, self._kernel(), self.alpha, landmarks=landmarks, n_jobs=self.n_jobs)
