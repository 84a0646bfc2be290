"""Topics: the clusters of a corpus, everything chosen automatically, with terms, exemplars and explanations for each."""

from __future__ import annotations

from dataclasses import replace
from typing import Self, final

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils import ClassifierTags, Tags

from vicinal._consensus.pairwise import Links
from vicinal._consensus.views import input_of_log_counts
from vicinal._content_keys import keys_of_rows
from vicinal._matrix import nonzero_rows
from vicinal._progress import Progress, silent
from vicinal._threads import single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, IntArray, LabelsLike, RandomState, SparseMatrix, Terms
from vicinal._validate import check_share, seed_of
from vicinal.graph import SparseGraph
from vicinal.methods._base import nothing_changed_by_errors
from vicinal.projection import Explanation
from vicinal.projection._projection import embed, explain_component
from vicinal.terms import Vectorizer
from vicinal.uses._document_input import TextsOrRows, learn_to_weigh
from vicinal.uses._topics.cluster_tables import ClusterTables
from vicinal.uses._topics.topics_apply import FitAndApply
from vicinal.uses._topics.topics_evidence import NOTHING, Given, Views, check_evidence
from vicinal.uses._topics.topics_fit import (
    FoundClusters,
    check_parameters,
    find_clusters,
    printed_progress,
    refuse_too_few,
    warn_of_luck,
)
from vicinal.uses._topics.topics_links import Beforehand, Pairs, check_links, refuse_too_few_clusters, with_links
from vicinal.uses._topics.topics_partial_fit import GoingOn
from vicinal.uses._topics.topics_seeds import KnownClasses, SeedWords, with_labels, with_seed_words
from vicinal.uses._tree.tree import make_tree
from vicinal.uses._tree.tree_cuts import TreeCuts

#: No term is too common: one that most documents have may be that of the largest cluster, and weighs little otherwise.
ALL_COMMON_TERMS = Vectorizer(max_df=1.0)


