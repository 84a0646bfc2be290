"""Documents that came since the fit are embedded by its model; what that costs depends on how many they are alone."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import final

import numpy as np

from vicinal._progress import Progress
from vicinal._store import Arrays, Changes, Documents, Store
from vicinal._store.checksums import expected_tallies
from vicinal._typing import IntArray
from vicinal._warn import warn
from vicinal.errors import DamagedIndex, DamagedPart
from vicinal.index import _stored
from vicinal.index._clusters.cluster_table import load_cluster_table
from vicinal.index._documents.neighbors_of_new import append_lenders
from vicinal.index._drift.drift_rows import append_drift
from vicinal.index._index_state import StateCache
from vicinal.index._model import Model
from vicinal.index._rows import append_rows
from vicinal.index._steering.fit_classes import decided_clusters
from vicinal.index._steering.steered_fit import hold

BATCH = 1000


@final
class Followed:
    """The rows of embedded documents, followed through the changes of one call.

    Where every document had a row before the call, and nobody else has changed one since, the documents of the call are the only
    ones to look at. In any other case, as after an interrupt, all documents are.

    Parameters
    ----------
    store : Store
        Before the first change.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.changes = Changes(note=self._note)
        try:
            with store.reading():
                self._before = _stored.left_behind(store)
        except DamagedIndex:  # a note that cannot be read is made up for by looking at all documents
            self._before = None

    def _is_complete(self) -> bool:
        """Whether these changes are all that happened since."""
        if self._before is None:
            return False
        n_before, before = self._before[0][:2]
        return expected_tallies(self._store)["documents"] == (n_before + self.changes.n_rows, before + self.changes.total)

    def waiting(self, generation: int) -> IntArray:
        """Numbers of the documents that the model of a generation has not embedded, rising."""
        among = sorted(set(self.changes.numbers)) if self._is_complete() else None
        return Documents(self._store).where([("generation", "!=", generation)], among=among)

    def keep(self) -> None:
        """Note which rows were left behind, inside a transaction in which no document waits."""
        if not self._is_complete():
            _stored.keep_current(self._store)

    def _note(self) -> None:
        """Note which rows were left behind, inside a transaction after which documents may wait.

        Without it whoever searches between this transaction and the one that embeds them would look at all documents.
        """
        with suppress(DamagedIndex):  # a note that is not there is made up for by looking at all documents
            if self._before is not None and self.changes != Changes() and self._is_complete():
                self._put_note(*self._before)

    def _put_note(self, before: IntArray, left: IntArray) -> None:
        n_documents, total, generation, _ = before.tolist()
        n_rows = Arrays(self._store).outline(_stored.NUMBERS).shape[0]
        now = [n_documents + self.changes.n_rows, total + self.changes.total, generation, n_rows]
        replaced = np.flatnonzero(np.isin(self._numbers_before, self.changes.numbers))
        _stored.put_left_behind(self._store, np.array(now, dtype=np.int64), np.union1d(left, replaced))

    @cached_property
    def _numbers_before(self) -> IntArray:
        """The document of each row that there was before the call; rows are only appended."""
        numbers: IntArray = Arrays(self._store).get(_stored.NUMBERS)
        return numbers[: 0 if self._before is None else int(self._before[0][3])]


def embed_new(cache: StateCache, progress: Progress, followed: Followed) -> int:
    """Embed documents that the present model has not, a batch at a time, each kept whole; return how many.

    Another process may write between two batches, so each batch reads the model again, and the last one looks for all that wait.
    """
    try:
        return _embed_new(cache, progress, followed)
    except DamagedIndex as error:
        cache.forget()
        warn(f"{error} New documents are kept and found by full text; they are embedded once it is fitted again.", DamagedPart)
        return 0


def _embed_new(cache: StateCache, progress: Progress, followed: Followed) -> int:
    n_embedded, n_waiting = 0, 0
    while (model := cache.model()) is not None:
        with cache.store.writing():
            waiting = followed.waiting(model.generation)
            n_waiting = n_waiting or len(waiting)
            progress("embed", n_embedded, n_waiting)
            n_embedded += _embed_batch(cache, waiting[:BATCH], followed.changes)
            if len(waiting) <= BATCH:
                followed.keep()
                break
        for start in range(BATCH, len(waiting) - BATCH, BATCH):
            progress("embed", n_embedded, n_waiting)
            with cache.store.writing():
                n_embedded += _embed_batch(cache, waiting[start : start + BATCH], followed.changes)
    return n_embedded


def _embed_batch(cache: StateCache, numbers: IntArray, changes: Changes) -> int:
    model, documents = cache.model(), Documents(cache.store)
    if model is None:
        return 0
    waiting = documents.where([("generation", "!=", model.generation)], among=numbers.tolist())
    if len(waiting):
        _embed(cache.store, model, waiting)
        documents.set_generation(waiting.tolist(), model.generation, changes)
    return len(waiting)


def _embed(store: Store, model: Model, waiting: IntArray) -> None:
    texts = [stored.document.full_text for stored in Documents(store).at(waiting)]
    known = decided_clusters(store, waiting)
    counts, n_unknown = model.vocabulary.counts_and_unknown(texts)
    embedded = hold(model.embed(counts), load_cluster_table(store).numbers, known)
    append_drift(store, model, counts, n_unknown)
    append_lenders(store, model, counts)
    append_rows(store, waiting, embedded)
