"""Topics: what a pile of documents is about, for people who do not want to choose anything."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import Any, Self, TypeVar, final

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClusterMixin, TransformerMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted

from vicinal._choice import is_auto
from vicinal._consensus import Answer, Corpus, Neighborhoods, choose_number, corpus_with, look_around, settle
from vicinal._consensus.rule import Rule, rule_of_centres, rule_of_words
from vicinal._consensus.sample import chosen, part, spread
from vicinal._matrix import nonzero_rows, unit_rows
from vicinal._probabilities import normalized_entropy
from vicinal._threads import count_threads, single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, IntArray, RandomState, Terms
from vicinal._validate import check_count, check_labels, check_seed, seed_of
from vicinal._warn import warn
from vicinal.errors import BadData, BadParameter, ClusterCount, TooFewDocuments
from vicinal.graph._graph import number_by_size
from vicinal.methods._base import Method, nothing_changed_by_errors, refuse_without_variation
from vicinal.projection import Explanation, LinearMap
from vicinal.projection._projection import embed
from vicinal.uses._topics_input import are_texts, as_series, is_empty_series, learn_to_read, learn_to_weigh

Linear = TypeVar("Linear", bound=LinearMap)


@final
class Topics(ClusterMixin, TransformerMixin, Method):
    """Sort documents into topics, choosing everything by the documents themselves.

    Several views of the corpus are clustered and joined into a consensus, which is regressed onto words and corrected by the
    words of each cluster. Which topic a document belongs to is decided by its words alone: a sum that can be taken apart, the same
    for a new document as for an old one, whatever comes with it.

    Parameters
    ----------
    n_clusters : int or "auto"
        How many topics; by default as many as explain the words best.
    vectorizer : Vectorizer, optional
        How texts are split into words; its ``weight`` and ``unit`` are not used. Ignored for matrices.
    max_documents : int
        Views are taken of at most so many documents, drawn at random; the words of their topics then sort all of them (V14).
    verbose : bool
        Say on standard error what is being done.
    n_jobs : int, optional
        Threads; the answer does not depend on it.
    random_state : int
        With the same number, every run gives the same answer.

    Attributes
    ----------
    labels_ : int array (documents,)
        The topic of each document, -1 for one without words. Topics are numbered by decreasing size; where ``y`` was given, first
        come its classes, in sorted order.
    n_clusters_ : int
    n_clusters_evidence_ : Choice or None
        Why so many; None where the number was given. Where ``y`` has more classes than the words speak for, each is a topic, and
        the evidence says both.
    classes_ : array or None
        The classes of ``y``, each the topic of the same number; None where there was no ``y``.
    sizes_ : int array (topics,)
    uncertainty_ : float array (documents,)
        Normalised entropy of ``predict_proba``: 0 for a certain cluster, 1 where all clusters are equally likely. There is no
        separate class of outliers.
    sample_ : int array or None
        The documents that views were taken of, None for all.
    views_ : tuple of View
        What the consensus was made of: each view's labels of the documents it was taken of, how well it explains the words, and
        how much it counted.
    judged_ : dict
        How the candidates for the last step were judged.
    projection_ : Projection
        Coordinates: what ``transform`` uses.
    rule_ : Rule
        The score of each topic as a sum over words: what ``predict`` uses.

    Examples
    --------
    >>> texts = ["red rose in the garden", "a white rose garden", "garden rose red", "rose white",
    ...          "stock market price", "market price falls", "stock price", "price of the market stock"]
    >>> topics = Topics(n_clusters=2).fit(texts)
    >>> topics.labels_.tolist()
    [0, 0, 0, 0, 1, 1, 1, 1]
    >>> topics.predict(["the price of a stock"]).tolist()
    [1]
    """

    def __init__(
        self,
        n_clusters: int | str = "auto",
        *,
        vectorizer: Any = None,
        max_documents: int = 30_000,
        verbose: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.vectorizer = vectorizer
        self.max_documents = max_documents
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, documents: Any, y: ArrayLike | None = None) -> Self:
        """Find the topics of documents.

        Parameters
        ----------
        documents : list of texts, or documents x terms, sparse or dense
            A matrix of whole numbers is taken for counts and weighed by BM25; any other for weights.
        y : labels, optional
            One per document, -1 where it is not known. Each class becomes a topic, and labelled documents stay in theirs.
        """
        with nothing_changed_by_errors(self), single_threaded_libraries():
            self._check_parameters()
            say = _Stages(bool(self.verbose))
            say("reading")
            rows = self._learn_to_read(documents)
            known = self._known(y, rows)
            X, evidence = self.reader_.weights(rows), self.reader_.evidence(rows)
            self._refuse(X)
            self._say_empty(X)
            self._learn(corpus_with(X, evidence, known, seed_of(self.random_state), self.n_jobs), say)
        return self

    def _learn(self, corpus: Corpus, say: _Stages) -> None:
        self.sample_ = chosen(corpus, int(self.max_documents))
        looked_at = corpus if self.sample_ is None else part(corpus, self.sample_)
        say("neighbours of each document")
        around = look_around(looked_at.X, corpus.random_state, self.n_jobs)
        say("number of topics")
        k = self._number(looked_at, around)
        say(f"views and their consensus, {k} topics")
        answer = settle(looked_at, around, k)
        say("words of each topic")
        self._keep(answer if self.sample_ is None else spread(answer, self.sample_, corpus, k), corpus, k)
        say.done()

    def fit_predict(self, documents: Any, y: ArrayLike | None = None, **kwargs: Any) -> IntArray:
        """Find the topics of documents and return the topic of each."""
        return self.fit(documents, y).labels_

    def fit_transform(self, documents: Any, y: ArrayLike | None = None, **kwargs: Any) -> FloatArray:
        """Find the topics of documents and return the coordinates of each: the same bits as ``transform`` gives."""
        documents = as_series(documents)
        return self.fit(documents, y).transform(documents)

    def predict(self, documents: Any) -> IntArray:
        """The topic of each document, by its words alone; -1 for one without known words."""
        rows = self._read(documents)
        best = np.argmax(self.rule_.log_probabilities(self._decided_by(rows)), axis=1).astype(np.int64)
        return np.where(nonzero_rows(rows), best, -1)

    def predict_proba(self, documents: Any) -> FloatArray:
        """How likely each topic is for each document; rows sum to one.

        A document without known words gets the shares of the topics.
        """
        rows = self._decided_by(self._read(documents))
        return np.asarray(np.exp(self.rule_.log_probabilities(rows)))

    def transform(self, documents: Any) -> FloatArray:
        """Coordinates of documents in the space that the views agree on; zero for one without known words."""
        rows = self._read(documents)
        return embed(self.projection_, self.reader_.weights(rows))

    def words(self, topic: int, limit: int = 10) -> list[tuple[str, float]]:
        """The words that tell a topic from the rest, heaviest first (V13)."""
        check_is_fitted(self, "rule_")
        column = self.rule_.telling[:, self._topic(topic)]
        order = np.argsort(-column, kind="stable")[: check_count("limit", limit)]
        return [(self._name(int(word)), float(column[word])) for word in order if column[word] > 0]

    def exemplars(self, topic: int, limit: int = 5) -> IntArray:
        """The numbers of the training documents that stand for a topic, the most typical first."""
        check_is_fitted(self, "rule_")
        members = np.flatnonzero(self.labels_ == self._topic(topic))
        return members[np.argsort(-self.typical_[members], kind="stable")][: check_count("limit", limit)]

    def explain(self, document: Any, topic: int) -> Explanation:
        """What each word of one document adds to its score for a topic; the parts add up to the score."""
        rows = self._read([document] if isinstance(document, str) else document)
        if rows.shape[0] != 1:
            raise BadData(f"an explanation is of one document, got {rows.shape[0]}. Pass one text, or one row.")
        return self.rule_.scores.explain(sp.csr_array(self._decided_by(rows)), self._topic(topic))

    @property
    def _n_features_out(self) -> int:
        return self.projection_.n_components

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the coordinates."""
        check_is_fitted(self, "rule_")
        return np.array([f"topics{i}" for i in range(self._n_features_out)], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # asked for by a check of scikit-learn: with y it is a classifier too
        return tags

    def _check_parameters(self) -> None:
        if not is_auto(self.n_clusters):
            if isinstance(self.n_clusters, str):
                raise BadParameter(f'n_clusters must be a whole number or "auto", got {self.n_clusters!r}. Use n_clusters="auto".')
            check_count("n_clusters", self.n_clusters)
        check_count("max_documents", self.max_documents, 2)
        check_seed(self.random_state)
        count_threads(self.n_jobs)

    def _refuse(self, X: Terms) -> None:
        """Refuse what cannot be sorted."""
        refuse_without_variation(X)
        n_terms = int(nonzero_rows(X).sum())
        needed = 2 if is_auto(self.n_clusters) else max(2, int(self.n_clusters))
        if n_terms < needed:
            raise TooFewDocuments(
                f"topics need at least {needed} documents with words, got {n_terms} (n_samples = {X.shape[0]}). "
                f"Add documents{', or ask for fewer topics' if needed > 2 else ''}."
            )

    def _learn_to_read(self, documents: Any) -> Terms:
        """Set the reader; return counts where words were or can be counted, else the rows given."""
        documents = as_series(documents)
        if are_texts(documents) or is_empty_series(documents):
            self.reader_, rows = learn_to_read(documents, self.vectorizer)
            self.terms_: Any = self.reader_.vectorizer.terms_ if self.reader_.vectorizer is not None else None
            return rows
        X = self._check_documents(documents, "fit")
        self.reader_ = learn_to_weigh(X)
        self.terms_ = getattr(self, "feature_names_in_", None)
        return X

    def _read(self, documents: Any) -> Terms:
        check_is_fitted(self, "rule_")
        documents = as_series(documents)
        if are_texts(documents) or is_empty_series(documents):
            return self.reader_.counts(documents)
        if self.reader_.vectorizer is not None:
            raise BadData(
                f"these topics were learnt from texts, got {type(documents).__name__}. Pass a list of texts, in the same language."
            )
        return self._check_documents(documents, "predict")

    def _decided_by(self, rows: Terms) -> Terms:
        evidence = self.reader_.evidence(rows)
        return self.reader_.weights(rows) if evidence is None else evidence

    def _known(self, y: ArrayLike | None, rows: Terms) -> IntArray | None:
        self.classes_: Any = None
        if y is None:
            return None
        given = check_labels(y, rows.shape[0])
        known = np.where(nonzero_rows(rows), given, -1)  # a document without words speaks for no class
        if not (known >= 0).any():
            return None
        names = np.asarray(y, dtype=object).ravel()
        # numbered anew: a class of wordless documents is no topic
        spoken, first, numbers = np.unique(known, return_index=True, return_inverse=True)
        outside = int(spoken[0] < 0)
        self.classes_ = names[first[outside:]]
        return np.asarray(numbers - outside, dtype=np.int64)

    def _number(self, corpus: Corpus, around: Neighborhoods) -> int:
        n_classes = 0 if self.classes_ is None else len(self.classes_)
        self.n_clusters_evidence_ = choose_number(corpus, around) if is_auto(self.n_clusters) else None
        evidence = self.n_clusters_evidence_
        wanted = int(self.n_clusters if evidence is None else evidence.chosen)
        if wanted < n_classes:
            self._other_count(wanted, n_classes, "each class of y is a topic")
        return max(wanted, n_classes)

    def _other_count(self, wanted: int, found: int, why: str) -> None:
        """Say that there are more or fewer topics than were wanted: a warning to who asked for a number, else in the evidence."""
        if self.n_clusters_evidence_ is None:
            _say_count(wanted, found, why)
        else:
            self.n_clusters_evidence_ = self.n_clusters_evidence_.overruled(found, why)

    def _keep(self, answer: Answer, corpus: Corpus, k: int) -> None:
        labels = answer.labels if self.classes_ is not None else number_by_size(answer.labels)
        asked, k = k, max(int(labels.max(initial=0)) + 1, 1)
        if k < asked:
            self._other_count(asked, k, "the documents fall into no more, for their words or for want of different documents")
        self.projection_, self.views_, self.judged_ = self._named(answer.projection), answer.views, answer.judged
        self.n_clusters_ = k
        self._decide(corpus, labels)
        if self.classes_ is None and np.any(np.diff(self.sizes_) > 0):  # the rule has moved a few documents, and so an order
            rank = np.argsort(np.argsort(-self.sizes_, kind="stable"))
            self._decide(corpus, np.where(labels >= 0, rank[labels], -1))
        self.typical_ = _typical(embed(self.projection_, corpus.X), self.labels_, k)

    def _decide(self, corpus: Corpus, labels: IntArray) -> None:
        """Learn the rule from labels, and let it decide."""
        self.rule_ = self._rule(corpus, labels, self.n_clusters_)
        decided = corpus.X if corpus.evidence is None else corpus.evidence.X
        log_probabilities = self.rule_.log_probabilities(decided)
        self.labels_ = self._settled(log_probabilities, corpus)
        self.sizes_ = np.bincount(self.labels_[self.labels_ >= 0], minlength=self.n_clusters_).astype(np.int64)
        self.uncertainty_ = normalized_entropy(log_probabilities)

    def _rule(self, corpus: Corpus, labels: IntArray, k: int) -> Rule:
        if corpus.evidence is None:
            rule = rule_of_centres(self.projection_, corpus.X, labels, k)
        else:
            rule = rule_of_words(corpus.evidence, labels, k)
        return replace(rule, scores=self._named(rule.scores))

    def _named(self, linear: Linear) -> Linear:
        return linear if self.terms_ is None else linear.named(self.terms_)

    def _settled(self, log_probabilities: FloatArray, corpus: Corpus) -> IntArray:
        """What the rule says of the documents it was learnt from, but for those whose label was given."""
        found = np.where(nonzero_rows(corpus.X), np.argmax(log_probabilities, axis=1), -1).astype(np.int64)
        return found if corpus.known is None else np.where(corpus.known >= 0, corpus.known, found)

    def _topic(self, topic: int) -> int:
        check_is_fitted(self, "rule_")
        number = check_count("topic", topic, 0)
        if number >= self.n_clusters_:
            raise BadParameter(f"topic {number} does not exist: there are topics 0 to {self.n_clusters_ - 1}.")
        return number

    def _name(self, word: int) -> str:
        return f"term {word}" if self.terms_ is None else str(self.terms_[word])


def _say_count(asked: int, found: int, why: str) -> None:
    warn(f"asked for {asked} topics but there are {found}: {why}. Continuing with {found}.", ClusterCount)


def _typical(Z: FloatArray, labels: IntArray, k: int) -> FloatArray:
    """How near each document points to the middle of its topic."""
    directions = np.asarray(unit_rows(Z))
    result = np.zeros(len(Z))
    for topic in range(k):
        members = labels == topic
        if members.any():
            result[members] = directions[members] @ directions[members].mean(axis=0)
    return result


class _Stages:
    """One line per stage on standard error, with the seconds since the beginning."""

    def __init__(self, verbose: bool) -> None:
        self.verbose, self.began = verbose, time.perf_counter()

    def __call__(self, stage: str) -> None:
        if self.verbose:
            sys.stderr.write(f"[{time.perf_counter() - self.began:6.1f} s] {stage}\n")

    def done(self) -> None:
        """The last line."""
        self("done")
