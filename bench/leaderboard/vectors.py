"""Peers that begin with MiniLM: k-means, UMAP with HDBSCAN, BERTopic, turftopic, logistic regression, cosines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bench.leaderboard.kit import Kit
from bench.leaderboard.words import STARTS, Labels, best

SMALLEST, SHARE = 15, 0.01  # of a cluster: so many documents, and that share of all


def kmeans(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """k-means of vectors."""
    from sklearn.cluster import KMeans

    return KMeans(k, n_init=STARTS, random_state=kit.seed).fit_predict(kit.encode(texts))


def _umap(kit: Kit) -> Any:
    """As BERTopic makes it, with a seed."""
    from umap import UMAP

    return UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", low_memory=False, random_state=kit.seed)


def hdbscan(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """HDBSCAN of five components by UMAP; no cluster is smaller than a hundredth of all documents."""
    from hdbscan import HDBSCAN

    Z = _umap(kit).fit_transform(kit.encode(texts))
    return HDBSCAN(min_cluster_size=max(SMALLEST, round(SHARE * len(texts)))).fit_predict(Z)


def _bertopic(texts: Sequence[str], kit: Kit, **options: Any) -> Labels:
    from bertopic import BERTopic

    model = BERTopic(umap_model=_umap(kit), **options)
    return np.asarray(model.fit_transform(list(texts), embeddings=kit.encode(texts))[0])


def bertopic(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """BERTopic as it comes."""
    return _bertopic(texts, kit)


def bertopic_auto(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """BERTopic that merges what is similar."""
    return _bertopic(texts, kit, nr_topics="auto")


def bertopic_k(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """BERTopic that merges down to k topics; its ``nr_topics`` counts the outliers as one."""
    return _bertopic(texts, kit, nr_topics=k + 1)


def bertopic_kmeans(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """BERTopic with k-means in the place of HDBSCAN, as its documentation advises who wants k topics and no outliers."""
    from sklearn.cluster import KMeans

    return _bertopic(texts, kit, hdbscan_model=KMeans(k, n_init=STARTS, random_state=kit.seed))


def keynmf(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """turftopic's KeyNMF; a document belongs to its largest topic."""
    from turftopic import KeyNMF

    model = KeyNMF(k, encoder=kit.encoder, random_state=kit.seed)
    weights = np.asarray(model.fit_transform(list(texts), embeddings=kit.encode(texts)))
    return np.where(np.any(weights > 0, axis=1), np.argmax(weights, axis=1), -1)


def topeax(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """turftopic's Topeax; a document belongs to its most probable topic."""
    from turftopic import Topeax

    model = Topeax(encoder=kit.encoder, random_state=kit.seed)
    return np.argmax(np.asarray(model.fit_transform(list(texts), embeddings=kit.encode(texts))), axis=1)


def logistic(texts: Sequence[str], labels: Sequence[str | None], asked: Sequence[str], kit: Kit) -> list[str]:
    """Logistic regression on vectors."""
    from sklearn.linear_model import LogisticRegression

    known = [i for i, label in enumerate(labels) if label is not None]
    model = LogisticRegression(max_iter=1000, random_state=kit.seed)
    model.fit(kit.encode([texts[i] for i in known]), [labels[i] for i in known])
    return [str(label) for label in model.predict(kit.encode(asked))]


def cosines(documents: Sequence[str], questions: Sequence[str], kit: Kit) -> list[Labels]:
    """Documents by the cosine of their vectors with that of the question."""
    scores = kit.encode(questions) @ kit.encode(documents).T
    return [best(row) for row in scores]
