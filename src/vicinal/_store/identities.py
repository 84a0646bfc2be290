"""Which document of a store is the one that arrives: by where it came from first, and by its id where that is not known.

A document that came from the same place as one that is there is that document, whatever path led to it. A document that came from
elsewhere is another one, though its id be the same: it gets an id of its own, unless it is to replace the one that is there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias, final

from vicinal._store.checksums import digest
from vicinal._store.document_row import DocumentRow, to_row
from vicinal._store.origins import Origin, Origins, Root
from vicinal._store.provenance import STREAMS, Provenance, Provenances, folder_of, is_stream
from vicinal._store.root_names import RootNames, absolute, relative
from vicinal._store.statements import SqlRow
from vicinal._store.store import Store
from vicinal.corpus import Document
from vicinal.corpus._document import Scalar

FOLDER, PARENT = "folder", "parent"
#: What is being read, by absolute path: the name that ids begin with, and the options of the reading.
Named: TypeAlias = Mapping[str, tuple[str, Mapping[str, object]]]


class Known(NamedTuple):
    """A document of the store: what is compared with one that arrives."""

    id: str
    number: int
    digest: bytes
    source: str


@dataclass(frozen=True)
class Arrival:
    """A document that arrives, with the number of the one that it is (None for a new one), and whether its content differs.

    One that was ``moved`` has the text of a document whose file is gone, and gets its number: what is known of it stays.
    """

    row: DocumentRow
    number: int | None = None
    changed: bool = False
    origin: Origin | None = None
    moved: bool = False


class _KnownBatch(NamedTuple):
    """What is known of a batch: documents by origin, by id and by number, and their origins."""

    numbers: Mapping[Origin, int]
    there: Mapping[str | int, Known]
    origins: Mapping[int, Origin]
    #: Ids of documents that are new.
    new: set[str]


@dataclass
class Naming:
    """What was decided about ids and is worth a report.

    Parameters
    ----------
    renamed : dict from str to str
        Ids, and names of whole sources, that another source has: as they came, and as the store calls them. An id that came
        more than once has its source behind it from the second time on.
    replaced : list of str
        Ids of documents that were replaced by one from another source.
    """

    renamed: dict[str, str] = field(default_factory=dict)
    replaced: list[str] = field(default_factory=list)


@final
class Identities:
    """Decides of each document that arrives which one of the store it is; inside `Store.writing`.

    Parameters
    ----------
    store : Store
    replacing : bool, default=False
        Whether a document replaces one with its id that came from elsewhere.
    named : mapping from str to (name, options), default={}
        Absolute paths of the files and folders that are being read.
    """

    def __init__(self, store: Store, replacing: bool = False, named: Named | None = None) -> None:
        self._store, self._replacing, self._named = store, replacing, dict(named or {})
        self._origins = Origins(store)
        self._provenances = Provenances()
        self._streams: dict[str, int] = {}
        self._version: list[SqlRow] | None = None
        self._located: dict[tuple[str, str], tuple[int, str, str]] = {}
        self._led: set[int] = set()
        self._gone: dict[bytes, dict[int, tuple[Origin, str]]] = {}
        self.naming = Naming()
        #: Numbers of the documents that arrived and were there.
        self.numbers: set[int] = set()
        #: Ids of documents whose files were moved, with the ids they have now.
        self.moved: dict[str, str] = {}

    def resolve(self, batch: Sequence[tuple[Document, DocumentRow]]) -> tuple[list[Arrival], int]:
        """Tell which documents the first ones of a batch are, as many as do not depend on one another.

        What became of them must be in the store before the others are asked for: then it makes no difference where a batch ends.

        Parameters
        ----------
        batch : sequence of (Document, DocumentRow)

        Returns
        -------
        arrivals : list of Arrival
        n_resolved : int
            How many documents of the batch these are; at least one.
        """
        self._look_up_roots()
        asked = self._independent(batch)
        known = self._origins.find(origin for _, origin in asked if origin is not None)
        by_id = {row.id for row, origin in asked if origin not in known}
        there = self._there(list(by_id), list(known.values()))
        origins = self._origins.of({each.number for each in there.values() if each.id in by_id})
        known_of = _KnownBatch(known, there, origins, set())
        arrivals: list[Arrival] = []
        for row, origin in asked:
            if row.id in known_of.new:  # an id that another got in place of its own
                break
            arrivals.append(self._arrival(row, origin, known_of))
        self.naming.renamed.update(self._roots.renamed)
        found = [self._moved(each) for each in arrivals]
        self.numbers.update(each.number for each in found if each.number is not None)
        return found, len(found)

    def _independent(self, batch: Sequence[tuple[Document, DocumentRow]]) -> list[tuple[DocumentRow, Origin | None]]:
        """The first documents of a batch, up to one that has the id or origin of another of them, or begins to have a source."""
        asked: list[tuple[DocumentRow, Origin | None]] = []
        seen: set[object] = set()
        for document, row in batch:
            if bool(document.source) != bool(batch[0][0].source):  # names of sources depend on ids without one
                break
            row, origin = self._asked(document, row)
            taken = {row.id} if origin is None else {row.id, origin}
            if taken & seen:
                break
            seen |= taken
            asked.append((row, origin))
        return asked

    def expect(self, gone: Mapping[int, Origin]) -> None:
        """Expect documents whose files are gone under other names: a new one with the text of one of them is that one.

        Parameters
        ----------
        gone : mapping from number of a document to Origin
        """
        for number, id, text in self._store.rows(
            "SELECT number, id, text FROM documents WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number",
            (json.dumps(list(gone)),),
        ):
            self._gone.setdefault(digest(text), {})[number] = gone[number], id

    def _moved(self, arrival: Arrival) -> Arrival:
        """A new document as the one that was moved, where one with its text is gone; of several, that with its part or name."""
        waiting = self._gone.get(digest(arrival.row.text), {}) if self._gone and arrival.number is None else {}
        if arrival.origin is None or not waiting:
            return arrival
        part, name = arrival.origin.part, arrival.origin.path.rpartition("/")[2]
        number = max(waiting, key=lambda each: (waiting[each][0].part == part, waiting[each][0].path.rpartition("/")[2] == name))
        self.moved[waiting.pop(number)[1]] = arrival.row.id
        return replace(arrival, number=number, changed=True, moved=True)

    def _look_up_roots(self) -> None:
        """At first, and after another process has written."""
        version = self._store.rows("PRAGMA data_version")
        if version != self._version:
            self._version, self._roots, self._located = version, RootNames(self._origins), {}
            adopt_unknown(self._store, self._origins, self._roots)

    def _asked(self, document: Document, row: DocumentRow) -> tuple[DocumentRow, Origin | None]:
        """A document with the id it has by its origin, and the origin."""
        found = self._provenances.of(document)
        if found is None:
            return row, None
        where = found.root, found.path
        if where not in self._located:
            root = self._root(found, row)
            path = relative(root, found)
            self._located[where] = root.number, path, f"{root.name}{'/' if path else ''}{path}"
        number, path, name = self._located[where]
        origin = Origin(number, path, found.part)
        id = found.own_id if found.own_id is not None else f"{name}{found.part}"
        metadata = _with_parent(_metadata(document, found, folder_of(path, found.part)), document.id, id)
        if id == row.id and metadata is document.metadata:
            return row, origin
        return to_row(replace(document, id=id, metadata=metadata)), origin

    def _root(self, found: Provenance, row: DocumentRow) -> Root:
        if found.root in STREAMS and is_stream(found.root):
            return self._stream(found, row)
        root = self._roots.containing(absolute(found))
        path, name, options = self._name(found)
        if root is None and self._replacing and (root := self._roots.named(name)) is not None:
            root = self._roots.lead_to(root, path)
            self._led.add(root.number)
        root = root or self._roots.register(path, name, options)
        return self._roots.read_with(root, options) if path == root.path and path in self._named else root

    def _name(self, found: Provenance) -> tuple[str, str, Mapping[str, object]]:
        """Path, name and options of what is being read: as it was said, or else as the document tells."""
        for path, (name, options) in self._named.items():
            if found.root == path or absolute(found).startswith(path.rstrip(os.sep) + os.sep):
                return path, name, options
        return found.root, found.name, {}

    def _stream(self, found: Provenance, row: DocumentRow) -> Root:
        """A stream that begins as one did before goes on with it; any other is new."""
        if found.root not in self._streams:
            before = [root for root in self._roots.by_number.values() if root.path.rpartition(":")[0] == found.root]
            same = (root for root in before if self._replacing or self._began_so(root, found, row))
            self._led.update(root.number for root in before if self._replacing)
            root = next(same, None) or self._roots.register(f"{found.root}:{len(before) + 1}", found.name, {})
            self._streams[found.root] = root.number
        return self._roots.by_number[self._streams[found.root]]

    def _began_so(self, root: Root, found: Provenance, row: DocumentRow) -> bool:
        number = self._origins.find([Origin(root.number, "", found.part)])
        return any(_is_same(row, each) for each in self._there([], list(number.values())).values())

    def _there(self, ids: Sequence[str], numbers: Sequence[int]) -> dict[str | int, Known]:
        """Documents by id and by number."""
        found: list[Known] = []
        for column, values in (("id", list(ids)), ("number", list(numbers))):
            statement = f"SELECT id, number, digest, source FROM documents WHERE {column} IN (SELECT value FROM json_each(?))"
            found += [Known(*row) for row in self._store.rows(statement, (json.dumps(values),))] if values else []
        return {each.id: each for each in found} | {each.number: each for each in found}

    def _arrival(self, row: DocumentRow, origin: Origin | None, known: _KnownBatch) -> Arrival:
        if origin is not None and origin in known.numbers:
            arrival = _compared(row, known.there[known.numbers[origin]], None)
            self.naming.replaced += [arrival.row.id] if arrival.changed and origin.root in self._led else []
            return arrival
        other = known.there.get(row.id)
        if other is None:
            known.new.add(row.id)
            return Arrival(row, origin=origin)
        if origin is None or _is_same(row, other) or self._is_from(row, origin, other, known.origins):
            return _compared(row, other, None if other.number in known.origins else origin)
        if self._replacing:
            self.naming.replaced.append(row.id)
            return _compared(row, other, origin)
        id = self._own_id(row, origin, known.new)
        came = row.id if row.id not in self.naming.renamed else f"{row.id} ({row.source})"
        self.naming.renamed[came] = id
        return Arrival(_with_id(row, id), origin=origin)

    @staticmethod
    def _is_from(row: DocumentRow, origin: Origin, other: Known, of: Mapping[int, Origin]) -> bool:
        """Whether a document that is there has the origin of the one that arrives, as far as that is known."""
        if other.number in of:
            return of[other.number] == origin
        return other.source == row.source

    def _own_id(self, row: DocumentRow, origin: Origin, taken: set[str]) -> str:
        """The name of the file and the id; with a number where that is taken too."""
        base = f"{self._roots.by_number[origin.root].name}{'/' if origin.path else ''}{origin.path}#{row.id}"
        id, number = base, 1
        while id in taken or self._there([id], []):
            number += 1
            id = f"{base} ({number})"
        taken.add(id)
        return id


def _compared(row: DocumentRow, other: Known, origin: Origin | None) -> Arrival:
    """A document that is there: under its id, and with its source where nothing else differs."""
    if _is_same(row, other):
        return Arrival(row, other.number, False, origin)
    return Arrival(_with_id(row, other.id), other.number, True, origin)


def _is_same(row: DocumentRow, other: Known) -> bool:
    """Whether two have the same content: all but id and source."""
    return row.digest == other.digest or row.rewritten(other.id, other.source).digest == other.digest


def _with_id(row: DocumentRow, id: str) -> DocumentRow:
    return row if row.id == id else row.rewritten(id, row.source)


def _metadata(document: Document, found: Provenance, folder: str) -> Mapping[str, Scalar]:
    """The metadata, with the folder as seen from the root; a column of that name in a table is left alone."""
    given = document.metadata.get(FOLDER, "")
    own = given not in {"", folder_of(found.path, found.part)} and not _above(found).endswith(f"/{given}")
    if own or given == folder:
        return document.metadata
    rest = {name: value for name, value in document.metadata.items() if name != FOLDER}
    return {FOLDER: folder, **rest} if folder else rest


def _with_parent(metadata: Mapping[str, Scalar], before: str, id: str) -> Mapping[str, Scalar]:
    """The metadata of a part, with the id of its document as the store calls that one."""
    parent = metadata.get(PARENT)
    if id == before or not isinstance(parent, str) or not before.startswith(parent):
        return metadata
    rest = before[len(parent) :]
    return {**metadata, PARENT: id.removesuffix(rest)} if rest and id.endswith(rest) else metadata


def _above(found: Provenance) -> str:
    return os.path.dirname(absolute(found)).replace(os.sep, "/")


def adopt_unknown(store: Store, origins: Origins, roots: RootNames) -> None:
    """Register where the documents of an older file came from, as far as their files are still there; once.

    Paths that were given relatively are looked up from the present folder and from that of the index.
    """
    if origins.any():
        return
    provenances, home = Provenances(), os.path.dirname(os.path.abspath(store.path))
    found: dict[Origin, int] = {}
    for number, id, source in store.rows("SELECT number, id, source FROM documents WHERE source != '' ORDER BY number"):
        where = next((each for each in (source, os.path.join(home, source)) if os.path.lexists(each)), None)
        known = provenances.of(Document(id, "", source=where or source))
        if known is None or (where is None and source not in STREAMS):
            continue
        stream = where is None
        path = f"{source}:1" if stream else known.root
        root = roots.containing(path if stream else absolute(known))
        root = root or roots.register(path, known.name, {}, of_unknown=True)
        found.setdefault(Origin(root.number, "" if stream else relative(root, known), known.part), number)
    origins.put({number: origin for origin, number in found.items()})
