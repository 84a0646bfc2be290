"""The words of an index: texts become counts, and counts the weights of search and of the space, as they were learnt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._store import Arrays, Settings, Store
from vicinal._typing import IntArray, Terms
from vicinal.terms import Vectorizer, Weighting
from vicinal.terms._vocabulary import load_stemmer, merge_columns, stem_terms

ALL_WORDS: dict[str, Any] = {"min_df": 1, "max_df": 1.0}  # also those in one document: search must know them
SHARED = 2  # documents that a word of the space must be in
COMMON = 0.5  # share of the documents beyond which it is in too many


@final
@dataclass(frozen=True, eq=False)
class Words:
    """What a text is made of.

    Attributes
    ----------
    vectorizer : Vectorizer
        Texts to counts of every word, also of those in one document: search must know them.
    forms : array of str
        Each word as it is shown: of the words with one stem the commonest.
    bm25 : Weighting
        Counts to what search adds up: not scaled to length one.
    columns : int array
        Words that the space is made of: in two documents at least, and not in most.
    space : Weighting
        Counts of those to rows of length one.
    shared : int array
        Words that topics are made of: in two documents at least.
    """

    vectorizer: Vectorizer
    forms: Any
    bm25: Weighting
    columns: IntArray
    space: Weighting
    shared: IntArray

    def counts(self, texts: Iterable[str]) -> Terms:
        """How often each text has each word."""
        return self.vectorizer.transform(texts)

    def rows(self, counts: Terms) -> Terms:
        """Rows of the space."""
        return self.space.transform(counts[:, self.columns])


def language(stem: str) -> str | None:
    """The language of the stemmer; None for none. "auto" is English where a stemmer is installed."""
    if stem == "auto":
        return "english" if find_spec("Stemmer") else None
    return None if stem == "none" else stem


def learn_words(texts: Iterable[str], stem: str | None) -> tuple[Words, Terms]:
    """Learn from texts, read once; return their counts too."""
    plain = Vectorizer("tf", unit=False, **ALL_WORDS)
    counts = sp.csr_array(plain.fit_transform(texts))
    if stem is None:
        return _words(plain, plain.terms_, counts), counts
    stems = stem_terms(plain.terms_.tolist(), load_stemmer(stem))
    terms, column_of = np.unique(np.array(stems, dtype=object), return_inverse=True)
    merged = sp.csr_array(merge_columns(counts, column_of, len(terms)))
    vectorizer = Vectorizer.from_vocabulary(terms, Weighting("tf", unit=False).fit(merged), stem=stem, **ALL_WORDS)
    return _words(vectorizer, _commonest(plain.terms_, column_of, counts), merged), merged


def _commonest(words: Any, column_of: IntArray, counts: Terms) -> Any:
    """Of the words of each column the one that occurs most often, the first of equals."""
    often = np.asarray(counts.sum(axis=0)).ravel()
    order = np.lexsort((np.arange(len(words)), -often, column_of))
    first = order[np.unique(column_of[order], return_index=True)[1]]
    return words[first]


def _words(vectorizer: Vectorizer, forms: Any, counts: Terms) -> Words:
    bm25 = Weighting("bm25", unit=False).fit(counts)
    df = bm25.document_frequencies_
    shared = np.flatnonzero(df >= SHARED)
    columns = np.flatnonzero((df >= SHARED) & (df <= COMMON * counts.shape[0]))
    columns = columns if len(columns) else np.arange(len(df))  # a handful of documents: every word counts
    return Words(vectorizer, forms, bm25, columns, Weighting("bm25").fit(counts[:, columns]), shared if len(shared) else columns)


def save_words(words: Words, store: Store) -> None:
    """Keep what cannot be learnt again without the documents."""
    Arrays(store).put("words/terms", [str(term) for term in words.vectorizer.terms_])
    Arrays(store).put("words/forms", [str(form) for form in words.forms])
    Arrays(store).put("words/frequencies", words.bm25.document_frequencies_.astype(np.int64))
    Arrays(store).put("words/columns", words.columns.astype(np.int64))
    Arrays(store).put("words/shared", words.shared.astype(np.int64))
    Settings(store).set(
        "words",
        {
            "stem": words.vectorizer.stem,
            "documents": words.bm25.n_documents_,
            "length": words.bm25.average_length_,
            "length in space": words.space.average_length_,
        },
    )


def load_words(store: Store) -> Words:
    """As they were saved."""
    kept = Settings(store).get("words")
    terms: Sequence[str] = Arrays(store).get("words/terms")
    df, columns = Arrays(store).get("words/frequencies"), Arrays(store).get("words/columns")
    facts = {"n_documents": kept["documents"], "document_frequencies": df, "average_length": kept["length"]}
    space = {**facts, "document_frequencies": df[columns], "average_length": kept["length in space"]}
    vectorizer = Vectorizer.from_vocabulary(
        terms, Weighting.from_statistics("tf", unit=False, **facts), stem=kept["stem"], **ALL_WORDS
    )
    return Words(
        vectorizer,
        np.array(Arrays(store).get("words/forms"), dtype=object),
        Weighting.from_statistics("bm25", unit=False, **facts),
        columns,
        Weighting.from_statistics("bm25", **space),
        Arrays(store).get("words/shared"),
    )
