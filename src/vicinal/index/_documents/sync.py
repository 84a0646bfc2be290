"""Sync: brings an index in step with files: new, changed and moved documents, and those that are gone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from vicinal._progress import Progress
from vicinal._store import Counts, Documents, Identities, Origins, Store
from vicinal._store.identities import adopt_unknown
from vicinal._store.origins import Origin
from vicinal._store.provenance import named_root
from vicinal._store.root_names import RootNames
from vicinal.corpus import Reading, read
from vicinal.corpus._files import walk
from vicinal.errors import BadParameter, EmptyCorpus
from vicinal.index._documents.arrival_results import Synced
from vicinal.index._documents.arrivals import named
from vicinal.index._documents.embed_new import BATCH, Followed, embed_new
from vicinal.index._documents.read_sources import recorded_options
from vicinal.index._documents.relocated import relocate
from vicinal.index._documents.shifted_rows import labels_by_position, labels_follow
from vicinal.index._index_state import StateCache

#: Documents by number, each with the file it came from, as a path, and its origin.
Located = dict[int, tuple[str, Origin]]


def sync(cache: StateCache, source: Reading | Path, remove: bool, progress: Progress) -> Synced:
    """Add, replace and move documents, and list or remove those that are gone; see `Index.sync`."""
    store = cache.store
    relocated = relocate(store, source._sources if isinstance(source, Reading) else [source])
    reading = source if isinstance(source, Reading) else read(source)._as_recorded(recorded_options(store))
    roots = named(reading)
    before, labels = _before(store, reading, roots), labels_by_position(store, roots)
    identities, followed = Identities(store, named=roots), Followed(store)
    identities.expect(_without_file(before, _files(reading._sources)))
    counts = _added(store, reading, identities, followed, progress)
    labels_follow(store, labels, reading, identities.numbers)
    gone, unread = _missing(before, identities.numbers, _paths(each.source for each in reading.skipped))
    ids = Documents(store).ids(gone)
    removed = Documents(store).remove(ids, followed.changes) if remove else 0
    embedded = embed_new(cache, progress, followed)
    return Synced(
        counts.added,
        counts.changed,
        counts.unchanged,
        embedded,
        dict(identities.moved),
        tuple(ids),
        removed,
        tuple(Documents(store).ids(unread)),
        dict(identities.naming.renamed),
        tuple(reading.skipped),
        relocated,
    )


def _added(store: Store, reading: Reading, identities: Identities, followed: Followed, progress: Progress) -> Counts:
    return Documents(store).add(
        reading,
        batch_size=BATCH,
        after_batch=lambda so_far: progress("add", so_far.seen, 0),
        identities=identities,
        changes=followed.changes,
    )


def _before(store: Store, reading: Reading, roots: Iterable[str]) -> Located:
    """The documents of an index that came from what is read; streams, and folders that have become empty, are refused."""
    if not roots:
        raise BadParameter("an index is kept in step with files and folders, got a stream. Add its documents instead.")
    found = _located(store, roots)
    if found and reading._peek() is None:
        raise EmptyCorpus(
            f"there is no document in {', '.join(roots)}, and {store.path} has {len(found):,} from there: perhaps it is not "
            "mounted. If they are to go, remove them by their ids."
        )
    return found


def _located(store: Store, roots: Iterable[str]) -> Located:
    """The documents that came from these files and folders, also of an index that was moved together with them."""
    with store.writing():
        origins = Origins(store)
        names = RootNames(origins)
        adopt_unknown(store, origins, names)
        for path in roots:
            names.containing(path)
        return {number: where for path in roots for number, where in origins.under(path).items()}


def _files(sources: Iterable[Path]) -> set[str]:
    """The files that are there, each by the absolute path that origins have."""
    found: set[str] = set()
    for source in sources:
        root = named_root(source, is_folder=os.path.isdir(source))
        found.update(os.path.join(root, *each.name.split("/")[1:]) for each in walk(source, lambda *_: None))
    return found


def _without_file(before: Located, files: set[str]) -> dict[int, Origin]:
    there: Mapping[str, bool] = {file: _is_there(file, files) for file, _ in before.values()}
    return {number: origin for number, (file, origin) in before.items() if not there[file]}


def _is_there(file: str, files: set[str]) -> bool:
    """Whether a file is there, or the archive that it lies in."""
    return os.path.lexists(file) or any(each in files for each in (file, *map(str, Path(file).parents)))


def _missing(before: Located, seen: set[int], skipped: set[str]) -> tuple[list[int], list[int]]:
    """Of the documents that did not arrive: those that are gone, and those whose file or folder could not be read."""
    gone: list[int] = []
    unread: list[int] = []
    for number, (file, _) in before.items():
        if number not in seen:
            hidden = skipped and any(each in skipped for each in (file, *map(str, Path(file).parents)))
            (unread if hidden else gone).append(number)
    return gone, unread


def _paths(sources: Iterable[str]) -> set[str]:
    return {named_root(source, is_folder=False) for source in sources}
