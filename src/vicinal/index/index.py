"""Index: documents in one file, searched, clustered and explained. Each verb is a few lines over the modules beside this one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, final

from vicinal.corpus.document import Document
from vicinal.errors import BadLabels, BadParameter, EmptyCorpus, TooFewDocuments
from vicinal.index import asking, explaining, exporting, sorting
from vicinal.index.answers import Added, Category, Cluster, Fitted, Hit, Info, Labelled
from vicinal.index.damage import check
from vicinal.index.groups import described, numbered, save_groups
from vicinal.index.model import FEWEST, learn, save_model
from vicinal.index.recipe import load_recipe, save_recipe
from vicinal.index.rows import add_rows, put_rows
from vicinal.index.state import Loaded, State
from vicinal.projection import Explanation
from vicinal.store import Damage, Documents, Labels, Settings, Store
from vicinal.store.filters import Filters
from vicinal.validate import check_choice, check_count

BATCH = 1000


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

    def add(self, documents: Iterable[Document], *, update: bool = True, progress: Callable[[int], object] | None = None) -> Added:
        """Add documents, a batch at a time; after an interrupt the same call goes on where it stopped.

        Once something was learnt, new documents are placed at once.

        Parameters
        ----------
        documents : iterable of Document
            As `vicinal.read` gives them. One that is there with the same content is left alone.
        update : bool, default=True
            Whether one that is there with another content gets the new one.
        progress : callable or None, default=None
            Called with the number of documents that are safely in the file.

        Returns
        -------
        Added
        """
        told = None if progress is None else (lambda counts: progress(counts.added + counts.changed + counts.unchanged))
        counts = Documents(self._store).add(documents, update=update, batch_size=BATCH, after_batch=told)
        return Added(counts.added, counts.changed if update else 0, counts.unchanged, self._place_new())

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

    def _place_new(self) -> int:
        """Place documents that were not placed by the present model, a batch at a time; each batch is kept whole."""
        documents, placed = Documents(self._store), 0
        while True:
            with self._store.writing():
                model = self._loaded.model()
                if model is None:
                    return placed
                waiting = documents.where([("generation", "!=", model.generation)])[:BATCH]
                if len(waiting) == 0:
                    return placed
                texts = [_text(stored.document) for stored in documents.at(waiting)]
                add_rows(self._store, waiting, model.place(model.words.counts(texts)))
                documents.set_generation(waiting.tolist(), model.generation)
            placed += len(waiting)

    def fit(self, **recipe: Any) -> Fitted:
        """Learn words, space and topics from all documents there are, and keep them, all together or not at all.

        Parameters
        ----------
        **recipe
            Choices other than those of the last fit: ``topics`` (a number or "auto"), ``dimensions``, ``neighbors``, ``alpha``,
            ``stem``, ``seed``.

        Returns
        -------
        Fitted
        """
        try:
            chosen = replace(load_recipe(self._store), **recipe).checked()
        except TypeError:
            raise BadParameter(f"fit takes topics, dimensions, neighbors, alpha, stem and seed, got {', '.join(recipe)}.") from None
        with self._store.writing():  # from the first text to the last array: nobody changes a document meanwhile, all may read
            before = self._loaded.state()
            numbers = Documents(self._store).numbers()
            self._refuse_few(len(numbers))
            generation = 1 if before is None else before.model.generation + 1
            learnt = learn(self._texts(numbers.tolist()), chosen, generation)
            match = numbered(before, numbers, learnt)
            save_recipe(chosen, self._store)
            save_model(learnt.model, self._store)
            put_rows(self._store, numbers, learnt.placed, learnt.lenders)
            save_groups(self._store, learnt, match, numbers)
            Documents(self._store).set_generation(numbers.tolist(), generation)
            self._relearn_labels(chosen.seed)
        model, change = learnt.model, "" if before is None else match.sentence
        sizes = len(numbers), len(model.words.forms), model.space.n_dimensions, model.n_topics
        return Fitted(*sizes, change, learnt.chosen, learnt.notes)

    def _relearn_labels(self, seed: int) -> None:
        """Classes are of the words that there were; after a fit they are learnt again."""
        state = self._loaded.state()
        if state is not None and Settings(self._store).get(sorting.NAME) is not None:
            sorting.learn_labels(self._store, state, seed)

    def _refuse_few(self, n_documents: int) -> None:
        if n_documents == 0:
            raise EmptyCorpus(f"{self.path} holds no documents, and words are learnt from documents. Add some first.")
        if n_documents < FEWEST:
            raise TooFewDocuments(f"to learn from {self.path} takes at least {FEWEST} documents, got {n_documents}. Add documents.")

    def _texts(self, numbers: list[int]) -> Iterator[str]:
        documents = Documents(self._store)
        for start in range(0, len(numbers), BATCH):
            yield from (_text(stored.document) for stored in documents.at(numbers[start : start + BATCH]))

    def search(self, question: str, limit: int = 10, *, by: str = "both", where: Filters = ()) -> list[Hit]:
        """Find documents by a question in plain words.

        Parameters
        ----------
        question : str
        limit : int, default=10
        by : {"both", "words", "meaning"}, default="both"
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
        check_choice("by", by, ("both", "words", "meaning"))
        with self._store.reading():
            return asking.search(self._loaded.state(), self._store, question, limit, by, where)

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

    def clusters(self) -> list[Cluster]:
        """What the documents are about: the clusters, largest first."""
        with self._store.reading():
            state = self._loaded.state()
            return [] if state is None else described(state, self._store)

    def label(self, labels: Mapping[str, str] | None = None, *, column: str | None = None) -> Labelled:
        """Give documents labels, learn from all labels there are, and keep both.

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
            return sorting.learn_labels(self._store, state, load_recipe(self._store).seed)

    def classify(self, texts: Iterable[str] = (), *, ids: Sequence[str] = ()) -> list[Category]:
        """Sort documents into the classes that were learnt from labels.

        Parameters
        ----------
        texts : iterable of str
            New ones.
        ids : sequence of str
            Documents of the index.

        Returns
        -------
        list of Category
            Of the texts, then of the documents; each with its probability and the words that decided.
        """
        with self._store.reading():
            state = self._state_to("classify")
            classes = sorting.load_classes(self._store, state.model)
            if classes is None:
                raise BadLabels(f"{self.path} has learnt no classes yet. Give labels first: index.label(column='section').")
            new, known = list(texts), [_text(document) for document in Documents(self._store).get(list(ids))]
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
        dimension: int | None = None,
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
        dimension : int, optional
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
            return explaining.explain(state, self._store, id, other, cluster, dimension, limit)

    def _state_to(self, verb: str) -> State:
        state = self._loaded.state()
        if state is None:
            raise TooFewDocuments(f"to {verb}, {self.path} must have learnt something first. Use fit().")
        return state

    def export(self, path: str | os.PathLike[str], what: str = "documents") -> int:
        """Write documents, vectors or the map to a file for other programs; return how many rows it has.

        Parameters
        ----------
        path : str or path
            Its suffix chooses the format: csv, tsv, jsonl or parquet for documents, parquet or npz for vectors, npz or safetensors
            for the map. A file that is there is replaced when the new one is whole.
        what : {"documents", "vectors", "map"}, default="documents"
        """
        check_choice("what", what, tuple(exporting.WRITERS))
        with self._store.reading():
            return exporting.export(self._loaded.state(), self._store, Path(path), what)

    def info(self) -> Info:
        """What the index holds."""
        with self._store.reading():
            state, n_documents, size = self._loaded.state(), len(self), os.path.getsize(self.path)
            if state is None:
                return Info(self.path, size, n_documents, 0, 0, n_documents, None, None, 0, 0, 0, 0)
            n_rows, learnt, model = len(state.rows.numbers), state.rows.n_learnt, state.model
            return Info(
                self.path,
                size,
                n_documents,
                learnt,
                n_rows - learnt,
                n_documents - n_rows,
                state.mean_doubt(learnt=True),
                state.mean_doubt(learnt=False),
                len(model.words.forms),
                model.space.n_dimensions,
                model.n_topics,
                model.generation,
            )

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


def _text(document: Document) -> str:
    return f"{document.title}\n{document.text}" if document.title else document.text
