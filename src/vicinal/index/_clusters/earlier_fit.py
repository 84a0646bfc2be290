"""What a fit takes over from the one before: the clusters of documents and their numbers; the old model is not loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from vicinal._store import Settings, Store
from vicinal._typing import IntArray
from vicinal.errors import DamagedIndex
from vicinal.index._clusters.cluster_table import load_cluster_table
from vicinal.index._stored import CLUSTER_TABLE, consistent

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState, StateCache


@final
@dataclass(frozen=True, eq=False)
class EarlierFit:
    """The fit before.

    Attributes
    ----------
    fitted : bool
        Whether there was one that can be read.
    generation : int
        Its number; 0 for none.
    clusters : int array (documents,)
        The number of the cluster that each document was in; -1 for none.
    last : int
        The largest number that was ever given to a cluster; -1 before the first fit.
    notes : tuple of str
        What of it could not be read.
    """

    fitted: bool
    generation: int
    clusters: IntArray
    last: int
    notes: tuple[str, ...] = ()


def earlier_fit(cache: StateCache, documents: IntArray) -> EarlierFit:
    """The fit before, as far as it can be read: a damaged one is no reason not to fit again.

    Parameters
    ----------
    cache : StateCache
        Whose state is that before the fit.
    documents : int array (documents,)
        Their numbers in the store.
    """
    store, none = cache.store, np.full(len(documents), -1, dtype=np.int64)
    try:
        before = cache.state()
        if not before.fitted:
            return EarlierFit(False, 0, none, _last_given(store))
        return EarlierFit(True, before.generation, _clusters(before, documents, none), before.cluster_table.last)
    except DamagedIndex as error:
        note = f"the last fit is damaged, so clusters get new numbers: {error}"
        return EarlierFit(False, _largest_generation(store), none, _last_given(store), (note,))


def _clusters(before: IndexState, documents: IntArray, none: IntArray) -> IntArray:
    rows = np.array([before.rows.row(int(number)) for number in documents], dtype=np.int64)
    return np.where(rows >= 0, before.cluster_numbers[rows], none) if len(before.rows.numbers) else none


def _largest_generation(store: Store) -> int:
    """The number of the last fit by the documents that it has embedded."""
    return int(store.rows("SELECT coalesce(max(generation), 0) FROM documents")[0][0])


def _last_given(store: Store) -> int:
    """The largest number that a cluster had, where a damaged model does not tell; -1 where nothing does."""
    try:
        with consistent(store):
            return -1 if Settings(store).get(CLUSTER_TABLE) is None else load_cluster_table(store).last
    except DamagedIndex:
        return -1
