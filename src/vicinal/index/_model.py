"""The fitted model of an index: vocabulary and weights, projection, cluster rule; kept in the file as arrays and numbers alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar, final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from vicinal._consensus import ClusterRule
from vicinal._consensus.mixture import log_counts
from vicinal._matrix import csr, unit_rows
from vicinal._probabilities import normalized_entropy
from vicinal._store import Arrays, Settings, Store
from vicinal._typing import FloatArray, Floats, IntArray, SparseMatrix, Terms
from vicinal.errors import DamagedIndex
from vicinal.index import _stored
from vicinal.projection import LinearMap, Projection
from vicinal.projection._projection import embed
from vicinal.terms import Tokenizer, Vectorizer, Weighting
from vicinal.terms._languages import DetectedLanguages, check_languages, detect_languages, sample_of
from vicinal.terms._stems import available_stemmers, load_stemmer, terms_of
from vicinal.terms._vocabulary import merge_columns
from vicinal.terms._weight import learn_weights, weigh

Linear = TypeVar("Linear", bound=LinearMap)
ALL_TERMS: dict[str, Any] = {"min_df": 1, "max_df": 1.0}  # also those of one document: search must know them
SHARED = 2  # documents that a term of the embedding must be in
COMMON = 0.5  # share of the documents beyond which it is in too many

#: Which stemmers: one for all words, one for each script, or none.
Stem: TypeAlias = str | tuple[str, ...] | None


@final
@dataclass(frozen=True, eq=False)
class IndexVocabulary:
    """From texts to counts, and from counts to the weights of search and of the embedding.

    Attributes
    ----------
    vectorizer : Vectorizer
        Texts to counts of every term, also of those in one document: search must know them.
    forms : array of str
        Each term as it is shown: of the words with one stem the most frequent.
    bm25 : Weighting
        Counts to BM25 weights that are not scaled to unit length.
    columns : int array
        Terms of the embedding: in two documents at least, and not in most.
    unit_bm25 : Weighting
        Counts of those to BM25 weights of unit length.
    shared : int array
        Terms of the clusters: in two documents at least.
    """

    vectorizer: Vectorizer
    forms: NDArray[np.object_]
    bm25: Weighting
    columns: IntArray
    unit_bm25: Weighting
    shared: IntArray

    def counts(self, texts: Iterable[str]) -> Terms:
        """How often each text has each term."""
        return self.counts_and_unknown(texts)[0]

    def counts_and_unknown(self, texts: Iterable[str]) -> tuple[Terms, IntArray]:
        """How often each text has each term, and how many words of it are no terms."""
        return self.vectorizer._transform(texts)

    def weighted(self, counts: Terms) -> Terms:
        """Weights of the terms of the embedding, with rows of unit length."""
        return weigh(self.unit_bm25, _as_floats(counts[:, self.columns]))


def _as_floats(counts: Terms) -> SparseMatrix:
    """Counts, which are kept as whole numbers, in the form that weights are made of."""
    return csr(counts).astype(np.float64, copy=False)


def languages_of(texts: Iterable[str], language: str) -> tuple[DetectedLanguages | None, tuple[str, ...], Iterable[str]]:
    """What was recognised where the language is "auto", the languages that count, and all of the texts."""
    if language != "auto":
        return None, check_languages(language), texts
    sample, texts = sample_of(texts)
    found = detect_languages(sample)
    return found, found.codes, texts


def stemmer_of(stem: str, language: Sequence[str]) -> Stem:
    """The stemmer of a recipe; "auto" is that of the language where one is installed."""
    return available_stemmers(language) if stem == "auto" else None if stem == "none" else stem


def fit_vocabulary(
    texts: Iterable[str], stem: Stem, language: Sequence[str] = ("en",), segmenter: str = "none"
) -> tuple[IndexVocabulary, Terms]:
    """Fit the vocabulary to texts, which are read once; return their counts too."""
    if stem is not None:
        load_stemmer(stem)  # which refuses a language before anything is read
    plain = Vectorizer("tf", unit=False, analyzer=Tokenizer(language=language, segmenter=segmenter), **ALL_TERMS)
    counts = sp.csr_array(plain.fit_transform(texts))
    words = terms_of(plain.terms_.tolist(), stem, language)
    terms, column_of = np.unique(np.array(words, dtype=object), return_inverse=True)
    merged = sp.csr_array(merge_columns(counts, column_of, len(terms)))
    weighting = learn_weights(Weighting("tf", unit=False), merged)
    vectorizer = Vectorizer.from_vocabulary(terms, weighting, stem=stem, language=language, segmenter=segmenter, **ALL_TERMS)
    return _vocabulary(vectorizer, _most_frequent(plain.terms_, column_of, counts), merged), merged


def _most_frequent(words: NDArray[np.object_], column_of: IntArray, counts: Terms) -> NDArray[np.object_]:
    """Of the words of each column the one that occurs most often, the first of equals."""
    occurrences = np.asarray(counts.sum(axis=0)).ravel()
    order = np.lexsort((np.arange(len(words)), -occurrences, column_of))
    first = order[np.unique(column_of[order], return_index=True)[1]]
    return words[first]


def _vocabulary(vectorizer: Vectorizer, forms: NDArray[np.object_], counts: Terms) -> IndexVocabulary:
    bm25 = learn_weights(Weighting("bm25", unit=False), csr(counts))
    df = bm25.document_frequencies_
    shared = np.flatnonzero(df >= SHARED)
    columns = np.flatnonzero((df >= SHARED) & (df <= COMMON * counts.shape[0]))
    columns = columns if len(columns) else np.arange(len(df))  # a handful of documents: every term counts
    unit_bm25 = learn_weights(Weighting("bm25"), csr(counts[:, columns]))
    return IndexVocabulary(vectorizer, forms, bm25, columns, unit_bm25, shared if len(shared) else columns)


@final
@dataclass(frozen=True, eq=False)
class Embedded:
    """Documents as the model embeds them, a row each.

    Attributes
    ----------
    counts : sparse (documents, terms), int32
        How often each has each term.
    embeddings : (documents, components), float32
        Rows of unit length, or zero.
    clusters : int array (documents,)
        -1 for a document without known terms.
    uncertainty : float32 array (documents,)
        From 0, where the terms leave no uncertainty of the cluster, to 1.
    """

    counts: SparseMatrix
    embeddings: Floats
    clusters: IntArray
    uncertainty: FloatArray


@final
@dataclass(frozen=True, eq=False)
class Model:
    """Everything that is needed to embed a document and to assign it to a cluster.

    Attributes
    ----------
    vocabulary : IndexVocabulary
    projection : Projection
        From weighted terms to embeddings.
    rule : ClusterRule
        From counts of terms to the probability of each cluster.
    generation : int
        The number of the fit, from 1.
    """

    vocabulary: IndexVocabulary
    projection: Projection
    rule: ClusterRule
    generation: int

    @property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return self.rule.scores.n_components

    def embed(self, counts: Terms) -> Embedded:
        """Embed documents by how often they have each term."""
        counts = csr(counts)
        embeddings: Floats = unit_rows(embed(self.projection, self.vocabulary.weighted(counts))).astype(np.float32)
        log_p = self.rule.log_probabilities(self.evidence(counts))
        clusters = np.where(np.diff(counts.indptr) > 0, np.argmax(log_p, axis=1), -1).astype(np.int64)
        return Embedded(counts.astype(np.int32), embeddings, clusters, normalized_entropy(log_p).astype(np.float32))

    def evidence(self, counts: Terms) -> Terms:
        """What the cluster rule is applied to."""
        return log_counts(sp.csr_array(counts[:, self.vocabulary.shared]), whole=True)


def single_precision(linear: Linear) -> Linear:
    """A linear map rounded to single precision, as it is kept."""
    offset = None if linear.offset is None else linear.offset.astype(np.float32).astype(np.float64)
    return replace(linear, weights=linear.weights.astype(np.float32).astype(np.float64), offset=offset)


def save_model(model: Model, store: Store) -> None:
    """Keep a model in the file."""
    _save_vocabulary(model.vocabulary, store)
    _save_linear(model.projection, store, _stored.PROJECTION)
    Arrays(store).put(_stored.EIGENVALUES, np.asarray(model.projection.eigenvalues, dtype=np.float64))
    save_rule(model, store)


def _save_linear(linear: LinearMap, store: Store, name: str) -> None:
    arrays = Arrays(store)
    arrays.put(f"{name}/weights", linear.weights.astype(np.float32))
    arrays.put(f"{name}/offset", np.zeros(0) if linear.offset is None else np.asarray(linear.offset))


def save_rule(model: Model, store: Store) -> None:
    """Keep the cluster rule of a model whose vocabulary and projection are in the file."""
    _save_linear(model.rule.scores, store, _stored.CLUSTER_SCORES)
    Arrays(store).drop(_stored.NO_EIGENVALUES)
    Arrays(store).put(_stored.LOG_SHARES, np.asarray(model.rule.log_shares, dtype=np.float64))
    certainty = {"temperature": float(model.rule.temperature), "per_term": model.rule.per_term}
    Settings(store).set(_stored.MODEL, {"generation": model.generation, **certainty, _stored.SAVED_AT: store.commits()})


def _save_vocabulary(vocabulary: IndexVocabulary, store: Store) -> None:
    arrays, bm25 = Arrays(store), vocabulary.bm25
    arrays.put(_stored.TERMS, [str(term) for term in vocabulary.vectorizer.terms_])
    arrays.put(_stored.FORMS, [str(form) for form in vocabulary.forms])
    arrays.put(_stored.FREQUENCIES, bm25.document_frequencies_.astype(np.int64))
    arrays.put(_stored.EMBEDDING_COLUMNS, vocabulary.columns.astype(np.int64))
    arrays.put(_stored.CLUSTER_COLUMNS, vocabulary.shared.astype(np.int64))
    stem, language = vocabulary.vectorizer.stem, vocabulary.vectorizer.language_
    segmenter = {"segmenter": vocabulary.vectorizer.segmenter}
    facts = {"stem": stem, "language": language, **segmenter, "documents": bm25.n_documents_, "length": bm25.average_length_}
    Settings(store).set(_stored.VOCABULARY, {**facts, _stored.EMBEDDING_LENGTH: vocabulary.unit_bm25.average_length_})


def load_model(store: Store, kept: Mapping[str, Any]) -> Model:
    """The model as it was kept, with the setting of that name."""
    vocabulary, arrays = _load_vocabulary(store), Arrays(store)
    linear = _load_linear(arrays, _stored.PROJECTION, vocabulary.forms[vocabulary.columns])
    scores = _load_linear(arrays, _stored.CLUSTER_SCORES, vocabulary.forms[vocabulary.shared])
    eigenvalues = arrays.get(_stored.EIGENVALUES)
    projection = Projection(linear.weights, linear.offset, linear.vocabulary, eigenvalues=eigenvalues)
    if (projection.n_terms, scores.n_terms) != (len(vocabulary.columns), len(vocabulary.shared)):
        raise DamagedIndex(f"{store.path}: projection and clusters have other terms than the vocabulary. Fit the index again.")
    if arrays.outline(_stored.LOG_SHARES).shape != (scores.n_components,):
        raise DamagedIndex(f"{store.path}: the shares of clusters are not those of the model. Fit the index again.")
    certainty = _temperature(kept), arrays.get(_stored.LOG_SHARES), np.zeros((0, 0)), bool(kept.get("per_term", False))
    rule = ClusterRule(scores, *certainty)
    return Model(vocabulary, projection, rule, int(kept["generation"]))


def _temperature(kept: Mapping[str, Any]) -> float:
    found = float(kept["temperature"])
    if not 0 < found < np.inf:
        raise ValueError(f"a temperature of {found}")
    return found


def _load_vocabulary(store: Store) -> IndexVocabulary:
    arrays, kept = Arrays(store), Settings(store).get(_stored.VOCABULARY)
    df, columns = arrays.get(_stored.FREQUENCIES), arrays.get(_stored.EMBEDDING_COLUMNS)
    shared = arrays.get(_stored.CLUSTER_COLUMNS)
    sizes = {arrays.outline(name).shape for name in (_stored.TERMS, _stored.FORMS, _stored.FREQUENCIES)}
    if len(sizes) > 1 or max(columns.max(initial=-1), shared.max(initial=-1)) >= len(df):
        raise DamagedIndex(f"{store.path}: the parts of the vocabulary are of different sizes. Fit the index again.")
    facts = {"n_documents": kept["documents"], "document_frequencies": df, "average_length": kept["length"]}
    of_columns = {**facts, "document_frequencies": df[columns], "average_length": kept[_stored.EMBEDDING_LENGTH]}
    counts = Weighting.from_statistics("tf", unit=False, **facts)
    return IndexVocabulary(
        Vectorizer.from_vocabulary(
            arrays.get(_stored.TERMS),
            counts,
            stem=_stored.stem_of(kept),
            language=_stored.language_of(kept),
            segmenter=kept.get("segmenter"),
            **ALL_TERMS,
        ),
        np.array(arrays.get(_stored.FORMS), dtype=object),
        Weighting.from_statistics("bm25", unit=False, **facts),
        columns,
        Weighting.from_statistics("bm25", **of_columns),
        shared,
    )


def _load_linear(arrays: Arrays, name: str, vocabulary: NDArray[np.object_]) -> LinearMap:
    weights = arrays.get(f"{name}/weights").astype(np.float64)
    offset = arrays.get(f"{name}/offset")
    linear = LinearMap(weights, offset if len(offset) else None)
    return linear.named(vocabulary) if len(vocabulary) == len(weights) else linear
