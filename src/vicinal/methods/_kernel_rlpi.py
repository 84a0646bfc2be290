"""KernelRLPI: the eigenvectors of the neighbour graph, regressed onto kernel values."""

from __future__ import annotations

from typing import final

from vicinal._typing import IntArray, RandomState, Terms
from vicinal._validate import check_choice, check_number
from vicinal.methods._graph_method import GraphLike, GraphMethod
from vicinal.methods._kernel_method import KernelMethod
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.projection._kernels.kernel_ridge import DualMap, regress_dual


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
    {kernel_shape}
    alpha : float, default=0.1
        Strength of the ridge penalty, on the scale of k(x, x).
    {kernel_graph}
    {eigen_solver}
    {kernel_solved}

    Attributes
    ----------
    {fitted_kernel}

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
        self.eigen_solver = eigen_solver

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number("alpha", self.alpha)
        check_choice("eigen_solver", self.eigen_solver, GraphMethod._solvers)

    def _dual_map(self, X: Terms, n_components: int, landmarks: IntArray | None) -> DualMap:
        spectrum = self._solve_spectrum(n_components, solver=self.eigen_solver)
        return regress_dual(X, spectrum, self._kernel(), self.alpha, landmarks=landmarks, n_jobs=self.n_jobs)
