"""Nearest-centroid classification of embedded documents."""

from __future__ import annotations

from typing import Self, final

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from vicinal._centroids import class_means, cosine_scores, mean_directions, squared_distances
from vicinal._matrix import unit_rows
from vicinal._typing import ArrayLike, FloatArray, IntArray, LabelArray, LabelsLike, Terms
from vicinal._validate import check_choice, check_terms
from vicinal.errors import BadData, BadLabels, OneClass


@final
class CentroidClassifier(ClassifierMixin, BaseEstimator):
    """Classify documents by the nearest class centroid.

    Under "cosine", rows are scaled to unit length, averaged per class, and the means scaled to unit length again; the
    score of a class is the cosine with its mean. Under "euclidean" the score is minus the squared distance to the plain
    mean.

    Parameters
    ----------
    metric : {"cosine", "euclidean"}, default="cosine"
        How rows are compared with the centroids.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted. -1 is a label like any other: leave out documents without a label before fitting.
    centroids_ : ndarray of shape (n_classes, n_features_in_)
        The mean of each class; of unit length under "cosine", or zero where the documents of a class cancel out.
    n_features_in_ : int
        Number of columns seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, where X had text for names.

    Notes
    -----
    Of classes with equal scores the first in ``classes_`` is predicted. Under "cosine" a row of zeros, a document that is not
    embedded, scores 0 with every class, so the first is predicted. A row's scores do not depend on the rows beside it, to the last
    bit.

    References
    ----------
    .. [1] Han, E.-H., Karypis, G. (2000). Centroid-Based Document Classification: Analysis and Experimental Results. PKDD,
       section 3: centroids of unit rows, compared by cosine.

    Examples
    --------
    >>> from vicinal import CentroidClassifier
    >>> model = CentroidClassifier().fit([[1.0, 0.0], [2.0, 0.2], [0.0, 3.0]], ["farm", "farm", "tax"])
    >>> model.predict([[0.1, 5.0]])
    array(['tax'], dtype='<U4')
    """

    def __init__(self, metric: str = "cosine") -> None:
        self.metric = metric

    def fit(self, X: ArrayLike, y: LabelsLike) -> Self:
        """Compute the centroid of each class.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)
            One row per document.
        y : array-like of shape (n,)
            One label per document, at least two different ones.

        Returns
        -------
        CentroidClassifier
            The fitted estimator.

        Raises
        ------
        OneClass
            All labels are the same.
        BadLabels
            ``y`` does not hold one label per row.
        BadData
            X is not a matrix of finite numbers.
        """
        check_choice("metric", self.metric, ("cosine", "euclidean"))
        rows = self._rows(X, reset=True)
        self.classes_, codes = _check_classes(y, rows)
        if len(self.classes_) < 2:
            raise OneClass(
                f"y has one class, {self.classes_.tolist()[0]!r}: a classifier needs two. Add documents of another class."
            )
        average = mean_directions if self.metric == "cosine" else class_means
        self.centroids_ = average(rows, codes, len(self.classes_))
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return the score of each class for each document; the largest is the nearest.

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

    def predict(self, X: ArrayLike) -> LabelArray:
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
        return np.asarray(self.classes_[np.argmax(scores, axis=1)])

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

    def __sklearn_tags__(self) -> Tags:
        """Declare that sparse documents are accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _check_classes(y: LabelsLike, rows: Terms) -> tuple[LabelArray, IntArray]:
    """Return the sorted classes, and for each document the number of its class."""
    if y is None:
        raise BadLabels("CentroidClassifier requires y to be passed, but the target y is None. Pass one label per document.")
    try:
        labels = column_or_1d(y, warn=True)
        check_classification_targets(labels)
        check_consistent_length(rows, labels)
        classes, codes = np.unique(labels, return_inverse=True)
    except (TypeError, ValueError) as error:
        raise BadLabels(str(error)) from error
    return classes, codes
