"""FSSL and LPFL: few terms, the same ones for all components."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np
from sklearn.utils.validation import check_is_fitted

from vicinal._choice import Choice
from vicinal._typing import BoolArray, IntArray, RandomState, Terms
from vicinal.errors import BadParameter
from vicinal.methods._graph_method import GraphLike
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.methods._sparse_components import SparseGraphMethod, heaviest_first
from vicinal.projection import Penalty, Projection, RowCount, RowLasso, RowLassoCount
from vicinal.projection._model_selection.held_out import n_shared_terms_of_checked
from vicinal.projection._solvers.best_subset import SUBSET_SOLVERS, check_refit


class SharedTermsMethod(SparseGraphMethod):
    """A method that selects terms once for all components, and so selects columns of X too."""

    selected_terms_: IntArray
    _row_lasso: ClassVar[bool] = False

    def _selected(self) -> IntArray:
        return heaviest_first(np.linalg.norm(self.components_, axis=0))

    def _keep_terms(self, projection: Projection) -> int:
        found = super()._keep_terms(projection)
        self.n_terms_ = len(self.selected_terms_)
        return found

    def _choose_n_terms(self, X: Terms, n_components: int) -> Choice:
        return n_shared_terms_of_checked(
            X,
            self.graph_,
            n_components,
            ridge=self.ridge,
            row_lasso=self._row_lasso,
            center=bool(self.center),
            apart=self._embeds_apart(),
            n_jobs=self.n_jobs,
        )

    def get_support(self, indices: bool = False) -> BoolArray | IntArray:
        """Return which terms are selected, as a selector of scikit-learn does.

        Parameters
        ----------
        indices : bool, default=False
            Whether to return the numbers of the terms instead of a mask.

        Returns
        -------
        ndarray of bool, shape (n_features,), or ndarray of int
            A mask of the terms, or the numbers of the selected terms in increasing order.

        Raises
        ------
        NotFittedError
            It is called before ``fit``.
        """
        check_is_fitted(self, "selected_terms_")
        if indices:
            return np.sort(self.selected_terms_)
        mask = np.zeros(self.components_.shape[1], dtype=bool)
        mask[self.selected_terms_] = True
        return mask


@final
@with_shared_docs
class FSSL(SharedTermsMethod):
    """Joint feature selection and subspace learning: RLPI with few terms, the same ones for all components [1]_.

    Takes the smoothest functions Y on the neighbour graph, or class indicators when labels are given, and minimises
    ½‖XA - Y‖² + α Σ‖A_t‖ + ½ρ‖A‖² (P21), with a penalty on the length of each term's row of weights; most rows become
    zero. Unlike :class:`~vicinal.SLPI` it does not depend on the basis of the functions. No matrix of terms by terms
    is formed.

    Parameters
    ----------
    {n_components}
    n_terms : int, "auto" or None, default=None
        Number of terms with a weight, in all components together (P23). None: 1,000, or as many as there are at a
        thousandth of the penalty that selects none. A number that cannot be reached gives a
        :class:`~vicinal.errors.FewerTerms` warning. "auto": chosen automatically: the fewest of 30, 100, 300, 1,000
        and 3,000 that keep 98 % of the smoothness in held-out validation (P41).
    alpha : float or None, default=None
        Instead of ``n_terms``, and faster: the penalty, as a share of the penalty that selects no term (P22). 0.01
        selects many terms, 0.3 few, and 1 none, which gives an :class:`~vicinal.errors.EmptyComponents` warning.
    {elastic_net_ridge}
    {n_neighbors}
    {weight}
    {graph}
    solver : {"auto", "reweighted"}, default="auto"
        "auto" finds the minimum by sweeps over the terms. "reweighted", with ``alpha``, is the second stage as
        published: ridges, each with a penalty that is larger on terms whose row of weights was short before (P23').
        It comes near the same minimum and is slower.
    {center}
    tol : float, default=1e-4
        How far the correlations of a term may exceed the penalty, relative to it.
    max_iter : int, default=10000
        Maximum number of sweeps over the terms, for each penalty. Reaching it gives an
        :class:`~vicinal.errors.Unconverged` warning.
    {eigen_solver}
    {disconnected}
    {n_jobs}
    {random_state}

    Attributes
    ----------
    {components_}
    selected_terms_ : ndarray of int
        The terms with a weight, by decreasing length of their row of weights; ``get_support()`` is the same as a mask.
    n_terms_ : int
        Number of these terms.
    {fitted_n_terms}
    {eigenvalues_}
    {fitted_n_components}
    {projection_}
    {n_iter_}
    {fitted_graph}
    {fitted_features}

    References
    ----------
    .. [1] Q. Gu, Z. Li and J. Han. Joint feature selection and subspace learning. IJCAI 2011, pages 1294-1299,
       section 3.

    Examples
    --------
    >>> from vicinal import FSSL
    {example_texts}
    >>> model = FSSL(n_components=2, n_terms=4, n_neighbors=2).fit(X)
    >>> model.n_terms_, int(model.get_support().sum())
    (4, 4)
    """

    _row_lasso = True
    _solvers = ("auto", "reweighted")

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        n_terms: int | str | None = None,
        alpha: float | None = None,
        ridge: float = 0.0,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: GraphLike = "knn",
        solver: str = "auto",
        center: bool = False,
        tol: float = 1e-4,
        max_iter: int = 10_000,
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
        self.n_terms = n_terms
        self.alpha = alpha
        self.ridge = ridge
        self.center = center
        self.eigen_solver = eigen_solver

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.solver == "reweighted" and self.alpha is None:
            raise BadParameter(
                "solver='reweighted' solves for one penalty, but alpha is None and a number of terms is to be reached. Give alpha, "
                "such as alpha=0.05, or use solver='auto'."
            )

    def _counted(self, n_terms: int | None, at_most: bool = False) -> Penalty:
        return RowLassoCount(n_terms, self.ridge, at_most)

    def _by_share(self, alpha: float) -> Penalty:
        return RowLasso(alpha, self.ridge, relative=True)


@final
@with_shared_docs
class LPFL(SharedTermsMethod):
    """Locality preserving feature learning: RLPI with a limited number of terms, the same ones for all components [1]_.

    Takes the smoothest functions Y on the neighbour graph, or class indicators when labels are given, and minimises
    ‖XA - Y‖² + ρ‖A‖² over matrices A with at most ``n_terms`` rows that are not zero (P24). The best selection from a
    large vocabulary cannot be computed; two solvers search for a good one, and the better result is kept. With as
    many terms as there are, the method is RLPI.

    Parameters
    ----------
    {n_components}
    n_terms : int, "auto" or None, default=None
        Number of terms with a weight, in all components together. None: 1,000, or as many as there are. When fewer
        terms already fit exactly, a :class:`~vicinal.errors.FewerTerms` warning is given. "auto": chosen
        automatically: the fewest of 30, 100, 300, 1,000 and 3,000 that keep 98 % of the smoothness in held-out
        validation (P41), with the first phase of "proximal".
    ridge : float, default=0.1
        Strength ρ of the ridge penalty, on the scale of RLPI's ``alpha``. 0 is the method as published; it selects
        rare terms that fit single documents.
    {n_neighbors}
    {weight}
    {graph}
    solver : {"auto", "adm", "proximal"}, default="auto"
        "adm" is the alternating direction method of [1]_ with its schedule (P27), after which the weights of the
        selected terms are solved for exactly. "proximal" adds terms in batches and exchanges them while the objective
        falls (P25, P26). "auto" runs both and keeps the result with the lower objective.
    refit : bool, default=True
        Whether the weights of the selected terms are solved for exactly. False, with ``solver="adm"``: the weights at
        which the schedule ends, as published, with ρ = ``ridge`` in its steps (P27); 0 is the paper's.
    {center}
    tol : float, default=1e-3
        Exchanges of terms stop when they lower the objective by less than this share.
    max_iter : int, default=200
        Maximum number of iterations of the schedule, and of exchanges. Reaching it gives an
        :class:`~vicinal.errors.Unconverged` warning.
    {eigen_solver}
    {disconnected}
    {n_jobs}
    {random_state}

    Attributes
    ----------
    {components_}
    selected_terms_ : ndarray of int
        The terms with a weight, by decreasing length of their row of weights; ``get_support()`` is the same as a mask.
    n_terms_ : int
        Number of these terms.
    {fitted_n_terms}
    objectives_ : dict of str to float
        ‖XA - Y‖² + ρ‖A‖² of each solver that ran: "adm", "proximal", or "ridge" where ``n_terms`` restricts nothing.
        The solver whose result was kept is ``projection_.made_by["solver"]``.
    {eigenvalues_}
    {fitted_n_components}
    {projection_}
    {n_iter_}
    {fitted_graph}
    {fitted_features}

    References
    ----------
    .. [1] Q. Gu, M. Danilevsky, Z. Li and J. Han. Locality preserving feature learning. AISTATS 2012, section 3.

    Examples
    --------
    >>> from vicinal import LPFL
    {example_texts}
    >>> model = LPFL(n_components=2, n_terms=4, n_neighbors=2).fit(X)
    >>> model.n_terms_, int(model.get_support().sum())
    (4, 4)
    """

    objectives_: dict[str, float]
    _solvers = SUBSET_SOLVERS

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        n_terms: int | str | None = None,
        ridge: float = 0.1,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: GraphLike = "knn",
        solver: str = "auto",
        refit: bool = True,
        center: bool = False,
        tol: float = 1e-3,
        max_iter: int = 200,
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
        self.n_terms = n_terms
        self.ridge = ridge
        self.refit = refit
        self.center = center
        self.eigen_solver = eigen_solver

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_refit(self.refit, self.solver)

    def _penalty(self) -> Penalty:
        return self._by_number()

    def _counted(self, n_terms: int | None, at_most: bool = False) -> Penalty:
        return RowCount(n_terms, self.ridge, at_most, bool(self.refit))

    def _keep_terms(self, projection: Projection) -> int:
        self.objectives_ = dict(projection.made_by["objectives"])
        return super()._keep_terms(projection)
