"""Repairs an index: rebuilds what is made from the documents, or copies every readable document into a new index."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from vicinal._store import fulltext
from vicinal._store.copying import appearing
from vicinal._store.document_row import COLUMNS, Lost, Stored, from_row
from vicinal._store.documents import Documents
from vicinal._store.file_check import END, REPAIR, RESTORE, Damage, check, leaves_model
from vicinal._store.filesystem import index_path
from vicinal._store.journal import accept_loss, checkpoint, cut_behind_last_page
from vicinal._store.labels import READ, Label, Labels, from_label_row
from vicinal._store.origins import Origins, from_origin_row
from vicinal._store.schema import MISSING, TABLES
from vicinal._store.settings import Settings
from vicinal._store.store import Store
from vicinal._typing import Json
from vicinal.errors import BadIndex, BadParameter, DamagedIndex

#: Numbers between those that are known are tried too, unless a damaged number would make them too many.
_MOST_TRIED = 20
#: Where numbers of documents, and their ids, can be read: the table from both ends, the full text, and the index of ids.
_SCANS = (
    "SELECT number, NULL FROM documents NOT INDEXED ORDER BY number",
    "SELECT number, NULL FROM documents NOT INDEXED ORDER BY number DESC",
    "SELECT id, NULL FROM words_docsize",
    "SELECT number, id FROM documents INDEXED BY sqlite_autoindex_documents_1 ORDER BY id DESC",
    "SELECT number, id FROM documents INDEXED BY sqlite_autoindex_documents_1 ORDER BY id",
)
#: The tables that a salvage reads.
_READ = ("documents", "labels", "roots", "origins", "settings", "tallies", "words_docsize")


@dataclass(frozen=True)
class Salvaged:
    """The result of a salvage.

    Attributes
    ----------
    n_documents : int
        Documents in the new index.
    n_labels : int
        Labels given to them later, not those they were read with.
    lost : tuple of Lost
        Documents that could not be read.
    n_unknown : int
        Further documents that were counted when they were written, and of which nothing is left.

    Examples
    --------
    >>> from vicinal.index import Lost, Salvaged
    >>> saved = Salvaged(n_documents=9, n_labels=2, lost=(Lost(7, "articles/wheat.txt"),), n_unknown=0)
    >>> [each.id for each in saved.lost]
    ['articles/wheat.txt']
    """

    n_documents: int
    n_labels: int
    lost: tuple[Lost, ...]
    n_unknown: int


def rebuild_derived(store: Store) -> list[Damage]:
    """Write anew whatever is damaged of the full text, arrays and settings, and return the damage that was found.

    Where arrays or settings are damaged, all arrays are dropped, readable settings stay, and no document counts as embedded: the
    model must be fitted again.

    Parameters
    ----------
    store : Store
        Opened unchecked.

    Returns
    -------
    list of Damage
        Empty where the index was sound.

    Raises
    ------
    DamagedIndex
        More is damaged than what is made from the documents. Nothing was changed.
    """
    found = check(store)
    beyond = [damage for damage in found if damage.do != REPAIR]
    if beyond:
        raise DamagedIndex(f"{store.path} cannot be repaired in place: {beyond[0]}")
    if store.lost_commits:
        accept_loss(store)
    if any(damage.table.startswith("words") for damage in found):
        fulltext.rebuild(store)
    if any(not leaves_model(damage) for damage in found):
        drop_arrays(store)
    if any(damage.table == END for damage in found):
        cut_behind_last_page(store)
    return found


def drop_arrays(store: Store) -> None:
    """Drop all arrays and every setting that cannot be read, in one transaction; no document counts as embedded afterwards.

    Parameters
    ----------
    store : Store
    """
    with store.writing():
        settings = _readable_settings(store)
        for table in ("blocks", "arrays", "settings"):
            store.rows(f"DROP TABLE IF EXISTS {table}")
        for table in ("arrays", "blocks", "settings"):
            store.rows(TABLES[table])
        tallies = [(name,) for name in ("arrays", "blocks", "settings")]
        store.execute_many("INSERT OR REPLACE INTO tallies VALUES (?, 0, 0)", tallies)
        store.execute("INSERT OR IGNORE INTO tallies VALUES ('commits', 0, 0)")
        for name, value in settings.items():
            Settings(store).set(name, value)
        Documents(store).set_generation(Documents(store).numbers().tolist(), 0)


def _readable_settings(store: Store) -> dict[str, Json]:
    """Settings by name, without those that are damaged."""
    readable: dict[str, Json] = {}
    for [name] in store.readable_rows("SELECT name FROM settings"):
        try:
            readable[name] = Settings(store).get(name)
        except (BadIndex, BadParameter):
            continue
    return readable


def salvage(store: Store, path: str | os.PathLike[str], settings: Sequence[str] = ()) -> Salvaged:
    """Copy every readable document, with its labels, into a new index; arrays and full text are not read.

    Parameters
    ----------
    store : Store
        The damaged index, opened unchecked.
    path : str or path
        The new index; nothing may be there yet.
    settings : sequence of str, default=()
        Settings to copy, if they can be read.

    Returns
    -------
    Salvaged
    """
    if os.path.lexists(path):
        raise BadParameter(f"a salvage makes a new index, and {path} is there already. Give another path.")
    wrong = store.differences()
    changed = [wrong[name] for name in _READ if name in wrong and not wrong[name].endswith(MISSING)]
    if changed:
        raise DamagedIndex(f"{store.path} cannot be salvaged: {changed[0]}. {RESTORE}")
    lost: dict[int, Lost] = {}
    with appearing(index_path(path), store.path) as unfinished, Store.open(unfinished, create=True) as new:
        with store.reading(), new.writing():
            n_documents = Documents(new).add(stored.document for stored in readable_documents(store, lost)).added
            n_labels = _copy_labels(store, new)
            _copy_origins(store, new)
            for name, value in _readable_settings(store).items():
                if name in settings:
                    Settings(new).set(name, value)
        checkpoint(new)
    counted = store.readable_rows("SELECT n_rows FROM tallies WHERE name = 'documents'") or [(0,)]
    n_unknown = max(0, int(counted[0][0]) - n_documents - len(lost))
    return Salvaged(n_documents, n_labels, tuple(lost.values()), n_unknown)


def readable_documents(store: Store, lost: dict[int, Lost]) -> Iterator[Stored]:
    """Documents in the order of their numbers, each looked up by itself; those that cannot be read are put into ``lost``."""
    ids = {number: id for scan in _SCANS for number, id in store.readable_rows(scan) if isinstance(number, int)}
    for number in _numbers_to_try(ids):
        row: tuple[object, ...] | None = None
        try:
            row = next(iter(store.rows(f"SELECT {COLUMNS} FROM documents NOT INDEXED WHERE number = ?", (number,))), None)
            if row is not None:
                yield from_row(row)
            elif number in ids:
                lost[number] = Lost(number, ids[number] or "")
        except BadIndex:
            id = ids.get(number) or (row[4] if row is not None else "")
            lost[number] = Lost(number, id if isinstance(id, str) else "")


def _numbers_to_try(known: dict[int, str | None]) -> list[int]:
    last = max(known, default=0)
    between = range(1, last + 1) if last <= _MOST_TRIED * (len(known) + 1) else ()
    return sorted({*between, *known})


def readable_labels(store: Store) -> dict[int, Label]:
    """Labels in force by number of the document, without those that cannot be read.

    Parameters
    ----------
    store : Store

    Returns
    -------
    dict from int to Label
    """
    rows = store.readable_rows("SELECT number, label FROM documents WHERE label != ''")
    in_force = {number: Label(label, READ) for number, label in rows if isinstance(label, str)}
    for row in store.readable_rows("SELECT document, label, origin, checksum FROM labels"):
        with suppress(BadIndex):
            in_force[row[0]] = from_label_row(row)
    return {number: label for number, label in sorted(in_force.items()) if label.label}


def _copy_labels(store: Store, new: Store) -> int:
    """Give documents of a new index the labels that were given to them in a damaged one, as far as both can be read."""
    copied = 0
    for row in store.readable_rows("SELECT document, label, origin, checksum FROM labels"):
        try:
            label = from_label_row(row)
            [[id]] = store.rows("SELECT id FROM documents NOT INDEXED WHERE number = ?", row[:1])
        except (BadIndex, ValueError):
            continue
        found = Documents(new).find([id])
        Labels(new).give(dict.fromkeys(found.values(), label.label), label.origin)
        copied += len(found)
    return copied


def _copy_origins(store: Store, new: Store) -> None:
    """Keep where documents came from, as far as it can be read: what is not known is found out when they are next added."""
    known = Origins(new)
    with suppress(BadIndex):
        for root in Origins(store).roots():
            known.put_root(root)
    there = {root.number for root in known.roots()}
    rows = store.readable_rows("SELECT document, root, path, part, checksum FROM origins") if there else []
    for row in rows:
        with suppress(BadIndex, ValueError):
            number, origin = from_origin_row(row)
            [[id]] = store.rows("SELECT id FROM documents NOT INDEXED WHERE number = ?", (number,))
            found = Documents(new).find([id]) if origin.root in there else {}
            known.put(dict.fromkeys(found.values(), origin))
