"""Files and folders that were moved: a root whose path is gone is the folder that holds the same documents at the same paths."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from vicinal._store import Documents, Origins, Store
from vicinal._store.origins import Origin, Root
from vicinal._store.provenance import Provenances, named_root
from vicinal._store.root_names import RootNames
from vicinal.corpus import read

#: So many documents are read to see whether a folder is one that was moved, and this share of them must be as they were.
SAMPLE, LEAST_SHARE = 20, 0.5


def relocate(store: Store, sources: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    """Give roots that were moved their new paths, so that their documents keep ids, labels and embeddings.

    Contents are compared: a file of the same name with other documents is another source, and nothing of the old one is touched.

    Parameters
    ----------
    store : Store
    sources : iterable of path
        Files and folders that are about to be read.

    Returns
    -------
    dict from str to str
        Old path and new one of each root that was moved.
    """
    there = [Path(source) for source in sources if os.path.lexists(source)]
    paths = {named_root(path, is_folder=path.is_dir()): path for path in there}
    with store.reading():
        gone = [root for root in Origins(store).roots() if os.path.isabs(root.path) and not os.path.lexists(root.path)]
    if not gone or not paths:
        return {}
    with store.writing():
        names, found = RootNames(Origins(store)), {}
        for path, source in paths.items():
            if names.containing(path) is None and (root := _same_root(store, gone, source)) is not None:
                found[root.path] = path
                names.lead_to(root, path)
                gone.remove(root)
    return found


def _same_root(store: Store, gone: Iterable[Root], source: Path) -> Root | None:
    """The root that has most of the first documents of a file or folder, if it has enough of them."""
    shares = {root.number: _share(store, root, source) for root in gone}
    best = max(gone, key=lambda root: shares[root.number])
    return best if shares[best.number] >= LEAST_SHARE else None


def _share(store: Store, root: Root, source: Path) -> float:
    """The share of the first documents of a source that a root has at the same path, with the same text."""
    options: dict[str, Any] = dict(root.options)  # as they were given to `read` and written down
    with read(source, **options) as reading:
        first, provenances = list(islice(reading, SAMPLE)), Provenances()
    found = [(each, provenances.of(each)) for each in first]
    origins = {Origin(root.number, where.path, where.part): each.text for each, where in found if where is not None}
    known = Origins(store).find(origins)
    texts = {stored.number: stored.document.text for stored in Documents(store).at(known.values())}
    return sum(texts[number] == origins[origin] for origin, number in known.items()) / len(first) if first else 0.0
