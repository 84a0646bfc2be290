"""FSSL and LPFL: the rows whose route is regression onto few words that all dimensions share."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from sklearn.utils.validation import check_is_fitted

from vicinal._choice import Choice
from vicinal._typing import IntArray, RandomState, Terms
from vicinal.methods._sparse import SparseGraphMethod, heaviest_first
from vicinal.projection import Penalty, Projection, RowCount, RowLasso, RowLassoCount, choose_n_shared_terms


class _SharedWords(SparseGraphMethod):
    """A row that chooses words once for all dimensions, and so is a choice of columns of X too."""

    words_: IntArray

    def _chosen(self) -> IntArray:
        return heaviest_first(np.linalg.norm(self.components_, axis=0))

    def _keep_words(self, projection: Projection) -> int:
        found = super()._keep_words(projection)
        self.n_terms_ = len(self.words_)
        return found

    def get_support(self, indices: bool = False) -> Any:
        """Which words have a weight, as of a selector of scikit-learn.

        Parameters
        ----------
        indices : bool
            Return their numbers, rising, in place of a mask.
        """
        check_is_fitted(self, "words_")
        if indices:
            return np.sort(self.words_)
        mask = np.zeros(self.components_.shape[1], dtype=bool)
        mask[self.words_] = True
        return mask


@final
class FSSL(_SharedWords):
    """Joint feature selection and subspace learning: RLPI with few words, the same ones for all dimensions.

    Takes the smoothest functions Y on the graph, or class indicators when labels are given, and pays for the length of each word's
    row of weights: min ½‖XA - Y‖² + α Σ‖A_t‖ + ½ρ‖A‖² (P21). Most rows become zero. Unlike :class:`~vicinal.SLPI` it does not
    depend on which basis of the functions it is given. Never forms a matrix of terms by terms.

    Parameters
    ----------
    n_components, n_neighbors, weight, graph, disconnected, n_jobs, random_state
        See the module's page.
    n_terms : int or "auto", optional
        How many words have a weight, in all (P23). By default 1,000, or as many as there are at a thousandth of the penalty that
        leaves none; where a number that was asked for cannot be had, :class:`~vicinal.errors.FewerTerms` says so. "auto": the
        fewest of 30, 100, 300, 1,000 and 3,000 that keep 98 % of the smoothness on documents held out (P41).
    alpha : float, optional
        Instead of ``n_terms``, and faster: the penalty, as a share of that which leaves no word (P22). 0.01 keeps many, 0.3 few,
        and from 1 on there is none, which :class:`~vicinal.errors.AllZero` says.
    ridge : float
        ρ: above 0 words that come together are chosen together.
    center : bool
        Take the mean document off first, without making X dense.
    tol : float
        How far a word's correlations may exceed α, relative to it.
    max_iter : int
        Sweeps over the words, for each α; :class:`~vicinal.errors.Unconverged` says when the limit was reached.
    eigen_solver : {"auto", "dense", "lanczos", "chebyshev"}
        How the eigenvectors are found.

    Attributes
    ----------
    components_, eigenvalues_, graph_, projection_, unembedded_
        See the module's page.
    words_ : int array
        The words that have a weight, the longest row first; ``get_support()`` is the same as a mask.
    n_terms_ : int
        How many these are.
    n_terms_evidence_ : Choice or None
        With "auto": the candidates, their scores, and the range that does about as well.
    """

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        n_terms: int | str | None = None,
        alpha: float | None = None,
        ridge: float = 0.0,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: Any = "knn",
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

    alpha: Any

    def _counted(self, n_terms: int | None, at_most: bool = False) -> Penalty:
        return RowLassoCount(n_terms, self.ridge, at_most)

    def _choose_words(self, X: Terms, n_components: int, **options: Any) -> Choice:
        return choose_n_shared_terms(X, self.graph_, n_components, row_lasso=True, **options)

    def _by_share(self) -> Penalty:
        return RowLasso(self.alpha, self.ridge, relative=True)


@final
class LPFL(_SharedWords):
    """Locality preserving feature learning: RLPI with at most so many words in all, and the best weights for them.

    Takes the smoothest functions Y on the graph, or class indicators when labels are given, and looks for the words that together
    come closest to them: min ‖XA - Y‖² + ρ‖A‖² with at most ``n_terms`` rows of A that are not zero (P24). Nobody can find the best
    choice in a large vocabulary; two solvers look for a good one, and the better is kept. With as many words as there are this is
    RLPI.

    Parameters
    ----------
    n_components, n_neighbors, weight, graph, disconnected, n_jobs, random_state
        See the module's page.
    n_terms : int or "auto", optional
        How many words have a weight, in all. By default 1,000, or as many as there are. Fewer, where these leave nothing to explain
        for another, is said by :class:`~vicinal.errors.FewerTerms`. "auto": the fewest of 30, 100, 300, 1,000 and 3,000 that
        keep 98 % of the smoothness on documents held out (P41), found as "proximal" begins, without exchanges.
    ridge : float
        ρ, on the scale of RLPI's ``alpha``; 0 as in the paper, with which rare words come in that explain their few documents.
    solver : {"auto", "adm", "proximal"}
        "adm" is the paper's alternating direction method with its schedule (P27), its words' weights then solved for exactly.
        "proximal" lets words join in batches and change places while the objective falls (P25, P26). "auto" runs both and keeps the
        one with the lower objective.
    center : bool
        Take the mean document off first, without making X dense.
    tol : float
        Words change places until that gains less than this share of the objective.
    max_iter : int
        Limit of iterations of the schedule, and of exchanges; :class:`~vicinal.errors.Unconverged` says when it was reached.
    eigen_solver : {"auto", "dense", "lanczos", "chebyshev"}
        How the eigenvectors are found.

    Attributes
    ----------
    components_, eigenvalues_, graph_, projection_, unembedded_
        See the module's page.
    words_ : int array
        The words that have a weight, the longest row first; ``get_support()`` is the same as a mask.
    n_terms_ : int
        How many these are.
    n_terms_evidence_ : Choice or None
        With "auto": the candidates, their scores, and the range that does about as well.
    objectives_ : dict
        What each solver that ran came to, ‖XA - Y‖² + ρ‖A‖²: "adm", "proximal", or "ridge" where nothing is restricted. The solver
        whose answer was kept is ``projection_.made_by["solver"]``.
    """

    objectives_: dict[str, float]
    _solvers = ("auto", "adm", "proximal")

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        n_terms: int | str | None = None,
        ridge: float = 0.1,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: Any = "knn",
        solver: str = "auto",
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
        self.center = center
        self.eigen_solver = eigen_solver

    def _penalty(self) -> Penalty:
        return self._by_number()

    def _counted(self, n_terms: int | None, at_most: bool = False) -> Penalty:
        return RowCount(n_terms, self.ridge, at_most)

    def _choose_words(self, X: Terms, n_components: int, **options: Any) -> Choice:
        return choose_n_shared_terms(X, self.graph_, n_components, **options)

    def _keep_words(self, projection: Projection) -> int:
        self.objectives_ = dict(projection.made_by["objectives"])
        return super()._keep_words(projection)
