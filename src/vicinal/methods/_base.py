"""Base classes of the estimators: validation of input, number of components, embedding of documents by a fitted map."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from vicinal._choice import is_auto
from vicinal._matrix import nonzero_rows
from vicinal._typing import ArrayLike, BoolArray, FloatArray, LabelsLike, Terms
from vicinal._validate import check_count, check_terms, refuse_extreme, shortened
from vicinal._warn import warn
from vicinal.errors import BadData, FewerComponents, NoVariation, TooFewTerms, UnembeddedDocuments
from vicinal.graph._exact_duplicates import all_blocks_proportional, all_proportional
from vicinal.projection import Projection
from vicinal.projection._projection import embed
from vicinal.terms._block_terms import BlockTerms

DEFAULT_COMPONENTS = 30


@contextmanager
def nothing_changed_by_errors(estimator: BaseEstimator) -> Iterator[None]:
    """Restore all attributes of an estimator when fitting it raises."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


class Method(BaseEstimator):
    """Base of all methods: X is validated once in ``fit`` and once in ``transform``."""

    unembedded_: BoolArray

    def fit(self, X: ArrayLike, y: LabelsLike | None = None) -> Self:
        """Fit the method to documents.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_documents, n_terms)
            Weights of the terms of each document. The input is not modified.
        y : None
            Ignored; the parameter exists for scikit-learn's pipelines.

        Returns
        -------
        self
            The fitted estimator. If an error is raised, the estimator is unchanged.

        Raises
        ------
        BadParameter
            A parameter is out of its range.
        BadData
            X contains NaN, infinity or something that is not a number.
        EmptyCorpus, TooFewTerms, NoVariation
            X has no documents, fewer than two terms, or documents that are all the same.
        """
        self._fit_validated(X, y)
        return self

    def _fit_validated(self, X: ArrayLike, y: LabelsLike | None) -> Terms:
        """Validate parameters and X, learn, and return the validated X."""
        with nothing_changed_by_errors(self):
            self._check_parameters()
            checked = self._check_documents(X, "fit")
            refuse_without_variation(checked)
            self._learn_from(checked, y)
        return checked

    def _check_parameters(self) -> None:
        """Raise BadParameter before any work is done."""

    def _check_n_components(self) -> None:
        """Refuse a number of components that is none; None leaves it open."""
        if self.n_components is not None:
            check_count("n_components", self.n_components)

    def _learn_from(self, X: Terms, y: LabelsLike | None) -> None:
        """Set the fitted attributes from a validated X."""
        raise NotImplementedError

    def _check_documents(self, X: ArrayLike, verb: str) -> Terms:
        try:
            checked = validate_data(
                self,
                X,
                reset=verb == "fit",
                accept_sparse="csr",
                dtype=[np.float64, np.float32],
                ensure_all_finite=False,  # check_terms does it, and names row and column
                ensure_min_samples=0,
                ensure_min_features=0,
            )
        except ValueError as error:
            raise BadData(_no_matrix(X, error)) from None
        checked = check_terms(checked, f"{type(self).__name__}.{verb}")
        refuse_extreme(checked)
        return checked

    def _wanted(self, at_most: int) -> int:
        """Number of components to look for: ``n_components``, by default 30, and never more than there can be."""
        asked = DEFAULT_COMPONENTS if self.n_components is None else self._asked()
        return min(asked, at_most)

    def _asked(self) -> int:
        """The number of components that was given, which is checked by now."""
        return int(self.n_components)

    def _say_fewer(self, found: int, why: str) -> None:
        """Warn when fewer components exist than were asked for; not where the number was left open."""
        if self.n_components is not None and not is_auto(self.n_components) and found < self.n_components:
            warn(
                f"asked for {self.n_components} components but there are {found}: {why}. Continuing with {found}.", FewerComponents
            )

    def _say_empty(self, X: Terms) -> None:
        """Set ``unembedded_`` to the documents without terms, and warn of them: for methods without a graph."""
        self.unembedded_ = ~nonzero_rows(X)
        if self.unembedded_.any():
            warn(
                f"{int(self.unembedded_.sum())} of {X.shape[0]} documents have no terms and are not embedded: their vector is "
                f"zero. The first is document {int(np.argmax(self.unembedded_))}.",
                UnembeddedDocuments,
            )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


