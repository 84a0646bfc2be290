"""LPP, LPI and OLPI: components by the generalised eigenproblem XᵀWX a = λ (XᵀDX + αI) a."""

from __future__ import annotations

from typing import ClassVar, final

from vicinal._typing import RandomState, Terms
from vicinal._validate import check_number
from vicinal.methods._base import LinearMethod
from vicinal.methods._graph_method import GraphLike, GraphMethod
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.projection._pencil import PENCIL_SOLVERS, pencil_of_checked


class PencilMethod(GraphMethod, LinearMethod):
    """A method whose components are eigenvectors of the pencil (P10)."""

    _orthogonal: ClassVar[bool] = False
    _center: ClassVar[bool] = False
    _solvers = PENCIL_SOLVERS

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: GraphLike = "knn",
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

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number("alpha", self.alpha)

    def _learn(self, X: Terms, n_components: int) -> int:
        projection = pencil_of_checked(
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
        return projection.n_components


@final
@with_shared_docs
class LPP(PencilMethod):
    """Locality preserving projections: linear components along which neighbours have similar values, of centred documents [1]_.

    Solves XᵀWX a = λ (XᵀDX + αI) a (P10) after the mean document, weighted by degree, is subtracted. The cost is
    cubic in the smaller side of X. The statistical analysis is in [2]_.

    Parameters
    ----------
    {n_components}
    {n_neighbors}
    {weight}
    {graph}
    {pencil_alpha}
    {pencil_solver}
    {disconnected}
    {n_jobs}
    {random_state}

    Attributes
    ----------
    {components_}
    {eigenvalues_}
    {fitted_n_components}
    {projection_}
    {fitted_graph}
    {fitted_features}

    References
    ----------
    .. [1] X. He and P. Niyogi. Locality preserving projections. Advances in Neural Information Processing Systems 16,
       2003.
    .. [2] X. He, D. Cai and W. Min. Statistical and computational analysis of locality preserving projection. ICML
       2005, section 4.

    Examples
    --------
    >>> from vicinal import LPP
    {example_texts}
    >>> Z = LPP(n_components=1, n_neighbors=2).fit_transform(X)
    >>> (Z[:, 0] > 0).tolist()
    [True, True, True, False, False, False]
    """

    _center = True


@final
@with_shared_docs
class LPI(PencilMethod):
    """Locality preserving indexing: linear components along which neighbours have similar values, of documents as they are [1]_.

    Solves XᵀWX a = λ (XᵀDX + αI) a (P10) in the row space of X, without centring; every component has mean zero,
    weighted by degree. The cost is cubic in the smaller side of X. :class:`~vicinal.RLPI` approaches the same
    components as its α goes to 0 (P14), without that cost.

    Parameters
    ----------
    {n_components}
    {n_neighbors}
    {weight}
    {graph}
    {pencil_alpha}
    {pencil_solver}
    {disconnected}
    {n_jobs}
    {random_state}

    Attributes
    ----------
    {components_}
    {eigenvalues_}
    {fitted_n_components}
    {projection_}
    {fitted_graph}
    {fitted_features}

    References
    ----------
    .. [1] D. Cai, X. He and J. Han. Document clustering using locality preserving indexing. IEEE Transactions on
       Knowledge and Data Engineering, 17(12):1624-1637, 2005.
    .. [2] D. Cai, X. He, W. V. Zhang and J. Han. Regularized locality preserving indexing via spectral regression.
       CIKM 2007, section 2.2.

    Examples
    --------
    >>> from vicinal import LPI
    {example_texts}
    >>> Z = LPI(n_components=1, n_neighbors=2).fit_transform(X)
    >>> (Z[:, 0] > 0).tolist()
    [True, True, True, False, False, False]
    """


@final
@with_shared_docs
class OLPI(PencilMethod):
    """Orthogonal locality preserving indexing: LPI with orthonormal components, which keep distances comparable [1]_.

    Each component is the best of those that are orthogonal to all before it (P13). The cost is cubic in the smaller
    side of X.

    Parameters
    ----------
    {n_components}
    {n_neighbors}
    {weight}
    {graph}
    {pencil_alpha}
    {pencil_solver}
    {disconnected}
    {n_jobs}
    {random_state}

    Attributes
    ----------
    {components_}
    {eigenvalues_}
    {fitted_n_components}
    {projection_}
    {fitted_graph}
    {fitted_features}

    References
    ----------
    .. [1] D. Cai and X. He. Orthogonal locality preserving indexing. SIGIR 2005, pages 3-10, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal import OLPI
    {example_texts}
    >>> A = OLPI(n_components=2, n_neighbors=2).fit(X).components_
    >>> (np.abs(A @ A.T) > 1e-9).astype(int)
    array([[1, 0],
           [0, 1]])
    """

    _orthogonal = True
