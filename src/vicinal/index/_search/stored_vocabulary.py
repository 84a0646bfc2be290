"""The vocabulary of an index as a search needs it: the terms of a query are looked up in the file, and no others are loaded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import final

import numpy as np

from vicinal._query.spelling import Spelling
from vicinal._scripts import is_ideograph
from vicinal._store import Arrays, PartialArray, Settings, Store
from vicinal._typing import FloatArray, IntArray, Integers
from vicinal.errors import DamagedIndex
from vicinal.index import _stored
from vicinal.index._search.word_forms import WordForms
from vicinal.terms._schemes import bm25_document_frequency, saturated

#: BM25's parameters, as `Weighting` has them where nobody gives others.
K1, B = 1.2, 0.75
MOST_PAIRS = 50  # terms that one Chinese character of a query stands for


@final
class StoredTexts:
    """A list of texts in the file, by position; those that were asked for are kept.

    Parameters
    ----------
    texts : PartialArray
    positions : int array, optional
        Of the texts, where the list is of some of them only.
    """

    def __init__(self, texts: PartialArray, positions: IntArray | None = None) -> None:
        self._texts = texts
        self._positions = positions
        self._found: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._texts) if self._positions is None else len(self._positions)

    def __getitem__(self, position: int) -> str:
        found = self._found.get(position)
        if found is None:
            found = self._found[position] = self._texts.text(
                position if self._positions is None else int(self._positions[position])
            )
        return found


@final
class StoredVectors:
    """The projection of an index: the vectors of the terms that are asked for are read.

    Parameters
    ----------
    arrays : Arrays
    names : StoredTexts
    """

    def __init__(self, arrays: Arrays, names: StoredTexts) -> None:
        self._vectors = PartialArray(arrays, f"{_stored.PROJECTION}/weights")
        offset = np.asarray(arrays.get(f"{_stored.PROJECTION}/offset"))
        self.offset: FloatArray | None = offset if len(offset) else None
        self.vocabulary = names
        if self._vectors.outline.shape[0] != len(names):
            raise DamagedIndex(f"{arrays.store.path}: the projection has other terms than the vocabulary. Fit the index again.")

    @property
    def weights(self) -> StoredVectors:
        """From terms to their vectors."""
        return self

    def __getitem__(self, terms: IntArray) -> FloatArray:
        return self._vectors.rows(terms).astype(np.float64)


@final
class StoredVocabulary:
    """The terms of an index, found in the file one at a time.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self._arrays, kept = Arrays(store), Settings(store).get(_stored.VOCABULARY)
        self.word_forms = WordForms(kept)
        self.frequencies: IntArray = self._arrays.get(_stored.FREQUENCIES)
        self.columns: IntArray = self._arrays.get(_stored.EMBEDDING_COLUMNS)
        self.n_documents, self.length = int(kept["documents"]), float(kept["length"])
        self._length_in_columns = float(kept[_stored.EMBEDDING_LENGTH])
        self._terms = PartialArray(self._arrays, _stored.TERMS)
        self._forms = PartialArray(self._arrays, _stored.FORMS)
        self.forms = StoredTexts(self._forms)
        self._found: dict[str, int] = {}

    @cached_property
    def vectors(self) -> StoredVectors:
        """The projection."""
        return StoredVectors(self._arrays, StoredTexts(self._forms, self.columns))

    def tokens(self, text: str) -> list[str]:
        """The tokens of a query, in order, known or not; in place of a Chinese character by itself the pairs that it is part of."""
        tokens = self.word_forms.tokenizer(text)
        found = ([token] if not is_ideograph(token) else self._pairs_with(token) or [token] for token in tokens)
        return list(chain.from_iterable(found))

    def _pairs_with(self, character: str) -> list[str]:
        """The most frequent terms of two characters that one of them is part of."""
        terms = self._all_terms
        holding = [column for column, term in enumerate(terms) if character in term]
        return [terms[column] for column in sorted(holding, key=lambda column: -self.frequencies[column])[:MOST_PAIRS]]

    @cached_property
    def _all_terms(self) -> list[str]:
        found: list[str] = self._arrays.get(_stored.TERMS)
        return found

    @cached_property
    def spelling(self) -> Spelling:
        """All words as they are shown, to suggest one for a word that no document has."""
        return Spelling(self._arrays.get(_stored.FORMS), self.frequencies)

    def terms_of(self, tokens: Sequence[str]) -> IntArray:
        """The term that each token stands for, -1 where the vocabulary has none."""
        return np.array([self._term(term) for term in self.word_forms.terms_of(tokens)], dtype=np.int64)

    def _term(self, term: str) -> int:
        if term not in self._found:
            self._found[term] = self._terms.find(term)
        return self._found[term]

    def weighted(self, columns: IntArray, counts: FloatArray) -> tuple[IntArray, FloatArray]:
        """The terms of a query that the embedding has, as positions in the projection, and their weights, of unit length."""
        at = np.searchsorted(self.columns, columns)
        there = at < len(self.columns)
        there[there] = self.columns[at[there]] == columns[there]
        positions, tf = at[there], counts[there]
        relative_lengths = np.full(len(tf), tf.sum() / (self._length_in_columns or 1.0))
        idf = bm25_document_frequency(self.frequencies[columns[there]], self.n_documents)
        weights = saturated(tf, relative_lengths, K1, B) * idf
        length = float(np.sqrt(np.add.reduce(weights**2)))
        return positions.astype(np.int64), weights / length if length > 0 else weights

    def bm25(self, column: int, counts: Integers, lengths: FloatArray) -> FloatArray:
        """The BM25 weights of a term in documents: in single precision, as an index has them, and then as doubles."""
        idf = bm25_document_frequency(self.frequencies[column], self.n_documents)
        relative_lengths = lengths / (self.length or 1.0)
        weights = saturated(np.asarray(counts, dtype=np.float64), relative_lengths, K1, B) * idf
        return weights.astype(np.float32).astype(np.float64)
