"""One state of an index as a search needs it: what is not asked for is not read, and neither SciPy nor scikit-learn is imported."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vicinal._query.spelling import Spelling
from vicinal._store import Arrays, Documents, Settings, Store, match
from vicinal._store.filters import Filters, as_condition, values
from vicinal._typing import FloatArray, IntArray
from vicinal.errors import DamagedIndex, TooFewDocuments
from vicinal.index import _stored
from vicinal.index._search.growing_arrays import GrowingLenders, GrowingRows, GrowingTerms
from vicinal.index._search.requirements import passing
from vicinal.index._search.stored_postings import ComputedLists, CurrentPostings, StoredLists, WeightedLists, has_postings
from vicinal.index._search.stored_vocabulary import StoredVocabulary
from vicinal.uses._kept_rows import KeptLenders, KeptRows
from vicinal.uses._ranking import Ranking

#: Filters whose documents are kept.
_MOST_FILTERS = 16


@final
@dataclass(frozen=True, eq=False)
class SearchRows:
    """The documents that the present model has embedded, a row each.

    Attributes
    ----------
    numbers : int array (rows,)
        The number of each document in the store, rising.
    kept : int array (rows,)
        The row of each in the arrays of the file.
    n_stored : int
        Rows of the file in all.
    """

    numbers: IntArray
    kept: IntArray
    n_stored: int

    def row(self, number: int) -> int:
        """The row of a document, -1 where it has none."""
        at = int(np.searchsorted(self.numbers, number))
        return at if at < len(self.numbers) and self.numbers[at] == number else -1

    @cached_property
    def positions(self) -> IntArray | None:
        """From a row of the file to its document, -1 for a row that was left behind; None where rows are documents."""
        if np.array_equal(self.kept, np.arange(self.n_stored)):
            return None
        positions = np.full(self.n_stored, -1, dtype=np.int64)
        positions[self.kept] = np.arange(len(self.kept))
        return positions

    def of(self, array: Any) -> Any:
        """The rows of an array of the file."""
        return array if self.positions is None else array[self.kept]


@final
class _FitOnFile:
    """What stays as it is from one fit to the next, in the file and in memory, and what documents that come later are added to."""

    def __init__(self, store: Store, kept: dict[str, Any]) -> None:
        self.kept = kept
        self.vocabulary = StoredVocabulary(store)
        self.lists = WeightedLists(self.vocabulary, StoredLists(store)) if has_postings(store) else None
        self.later = GrowingTerms(self.lists.n_rows) if self.lists is not None else None
        self.lenders = GrowingLenders()
        self.numbers, self.lengths = GrowingRows(_stored.NUMBERS), GrowingRows(_stored.LENGTHS)
        self.embeddings, self.clusters = GrowingRows(_stored.EMBEDDINGS), GrowingRows(_stored.CLUSTERS)
        self._table: tuple[object, list[int]] | None = None  # numbers of clusters, with the stamp of the setting they are of
        self.counted = False  # whether documents were counted, so that from then on their tally is taken

    def cluster_table(self, store: Store) -> list[int]:
        """The numbers of the clusters, parsed again only where the table was written anew."""
        settings, found = Settings(store), self._table
        stamp = settings.stamp(_stored.CLUSTER_TABLE)
        if found is None or found[0] != stamp:
            found = stamp, [int(each["number"]) for each in settings.get(_stored.CLUSTER_TABLE)["clusters"]]
            self._table = found
        return found[1]

    def kept_rows(self, store: Store, numbers: IntArray) -> IntArray:
        """The rows that are current."""
        kept = _stored.kept_rows(store, numbers, int(self.kept["generation"]), counted=self.counted)
        self.counted = True
        return kept

    def postings(self, arrays: Arrays, positions: IntArray | None) -> CurrentPostings:
        """The lists of documents by term, of the rows that are current."""
        if self.lists is None or self.later is None:
            lists = ComputedLists(arrays.store)
            return CurrentPostings(WeightedLists(self.vocabulary, lists), lists.lengths, positions)
        return CurrentPostings(self.lists, self.lengths.read(arrays), positions, self.later.read(arrays))


@final
class SearchState:
    """One state of an index that can be searched.

    Parameters
    ----------
    store : Store
        The open file.
    fit : what was loaded of the last fit, or None
    commits : int
        The number of changes that the file had seen.
    """

    def __init__(self, store: Store, fit: _FitOnFile | None, commits: int) -> None:
        self.store = store
        self.commits = commits
        self._fit = fit
        self._passing: dict[str, IntArray | None] = {}
        self._highest: dict[str, FloatArray] = {}

    @property
    def fitted(self) -> bool:
        """Whether the index has a model."""
        return self._fit is not None

    def require_fitted(self, verb: str) -> None:
        """Refuse an index without a model; the verb says what it is needed for."""
        if self._fit is None:
            raise TooFewDocuments(f"{self.store.path} is not fitted, and a model is needed to {verb}. Fit it first.")

    @property
    def _model(self) -> _FitOnFile:
        self.require_fitted("answer")
        return self._fit  # type: ignore[return-value]

    @cached_property
    def documents(self) -> Documents:
        """The documents of the file."""
        return Documents(self.store)

    @property
    def vocabulary(self) -> StoredVocabulary:
        """The terms of the index."""
        return self._model.vocabulary

    @property
    def spelling(self) -> Spelling:
        """The words of the vocabulary, to suggest one for a word that no document has."""
        return self.vocabulary.spelling

    def passing(self, where: Filters) -> IntArray | None:
        """The numbers of the documents that pass filters, rising; None where there are none to pass.

        All documents are looked at for it, once in each state of the file.
        """
        if not where:
            return None
        key = repr(as_condition(where))
        found = self._passing.get(key)
        if found is None:
            found = passing(self, where)
            if len(self._passing) >= _MOST_FILTERS:
                self._passing.clear()
            self._passing[key] = found
        return found

    def highest_score(self, word: str) -> FloatArray:
        """The highest score of the full-text index for one word, or nothing where no document has it; looked up once."""
        if word not in self._highest:
            self._highest[word] = match(self.store, [word], 1)[1]
        return self._highest[word]

    @cached_property
    def rows(self) -> SearchRows:
        """The embedded documents."""
        with _stored.consistent(self.store):
            numbers = self._model.numbers.read(Arrays(self.store))
            kept = self._model.kept_rows(self.store, numbers)
            return SearchRows(numbers[kept], kept, len(numbers))

    @cached_property
    def cluster_numbers(self) -> IntArray:
        """The number of the cluster of each row, -1 for none."""
        with _stored.consistent(self.store):
            clusters = self.rows.of(self._model.clusters.read(Arrays(self.store)))
            numbers = self._model.cluster_table(self.store)
            n_clusters = Arrays(self.store).outline(f"{_stored.CLUSTER_SCORES}/weights").shape[1]
            if len(numbers) != n_clusters or clusters.max(initial=-1) >= n_clusters:
                raise DamagedIndex(f"{self.store.path}: the clusters are not those of the model. Fit the index again.")
            found: IntArray = np.array([*numbers, -1], dtype=np.int64)[clusters]
            return found

    def cluster_names(self) -> dict[int, str]:
        """The names of the clusters by their numbers."""
        from vicinal.index._clusters.cluster_table import load_cluster_table, names_of

        self.require_fitted("name clusters")
        return names_of(load_cluster_table(self.store), self.store)

    @cached_property
    def _postings(self) -> CurrentPostings:
        with _stored.consistent(self.store):
            return self._model.postings(Arrays(self.store), self.rows.positions)

    def numbers_with_form(self, word: str, field: str | None) -> IntArray:
        """Numbers of the documents that have a word in a form that the full text does not know, in any text or in the title."""
        forms = self.vocabulary.word_forms if self.fitted else None
        if forms is None or forms.only_english or field == "text":  # whose tokens are not kept apart from those of the title
            return np.empty(0, dtype=np.int64)
        columns = self.vocabulary.terms_of(list(forms.tokenizer(word)))
        if len(columns) != 1 or columns[0] < 0:
            return np.empty(0, dtype=np.int64)
        found: IntArray = self.rows.numbers[self._postings.posting(int(columns[0]))[0]]
        if field is None:
            return found
        titles = {number: str(title) for number, title in values(self.store, field)}
        return np.array([number for number in found.tolist() if forms.has_form(word, titles.get(number, ""))], dtype=np.int64)

    @cached_property
    def ranking(self) -> Ranking:
        """The embedded documents, ready to be ranked."""
        with _stored.consistent(self.store):
            fit, arrays, rows = self._model, Arrays(self.store), self.rows
            postings, embeddings = self._postings, fit.embeddings.read(arrays)
            lenders = fit.lenders.read(arrays, rows.n_stored)
            if rows.positions is None:
                return Ranking(postings, fit.vocabulary.forms, lenders, fit.vocabulary.vectors, embeddings)
            some = KeptLenders(lenders, rows.kept, rows.positions), KeptRows(embeddings, rows.kept)
            return Ranking(postings, fit.vocabulary.forms, some[0], fit.vocabulary.vectors, some[1])


@final
class SearchCache:
    """The current state of one file for search: after a change only what changed is read again.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fit: _FitOnFile | None = None
        self._state: SearchState | None = None

    def forget(self) -> None:
        """Drop what is loaded: after an error while writing it may be of a state that was never kept."""
        self._fit = self._state = None

    def state(self) -> SearchState:
        """The state of the file as the transaction around this call sees it."""
        if self._store.is_writing:  # what is not committed may never be, and has the number of the state before
            return SearchState(self._store, SearchCache(self._store)._current_fit(), self._store.commits())
        commits, state = self._store.commits(), self._state
        if state is None or state.commits != commits:
            state = self._state = SearchState(self._store, self._current_fit(), commits)
        return state

    def _current_fit(self) -> _FitOnFile | None:
        fit = self._fit  # other threads may see another state, and change it meanwhile: nothing is read from self twice
        with _stored.consistent(self._store):
            kept = Settings(self._store).get(_stored.MODEL)
            if kept is None:
                return None
            if fit is None or fit.kept != kept or (fit.lists is None) == has_postings(self._store):
                fit = self._fit = _FitOnFile(self._store, kept)
        return fit
