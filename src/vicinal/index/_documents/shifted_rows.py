"""Rows and parts without an id of their own are known by their position; where they were shifted, labels go with the texts.

A row that is put in front of a table gives every other row the position of its neighbour. A label that was given to a text must not
become that of the text which is in its position now.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, final

from vicinal._plural import counted
from vicinal._store import Label, Labels, Origins, Store
from vicinal._store.checksums import digest
from vicinal._store.labels import from_label_row
from vicinal._store.provenance import OWN_ID
from vicinal.corpus import Reading

#: A file, as the number of its root and the path from there.
File: TypeAlias = tuple[int, str]
#: Digests of the texts of a file, by number of the document.
Texts: TypeAlias = Mapping[int, bytes]


@final
@dataclass(frozen=True)
class LabelsByPosition:
    """Labels that were given to documents known by their position, with all texts of their files, before these are read again.

    Attributes
    ----------
    roots : tuple of str
    labels : dict from number of a document to Label
    texts : dict from File to digests by number
    """

    roots: tuple[str, ...]
    labels: Mapping[int, Label]
    texts: Mapping[File, Texts]


def labels_by_position(store: Store, roots: Iterable[str]) -> LabelsByPosition:
    """The labels of rows and parts below some files and folders that could be shifted; reads no text where there are none."""
    given = {row[0]: from_label_row(row) for row in store.rows("SELECT document, label, origin, checksum FROM labels")}
    if not given:
        return LabelsByPosition((), {}, {})
    roots = tuple(roots)
    files = _files(store, roots)
    labels = {number: given[number] for members in files.values() for number in members if number in given}
    texts = {file: _texts(store, each) for file, each in files.items() if not labels.keys().isdisjoint(each)}
    return LabelsByPosition(roots, labels, texts)


def labels_follow(store: Store, before: LabelsByPosition, reading: Reading, seen: Collection[int]) -> None:
    """Give each label to the position where its text is now, and say so in a note of the reading.

    Parameters
    ----------
    store : Store
    before : LabelsByPosition
    reading : Reading
    seen : collection of int
        Numbers of the documents that were there and were read again.
    """
    if not before.labels:
        return
    moved: dict[int, Label] = {}
    left: set[int] = set()
    with store.writing():
        files = _files(store, before.roots)
        for file, texts in before.texts.items():
            went, homeless = _went(before.labels, texts, _texts(store, files.get(file, ())), seen)
            moved |= {went[number]: before.labels[number] for number in went}
            left |= {*went, *homeless}
        Labels(store).take(left)
        for number, label in moved.items():
            Labels(store).give({number: label.label}, label.origin)
    if left:
        reading._report.note(_told(len(moved), len(left) - len(moved)))


def _told(n_moved: int, n_taken: int) -> str:
    said = [f"{counted(n_moved, 'label')} went with the text to its new position"] if n_moved else []
    said += [f"{counted(n_taken, 'label')} went with texts that are gone"] if n_taken else []
    return f"rows or parts have other positions than before: {', '.join(said)}; an id column (--id) tells rows apart for good"


def _went(labels: Mapping[int, Label], before: Texts, now: Texts, seen: Collection[int]) -> tuple[dict[int, int], set[int]]:
    """Of the labelled documents of a file: where the text of each is now, and those whose text is gone for that of another."""
    arrived: dict[bytes, list[int]] = {}
    for number in sorted(now, reverse=True):
        if before.get(number) != now[number]:
            arrived.setdefault(now[number], []).append(number)
    went: dict[int, int] = {}
    homeless: set[int] = set()
    for number in sorted(labels.keys() & before.keys()):
        if number in seen and now.get(number) == before[number]:
            continue
        if arrived.get(before[number]):
            went[number] = arrived[before[number]].pop()
        elif number in seen and now.get(number) in before.values():
            homeless.add(number)
    return went, homeless


def _files(store: Store, roots: Iterable[str]) -> dict[File, list[int]]:
    """The documents of each file below some roots that are known by their position in it."""
    origins, found = Origins(store), dict[File, list[int]]()
    for root in roots:
        for number, (_, origin) in origins.under(root).items():
            if origin.part and not origin.part.startswith(OWN_ID):
                found.setdefault((origin.root, origin.path), []).append(number)
    return found


def _texts(store: Store, numbers: Iterable[int]) -> dict[int, bytes]:
    asked = (json.dumps(list(numbers)),)
    rows = store.rows("SELECT number, text FROM documents WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number", asked)
    return {number: digest(text) for number, text in rows}