AnyMethod = TypeVar("AnyMethod", bound=Method)


def fit_of_checked(method: AnyMethod, X: Terms) -> AnyMethod:
    """As :meth:`Method.fit`, for documents that ``check_terms`` has returned, and parameters that are checked."""
    refuse_without_variation(X)
    method._learn_from(X, None)
    return method


class EmbeddingMethod(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Method):
    """A method that embeds documents other than those it was fitted on."""

    @abstractmethod
    def _embed(self, X: Terms) -> FloatArray:
        """Embeddings of validated documents, each computed by itself."""

    def fit_transform(self, X: ArrayLike, y: LabelsLike | None = None) -> FloatArray:
        """Fit the method to documents and embed them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_documents, n_terms)
            Weights of the terms of each document.
        y : array-like of shape (n_documents,), optional
            Labels, where ``fit`` uses them.

        Returns
        -------
        ndarray of shape (n_documents, n_components)
            The same bits as ``fit(X, y).transform(X)``.
        """
        return self._embed(self._fit_validated(X, y))

    def transform(self, X: ArrayLike) -> FloatArray:
        """Embed documents.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_documents, n_terms)
            Weights of the same terms as in ``fit``.

        Returns
        -------
        ndarray of shape (n_documents, n_components)
            One embedding per document. It does not depend on the other documents, and is zero for a document without
            terms.

        Raises
        ------
        BadData
            X contains NaN, infinity or something that is not a number, or has another number of terms.
        """
        check_is_fitted(self)
        return self._embed(self._check_documents(X, "transform"))


class LinearMethod(EmbeddingMethod):
    """A method whose embedding is a linear map of terms, a :class:`~vicinal.projection.Projection`."""

    projection_: Projection

    def _embed(self, X: Terms | BlockTerms) -> FloatArray:
        return embed(self.projection_, X)

    def _keep(self, projection: Projection) -> None:
        names = getattr(self, "feature_names_in_", None)
        self.projection_ = projection if names is None else projection.named(names)
        self.components_: FloatArray = self.projection_.weights.T
        if projection.eigenvalues is not None:
            self.eigenvalues_: FloatArray = projection.eigenvalues

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)


def _no_matrix(X: ArrayLike, error: Exception) -> str:
    """The message for an X that is no matrix of numbers; most often it holds texts."""
    first = next(iter(X), None) if isinstance(X, list | tuple | np.ndarray) and len(X) else X
    if isinstance(first, str):
        return (
            f"documents x terms must be numbers, got text ({first[:40]!r}): could not convert string to float. Turn texts into "
            f"terms first: make_pipeline(Vectorizer(), RLPI())."
        )
    return f"{shortened(str(error), 400)} (documents x terms must be a matrix of numbers, one row per document.)"


def refuse_without_variation(X: Terms | BlockTerms) -> None:
    """Raise TooFewTerms or NoVariation where no method can tell documents apart."""
    if X.shape[1] < 2:
        raise TooFewTerms(
            f"X has {X.shape[1]} feature(s), which cannot tell documents apart. You need at least two terms: add others."
        )
    filled, same = (X.filled, all_blocks_proportional) if isinstance(X, BlockTerms) else (nonzero_rows(X), all_proportional)
    if np.count_nonzero(filled) > 1 and same(X):  # type: ignore[arg-type]
        raise NoVariation(
            f"all {X.shape[0]} documents that have terms are the same, up to length, so nothing tells them apart. Add others."
        )
