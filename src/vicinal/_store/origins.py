"""Where the documents of a store came from: the files and folders that were named, and of each document the file and the part."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, final

from vicinal._store.checksums import change_tally, checksum
from vicinal._store.statements import SqlRow
from vicinal._store.store import Store
from vicinal.errors import DamagedIndex

_FIRST_FORMAT = 2


@dataclass(frozen=True)
class Root:
    """A file, folder or stream that was named to read it.

    Parameters
    ----------
    number : int
    path : str
        Its absolute path, or the name of a stream.
    beside : str
        Its path from the folder of the index; empty for a stream.
    name : str
        What ids of its documents begin with: no other root has it.
    options : dict
        The columns and the encoding that it was read with.
    """

    number: int
    path: str
    beside: str
    name: str
    options: Mapping[str, object] = field(default_factory=dict)


class Origin(NamedTuple):
    """What a document came from: the number of the root, the file in it, and the part of the file."""

    root: int
    path: str
    part: str


@final
class Origins:
    """The roots and origins of a store; none where its file is older than they are.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    @property
    def kept(self) -> bool:
        """Whether the file has tables for them."""
        return self.store.format >= _FIRST_FORMAT

    def roots(self) -> list[Root]:
        """All roots, in the order in which they were named."""
        if not self.kept:
            return []
        return [
            _root(row) for row in self.store.rows("SELECT root, path, beside, name, options, checksum FROM roots ORDER BY root")
        ]

    def put_root(self, root: Root) -> None:
        """Write a root, in place of the one with its number.

        Parameters
        ----------
        root : Root
        """
        options = json.dumps(dict(root.options), ensure_ascii=True, sort_keys=True)
        row = root.number, root.path, root.beside, root.name, options
        check = checksum(*row)
        with self.store.writing():
            old = self.store.rows("SELECT checksum FROM roots WHERE root = ?", (root.number,))
            self.store.execute(
                "INSERT INTO roots (root, path, beside, name, options, checksum) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (root) "
                "DO UPDATE SET path = excluded.path, beside = excluded.beside, name = excluded.name, options = excluded.options, "
                "checksum = excluded.checksum",
                (*row, check),
            )
            change_tally(self.store, "roots", 1 - len(old), check - sum(each for (each,) in old))

    def put(self, origins: Mapping[int, Origin], *, of_new: bool = False) -> None:
        """Write where documents came from, in place of what was known of them.

        Parameters
        ----------
        origins : mapping from number of a document to Origin
        of_new : bool, default=False
            Whether the documents are new, so that nothing is known of them.
        """
        rows = [(number, *origin, checksum(number, *origin)) for number, origin in origins.items()]
        if not rows:
            return
        with self.store.writing():
            if not of_new:
                self.forget(list(origins))
            self.store.execute_many("INSERT INTO origins (document, root, path, part, checksum) VALUES (?, ?, ?, ?, ?)", rows)
            change_tally(self.store, "origins", len(rows), sum(row[4] for row in rows))

    def forget(self, numbers: Sequence[int]) -> None:
        """Delete where documents came from.

        Parameters
        ----------
        numbers : sequence of int
        """
        if not self.kept:
            return
        with self.store.writing():
            asked = (json.dumps(list(numbers)),)
            checks = self.store.rows("SELECT checksum FROM origins WHERE document IN (SELECT value FROM json_each(?))", asked)
            self.store.execute("DELETE FROM origins WHERE document IN (SELECT value FROM json_each(?))", asked)
            change_tally(self.store, "origins", -len(checks), -sum(check for (check,) in checks))

    def of(self, numbers: Iterable[int]) -> dict[int, Origin]:
        """Origins of documents, by number; those of which none is known are left out.

        Parameters
        ----------
        numbers : iterable of int

        Returns
        -------
        dict from int to Origin
        """
        if not self.kept:
            return {}
        asked = (json.dumps([int(number) for number in numbers]),)
        return dict(map(from_origin_row, self.store.rows(f"{_SELECT} WHERE document IN (SELECT value FROM json_each(?))", asked)))

    def find(self, origins: Iterable[Origin]) -> dict[Origin, int]:
        """Numbers of the documents that came from there; origins that no document has are left out.

        Parameters
        ----------
        origins : iterable of Origin

        Returns
        -------
        dict from Origin to int
        """
        if not self.kept:
            return {}
        asked = json.dumps(list(origins))
        rows = self.store.rows(
            "WITH asked AS (SELECT json_extract(value, '$[0]') AS root, json_extract(value, '$[1]') AS path, "
            f"json_extract(value, '$[2]') AS part FROM json_each(?)) {_SELECT} JOIN asked USING (root, path, part)",
            (asked,),
        )
        return {origin: number for number, origin in map(from_origin_row, rows)}

    def under(self, path: str) -> dict[int, tuple[str, Origin]]:
        """Documents that came from a file, or from any file of a folder: absolute path of the file, and origin, by number.

        Parameters
        ----------
        path : str
            As `named_root` writes it.

        Returns
        -------
        dict from int to (str, Origin)
        """
        found: dict[int, tuple[str, Origin]] = {}
        for root in self.roots():
            if not (_contains(path, root.path) or _contains(root.path, path)):
                continue
            for number, origin in map(from_origin_row, self.store.rows(f"{_SELECT} WHERE root = ?", (root.number,))):
                file = file_of(root, origin)
                if _contains(path, file):
                    found[number] = file, origin
        return found

    def every(self) -> list[tuple[int, Origin]]:
        """All origins with the numbers of their documents, each compared with its checksum."""
        return list(map(from_origin_row, self.store.rows(_SELECT))) if self.kept else []

    def any(self) -> bool:
        """Whether any origin is known."""
        return self.kept and bool(self.store.rows("SELECT 1 FROM origins LIMIT 1"))


_SELECT = "SELECT origins.document, origins.root, origins.path, origins.part, origins.checksum FROM origins"


def file_of(root: Root, origin: Origin) -> str:
    """The absolute path of the file that a document came from.

    Parameters
    ----------
    root : Root
    origin : Origin

    Returns
    -------
    str
    """
    return os.path.join(root.path, *origin.path.split("/")) if origin.path else root.path


def _contains(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def from_origin_row(row: SqlRow) -> tuple[int, Origin]:
    """Turn a row (document, root, path, part, checksum) into a number and an origin, if the checksum is that of its content.

    Parameters
    ----------
    row : tuple

    Returns
    -------
    int, Origin
    """
    number, root, path, part, check = row
    if checksum(number, root, path, part) != check:
        raise DamagedIndex(
            f"the origin of document {number} is damaged: its checksum is not that of its content. Salvage the index."
        )
    return number, Origin(root, path, part)


def _root(row: SqlRow) -> Root:
    try:
        options = json.loads(row[4]) if checksum(*row[:5]) == row[5] else None
    except ValueError:
        options = None
    if not isinstance(options, dict):
        raise DamagedIndex(f"root {row[0]} is damaged: its checksum is not that of its content. Salvage the index.")
    number, path, beside, name = row[:4]
    return Root(number, path, beside, name, options)
