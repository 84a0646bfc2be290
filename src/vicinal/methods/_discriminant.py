"""LDA and SRDA: discriminant analysis, as LPP and RLPI on the graph of the classes."""

from __future__ import annotations

from typing import Self, final

import numpy as np
from sklearn.utils import Tags

from vicinal._matrix import nonzero_rows
from vicinal._typing import ArrayLike, BoolArray, IntArray, LabelsLike, RandomState, Terms
from vicinal._validate import check_labels
from vicinal._warn import warn
from vicinal.errors import BadLabels, NoVariation, UnembeddedDocuments, UnlabelledDocuments
from vicinal.graph import ClassGraph
from vicinal.graph._combine import classes_of_checked
from vicinal.methods._graph_method import GraphMethod
from vicinal.methods._locality_preserving import PencilMethod
from vicinal.methods._ridge_method import RidgeMethod
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.terms._block_terms import BlockTerms


class ClassMethod(GraphMethod):
    """A method whose graph is that of the classes (G6): it requires labels, and documents without one take no part."""

    graph_: ClassGraph

    def fit(self, X: ArrayLike, y: LabelsLike | None = None) -> Self:
        """Fit the method to labelled documents.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_documents, n_terms)
            Weights of the terms of each document. The input is not modified.
        y : array-like of shape (n_documents,)
            Labels. Documents whose label is -1 or None take no part, which an
            :class:`~vicinal.errors.UnlabelledDocuments` warning says.

        Returns
        -------
        self
            The fitted estimator. If an error is raised, the estimator is unchanged.

        Raises
        ------
        BadParameter
            A parameter is out of its range.
        BadLabels
            There are no labels, not one per document, or they are not classes.
        BadData
            X contains NaN, infinity or something that is not a number.
        EmptyCorpus, TooFewTerms, NoVariation, OneClass
            X has no documents, fewer than two terms, or documents that are all the same, or all labels are the same.
        """
        return super().fit(X, y)

    def _build_graph(self, X: Terms | BlockTerms, y: LabelsLike | None) -> ClassGraph:
        labels = self._known(y, X.shape[0])
        has_terms = X.filled if isinstance(X, BlockTerms) else nonzero_rows(X)
        if not has_terms.any():
            raise NoVariation(
                f"all {len(labels)} documents (n_samples = {len(labels)}) are empty, so nothing tells them apart. "
                f"Add documents with terms."
            )
        graph = classes_of_checked(np.where(has_terms, labels, -1))  # a document without terms counts for no class
        _say_outside(has_terms, labels >= 0, type(self).__name__)
        return graph

    def _known(self, y: LabelsLike | None, n_documents: int) -> IntArray:
        name = type(self).__name__
        if y is None:
            raise BadLabels(f"{name} requires y to be passed, but the target y is None. Give one label each, or use RLPI.")
        labels = check_labels(y, n_documents)
        if not (labels >= 0).any():
            raise BadLabels(f"{name} learns from labels, but all {n_documents} are -1 or None. Label some, or use RLPI.")
        return labels

    def _wanted(self, at_most: int) -> int:
        """As many components as were asked for, or all there can be: one fewer than classes."""
        if self.n_components is not None:
            return super()._wanted(at_most)
        return min(at_most, int(self.graph_.connected_components.max()))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _say_outside(has_terms: BoolArray, labelled: BoolArray, name: str) -> None:
    """Warn of documents that take no part: those without terms, and those without a label."""
    empty, unlabelled = np.flatnonzero(~has_terms), int(np.sum(has_terms & ~labelled))
    if empty.size:
        warn(
            f"{empty.size} of {len(has_terms)} documents have no terms and are not embedded: their vector is zero. "
            f"The first is document {empty[0]}.",
            UnembeddedDocuments,
        )
    if unlabelled:
        warn(
            f"{unlabelled} of {len(has_terms)} documents have no label and take no part in {name}, which learns from labels "
            f"alone. Use RLPI to learn from their neighbours too.",
            UnlabelledDocuments,
        )


