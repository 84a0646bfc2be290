"""Under which names rows are kept, and which of them count.

A document that was removed or changed leaves its old row behind; a row counts only while its document is there and was placed by
the model that there is, and of several rows of one document the last.
"""

from __future__ import annotations

import numpy as np

from vicinal._store import Store
from vicinal._typing import IntArray
from vicinal.errors import DamagedIndex

NUMBERS, COUNTS, PLACES, TOPICS, DOUBT, LENDERS = (
    f"rows/{name}" for name in ("numbers", "counts", "places", "topics", "doubt", "lenders")
)


def rows_that_count(store: Store, numbers: IntArray, current: IntArray) -> IntArray:
    """The row of each document that is there and was placed by the present model, in the order of the documents.

    Parameters
    ----------
    store : Store
        For its path alone.
    numbers : int array
        The document of each row.
    current : int array
        Numbers of the documents, rising.
    """
    last = len(numbers) - 1 - np.unique(numbers[::-1], return_index=True)[1]  # of each number, the last row
    kept: IntArray = last[np.isin(numbers[last], current)]
    if len(kept) != len(current):
        raise DamagedIndex(f"{store.path}: {len(current) - len(kept)} placed documents have no row. Fit the index anew.")
    return kept
