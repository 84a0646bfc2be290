"""Documents that arrive: told apart by their sources, added, and embedded by the model."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from vicinal._progress import Progress
from vicinal._store import Counts, Documents, Identities
from vicinal._store.provenance import named_root
from vicinal.corpus import Document, Reading, Skipped
from vicinal.errors import BadParameter
from vicinal.index._documents.arrival_results import Added
from vicinal.index._documents.embed_new import BATCH, Followed, embed_new
from vicinal.index._documents.shifted_rows import labels_by_position, labels_follow
from vicinal.index._index_state import StateCache


def add(
    cache: StateCache,
    documents: Iterable[Document],
    update: bool | None,
    progress: Progress,
    *,
    insert: bool = True,
) -> Added:
    """Add documents, or replace those that are there; see `Index.add` and `Index.update`."""
    store = cache.store
    roots = named(documents)
    identities, followed = Identities(store, replacing=update is True, named=roots), Followed(store)
    labels = labels_by_position(store, roots)
    counts = Documents(store).add(
        documents,
        update=update is not False,
        batch_size=BATCH,
        after_batch=lambda so_far: progress("add", so_far.seen, 0),
        identities=identities,
        insert=insert,
        changes=followed.changes,
    )
    if isinstance(documents, Reading):
        labels_follow(store, labels, documents, identities.numbers)
    return added(counts, identities, update, embed_new(cache, progress, followed), skipped_of(documents))


def update(cache: StateCache, documents: Iterable[Document], progress: Progress) -> Added:
    """Replace documents that are there. Of a reading others are counted; of documents that were given, one more is an error."""
    if isinstance(documents, Reading):
        return add(cache, documents, True, progress, insert=False)
    try:
        with cache.store.writing():
            done = add(cache, documents, True, progress, insert=False)
            if done.absent:
                raise BadParameter(
                    f"{len(done.absent)} of the documents to update are not in {cache.store.path}, "
                    f"the first is {done.absent[0]!r:.80}. Add them first."
                )
            return done
    except BaseException:
        cache.forget()
        raise


def named(documents: Iterable[Document]) -> dict[str, tuple[str, Mapping[str, object]]]:
    """The files and folders that a reading reads, by absolute path, with their names and the options of the reading."""
    if not isinstance(documents, Reading):
        return {}
    return {
        named_root(path, is_folder=os.path.isdir(path)): (os.path.basename(os.path.abspath(path)) or "root", options)
        for path, options in documents._for_index()
    }


def added(counts: Counts, identities: Identities, update: bool | None, embedded: int, skipped: tuple[Skipped, ...]) -> Added:
    """What was done, as a result."""
    changed, kept = (0, counts.changed) if update is False else (counts.changed, 0)
    renamed, replaced = dict(identities.naming.renamed), tuple(identities.naming.replaced)
    return Added(counts.added, changed, counts.unchanged, embedded, kept, counts.absent, renamed, replaced, skipped)


def skipped_of(documents: Iterable[Document]) -> tuple[Skipped, ...]:
    """What a reading could not read."""
    return tuple(documents.skipped) if isinstance(documents, Reading) else ()
