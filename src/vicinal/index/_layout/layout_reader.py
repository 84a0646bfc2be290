"""The layout of an index, as `Index` and `Snapshot` both give it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from vicinal.index._layout.layout_results import IndexLayout

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState


class LayoutReader(ABC):
    """What can be asked of an index that is to be looked at."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[IndexState]:
        """The state that is asked, for as long as the block lasts."""

    def layout(self) -> IndexLayout:
        """Give each document a point in the plane: neighbours near each other, clusters apart.

        A fit makes the layout and keeps it. A document that came since has a point near its neighbours, and moves no other. Where
        a fit was made without a layout, it is computed now, which takes about a minute for 200,000 documents.

        Returns
        -------
        IndexLayout
            Ids, points and clusters of the documents that are embedded.

        Raises
        ------
        TooFewDocuments
            The index is not fitted.

        See Also
        --------
        vicinal.layout : The same for a matrix or a graph.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("layout.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> found = index.layout()
        >>> found.points.shape, found.ids[0], sorted(set(found.clusters.tolist()))
        ((6, 2), 'd0', [0, 1])
        """
        from vicinal.index._layout.stored_layout import layout_of

        with self._reading() as state:
            return layout_of(state)