@final
@with_shared_docs
class LDA(ClassMethod, PencilMethod):
    """Linear discriminant analysis: linear components along which class means differ most, relative to the total scatter [1]_.

    It is LPP on the graph of the classes: of centred documents, XᵀWX is the scatter between classes and XᵀX the total
    scatter (P30). There are at most as many components as classes less one. The cost is cubic in the smaller side of
    X; :class:`~vicinal.SRDA` finds the same span without it.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of components. None: one fewer than classes, which is all there are.
    {pencil_alpha}
    {pencil_solver}
    {n_jobs}
    {random_state}

    Attributes
    ----------
    {components_}
    eigenvalues_ : ndarray of shape (n_components,)
        Share of the scatter along each component that lies between classes.
    {fitted_n_components}
    {projection_}
    graph_ : ClassGraph
        The graph that joins the documents of each class.
    unembedded_ : ndarray of bool, shape (n_documents,)
        Training documents that took no part: without a label, or without terms.
    {fitted_features}

    References
    ----------
    .. [1] K. Fukunaga. Introduction to statistical pattern recognition. Second edition, Academic Press, 1990. Chapter
       10.
    .. [2] X. He, D. Cai and W. Min. Statistical and computational analysis of locality preserving projection. ICML
       2005.

    Examples
    --------
    >>> from vicinal import LDA
    {example_texts}
    >>> Z = LDA().fit_transform(X, ["animals"] * 3 + ["markets"] * 3)
    >>> Z.shape
    (6, 1)
    """

    _center = True

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        alpha: float = 0.0,
        solver: str = "auto",
        tol: float = 1e-10,
        max_iter: int | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            n_components, alpha=alpha, solver=solver, tol=tol, max_iter=max_iter, n_jobs=n_jobs, random_state=random_state
        )


@final
@with_shared_docs
class SRDA(ClassMethod, RidgeMethod):
    """Spectral regression discriminant analysis: contrasts of classes, regressed onto terms with a ridge penalty [1]_.

    It is RLPI on the graph of the classes, centred: contrasts of classes (P15) are the responses, and no eigenproblem
    is solved. As α goes to 0 it spans what :class:`~vicinal.LDA` spans (P31). The cost is linear in the size of X.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of components. None: one fewer than classes, which is all there are. No component is better than
        another, so that fewer are an arbitrary choice, which an :class:`~vicinal.errors.IndistinctComponents` warning
        says.
    {ridge_alpha}
    {ridge_solver}
    {n_jobs}
    random_state : int, RandomState or None, default=0
        Without effect, as there is no eigenproblem; the parameter exists for pipelines that set it everywhere.

    Attributes
    ----------
    {components_}
    {eigenvalues_}
    {fitted_n_components}
    {projection_}
    {fitted_alpha}
    {n_iter_}
    graph_ : ClassGraph
        The graph that joins the documents of each class.
    unembedded_ : ndarray of bool, shape (n_documents,)
        Training documents that took no part: without a label, or without terms.
    {fitted_features}

    References
    ----------
    .. [1] D. Cai, X. He and J. Han. SRDA: an efficient algorithm for large-scale discriminant analysis. IEEE
       Transactions on Knowledge and Data Engineering, 20(1):1-12, 2008.
    .. [2] D. Cai, X. He, W. V. Zhang and J. Han. Regularized locality preserving indexing via spectral regression.
       CIKM 2007, section 3.3.

    Examples
    --------
    >>> from vicinal import SRDA
    {example_texts}
    >>> Z = SRDA().fit_transform(X, ["animals"] * 3 + ["markets"] * 3)
    >>> Z.shape
    (6, 1)
    """

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        alpha: float | str = 0.1,
        solver: str = "auto",
        tol: float = 1e-3,
        max_iter: int = 200,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            n_components,
            alpha=alpha,
            solver=solver,
            tol=tol,
            max_iter=max_iter,
            center=True,
            n_jobs=n_jobs,
            random_state=random_state,
        )
