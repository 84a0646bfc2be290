"""Classifier: the class of documents, from any number of labels and from all documents that have none."""

from __future__ import annotations

from functools import partial
from typing import Self, final

import numpy as np
from sklearn.base import ClassifierMixin

from vicinal._content_keys import content_order
from vicinal._probabilities import wilson_interval
from vicinal._threads import count_threads, single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, LabelArray, LabelsLike, RandomState, Terms
from vicinal._validate import check_count, check_number, check_seed, seed_of
from vicinal.methods import RLPI
from vicinal.methods._base import nothing_changed_by_errors, refuse_without_variation
from vicinal.projection._projection import embed
from vicinal.terms import Vectorizer
from vicinal.uses._classifier.ask import worth_labelling
from vicinal.uses._classifier.class_descriptions import ClassDescriptions
from vicinal.uses._classifier.classifier_embedding import embedding_of_all
from vicinal.uses._classifier.classifier_fit import fit_rule
from vicinal.uses._classifier.few_labels import clustering_of
from vicinal.uses._classifier.predicted_classes import check_shares, known_classes, most_probable
from vicinal.uses._document_input import DocumentMethod, TextsOrRows


@final
class Classifier(ClassDescriptions, ClassifierMixin, DocumentMethod):
    """Classify documents by a few labels or many, using the documents without a label as well.

    All documents are embedded by `RLPI`, without labels. A linear support vector machine then learns from the terms and the
    components of the labelled ones side by side (K1). How much the embedding counts is chosen by leave-one-out over the labels
    (K3): much where labels are few, little where they are many. Then it learns again, from documents without a label as well, with
    the class that they are predicted (K7). Probabilities are calibrated on labelled documents that were held out (K4). The score of
    a class is a sum over terms (K2).

    Parameters
    ----------
    share : float or "auto", default="auto"
        The share of the embedding in the similarity of two documents, from 0 (terms alone; no embedding is computed) to 1 (the
        embedding alone).
    n_components : int, default=100
        Number of components of the embedding at most.
    n_neighbors : int, default=15
        Number of neighbours of each document in the neighbour graph at most.
    alpha : float, default=15.0
        Ridge penalty of the embedding.
    abstain : float or None, default=None
        Below this probability ``predict`` gives no class: -1 where classes are numbers, None where they are not.
    vectorizer : Vectorizer or None, default=None
        How texts are split into terms; its ``weight`` and ``unit`` are not used. Ignored where documents are a matrix.
    n_jobs : int or None, default=None
        Number of threads; the result does not depend on it.
    random_state : int, RandomState or None, default=0
        Random seed.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted, without -1 and None.
    share_ : float
        The share of the embedding that was used.
    share_evidence_ : Choice or None
        The leave-one-out log loss of each candidate; None where ``share`` was given.
    accuracy_ : float or None
        Accuracy on labelled documents that were held out, of the rule and of clusters that teach it; None where no class has two of
        them. With few labels the rule that is measured had fewer than all of them, and few documents: see ``accuracy_interval_``.
    accuracy_interval_ : tuple of float or None
        Between what the accuracy on all documents like these may be, by 95 % (Wilson's interval): 0.60 and 0.98 where 9 of 10
        documents that were held out are right.
    n_labelled_ : int
        Number of documents with a label.
    n_pseudo_labelled_ : int
        Number of documents without a label that were learnt from with the class they are predicted; 0 where documents that were
        held out speak against it, or ``share`` was given.
    projection_ : LinearMap or None
        The embedding of all documents; None where there is none.
    scores_ : LinearMap
        From the weighted terms of a document to its scores, one per class.
    terms_ : ndarray of str or None
        The vocabulary of the texts, or the names of the columns; None where a matrix had no names.
    unembedded_ : ndarray of bool, shape (n_documents,)
        Documents without terms, which teach nothing.
    n_features_in_ : int
        Number of columns of a matrix given to ``fit``; not set by texts.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, where X had text for names.

    See Also
    --------
    CentroidClassifier : The nearest centroid, for embeddings that you have.

    Notes
    -----
    The order of the documents changes nothing, and a document's probabilities do not depend on the documents beside it. For a
    document without known terms all classes are equally probable, and the first is predicted.

    References
    ----------
    .. [1] D. Cai, X. He, W. V. Zhang and J. Han. Regularized locality preserving indexing via spectral regression.
       CIKM 2007, pages 741-750, section 3.
    .. [2] J. Platt. Probabilistic outputs for support vector machines. Advances in Large Margin Classifiers, 1999.

    Examples
    --------
    >>> from vicinal import Classifier
    >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
    >>> model = Classifier().fit(texts, ["farm", "farm", None, "sport", "sport", None])
    >>> model.predict(["a wheat harvest", "won by a goal"])
    array(['farm', 'sport'], dtype='<U5')
    """

    def __init__(
        self,
        *,
        share: float | str = "auto",
        n_components: int = 100,
        n_neighbors: int = 15,
        alpha: float = 15.0,
        abstain: float | None = None,
        vectorizer: Vectorizer | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.share = share
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.abstain = abstain
        self.vectorizer = vectorizer
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: TextsOrRows, y: LabelsLike | None = None) -> Self:
        """Learn from labelled documents, and from those without a label.

        Parameters
        ----------
        X : iterable of str, or array-like or sparse of shape (n_documents, n_terms)
            Texts, counts or weights. A matrix of whole numbers is taken for counts and weighted by BM25; any other for weights.
        y : array-like of shape (n_documents,)
            Labels, -1 or None where a document has none. At least two classes.

        Returns
        -------
        Classifier
            The fitted estimator. If an error is raised, it is unchanged.

        Raises
        ------
        OneClass
            There are no two classes.
        BadLabels
            ``y`` does not hold one label per document.
        BadData
            X is not a matrix of finite numbers.
        BadParameter
            A parameter is out of range.
        EmptyCorpus, TooFewTerms, NoVariation
            There are no documents, fewer than two terms, or documents that are all the same.

        Warns
        -----
        UnembeddedDocuments
            Some documents have no terms.

        Examples
        --------
        >>> from vicinal import Classifier
        >>> Classifier().fit([[2, 0], [3, 1], [0, 2], [1, 3]], [0, -1, 1, -1]).n_labelled_
        2
        """
        with nothing_changed_by_errors(self), single_threaded_libraries():
            self._check_parameters()
            rows = self._learn_to_read(X, Vectorizer(), unit=False)
            self.classes_, labels = known_classes(y, rows.shape[0])
            weights = self._reader.weights(rows)
            refuse_without_variation(weights)
            self._say_empty(weights)
            self._learn(rows, weights, labels)
        return self

    def decision_function(self, X: TextsOrRows) -> FloatArray:
        """Return the score of each class for each document; the largest is predicted.

        Parameters
        ----------
        X : iterable of str, or array-like or sparse of shape (m, n_terms)
            Documents of the same form as in ``fit``.

        Returns
        -------
        ndarray of shape (m, n_classes), or (m,) for two classes
            Scores divided by the document's length. For two classes, the score of the second minus that of the first.

        Examples
        --------
        >>> from vicinal import Classifier
        >>> model = Classifier().fit([[2, 0], [3, 1], [0, 2], [1, 3]], [0, 0, 1, 1])
        >>> (model.decision_function([[0, 5]]) > 0).tolist()
        [True]
        """
        rows = self._weighted(X)
        scores = self._rule.scores(rows)
        return np.asarray(scores[:, 1] - scores[:, 0]) if len(self.classes_) == 2 else scores

    def predict_proba(self, X: TextsOrRows) -> FloatArray:
        """Return the probability of each class for each document.

        Parameters
        ----------
        X : iterable of str, or array-like or sparse of shape (m, n_terms)
            Documents of the same form as in ``fit``.

        Returns
        -------
        ndarray of shape (m, n_classes)
            Probabilities in the order of ``classes_``, each row adding up to 1.

        Examples
        --------
        >>> from vicinal import Classifier
        >>> model = Classifier().fit([[2, 0], [3, 1], [0, 2], [1, 3]], [0, 0, 1, 1])
        >>> model.predict_proba([[0, 5]]).argmax()
        np.int64(1)
        """
        rows = self._weighted(X)
        return np.asarray(np.exp(self._rule.log_probabilities(rows)))

    def predict(self, X: TextsOrRows) -> LabelArray:
        """Return the most probable class of each document.

        Parameters
        ----------
        X : iterable of str, or array-like or sparse of shape (m, n_terms)
            Documents of the same form as in ``fit``.

        Returns
        -------
        ndarray of shape (m,)
            Labels out of ``classes_``; with ``abstain``, -1 or None for documents whose class is uncertain.

        Examples
        --------
        >>> from vicinal import Classifier
        >>> model = Classifier(abstain=0.9).fit([[2, 0], [3, 1], [0, 2], [1, 3]], [0, 0, 1, 1])
        >>> model.predict([[1, 1], [0, 5]])
        array([-1,  1])
        """
        rows = self._weighted(X)
        return most_probable(self.classes_, self._rule.log_probabilities(rows), self.abstain)

    def ask(self, X: TextsOrRows, n: int = 20) -> IntArray:
        """Return the documents whose labels would teach most: uncertain ones, each typical of many others, and no two similar.

        Parameters
        ----------
        X : iterable of str, or array-like or sparse of shape (m, n_terms)
            Documents without a label, of the same form as in ``fit``.
        n : int, default=20
            How many at most.

        Returns
        -------
        ndarray of int64, shape (at most n,)
            Rows of X, the most useful first. Documents without known terms are never among them.

        Raises
        ------
        BadParameter
            ``n`` is no count.

        Examples
        --------
        >>> from vicinal import Classifier
        >>> model = Classifier(share=0.0).fit([[2, 0], [3, 1], [0, 2], [1, 3]], [0, 0, 1, 1])
        >>> model.ask([[5, 0], [2, 2], [0, 5]], n=1)
        array([1])
        """
        rows = self._weighted(X)
        embedded = rows if self.projection_ is None else embed(self.projection_, rows)
        logs, seed = self._rule.log_probabilities(rows), seed_of(self.random_state)
        return worth_labelling(embedded, logs, check_count("n", n), order=content_order(rows), random_state=seed)

    def _weighted(self, X: TextsOrRows) -> Terms:
        rows = self._read(X)
        return self._reader.weights(rows)

    def _check_parameters(self) -> None:
        check_shares(self.share, self.abstain)
        for name in ("n_components", "n_neighbors"):
            check_count(name, getattr(self, name))
        check_number("alpha", self.alpha)
        check_seed(self.random_state)
        count_threads(self.n_jobs)

    def _learn(self, rows: Terms, weights: Terms, labels: IntArray) -> None:
        seed, n_classes, order = seed_of(self.random_state), len(self.classes_), content_order(weights, labels)
        rows, weights, labels = rows[order], weights[order], labels[order]
        n_neighbors = min(self.n_neighbors, len(labels) - 1)  # as many as there can be
        method = RLPI(self.n_components, n_neighbors=n_neighbors, alpha=self.alpha, n_jobs=self.n_jobs, random_state=seed)
        self.projection_ = None if self.share == 0 else embedding_of_all(weights, method)
        clustering = partial(clustering_of, rows, labels, n_classes, seed, self.n_jobs)
        rule = fit_rule(weights, labels, n_classes, self.projection_, share=self.share, clustering=clustering)
        self._rule = rule if self.terms_ is None else rule.named(self.terms_)
        self.scores_, self.share_, self.share_evidence_ = self._rule.linear, rule.joint.share, rule.evidence
        self.n_labelled_, self.n_pseudo_labelled_, self.accuracy_ = int((labels >= 0).sum()), rule.n_pseudo_labelled, rule.accuracy
        self.accuracy_interval_ = None if rule.accuracy is None else wilson_interval(rule.accuracy, rule.n_held_out)
