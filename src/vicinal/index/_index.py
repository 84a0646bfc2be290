"""Index: documents in one file, which can be added, removed, fitted and labelled, and read by the methods of `_reader`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import final

from vicinal._progress import Progress, silent
from vicinal._store import Damage, Labels, Store
from vicinal._warn import warn
from vicinal.engines import Engine
from vicinal.errors import DamagedIndex, DamagedPart
from vicinal.index._clusters.hints import GivenHints, IdPairs
from vicinal.index._damage.integrity import check
from vicinal.index._documents.document_editor import DocumentEditor
from vicinal.index._fit.fit_evidence import Vectors
from vicinal.index._index_state import IndexState, StateCache
from vicinal.index._labels.classes import kept_labels, labels_from, learn_labels
from vicinal.index._reader import IndexReader
from vicinal.index._results import Fitted, Labelled
from vicinal.index._search.search_state import SearchState
from vicinal.index._snapshot import Snapshot
from vicinal.index._steering.editor import ClusterEditor


@final
class Index(DocumentEditor, ClusterEditor, IndexReader):
    """Documents, the model fitted to them, and their embeddings, in one file.

    `vicinal.open` makes it. In a ``with`` block it is closed at the end.

    Parameters
    ----------
    store : Store
        The open file.

    Examples
    --------
    >>> import vicinal
    >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
    >>> with vicinal.open("news.vic", create=True) as index:
    ...     added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
    ...     fitted = index.fit(n_clusters=2)
    ...     print(len(index), fitted.n_clusters, index.search("corn harvest")[0].id)
    6 2 d1
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache = StateCache(store)

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Index({self.path!r}, {len(self):,} documents)"

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Read one state of the index inside a ``with`` block, whatever others write meanwhile.

        Yields
        ------
        Snapshot
            It has every method of an index that changes nothing.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("snapshot.vic", create=True)
        >>> added = index.add([vicinal.Document("a", "wheat exports fell")])
        >>> with index.snapshot() as snapshot:
        ...     print(snapshot.info().documents, [hit.id for hit in snapshot.search("wheat")])
        1 ['a']
        """
        with self._store.reading():
            yield Snapshot(self._cache.state(), self._cache.searches)

    @contextmanager
    def _reading(self) -> Iterator[IndexState]:
        with self._store.reading():
            yield self._cache.state()

    @contextmanager
    def _reading_documents(self) -> Iterator[IndexState]:
        with self._store.reading():
            yield self._cache.without_model()

    @contextmanager
    def _searching(self) -> Iterator[SearchState]:
        with self._store.reading():
            yield self._cache.searches.state()

    def fit(
        self,
        *,
        n_clusters: int | str | None = None,
        n_components: int | None = None,
        n_neighbors: int | None = None,
        alpha: float | None = None,
        stem: str | None = None,
        random_state: int | None = None,
        encoder: str | None = None,
        links: str | None = None,
        language: str | None = None,
        segmenter: str | None = None,
        use_labels: bool | None = None,
        layout: bool | None = None,
        recall: float | None = None,
        seed_words: Mapping[str, Iterable[str]] | None = None,
        must_link: IdPairs | None = None,
        cannot_link: IdPairs | None = None,
        embeddings: Vectors | None = None,
        engine: Engine | str | None = None,
        progress: Progress = silent,
    ) -> Fitted:
        """Fit vocabulary, embedding and clusters to all documents, and keep them, all together or not at all.

        A parameter that is None is as in the last fit; at first it has the default of `Recipe`. Seed words and links are kept as
        constraints: later fits follow them too, `constraints` lists them, and `undo` takes one away.

        Parameters
        ----------
        n_clusters : int or "auto", optional
            Number of clusters.
        n_components : int, optional
            Number of components of the embedding.
        n_neighbors : int, optional
            Number of neighbours of each document in the neighbour graph.
        alpha : float, optional
            Ridge penalty of the regression onto terms.
        stem : str, optional
            Language of the stemmer, "none", or "auto": that of the documents where one is installed.
        random_state : int, optional
            Random seed; the same seed gives the same result.
        encoder : str, optional
            Encoder whose vectors are evidence for the clusters, as `vicinal.encoders.load_encoder` takes it; "none" uses none.
        links : str, optional
            Column of the metadata that holds the ids of linked documents, which are evidence for the clusters; "none" uses none.
        language : str, optional
            Language of the documents, by code or English name, such as "de", which decides about stop words and stemmer; "auto"
            recognises it, and a note says so where it is not English or was not recognised.
        segmenter : str, optional
            Packages that tell the words of Chinese ("jieba"), Japanese ("fugashi") and Thai ("pythainlp") apart, with commas
            between them; "none" takes pairs of characters. Queries and documents that come later are segmented in the same way.
        use_labels : bool, optional
            Whether each class that documents are labelled with is a cluster, named by the class: labelled documents stay in theirs,
            and others join the class that their terms fit. Constraints count more: see `move_documents` and others.
        layout : bool, optional
            Whether a layout is made, for `layout` and the map. Documents that had a point stay near it.
        recall : float, optional
            The share of the true neighbours that is enough, above 0. Below 1, for some ten thousand documents or more, a pruned
            search takes the place of the exact one where it costs less; what it found is measured, and among what was chosen.
        seed_words : mapping from str to iterable of str, optional
            Words by the name of a class, which becomes a cluster and starts from the documents that have most of them. The words
            of a class take the place of those that it had.
        must_link, cannot_link : iterable of (str, str), optional
            Ids of two documents that must be in one cluster, or cannot be.
        embeddings : mapping of id to vector, or array-like of shape (n_documents, n_numbers), optional
            Vectors of your own in place of the encoder's, for this fit; rows are in the order in which documents were added.
        engine : Engine or str, optional
            Where the neighbours of documents and the regression onto terms are computed: an engine, "threads", "disk", or the
            address of a Dask scheduler, such as "tcp://scheduler:8786"; by default the engine of a ``with`` statement around the
            call, if any. Terms, spectrum, clusters and layout are always computed here. The result is the same to the last bit;
            the search for neighbours is exact, whatever ``recall`` is. It is not kept for the next fit.
        progress : callable, optional
            Called with the step, how much of it is done and of how much (0 where that is not known). The steps are "encode" (where
            there is an encoder), "terms", "embedding", "clusters", "embed", "layout" (where one is made) and "save".

        Returns
        -------
        Fitted
            Sizes, the change of the clusters, what was chosen automatically, and notes.

        Raises
        ------
        BadParameter
            A parameter is out of range, no document has the column of the links, an id is not there, no document has a word of a
            class, or what is given contradicts itself, a label or a constraint.
        BadLabels
            ``use_labels`` is True, and no document has a label.
        BadData
            ``embeddings`` hold NaN, or not one vector for every document.
        EngineFailed
            The scheduler or the workers of a cluster are gone; the index is as it was.
        MissingExtra, NoSuchSource
            The encoder or the engine needs a package that is not installed, or there are no weights of that name.
        EmptyCorpus
            There are no documents, or none has a term.
        TooFewDocuments
            There are fewer documents than four, or than clusters or neighbours that were asked for.
        IndexLocked
            Another process is writing.

        References
        ----------
        D. Cai, X. He, W. V. Zhang, J. Han: Regularized Locality Preserving Indexing via Spectral Regression. CIKM 2007, section 4.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("fit.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> index.fit(n_clusters=2).n_clusters
        2
        >>> fitted = index.fit(seed_words={"farm": ["wheat", "corn"], "sport": ["goal"]}, cannot_link=[("d0", "d3")])
        >>> sorted(cluster.name for cluster in index.clusters())
        ['farm', 'sport']
        """
        given = {
            "n_clusters": n_clusters,
            "n_components": n_components,
            "n_neighbors": n_neighbors,
            "alpha": alpha,
            "stem": stem,
            "random_state": random_state,
            "encoder": encoder,
            "links": links,
            "language": language,
            "segmenter": segmenter,
            "use_labels": use_labels,
            "layout": layout,
            "recall": recall,
        }
        from vicinal.index._fit import fit_index  # which imports all that finds clusters

        hints = GivenHints(seed_words, must_link, cannot_link)
        return fit_index.fit(self._cache, fit_index.FitRequest(given, embeddings, hints, engine), progress)

    def label(self, labels: Mapping[str, object] | None = None, *, column: str | None = None, learn: bool = True) -> Labelled:
        """Label documents, learn classes from all labels in force, and keep both.

        Without new labels it learns from those that documents were read with or were given before. Where labels are few, clusters
        of all documents help, which takes seconds.

        Parameters
        ----------
        labels : mapping from id to label, optional
            An empty label removes one, and so do None, NaN and -1, as a number or in text.
        column : str, optional
            Instead: the metadata column that has the labels; a document with -1 there gets none.
        learn : bool, default=True
            Whether classes are learnt; else the labels are only kept, also before the first fit.

        Returns
        -------
        Labelled
            The classes, with the accuracy by cross-validation; None where nothing is learnt.

        Raises
        ------
        BadLabels
            No document with terms has a label to learn from, or no document has a value in ``column``.
        BadParameter
            An id is not there, or both ``labels`` and ``column`` are given.
        TooFewDocuments
            The index is not fitted, and classes are to be learnt.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("label.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> index.label({"d0": "farm"}, learn=False).classes
        (('farm', 1),)
        >>> fitted = index.fit(n_clusters=2)
        >>> index.label({"d0": "farm", "d1": "farm", "d3": "sport", "d4": "sport"}).classes
        (('farm', 2), ('sport', 2))
        """
        with self._store.writing():
            state = self._cache.state() if learn else self._cache.without_model()
            if learn:
                state.require_fitted("label")
            given, origin = labels_from(self._store, labels, column)
            Labels(self._store).give(given, origin)
            if not learn:
                return kept_labels(state)
            try:
                return learn_labels(state)
            except DamagedIndex as error:
                warn(f"{error} The labels are kept, and classes are not learnt from them until the index is repaired.", DamagedPart)
                return Labelled(len(given), (), None)

    def check(self, level: int = 2) -> list[Damage]:
        """Look for damage.

        Parameters
        ----------
        level : {1, 2}, default=2
            1 looks at tables and sizes, 2 at every byte.

        Returns
        -------
        list of Damage
            What is found, each with what to do about it; empty where the index is sound.

        Examples
        --------
        >>> import vicinal
        >>> vicinal.open("check.vic", create=True).check()
        []
        """
        return check(self.path, level)


def open(path: str | os.PathLike[str], create: bool = False) -> Index:
    """Open an index.

    Parameters
    ----------
    path : str or path
        The file.
    create : bool, default=False
        Whether to make a new one where there is none.

    Returns
    -------
    Index
        To be closed, or used in a ``with`` block.

    Raises
    ------
    BadIndex
        There is no file, or it is not an index, damaged, or of a newer version: each is a kind of BadIndex.

    Examples
    --------
    >>> import vicinal
    >>> with vicinal.open("news.vic", create=True) as index:
    ...     len(index)
    0
    """
    return Index(Store.open(path, create))
