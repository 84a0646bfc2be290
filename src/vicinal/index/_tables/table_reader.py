"""The documents of an index as data frames, as `Index` and `Snapshot` both give them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, cast

from vicinal._data_frame import data_frame

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState
    from vicinal.index._reader import IndexReader


class TableReader(ABC):
    """The methods of an index that give data frames."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[IndexState]:
        """The state that is asked, for as long as the block lasts."""

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from vicinal.index._tables.shown_in_notebooks import index_html

        return index_html(cast("IndexReader", self))

    def table(self, *, text: bool = False, output: str | None = None) -> Any:
        """Return the documents as a data frame.

        Parameters
        ----------
        text : bool, default=False
            Whether texts are in it.
        output : {"pandas", "polars"} or None, default=None
            The library of the data frame; None is that of scikit-learn's ``set_config(transform_output=…)``, else the one that is
            imported already, else the one that is installed.

        Returns
        -------
        DataFrame
            A row per document, in the order in which they were added: ``id``, ``title``, ``source``, ``label``, ``cluster`` and
            ``cluster_name`` (None before the first fit), ``uncertainty``, and the columns of the metadata.

        Raises
        ------
        MissingExtra
            The library is not installed.

        See Also
        --------
        Index.export : The same in a file.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("table.vic", create=True)
        >>> added = index.add([vicinal.Document("a", "wheat exports fell", metadata={"year": 1987})])
        >>> index.table(output="polars").select("id", "year").rows()
        [('a', 1987)]
        """
        from vicinal.index._tables.columns import table_columns

        with self._reading() as state:
            return data_frame(table_columns(state, text), output)

    def over(self, column: str, *, period: str = "auto", output: str | None = None) -> Any:
        """Count the documents of each cluster in each period.

        Parameters
        ----------
        column : str
            A column of the metadata that holds dates, times, text that begins with a date of ISO 8601, or years.
        period : {"auto", "day", "week", "month", "quarter", "year", "decade"}, default="auto"
            "auto" is the shortest of which there are at most forty.
        output : {"pandas", "polars"} or None, default=None
            As for ``table``.

        Returns
        -------
        DataFrame
            A row per period and cluster: ``period`` (its first day), ``cluster``, ``name``, ``size``, ``share`` of the documents of
            the period, and ``lift`` (that share over the one in all periods). Documents without a date are left out.

        Raises
        ------
        BadParameter
            No document has such a column.
        BadData
            A value is no date, or none is.
        TooFewDocuments
            The index is not fitted.
        MissingExtra
            The library is not installed.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("over.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text, metadata={"year": 1987 + i % 2}) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> index.over("year", output="polars")["size"].to_list()
        [2, 1, 1, 2]
        """
        from vicinal.index._tables.columns import tally

        with self._reading() as state:
            return data_frame(tally(state, column, dated=True, period=period).columns("period"), output)

    def by(self, column: str, *, output: str | None = None) -> Any:
        """Count the documents of each cluster in each class.

        Parameters
        ----------
        column : str
            A column of the metadata, or "label".
        output : {"pandas", "polars"} or None, default=None
            As for ``table``.

        Returns
        -------
        DataFrame
            A row per class and cluster: ``class``, ``cluster``, ``name``, ``size``, ``share`` of the documents of the class, and
            ``lift`` (that share over the one in all classes). Documents without a value are left out.

        Raises
        ------
        BadParameter
            No document has such a column.
        TooFewDocuments
            The index is not fitted.
        MissingExtra
            The library is not installed.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("by.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text, label="farm" if i < 3 else "sport") for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> index.by("label", output="polars").select("class", "cluster", "size").rows()
        [('farm', 0, 3), ('farm', 1, 0), ('sport', 0, 0), ('sport', 1, 3)]
        """
        from vicinal.index._tables.columns import tally

        with self._reading() as state:
            return data_frame(tally(state, column, dated=False).columns("class"), output)
