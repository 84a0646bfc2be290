"""Categories: a new document gets the label of the class whose middle is nearest."""

from __future__ import annotations

from typing import Any, Self, final

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from vicinal._centroids import class_means, cosine_scores, mean_directions, squared_distances
from vicinal._matrix import unit_rows
from vicinal._typing import ArrayLike, FloatArray, IntArray, Terms
from vicinal._validate import check_choice, check_terms
from vicinal.errors import BadData, BadLabels, OneClass


@final
class CentroidClassifier(ClassifierMixin, BaseEstimator):
    """Give a document the label of the class whose mean is nearest.

    Under "cosine", rows are scaled to unit length, averaged per class, and the means scaled to unit length again; the
    score of a class is the cosine with its mean. Under "euclidean" the score is minus the squared distance to the plain
    mean.

    Parameters
    ----------
    metric : {"cosine", "euclidean"}, default="cosine"
        What near means.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted. -1 is a label like any other: leave documents without a label out before fitting.
    centroids_ : ndarray of shape (n_classes, n_features_in_)
        The mean of each class; of unit length under "cosine", or zero where the documents of a class cancel out.
    n_features_in_ : int
        Number of columns seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, where X had text for names.

    Notes
    -----
    Of classes with equal scores the first in ``classes_`` wins. Under "cosine" a row of zeros scores 0 with every class
    and so always falls to the first: leave such documents out if that is not wanted. A row's scores do not depend on
    the rows beside it, to the last bit.

    Examples
    --------
    >>> model = CentroidClassifier().fit([[1.0, 0.0], [2.0, 0.2], [0.0, 3.0]], ["farm", "farm", "tax"])
    >>> model.predict([[0.1, 5.0]])
    array(['tax'], dtype='<U4')
    """

    def __init__(self, metric: str = "cosine") -> None:
        self.metric = metric

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn the mean of each class.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)
            One row per document.
        y : array-like of shape (n,)
            One label per document, at least two different ones.

        Returns
        -------
        CentroidClassifier
            Itself.

        Raises
        ------
        OneClass
            All labels are the same.
        """
        check_choice("metric", self.metric, ("cosine", "euclidean"))
        rows = self._rows(X, reset=True)
        self.classes_, codes = _check_classes(y, rows)
        if len(self.classes_) < 2:
            raise OneClass(
                f"y names one class only, {self.classes_.tolist()[0]!r}: there is nothing to tell apart. "
                f"Give documents of two classes or more."
            )
        average = mean_directions if self.metric == "cosine" else class_means
        self.centroids_ = average(rows, codes, len(self.classes_))
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return how near each document is to each class, greater being nearer.

        Parameters
        ----------
        X : array-like or sparse of shape (m, d)
            One row per document.

        Returns
        -------
        ndarray of shape (m, n_classes), or (m,) for two classes
            Cosines, or minus squared distances. For two classes, the score of the second minus that of the first.
        """
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: ArrayLike) -> Any:
        """Return the label of the nearest class for each document.

        Parameters
        ----------
        X : array-like or sparse of shape (m, d)
            One row per document.

        Returns
        -------
        ndarray of shape (m,)
            Labels out of ``classes_``.
        """
        scores = self._scores(X)
        return self.classes_[np.argmax(scores, axis=1)]

    def _scores(self, X: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        rows = self._rows(X, reset=False)
        if self.metric == "euclidean":
            return -squared_distances(rows, self.centroids_)
        return cosine_scores(rows, self.centroids_)

    def _rows(self, X: ArrayLike, *, reset: bool) -> Terms:
        try:
            given = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32], order="C")
        except ValueError as error:
            raise BadData(str(error)) from error
        rows = check_terms(given, "X")
        return unit_rows(rows) if self.metric == "cosine" else rows.astype(np.float64)

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that sparse documents are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _check_classes(y: ArrayLike, rows: Terms) -> tuple[Any, IntArray]:
    """Return the sorted classes, and for each document the place of its class among them."""
    if y is None:
        raise BadLabels("CentroidClassifier requires y to be passed, but the target y is None. Give one label each.")
    try:
        labels = column_or_1d(y, warn=True)
        check_classification_targets(labels)
        check_consistent_length(rows, labels)
        classes, codes = np.unique(labels, return_inverse=True)
    except (TypeError, ValueError) as error:
        raise BadLabels(str(error)) from error
    return classes, codes
