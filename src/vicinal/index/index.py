"""Index: documents in one file, searched, clustered and explained. Each verb is a few lines over the modules beside this one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import final

from vicinal._progress import Progress, silent
from vicinal._store import Damage, Documents, Labels, Store
from vicinal._store.filters import Filters
from vicinal._validate import check_choice, check_count
from vicinal.corpus import Document
from vicinal.errors import BadLabels, TooFewDocuments
from vicinal.index import asking, copies, explaining, exporting, learning, opening, sorting
from vicinal.index._results import Added, Cluster, DuplicateGroup, Fitted, Hit, Info, Labelled, Prediction
from vicinal.index.damage import check
from vicinal.index.facts import facts
from vicinal.index.learning import BATCH, embed_new
from vicinal.index.paths import Of
from vicinal.index.recipe import load_recipe, requested
from vicinal.index.state import Loaded, State
from vicinal.projection import Explanation


@final
class Index:
    """Documents, and what was learnt of them, in one file.

    Made by `vicinal.open`. It may be used in a ``with`` block, which closes it.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loaded = Loaded(store)

    @property
    def path(self) -> str:
        """Where the file is."""
        return str(self._store.path)

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __len__(self) -> int:
        return Documents(self._store).count()

    def __repr__(self) -> str:
        return f"Index({self.path!r}, {len(self):,} documents)"

    def add(self, documents: Iterable[Document], *, update: bool = True, progress: Progress = silent) -> Added:
        """Add documents, a batch at a time; after an interrupt the same call goes on where it stopped.

        Once something was learnt, new documents are placed at once.

        Parameters
        ----------
        documents : iterable of Document
            As `vicinal.read` gives them. One that is there with the same content is left alone.
        update : bool, default=True
            Whether one that is there with another content gets the new one.
        progress : callable, optional
            Called with "add" and the number of documents that are safely in the file, then with "place" and how many of them
            have their place.

        Returns
        -------
        Added
        """
        counts = Documents(self._store).add(
            documents, update=update, batch_size=BATCH, after_batch=lambda so_far: progress("add", so_far.seen, 0)
        )
        return Added(
            counts.added, counts.changed if update else 0, counts.unchanged, embed_new(self._store, self._loaded, progress)
        )

    def update(self, documents: Iterable[Document]) -> Added:
        """Give documents that are there another content.

        Parameters
        ----------
        documents : iterable of Document

        Raises
        ------
        BadParameter
            One of them is not there.
        """
        given = list(documents)
        Documents(self._store).numbers([document.id for document in given])
        return self.add(given)

    def remove(self, ids: Iterable[str]) -> int:
        """Remove documents by their names; return how many there were.

        Parameters
        ----------
        ids : iterable of str
        """
        return Documents(self._store).remove(ids)

    def fit(
        self,
        *,
        n_clusters: int | str | None = None,
        n_components: int | None = None,
        n_neighbors: int | None = None,
        alpha: float | None = None,
        stem: str | None = None,
        random_state: int | None = None,
        progress: Progress = silent,
    ) -> Fitted:
        """Learn words, space and topics from all documents there are, and keep them, all together or not at all.

        Parameters
        ----------
        n_clusters : int or "auto", optional
            Number of clusters. Here as below, None is the value of the last fit; at first the default of `Recipe`.
        n_components : int, optional
            Number of components of the embedding.
        n_neighbors : int, optional
            Number of neighbours of each document in the neighbour graph.
        alpha : float, optional
            Ridge penalty of the regression onto terms.
        stem : str, optional
            Language of the stemmer, "none", or "auto".
        random_state : int, optional
            Random seed.
        progress : callable, optional
            Called with the step, how much of it is done and of how much (0 where that is not known).

        Returns
        -------
        Fitted
        """
        given = {
            "n_clusters": n_clusters,
            "n_components": n_components,
            "n_neighbors": n_neighbors,
            "alpha": alpha,
            "stem": stem,
            "random_state": random_state,
        }
        return learning.fit(self._store, self._loaded, requested(self._store, given), progress)

    def needs_fit(self) -> bool:
        """Tell whether a fit would change anything.

        Returns
        -------
        bool
            Whether documents were added, changed or removed since the last fit, or none was made yet.
        """
        info = self.info()
        if info.generation == 0:
            return info.documents > 0
        return info.fitted != info.documents or info.fitted != learning.n_fitted(self._store)

    def search(self, query: str, limit: int = 10, *, by: str = "both", where: Filters = ()) -> list[Hit]:
        """Find documents by a question in plain words.

        Parameters
        ----------
        query : str
        limit : int, default=10
        by : {"both", "terms", "embedding"}, default="both"
            The words themselves, the place where they point, or both: fused so that the second is heard as far as it agrees
            with the first (docs/maths/search.md). Before the first fit there are only words.
        where : mapping, or sequence of (column, op, value), default=()
            Only documents whose metadata pass, such as ``{"year": 1998}`` or ``[("year", ">=", 1998)]``.

        Returns
        -------
        list of Hit
            Best first; empty where nothing fits.
        """
        check_count("limit", limit)
        check_choice("by", by, ("both", "terms", "embedding"))
        with self._store.reading():
            return asking.search(self._loaded.state(), self._store, query, limit, by, where)

    def near(self, id: str, limit: int = 10, *, where: Filters = ()) -> list[Hit]:
        """Find the documents nearest to one, by words and by place in equal parts.

        Parameters
        ----------
        id : str
        limit : int, default=10
        where : as for `search`

        Returns
        -------
        list of Hit
            A score of 1 is a copy.
        """
        check_count("limit", limit)
        with self._store.reading():
            return asking.near(self._loaded.state(), self._store, id, limit, where)

    def duplicates(self, threshold: float = 0.9, limit: int | None = None) -> list[DuplicateGroup]:
        """Find documents that say the same, or nearly: groups of copies, largest first.

        Two documents with the same text, or whose terms have a cosine of at least ``threshold``, are in one group. A group may
        be a chain, in which the copy of a copy is less alike to the first; each document says how alike it is to that.

        Parameters
        ----------
        threshold : float, default=0.9
            Above 0 and at most 1, which is the same words. Before the first fit only texts that are the same are found.
        limit : int or None, default=None
            Groups at most; None is all of them.

        Returns
        -------
        list of DuplicateGroup
        """
        with self._store.reading():
            return copies.duplicates(self._loaded.state(), self._store, threshold, limit)

    def clusters(self, of: Of | None = None, n_clusters: int | str = "auto") -> list[Cluster]:
        """What the documents are about: the clusters, largest first; or the parts that one of them is made of.

        A cluster is opened by learning topics anew from its documents alone, with the words that matter inside. Nothing is
        written; what was found is kept in memory until the index changes.

        Parameters
        ----------
        of : int, str or sequence of int, optional
            The cluster to open: its number, or the ``path`` of a part, such as "3.1".
        n_clusters : int or "auto", default="auto"
            In how many parts; by default as many as explain its words best.

        Returns
        -------
        list of Cluster
            Empty before the first fit, and for a cluster that cannot be opened further: fewer than four documents that share
            words, or nothing that tells them apart. A document without a word that another of its cluster has is in no part.
        """
        with self._store.reading():
            state = self._loaded.state()
            return [] if state is None else opening.clusters(state, self._store, of, n_clusters)

    def members(self, cluster: Of, limit: int = 10) -> list[Hit]:
        """The documents of a cluster, or of a part of one, the most typical first.

        Parameters
        ----------
        cluster : as ``of`` for `clusters`
        limit : int, default=10

        Returns
        -------
        list of Hit
            The score is the cosine of a document's place with the middle of the cluster, and ``why`` what each word added to it.
        """
        check_count("limit", limit)
        with self._store.reading():
            state = self._loaded.state()
            return [] if state is None else opening.members(state, self._store, cluster, limit)

    def label(self, labels: Mapping[str, str] | None = None, *, column: str | None = None) -> Labelled:
        """Give documents labels, learn from all labels there are, and keep both.

        Without new labels it learns from those that documents were read with, and those they were given before.

        Parameters
        ----------
        labels : mapping from id to label, optional
            An empty label takes one away.
        column : str, optional
            Instead: the metadata column that has them.

        Returns
        -------
        Labelled
            With how often the rule is right on documents held back.
        """
        with self._store.writing():
            state = self._state_to("label")
            given, origin = sorting.labels_from(self._store, labels, column)
            Labels(self._store).give(given, origin)
            return sorting.learn_labels(self._store, state, load_recipe(self._store).random_state)

    def classify(self, texts: Iterable[str] = (), *, ids: Sequence[str] = ()) -> list[Prediction]:
        """Sort documents into the classes that were learnt from labels.

        Parameters
        ----------
        texts : iterable of str
            New ones.
        ids : sequence of str
            Documents of the index.

        Returns
        -------
        list of Prediction
            Of the texts, then of the documents; each with its probability and the words that decided.
        """
        with self._store.reading():
            state = self._state_to("classify")
            classes = sorting.load_classes(self._store, state.model)
            if classes is None:
                raise BadLabels(f"{self.path} has learnt no classes yet. Label some documents first.")
            new, known = list(texts), [document.full_text for document in Documents(self._store).get(list(ids))]
            if not new and not known:
                return []
            rows = state.model.words.rows(state.model.words.counts([*new, *known]))
            return sorting.sort_into(classes, rows, [""] * len(new) + list(ids))

    def explain(
        self,
        id: str | None = None,
        *,
        other: str | None = None,
        cluster: int | None = None,
        component: int | None = None,
        limit: int = 20,
    ) -> Explanation:
        """Say why, in words with numbers.

        Parameters
        ----------
        id : str, optional
            A document: why it is in its cluster, or with ``cluster`` how it stands to that one.
        other : str, optional
            A second document: why the two are alike, as the cosine of their places.
        cluster : int, optional
            By itself: what tells a cluster from the rest.
        component : int, optional
            By itself: what moves a document along one dimension of the space.
        limit : int, default=20
            Words of a cluster or dimension.

        Returns
        -------
        Explanation
            Of documents the parts add up to the number that is explained.
        """
        with self._store.reading():
            state = self._state_to("explain")
            return explaining.explain(state, self._store, id, other, cluster, component, limit)

    def _state_to(self, verb: str) -> State:
        state = self._loaded.state()
        if state is None:
            raise TooFewDocuments(f"to {verb}, {self.path} must have learnt something first. Fit it.")
        return state

    def export(self, path: str | os.PathLike[str], what: str = "documents", *, raw: bool = False) -> int:
        """Write documents, vectors or the map to a file for other programs; return how many rows it has.

        Parameters
        ----------
        path : str or path
            Its suffix chooses the format: csv, tsv, jsonl or parquet for documents, parquet or npz for vectors, npz or safetensors
            for the map. A file that is there is replaced when the new one is whole.
        what : {"documents", "embeddings", "projection"}, default="documents"
        raw : bool, default=False
            Whether cells of csv and tsv stay as they are; else one that a spreadsheet would take for a formula begins with an
            apostrophe.
        """
        check_choice("what", what, tuple(exporting.WRITERS))
        with self._store.reading():
            return exporting.export(self._loaded.state(), self._store, Path(path), what, raw)

    def info(self) -> Info:
        """What the index holds."""
        return facts(self._store)

    def check(self, level: int = 2) -> list[Damage]:
        """Look for damage: what is found, or an empty list.

        Parameters
        ----------
        level : {1, 2}, default=2
            1 looks at tables and sizes, 2 at every byte.
        """
        return check(self.path, level)


def open(path: str | os.PathLike[str], create: bool = False) -> Index:
    """Open an index.

    Parameters
    ----------
    path : str or path
    create : bool, default=False
        Whether to make a new one where there is none.

    Returns
    -------
    Index
    """
    return Index(Store.open(path, create))