@final
class Topics(FitAndApply, TreeCuts, ClusterTables, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin, GoingOn):
    """Cluster documents, with every setting chosen automatically.

    Several views of the corpus (clusterings in embeddings of different neighbour graphs) are combined into a consensus, which is
    regressed onto terms and corrected by the terms of each cluster. Where no class is known, several answers of this kind, each
    from a random seed of its own, vote, more of them where they disagree, so that little depends on luck [3]_. Which
    cluster a document belongs to is decided by its terms alone, by a linear rule: the same for a new document as for a training
    document, and explained term by term.

    Parameters
    ----------
    n_clusters : int or "auto", default="auto"
        Number of clusters. "auto" takes that of the largest modularity (formula V11 of docs/maths/topics.md).
    vectorizer : Vectorizer or None, default=None
        How texts are split into terms; its ``weight`` and ``unit`` are not used. Ignored where documents are a matrix.
    max_documents : int, default=30000
        Views are taken of at most so many documents, drawn at random. The terms of their clusters then assign all documents (V14).
    recall : float, default=1.0
        The share of the true neighbours by terms that is enough, above 0. Below 1, where views are taken of some ten thousand
        documents or more, a pruned search takes the place of the exact one if it costs less (G15).
    verbose : bool, default=False
        Whether to report progress on standard error.
    n_jobs : int or None, default=None
        Number of threads; None uses every core. The result does not depend on it.
    random_state : int, RandomState or None, default=0
        Random seed. Equal whole numbers give equal results.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_documents,)
        The cluster of each document, -1 for a document without terms. Clusters are numbered by decreasing size; where ``y`` was
        given, its classes come first, in sorted order, then those that only ``seed_words`` name.
    n_clusters_ : int
        Number of clusters found.
    n_clusters_evidence_ : Choice or None
        How the number was chosen automatically; None where it was given.
    classes_ : ndarray or None
        The classes of ``y``, then those that only ``seed_words`` name; class i is cluster i. None where neither was given.
    sizes_ : ndarray of int64, shape (n_clusters_,)
        Number of documents in each cluster.
    uncertainty_ : ndarray of float64, shape (n_documents,)
        Normalised entropy of ``predict_proba`` combined with where the views put the document (V12): 0 for a certain cluster, 1
        where all clusters are equally likely.
    stability_ : ndarray of float64, shape (n_clusters_,)
        How much of each cluster one answer from another random seed has (V23): documents in both clusters over those in either.
    overall_stability_ : float
        Adjusted Rand index with the clusters of one answer from another random seed.
    typicality_ : ndarray of float64, shape (n_documents,)
        Product of a document's unit embedding with the mean of its cluster; ``exemplars`` are the largest.
    unembedded_ : ndarray of bool, shape (n_documents,)
        Whether a document has no terms: its embedding is zero and its label -1.
    sample_ : ndarray of int64 or None
        The documents that views were taken of; None for all.
    views_ : tuple of View
        The views of every answer, with name, labels of the documents viewed, log likelihood per term and share of each.
    qualities_ : dict of str to float
        The quality (V10) of every answer and of what they vote for (V25); with labels, of every candidate for the clusters.
    tree_ : Tree
        Nested clusters from fine to coarse, of which ``labels_`` is one cut; ``cut`` makes others.
    outgrown_ : float
        How much less the clusters stand out for documents that ``partial_fit`` has brought later than for the first, as a share:
        near 0 where they are of the same subjects; above 0.05 a fit to all documents pays. Set by ``partial_fit``.
    projection_ : Projection
        The map from weighted terms to the embedding that ``transform`` returns.
    rule_ : ClusterRule
        The linear score of each cluster and its temperature, which ``predict`` and ``predict_proba`` use.
    terms_ : ndarray of str or None
        The vocabulary: of the texts, or the names of the columns; None where a matrix had no names.
    n_features_in_ : int
        Number of columns of a matrix given to ``fit``; not set by texts.
    feature_names_in_ : ndarray of str
        Names of the columns of a data frame given to ``fit``.

    References
    ----------
    .. [1] Cai, D., He, X., Zhang, W. V., Han, J. (2007). Regularized Locality Preserving Indexing via Spectral Regression. CIKM,
       section 3: the regression of the consensus onto terms.
    .. [2] Strehl, A., Ghosh, J. (2002). Cluster Ensembles: A Knowledge Reuse Framework for Combining Multiple Partitions. JMLR 3,
       section 3: the graph of what clusterings agree on.
    .. [3] Dudoit, S., Fridlyand, J. (2003). Bagging to improve the accuracy of a clustering procedure. Bioinformatics 19, section
       2: the vote of clusterings after their clusters are matched (formula V25 of docs/maths/topics.md).

    Examples
    --------
    >>> from vicinal import Topics
    >>> texts = ["red rose in the garden", "a white rose garden", "garden rose red", "rose white",
    ...          "stock market price", "market price falls", "stock price", "price of the market stock"]
    >>> topics = Topics(n_clusters=2).fit(texts)
    >>> topics.labels_.tolist()
    [1, 1, 1, 1, 0, 0, 0, 0]
    >>> [term for term, _ in topics.top_terms(0, limit=2)]
    ['price', 'market']
    >>> topics.predict(["the price of a stock"]).tolist()
    [0]
    """

    def __init__(
        self,
        n_clusters: int | str = "auto",
        *,
        vectorizer: Vectorizer | None = None,
        max_documents: int = 30_000,
        recall: float = 1.0,
        verbose: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.vectorizer = vectorizer
        self.max_documents = max_documents
        self.recall = recall
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        documents: TextsOrRows,
        y: LabelsLike | None = None,
        *,
        embeddings: ArrayLike | None = None,
        views: Views | None = None,
        seed_words: SeedWords | None = None,
        must_link: Pairs | None = None,
        cannot_link: Pairs | None = None,
    ) -> Self:
        """Find the clusters of documents.

        Parameters
        ----------
        documents : iterable of str, or array-like or sparse of shape (n_documents, n_terms)
            Texts, counts or weights. A matrix of whole numbers is taken for counts and weighted by BM25; any other for weights.
        y : array-like of shape (n_documents,), optional
            Labels, -1 or None where a document has none. Each class becomes a cluster, and labelled documents stay in theirs.
        embeddings : array-like of shape (n_documents, n_numbers), optional
            An encoder's vectors of the documents. They count as far as terms confirm them (V19), and new documents need none.
        views : sequence, optional
            More evidence, each a clustering (one label per document), vectors, or a graph whose edges are stored, as of links.
        seed_words : mapping from str to iterable of str, optional
            Words by the name of a class, of ``y`` or another. Each class becomes a cluster, and starts from the documents that have
            most of its words (V21); these are not held in it, as labelled ones are. Words are read as those of documents are.
        must_link, cannot_link : iterable of (int, int), optional
            Numbers of two documents that must be in one cluster, or cannot be. ``labels_`` obeys both, and ``predict`` does not
            know of them (V22). Documents without terms have no cluster, linked or not.

        Returns
        -------
        Topics
            The fitted estimator.

        Raises
        ------
        TooFewDocuments
            Fewer documents with terms than clusters, or fewer than two.
        TooFewTerms
            Fewer than two terms.
        NoVariation
            All documents have the same terms in the same proportions.
        BadLabels, BadData
            ``y``, ``embeddings`` or ``views`` do not hold one row per document, or hold NaN.
        BadParameter
            ``seed_words`` are not words by class, have no known word for a class, one word for two classes, or a class that no
            document can start; ``must_link`` and ``cannot_link`` are not pairs of documents, contradict each other or ``y``, or
            keep more documents apart than there are clusters.

        Warns
        -----
        UnknownWords
            Some of the seed words of a class are in no document.
        UnconfirmedEvidence
            Vectors, links or a view agree with the terms no more than by chance, and were not used.
        UnembeddedDocuments
            Some documents have no terms.
        ClusterCount
            There are more or fewer clusters than asked for.

        Examples
        --------
        >>> from vicinal import Topics
        >>> texts = ["red rose in the garden", "a white rose garden", "garden rose red", "rose white",
        ...          "stock market price", "market price falls", "stock price", "price of the market stock"]
        >>> topics = Topics(n_clusters=2).fit(texts, seed_words={"money": ["market"], "flowers": ["rose", "garden"]})
        >>> topics.classes_[topics.labels_].tolist()
        ['flowers', 'flowers', 'flowers', 'flowers', 'money', 'money', 'money', 'money']
        >>> topics = Topics(n_clusters=2).fit(texts, must_link=[(3, 4)])
        >>> bool(topics.labels_[3] == topics.labels_[4])
        True
        """
        return self._fitted(documents, y, Given(embeddings, views, seed_words, must_link, cannot_link))

    def predict(self, documents: TextsOrRows) -> IntArray:
        """Assign documents to clusters by their terms alone.

        Parameters
        ----------
        documents : iterable of str, or array-like or sparse of shape (n_documents, n_terms)
            Of the same kind as those that were fitted.

        Returns
        -------
        ndarray of int64, shape (n_documents,)
            The cluster of each document; -1 for a document without known terms.
        """
        rows = self._read(documents)
        best = np.argmax(self.rule_.log_probabilities(self._reader.rule_input(rows)), axis=1).astype(np.int64)
        return np.where(nonzero_rows(rows), best, -1)

    def predict_proba(self, documents: TextsOrRows) -> FloatArray:
        """Return the probability of each cluster for each document (V12).

        Parameters
        ----------
        documents : iterable of str, or array-like or sparse of shape (n_documents, n_terms)
            Of the same kind as those that were fitted.

        Returns
        -------
        ndarray of float64, shape (n_documents, n_clusters_)
            Rows sum to one. A document without known terms gets the share of each cluster.
        """
        rows = self._read(documents)
        return np.asarray(np.exp(self.rule_.log_probabilities(self._reader.rule_input(rows))))

    def transform(self, documents: TextsOrRows) -> FloatArray:
        """Embed documents.

        Parameters
        ----------
        documents : iterable of str, or array-like or sparse of shape (n_documents, n_terms)
            Of the same kind as those that were fitted.

        Returns
        -------
        ndarray of float64, shape (n_documents, n_components)
            The embedding that the views agree on; zero for a document without known terms.
        """
        rows = self._read(documents)
        return embed(self.projection_, self._reader.weights_in_kind(rows))

    def explain(self, document: str | ArrayLike, cluster: int) -> Explanation:
        """Return what each term of one document contributes to its score for a cluster (V2).

        Parameters
        ----------
        document : str, or array-like or sparse of shape (1, n_terms)
            One text or one row, of the same kind as the documents that were fitted.
        cluster : int
            The number of a cluster.

        Returns
        -------
        Explanation
            Terms with their parts, which add up to the score.

        Raises
        ------
        BadData
            More than one document was given.
        """
        rows = self._read_one(document)
        return explain_component(self.rule_.scores, self._reader.rule_input(rows), self._cluster(cluster))

    @property
    def _n_features_out(self) -> int:
        return self.projection_.n_components

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # a check of scikit-learn requires it: with y it is a classifier too
        return tags

    def _fitted(self, documents: TextsOrRows, y: LabelsLike | None, given: Given) -> Self:
        progress = printed_progress() if self.verbose else silent
        with nothing_changed_by_errors(self):
            self._begin(documents, y, progress, given)
            self.__dict__.pop("_stream", None)
        return self

    def _begin(self, documents: TextsOrRows, y: LabelsLike | None, progress: Progress, given: Given) -> Terms:
        self._check_parameters()
        progress("terms", 0, 1)
        rows = self._learn_to_read(documents, ALL_COMMON_TERMS, unit=True)
        self._fit_rows(rows, y, None, progress, given)
        return rows

    def _check_parameters(self) -> None:
        check_parameters(self.n_clusters, self.max_documents, self.random_state, self.n_jobs)
        check_share("recall", self.recall)

    def _fit_rows(
        self, rows: Terms, y: LabelsLike | Beforehand | None, by_terms: SparseGraph | None, progress: Progress, given: Given
    ) -> None:
        """Find the clusters of rows, as the reader reads them."""
        with single_threaded_libraries():
            known, links = (y.known, y.links) if isinstance(y, Beforehand) else self._beforehand(rows, y, given)
            known = with_links(known, links, nonzero_rows(rows))
            refuse_too_few_clusters(links, known, self.n_clusters, nonzero_rows(rows))
            self.classes_ = known.names
            evidence = check_evidence(given, rows.shape[0])
            X, counts = self._reader.weights_in_kind(rows), self._reader.log_counts(rows)
            refuse_too_few(X, self.n_clusters)
            self._say_empty(X)
            progress("terms", 1, 1)
            data = input_of_log_counts(X, counts, known.labels, seed_of(self.random_state), self.n_jobs)
            data = replace(data, suggested=known.suggested, links=links, recall=self.recall)
            keys = keys_of_rows(rows, self.terms_)
            found = find_clusters(data, self.n_clusters, self.max_documents, self.terms_, by_terms, progress, keys, evidence)
            self._keep(found)
            self._merge_tree, self.tree_ = found.tree, make_tree(found.tree, keys, self.terms_)  # an index keeps the first

    def _beforehand(self, rows: Terms, y: LabelsLike | None, given: Given) -> tuple[KnownClasses, Links | None]:
        known = with_seed_words(given.seed_words, self._reader, self.terms_, rows, with_labels(y, rows))
        return known, check_links(given.must_link, given.cannot_link, rows.shape[0])

    def _keep(self, found: FoundClusters) -> None:
        decision = found.decision
        self.rule_, self.labels_, self.sizes_ = decision.rule, decision.labels, decision.sizes
        self.uncertainty_, self.n_clusters_ = decision.uncertainty, len(decision.sizes)
        self.n_clusters_evidence_ = found.n_clusters_evidence
        self.typicality_, self.sample_, self.projection_ = found.typicality, found.sample, found.projection
        self.views_, self.qualities_ = found.views, found.qualities
        self.stability_, self.overall_stability_ = found.stability.clusters, found.stability.overall
        warn_of_luck(found)


def fit_to_counts(
    topics: Topics, counts: SparseMatrix, y: Beforehand | None = None, by_terms: SparseGraph | None = None, given: Given = NOTHING
) -> Topics:
    """As :meth:`Topics.fit`, for counts that ``check_terms`` could have returned, but for their type, and checked parameters.

    A neighbour graph that exists already is taken as :func:`find_clusters` takes it.
    """
    rows = counts.astype(np.float64, copy=False)
    topics._reader, topics.terms_ = learn_to_weigh(rows, "Topics"), None
    topics._fit_rows(rows, y, by_terms, silent, given)
    return topics
