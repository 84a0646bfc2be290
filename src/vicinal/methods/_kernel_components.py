"""KernelOLPI and KernelSLPI: orthonormal and sparse components in the space of a kernel."""

from __future__ import annotations

from typing import final

import numpy as np

from vicinal._typing import IntArray, RandomState, Terms
from vicinal._validate import check_choice, check_count, check_number
from vicinal.methods._graph_method import GraphLike, GraphMethod
from vicinal.methods._kernel_method import KernelMethod
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.methods._sparse_components import heaviest_first
from vicinal.projection._kernels.kernel_ridge import DualMap
from vicinal.projection._kernels.kernel_variants import pencil_dual, sparse_dual


@final
@with_shared_docs
class KernelOLPI(KernelMethod):
    """OLPI with a kernel: the smoothest orthonormal functions in the space of similarities to known documents [1]_.

    The pencil (P13) is solved for functions f(x) = Σ_j k(x, z_j) c_j whose dot products in the space of the kernel are
    those of an orthonormal basis, CᵀKC = I (P36'). The cost is cubic in the number of documents or of landmarks. An
    embedding cannot be explained term by term.

    Parameters
    ----------
    {n_components}
    kernel : {"cosine", "linear", "rbf", "polynomial"}, default="cosine"
        Similarity k of two documents. "linear" is :class:`~vicinal.OLPI`, and so is "cosine" on rows of length one.
        The others take the rows as they are: scale them to length one first, as :class:`~vicinal.Vectorizer` does.
    {kernel_shape}
    alpha : float, default=0.0
        Strength of the ridge penalty of the pencil, on the scale of k(x, x).
    {kernel_graph}
    {kernel_solved}

    Attributes
    ----------
    {fitted_kernel}

    References
    ----------
    .. [1] D. Cai and X. He. Orthogonal locality preserving indexing. SIGIR 2005, pages 3-10, section 6.

    Examples
    --------
    >>> from vicinal import KernelOLPI
    {example_texts}
    >>> Z = KernelOLPI(n_components=1, kernel="rbf", n_neighbors=2).fit_transform(X)
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
        alpha: float = 0.0,
        n_landmarks: int | None = None,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: GraphLike = "knn",
        disconnected: str = "bridge",
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            n_components,
            kernel=kernel,
            gamma=gamma,
            degree=degree,
            coef0=coef0,
            n_landmarks=n_landmarks,
            n_neighbors=n_neighbors,
            weight=weight,
            graph=graph,
            disconnected=disconnected,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.alpha = alpha

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number("alpha", self.alpha)

    def _dual_map(self, X: Terms, n_components: int, landmarks: IntArray | None) -> DualMap:
        return pencil_dual(
            X,
            self.graph_,
            self._kernel(),
            n_components,
            alpha=self.alpha,
            landmarks=landmarks,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        )


@final
@with_shared_docs
class KernelSLPI(KernelMethod):
    """SLPI with a kernel: components that are sums of similarities to few documents each [1]_.

    The smoothest functions y on the neighbour graph, or class indicators when labels are given, are regressed onto
    similarities to training documents, ½‖Kc - y‖² + β‖c‖₁ + ½ρ‖c‖², with β such that ``n_documents`` of them have a
    weight (P36'', P19). In place of the terms of a component one reads the documents it compares with.

    Parameters
    ----------
    {n_components}
    kernel : {"cosine", "linear", "rbf", "polynomial"}, default="cosine"
        Similarity k of two documents. "cosine" scales rows to length one. The others take the rows as they
        are: scale them to length one first, as :class:`~vicinal.Vectorizer` does.
    {kernel_shape}
    n_documents : int or None, default=None
        Number of documents with a weight in each component. None: 50, or as many as there can be. A number that cannot
        be reached gives a :class:`~vicinal.errors.FewerTerms` warning.
    ridge : float, default=0.0
        Strength ρ of the ridge penalty on the weights of documents.
    n_landmarks : int or None, default=None
        Number of training documents that may have a weight, drawn uniformly at random (P36). None: all, for
        up to 10,000 documents; more are refused.
    {n_neighbors}
    {weight}
    {graph}
    {eigen_solver}
    {kernel_solved}

    Attributes
    ----------
    selected_documents_ : list of ndarray of int
        Numbers of the training documents with a weight in each component, by decreasing size of their weight.
    {fitted_kernel}

    References
    ----------
    .. [1] D. Cai, X. He and J. Han. Sparse projections over graph. AAAI 2008, section "Conclusion".

    Examples
    --------
    >>> from vicinal import KernelSLPI
    {example_texts}
    >>> model = KernelSLPI(n_components=1, n_documents=2, n_neighbors=2).fit(X)
    >>> [len(documents) for documents in model.selected_documents_]
    [2]
    """

    selected_documents_: list[IntArray]

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        kernel: str = "cosine",
        gamma: float | str = "scale",
        degree: int = 3,
        coef0: float = 1.0,
        n_documents: int | None = None,
        ridge: float = 0.0,
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
            kernel=kernel,
            gamma=gamma,
            degree=degree,
            coef0=coef0,
            n_landmarks=n_landmarks,
            n_neighbors=n_neighbors,
            weight=weight,
            graph=graph,
            disconnected=disconnected,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.n_documents = n_documents
        self.ridge = ridge
        self.eigen_solver = eigen_solver

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number("ridge", self.ridge)
        check_choice("eigen_solver", self.eigen_solver, GraphMethod._solvers)
        if self.n_documents is not None:
            check_count("n_documents", self.n_documents)

    def _learn(self, X: Terms, n_components: int) -> int:
        found = super()._learn(X, n_components)
        self.selected_documents_ = [self.landmarks_[heaviest_first(np.abs(column))] for column in self.dual_coef_.T]
        return found

    def _dual_map(self, X: Terms, n_components: int, landmarks: IntArray | None) -> DualMap:
        spectrum = self._solve_spectrum(n_components, solver=self.eigen_solver)
        return sparse_dual(X, spectrum, self._kernel(), self.n_documents, ridge=self.ridge, landmarks=landmarks, n_jobs=self.n_jobs)
