"""Everything that can be asked of an index without changing it: the methods that `Index` and `Snapshot` share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vicinal._store.filters import Filters
from vicinal._validate import check_choice, check_count, check_texts
from vicinal._warn import warn
from vicinal.errors import DamagedPart
from vicinal.index._clusters.cluster_reader import ClusterReader
from vicinal.index._damage.partly_damaged import asked
from vicinal.index._documents.document_reader import StoredDocumentReader
from vicinal.index._labels import classes
from vicinal.index._labels.label_reader import LabelReader
from vicinal.index._layout.layout_reader import LayoutReader
from vicinal.index._results import DuplicateGroup, Prediction
from vicinal.index._search import duplicates as duplication
from vicinal.index._search import near_and_explain
from vicinal.index._search.hits import Hit
from vicinal.index._search.search_reader import SearchReader
from vicinal.index._tables import export as exporting
from vicinal.index._tables.table_reader import TableReader
from vicinal.projection import Explanation

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState


class IndexReader(StoredDocumentReader, SearchReader, ClusterReader, LabelReader, LayoutReader, TableReader):
    """The read-only methods of an index; each reads one state of the file."""

    def near(self, id: str, limit: int = 10, *, where: Filters = ()) -> list[Hit]:
        """Find the documents most similar to one: by the mean of two cosines, of terms and of embeddings.

        Parameters
        ----------
        id : str
            The id of the document.
        limit : int, default=10
            The number of documents at most.
        where : str, mapping, or sequence of (column, op, value), default=()
            Only documents whose metadata pass, as for `search`.

        Returns
        -------
        list of Hit
            Best first; a score of 1 is a duplicate. Empty before the first fit.

        Raises
        ------
        BadParameter
            There is no such document, or a parameter is out of range.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("near.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> sorted(hit.id for hit in index.near("d3", 2))
        ['d4', 'd5']
        """
        check_count("limit", limit)
        with self._reading() as state:
            return near_and_explain.near(state, id, limit, where)

    def duplicates(self, threshold: float = 0.9, limit: int | None = None) -> list[DuplicateGroup]:
        """Find groups of duplicates and near-duplicates.

        Two documents with the same text, or whose terms have a cosine of at least ``threshold``, are in one group. A group may be a
        chain, in which the duplicate of a duplicate is less similar to the first; each document says how similar it is to that.

        Parameters
        ----------
        threshold : float, default=0.9
            Above 0 and at most 1, which is the same terms. Before the first fit only equal texts are found.
        limit : int or None, default=None
            The number of groups at most; None is all of them.

        Returns
        -------
        list of DuplicateGroup
            Largest first.

        Raises
        ------
        BadParameter
            A parameter is out of range.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("duplicates.vic", create=True)
        >>> added = index.add(vicinal.Document(id, text) for id, text in (("a", "wheat"), ("b", "corn"), ("c", "wheat")))
        >>> [group.removable for group in index.duplicates()]
        [('c',)]
        """
        return asked(self, lambda state: duplication.duplicates(state, threshold, limit), "Only equal texts were compared.")

    def classify(self, texts: Iterable[str] = (), *, ids: Sequence[str] = ()) -> list[Prediction]:
        """Predict the class of documents, by the labels that others have.

        Parameters
        ----------
        texts : iterable of str, default=()
            New texts, which are not added.
        ids : sequence of str, default=()
            Documents of the index.

        Returns
        -------
        list of Prediction
            Of the texts, then of the documents.

        Raises
        ------
        BadLabels
            There are no classes yet: see `Index.label`.
        TooFewDocuments
            The index is not fitted.
        BadParameter
            ``texts`` or ``ids`` is a single text.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("classify.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> labelled = index.label({"d0": "farm", "d1": "farm", "d3": "sport", "d4": "sport"})
        >>> [found.label for found in index.classify(["a wheat harvest"], ids=["d5"])]
        ['farm', 'sport']
        """
        with self._reading() as state:
            state.require_fitted("classify")
            return classes.classify(state, check_texts("texts", texts), check_texts("ids", ids))

    def explain(
        self,
        id: str | None = None,
        *,
        other: str | None = None,
        cluster: int | None = None,
        component: int | None = None,
        limit: int = 20,
    ) -> Explanation:
        """Explain a document's cluster, the similarity of two documents, a cluster or a component, by terms with numbers.

        Parameters
        ----------
        id : str, optional
            A document: its score for its cluster, or for ``cluster``.
        other : str, optional
            A second document: the cosine of the embeddings of both.
        cluster : int, optional
            By itself: the terms that distinguish a cluster from the others.
        component : int, optional
            By itself: the terms with the largest weights in one component of the embedding.
        limit : int, default=20
            The number of terms of a cluster or component.

        Returns
        -------
        Explanation
            Of documents the parts add up to the number that is explained.

        Raises
        ------
        BadParameter
            There is no such document, cluster or component, or another combination was given.
        TooFewDocuments
            The index is not fitted.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("explain.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> sorted(index.explain("d0", other="d1").terms)
        ['corn', 'wheat']
        """
        with self._reading() as state:
            state.require_fitted("explain")
            return near_and_explain.explain(state, id, other, cluster, component, limit)

    def export(self, path: str | os.PathLike[str], what: str = "documents", *, raw: bool = False) -> int:
        """Write documents, embeddings, the layout or the projection to a file for other programs.

        Parameters
        ----------
        path : str or path
            Its suffix chooses the format: csv, tsv, jsonl or parquet for documents, parquet or npz for embeddings, csv, tsv,
            parquet or npz for the layout, npz or safetensors for the projection. A file that is there is replaced when the new one
            is complete.
        what : {"documents", "embeddings", "layout", "projection"}, default="documents"
            What is written.
        raw : bool, default=False
            Whether cells of csv and tsv stay as they are; else one that a spreadsheet would take for a formula begins with an
            apostrophe.

        Returns
        -------
        int
            The number of rows written.

        Raises
        ------
        BadParameter
            The suffix is unknown, the file is an index, or the index is not fitted.
        MissingExtra
            Parquet needs pyarrow, which is not installed.

        Warns
        -----
        DamagedPart
            Some documents, or their clusters, cannot be read and are left out; the message lists them.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("export.vic", create=True)
        >>> added = index.add([vicinal.Document("a", "wheat exports fell")])
        >>> index.export("news.jsonl")
        1
        """
        check_choice("what", what, tuple(exporting.WRITERS))

        def written(state: IndexState) -> exporting.Exported:
            """Write the file from one state."""
            return exporting.export(state, Path(path), what, raw)

        if what == "documents":
            done = asked(self, written, "Documents are written without their clusters.")
        else:
            with self._reading() as state:
                done = written(state)
        if done.damage:
            warn(done.damage, DamagedPart)
        return done.rows
