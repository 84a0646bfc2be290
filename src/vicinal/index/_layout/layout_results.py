"""The layout of an index as it is given: ids, points and clusters, one of each per document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from vicinal._typing import FloatArray, IntArray


@final
@dataclass(frozen=True, eq=False)
class IndexLayout:
    """A point in the plane for each document of an index.

    Attributes
    ----------
    ids : tuple of str
        The documents that are embedded, in the order in which they were added.
    points : ndarray of shape (n_documents, 2)
        Where each is on the map; NaN for a document without neighbours.
    clusters : ndarray of shape (n_documents,)
        The number of its cluster, as `Index.clusters` gives it; -1 for none.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.index import IndexLayout
    >>> IndexLayout(("a", "b"), np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([1, 1]))
    IndexLayout(2 documents)
    """

    ids: tuple[str, ...]
    points: FloatArray
    clusters: IntArray

    def __len__(self) -> int:
        """How many documents."""
        return len(self.ids)

    def __repr__(self) -> str:
        return f"IndexLayout({len(self):,} documents)"
