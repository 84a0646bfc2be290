"""What drift is measured by, kept a row for each document: of fitted documents as if each had not been in the fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vicinal._consensus import fit_mixture
from vicinal._matrix import csr
from vicinal._probabilities import normalized_entropy
from vicinal._store import Arrays, Store
from vicinal._typing import Floats, IntArray, Terms
from vicinal.index import _stored
from vicinal.index._drift.drift import has_drift
from vicinal.index._model import Embedded, IndexVocabulary, Model
from vicinal.projection._products import Products

FOLDS = 10


def put_drift(store: Store, model: Model, embedded: Embedded) -> None:
    """Keep the measures of the documents that a model was fitted to, whose rows are in the file."""
    arrays, counts = Arrays(store), csr(embedded.counts)
    measures = _measures(
        _occurrences(counts), _of_one_document(model.vocabulary, counts), *held_out(model, counts, embedded.clusters)
    )
    arrays.put(_stored.DRIFT, measures)
    arrays.put(_stored.DRIFT_FIT, np.array([model.generation], dtype=np.int64))


def append_drift(store: Store, model: Model, counts: Terms, n_unknown: IntArray) -> None:
    """Keep the measures of documents that came since, before their rows are appended; none where those of the fit are not there."""
    if has_drift(store):
        n_tokens = _occurrences(counts) + n_unknown
        Arrays(store).append(_stored.DRIFT, _measures(n_tokens, n_unknown, *_certainty(model, model.evidence(counts))))


def put_changed_drift(store: Store, rows: IntArray, model: Model, counts: Terms, clusters: IntArray) -> None:
    """Keep what changes where people change clusters.

    Parameters
    ----------
    store : Store
    rows : int array (documents,)
        Row of each document in the file.
    model : Model
        Its rule is that of the clusters as they are now.
    counts : sparse (documents, terms)
    clusters : int array (documents,)
    """
    if has_drift(store):
        every = Arrays(store).get(_stored.DRIFT).copy()
        every[rows, 1:] = np.column_stack(held_out(model, counts, clusters))
        Arrays(store).put(_stored.DRIFT, every)


def held_out(model: Model, counts: Terms, clusters: IntArray) -> tuple[Floats, Floats]:
    """Uncertainty and closeness of each document by the rule of the clusters of nine tenths of the documents, without its own."""
    evidence, fold = model.evidence(counts), np.arange(len(clusters)) % FOLDS
    products, uncertainty, closeness = Products(evidence), np.empty(len(clusters)), np.empty(len(clusters))
    for each in range(min(FOLDS, len(clusters))):
        out = np.flatnonzero(fold == each)
        mixture = fit_mixture(products, np.where(fold == each, -1, clusters), model.n_clusters)
        rule = replace(model.rule, scores=mixture.projection)
        uncertainty[out], closeness[out] = _certainty(replace(model, rule=rule), csr(evidence[out]))
    return uncertainty, closeness


def _certainty(model: Model, evidence: Terms) -> tuple[Floats, Floats]:
    """Uncertainty and closeness of each document; nan for one without terms of the clusters."""
    log_p, scores = model.rule.log_probabilities(evidence), model.rule.comparable(evidence)
    known = np.diff(csr(evidence).indptr) > 0
    return np.where(known, normalized_entropy(log_p), np.nan), np.where(known, scores.max(axis=1), np.nan)


def _of_one_document(vocabulary: IndexVocabulary, counts: Terms) -> IntArray:
    """How many words of each document no other has: the vocabulary would not have them without it."""
    return _occurrences(csr(counts[:, np.flatnonzero(vocabulary.bm25.document_frequencies_ == 1)]))


def _occurrences(counts: Terms) -> IntArray:
    return np.asarray(counts.sum(axis=1), dtype=np.int64).ravel()


def _measures(n_tokens: IntArray, n_unknown: IntArray, uncertainty: Floats, closeness: Floats) -> Floats:
    share = np.divide(n_unknown, n_tokens, out=np.full(len(n_tokens), np.nan), where=n_tokens > 0)
    return np.column_stack([share, uncertainty, closeness]).astype(np.float32)
