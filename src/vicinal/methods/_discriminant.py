"""LDA and SRDA: the rows whose graph is that of the classes, one for each route."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from vicinal._matrix import nonzero_rows
from vicinal._typing import ArrayLike, BoolArray, IntArray, RandomState, Terms
from vicinal._validate import check_labels
from vicinal._warn import warn
from vicinal.errors import BadLabels, NoVariation, UnembeddedDocuments, UnlabelledDocuments
from vicinal.graph import ClassGraph, classes
from vicinal.methods._estimator import GraphMethod
from vicinal.methods._pencils import PencilMethod
from vicinal.methods._regression import RidgeMethod


class ClassMethod(GraphMethod):
    """A row whose graph is that of the classes (G6): it needs labels, and documents without one teach it nothing."""

    graph_: ClassGraph

    def _build_graph(self, X: Terms, y: ArrayLike | None) -> ClassGraph:
        labels, words = self._known(y, X.shape[0]), nonzero_rows(X)
        if not words.any():
            raise NoVariation(f"all {len(labels)} documents (n_samples = {len(labels)}) are empty, so nothing tells them apart.")
        graph = classes(np.where(words, labels, -1))  # a document without words speaks for no class
        _say_outside(words, labels >= 0, type(self).__name__)
        return graph

    def _known(self, y: ArrayLike | None, n_documents: int) -> IntArray:
        name = type(self).__name__
        if y is None:
            raise BadLabels(f"{name} requires y to be passed, but the target y is None. Give one label each, or use RLPI.")
        labels = check_labels(y, n_documents)
        if not (labels >= 0).any():
            raise BadLabels(f"{name} learns from labels, but all {n_documents} are -1 or None. Label some, or use RLPI.")
        return labels

    def _wanted(self, at_most: int) -> int:
        """As many dimensions as were asked for, or all there can be: classes less one."""
        return super()._wanted(at_most) if self.n_components is not None else min(at_most, int(self.graph_.components.max()))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _say_outside(words: BoolArray, labelled: BoolArray, name: str) -> None:
    """Warn of documents that take no part: those without words, and those without a label."""
    empty, unlabelled = np.flatnonzero(~words), int(np.sum(words & ~labelled))
    if empty.size:
        warn(
            f"{empty.size} of {len(words)} documents have no words and are unplaced: their vector is zero. "
            f"The first is document {empty[0]}.",
            UnembeddedDocuments,
        )
    if unlabelled:
        warn(
            f"{unlabelled} of {len(words)} documents have no label and take no part in {name}, which learns from labels alone. Use "
            f"RLPI to learn from their neighbours too.",
            UnlabelledDocuments,
        )


@final
class LDA(ClassMethod, PencilMethod):
    """Linear discriminant analysis: directions in word space along which the means of classes differ most, for their spread.

    It is LPP on the class graph: of centred documents, XᵀWX is the scatter between classes and XᵀX the total scatter (P30). There
    are as many dimensions as classes less one. Cubic in the smaller side of X; SRDA finds the same span without that.

    Parameters
    ----------
    n_components : int, optional
        How many dimensions, the best first; by default classes less one, which is all there are.
    alpha : float
        Strength of a ridge penalty on long directions; 0 is the analysis as published.
    solver : {"auto", "dense", "lanczos"}
        How the eigenvectors are found.
    tol, max_iter, random_state
        For "lanczos".
    n_jobs : int, optional
        Threads; no result depends on it.

    Attributes
    ----------
    components_, graph_, projection_
        See the module's page.
    eigenvalues_ : array (n_components,)
        How much of the scatter along each dimension lies between classes: 1 is all of it.
    unembedded_ : bool array (documents,)
        Training documents outside the class graph: without a label, or without words. They teach nothing;
        :class:`~vicinal.errors.UnlabelledDocuments` says how many.
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
class SRDA(ClassMethod, RidgeMethod):
    """Spectral regression discriminant analysis: what tells classes apart, regressed onto words.

    It is RLPI on the class graph, centred: contrasts of classes (P15) are the responses, and no eigenproblem has to be solved.
    As α goes to 0 it spans what :class:`LDA` spans (P31). Linear in the size of X.

    Parameters
    ----------
    n_components : int, optional
        How many dimensions; by default classes less one, which is all there are. No dimension is better than another, so fewer are
        an arbitrary choice, and :class:`~vicinal.errors.IndistinctComponents` says so.
    alpha : float or "auto"
        Strength of the ridge penalty. "auto" as for :class:`RLPI`, with ``alpha_`` and ``alpha_evidence_``.
    solver, tol, max_iter
        As for :class:`RLPI`.
    n_jobs : int, optional
        Threads; no result depends on it.
    random_state : int, RandomState or None
        Nothing depends on it: there is no eigenproblem. It is there for pipelines that set it everywhere.

    Attributes
    ----------
    components_, eigenvalues_, graph_, projection_
        See the module's page.
    unembedded_ : bool array (documents,)
        As for :class:`LDA`.
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
