"""Rows of placed documents: what the model says of each, in arrays that only grow until the next fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._store import Arrays, Store
from vicinal._typing import FloatArray, IntArray
from vicinal.index.kept import COUNTS, DOUBT, LENDERS, NUMBERS, PLACES, TOPICS, rows_that_count
from vicinal.index.model import Placed


@final
@dataclass(frozen=True, eq=False)
class Rows:
    """The rows that count.

    Attributes
    ----------
    numbers : int array (rows,)
        The document of each, rising.
    counts : sparse (rows, words)
    places : (rows, d)
    topics : int array (rows,)
    uncertainty : float array (rows,)
    lenders : sparse (rows, rows)
    """

    numbers: IntArray
    counts: Any
    places: FloatArray
    topics: IntArray
    uncertainty: FloatArray
    lenders: Any

    def row(self, number: int) -> int:
        """The row of a document, -1 where it has none."""
        at = int(np.searchsorted(self.numbers, number))
        return at if at < len(self.numbers) and self.numbers[at] == number else -1


def put_rows(store: Store, numbers: IntArray, placed: Placed, lenders: Any) -> None:
    """Keep the rows of the documents that a model was learnt from, in place of all others."""
    arrays = Arrays(store)
    for name, array in _columns(numbers, placed).items():
        arrays.put(name, array)
    arrays.put(LENDERS, sp.csr_array(lenders))


def add_rows(store: Store, numbers: IntArray, placed: Placed) -> None:
    """Keep the rows of documents that were placed since."""
    for name, array in _columns(numbers, placed).items():
        Arrays(store).append(name, array)


def _columns(numbers: IntArray, placed: Placed) -> dict[str, Any]:
    return {
        NUMBERS: np.asarray(numbers, dtype=np.int64),
        COUNTS: sp.csr_array(placed.counts),
        PLACES: placed.places,
        TOPICS: placed.topics,
        DOUBT: placed.uncertainty,
    }


def load_rows(store: Store, current: IntArray) -> Rows:
    """The rows of documents that are there and were placed by the present model, whose numbers are ``current``."""
    arrays = Arrays(store)
    numbers = arrays.get(NUMBERS)
    lenders = sp.csr_array(arrays.get(LENDERS))
    kept = rows_that_count(store, numbers, current)
    n_learnt = lenders.shape[0]
    every = sp.csr_array((lenders.data, lenders.indices, np.pad(lenders.indptr, (0, len(numbers) - n_learnt), mode="edge")))
    every.resize((len(numbers), len(numbers)))
    return Rows(
        numbers[kept],
        sp.csr_array(arrays.get(COUNTS))[kept],
        arrays.get(PLACES)[kept],
        arrays.get(TOPICS)[kept],
        arrays.get(DOUBT)[kept],
        sp.csr_array(every[kept][:, kept]),
    )
