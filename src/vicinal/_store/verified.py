"""Documents by number and by id, read without their texts and verified all the same: by their order, and by the index of ids.

The checksum of a row covers its texts, which are long. Numbers are in order unless a page is in another place; and each id stands
in the table and once more in the index of ids, on another page.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from vicinal._store.checksums import counted
from vicinal._store.document_row import LARGEST_NUMBER
from vicinal._store.statements import SqlRow, SqlValue
from vicinal._store.store import Store
from vicinal._typing import IntArray
from vicinal.errors import DamagedIndex

_IDS = """SELECT number, id, EXISTS (SELECT 1 FROM documents AS again INDEXED BY sqlite_autoindex_documents_1
          WHERE again.id = documents.id AND again.number = documents.number)
          FROM documents NOT INDEXED WHERE number IN (SELECT value FROM json_each(?))"""


def rising(store: Store, rows: Iterable[tuple[Any, ...]]) -> IntArray:
    """The numbers that rows begin with, if each is larger than the one before.

    Parameters
    ----------
    store : Store
    rows : iterable of tuple

    Returns
    -------
    ndarray of int64

    Raises
    ------
    DamagedIndex
        They are not: a page of the table is in another place, or leads round in a circle.
    """
    numbers = [row[0] for row in rows]
    found = np.array(numbers if all(isinstance(number, int) for number in numbers) else [0, 0], dtype=np.int64)
    if np.any(found[1:] <= found[:-1]):
        raise DamagedIndex(f"{store.path} is damaged: documents are not in order of number. Salvage the index.")
    return found


def ids_of(store: Store, numbers: Sequence[int]) -> list[str]:
    """Ids of documents by number, in the order asked for.

    Parameters
    ----------
    store : Store
    numbers : sequence of int

    Returns
    -------
    list of str

    Raises
    ------
    DamagedIndex
        A document is gone, or its id is not the one that the index of ids has.
    """
    found = {number: id for number, id, same in store.rows(_IDS, (json.dumps(list(numbers)),)) if same and isinstance(id, str)}
    lost = [number for number in numbers if number not in found]
    if lost:
        raise DamagedIndex(f"{store.path} is damaged: the id of document {lost[0]} cannot be read. Salvage the index.")
    return [found[number] for number in numbers]


def among_all(store: Store, clause: str, values: Sequence[SqlValue]) -> list[SqlRow]:
    """Numbers of the documents that a condition holds of; no page of the table may be missing, or be another's.

    So all documents are counted, in the same walk through the table, which costs no more than to look at them.

    Parameters
    ----------
    store : Store
    clause : str
    values : sequence
        For its question marks.

    Returns
    -------
    list of (int,)
        In the order of the table.
    """
    statement = f"SELECT count(*), json_group_array(number) FILTER (WHERE {clause}) FROM documents NOT INDEXED"
    [[there, passing]] = store.rows(statement, values)
    counted(store, "documents", there)
    return [(number,) for number in json.loads(passing)]


def next_number(store: Store) -> int:
    """One more than was ever given to a document, also to those that were removed since.

    Parameters
    ----------
    store : Store

    Returns
    -------
    int

    Raises
    ------
    DamagedIndex
        What was given last is no number, or too large for one.
    """
    [[given]] = store.rows("SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'documents'), 0), "
                           "coalesce((SELECT max(number) FROM documents), 0))")  # fmt: skip
    if not isinstance(given, int) or not 0 <= given < LARGEST_NUMBER:
        raise DamagedIndex(f"{store.path} is damaged: the last number of a document is {given!r:.40}. Salvage the index.")
    return given + 1
