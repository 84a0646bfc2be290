"""Peers that count words: LSI, NMF, LDA, a linear SVM, logistic regression, BM25. All with the defaults of their packages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bench.leaderboard.kit import Kit

Labels = Any  # int array (documents,)
STARTS = 10
FIRST = 1000  # documents of a ranking that are looked at, as trec_eval does
WORDS: dict[str, Any] = {"min_df": 2, "max_df": 0.5, "stop_words": "english"}


def _tfidf(texts: Sequence[str]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(sublinear_tf=True, **WORDS).fit_transform(texts)


def _largest(weights: Any) -> Labels:
    """The largest entry of each row; -1 for a row of zeros."""
    return np.where(np.any(weights > 0, axis=1), np.argmax(weights, axis=1), -1)


def lsi(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """tf-idf, 100 components of LSI, rows of length one, k-means."""
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.preprocessing import normalize

    X = _tfidf(texts)
    Z = TruncatedSVD(min(100, min(X.shape) - 1), random_state=kit.seed).fit_transform(X)
    return KMeans(k, n_init=STARTS, random_state=kit.seed).fit_predict(normalize(Z))


def nmf(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """Non-negative factors of tf-idf; a document belongs to its largest."""
    from sklearn.decomposition import NMF

    return _largest(NMF(k, random_state=kit.seed).fit_transform(_tfidf(texts)))


def lda(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """Latent Dirichlet allocation of counts; a document belongs to its largest topic."""
    from sklearn.decomposition import LatentDirichletAllocation
    from sklearn.feature_extraction.text import CountVectorizer

    counts = CountVectorizer(**WORDS).fit_transform(texts)
    return _largest(LatentDirichletAllocation(k, random_state=kit.seed).fit_transform(counts))


def svm(texts: Sequence[str], labels: Sequence[str | None], asked: Sequence[str], kit: Kit) -> list[str]:
    """Linear SVM on tf-idf."""
    from sklearn.svm import LinearSVC

    return _linear(LinearSVC(random_state=kit.seed), texts, labels, asked)


def logistic(texts: Sequence[str], labels: Sequence[str | None], asked: Sequence[str], kit: Kit) -> list[str]:
    """Logistic regression on tf-idf."""
    from sklearn.linear_model import LogisticRegression

    return _linear(LogisticRegression(max_iter=1000, random_state=kit.seed), texts, labels, asked)


def _linear(model: Any, texts: Sequence[str], labels: Sequence[str | None], asked: Sequence[str]) -> list[str]:
    """Document frequencies are of all texts of the training set, with or without label; weights of those with one."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(sublinear_tf=True, min_df=2)
    X = vectorizer.fit_transform(texts)
    known = [i for i, label in enumerate(labels) if label is not None]
    model.fit(X[known], [labels[i] for i in known])
    return [str(label) for label in model.predict(vectorizer.transform(asked))]


def bm25s(documents: Sequence[str], questions: Sequence[str], kit: Kit) -> list[Labels]:
    """BM25 of stems by bm25s."""
    import bm25s as package
    import Stemmer

    stemmer = Stemmer.Stemmer("english")

    def tokens(texts: Sequence[str], **options: Any) -> Any:
        return package.tokenize(list(texts), stopwords="en", stemmer=stemmer, show_progress=False, **options)

    found = package.BM25()
    found.index(tokens(documents), show_progress=False)
    asked = tokens(questions, return_ids=False)
    return [best(found.get_scores(each)) if each else np.zeros(0, np.int64) for each in asked]


def best(scores: Any, most: int = FIRST) -> Labels:
    """Numbers of the documents with the highest scores above zero, best first, equals in the order of documents."""
    order = np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")[:most]
    return order[np.asarray(scores)[order] > 0]
