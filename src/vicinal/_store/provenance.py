"""Where a document came from, told by its id and its source: the file, what was named to read it, and the part of the file.

An id that `vicinal.read` makes is the path from the named file or folder on, and ``#row`` in a table. Other ids are a
document's own, such as those in the column ``id`` of a table. The first kind says which folder was named, and the second does not.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from vicinal.corpus import Document

#: Names of sources that are new each time they are read.
STREAMS = ("stdin", "stream", "table")
#: Begins the part of a document that has an id of its own.
OWN_ID = "id:"
#: What may follow the path of a file in an id: a row, something inside an archive, the number of a repeated id.
_AFTER = ("#", "/", " (")


class Provenance(NamedTuple):
    """Where a document came from.

    Parameters
    ----------
    root : str
        What was named: the absolute path of a file or folder, or the name of a stream.
    name : str
        What ids of its documents begin with.
    path : str
        The file inside the root, with ``/`` between folders; empty where the root is the file.
    part : str
        What follows the file in the id, such as ``#7``; or ``id:`` and the id that the document has of its own.
    """

    root: str
    name: str
    path: str
    part: str

    @property
    def own_id(self) -> str | None:
        """The id that the document has of its own, or None where its id is made of its path."""
        return self.part.removeprefix(OWN_ID) if self.part.startswith(OWN_ID) else None


def folder_of(path: str, part: str) -> str:
    """The folder of a file inside its root; what lies in an archive is in the folders of the archive too."""
    inside = part if part.startswith("/") else ""
    return f"{path}{inside.partition('#')[0]}".rpartition("/")[0]


class Provenances:
    """Tells where documents came from; what a folder stands for is looked up once, as seen from the present one."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[str] | None] = {}
        self._source: tuple[str, list[str] | None, list[str]] = "", None, []
        self._roots: dict[tuple[str, bool], str] = {}

    def of(self, document: Document) -> Provenance | None:
        """Where a document came from; None where it has no source.

        Parameters
        ----------
        document : Document

        Returns
        -------
        Provenance or None
        """
        source, id = document.source, document.id
        if not source:
            return None
        if source != self._source[0]:
            self._source = source, *self._names(source)
        _, pieces, names = self._source
        depth = next((len(names) - place for place, name in enumerate(names) if _begins(id, name)), 0)
        part = id[len(names[-depth]) :] if depth else f"{OWN_ID}{id}"
        return Provenance(*self._located(source, pieces, depth or 1), "" if part.startswith(" (") else part)

    def _names(self, source: str) -> tuple[list[str] | None, list[str]]:
        """The parts of a path, and what an id may begin with that is made of it: all parts first, the name of the file last."""
        folder, name = os.path.split(source)
        if folder not in self._pieces or not folder:
            self._pieces[folder] = None if is_stream(source) else _split(os.path.abspath(folder))
        above = self._pieces[folder]
        pieces = _split(source) if above is None else [*above, name]
        names = ["/".join(pieces[place:]) for place in range(len(pieces))] or [source]
        return None if above is None else pieces, names

    def _located(self, source: str, pieces: list[str] | None, depth: int) -> tuple[str, str, str]:
        """Root, name and path in the root of a file whose id has so many parts of its path."""
        if pieces is None:
            return source, _split(source)[-1] if _split(source) else source, ""
        named = os.path.abspath(source)
        for _ in range(depth - 1):
            named = os.path.dirname(named)
        if (named, depth > 1) not in self._roots:
            self._roots[named, depth > 1] = named_root(named, is_folder=depth > 1)
        return self._roots[named, depth > 1], pieces[-depth], "/".join(pieces[len(pieces) - depth + 1 :])


def _begins(id: str, name: str) -> bool:
    return id.startswith(name) and (len(id) == len(name) or id[len(name) :].startswith(_AFTER))


def _split(path: str) -> list[str]:
    return [part for part in path.replace(os.sep, "/").split("/") if part]


def named_root(path: str | os.PathLike[str], *, is_folder: bool) -> str:
    """The absolute path of a file or folder, whatever links lead to it; a link to a file is a source of its own.

    Parameters
    ----------
    path : str or path
    is_folder : bool

    Returns
    -------
    str
    """
    whole = os.path.abspath(path)
    if is_folder:
        return os.path.realpath(whole)
    return os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))


def is_stream(source: str) -> bool:
    """Whether a source is no file: standard input, a stream without a name, or a name that a program has made up.

    Parameters
    ----------
    source : str

    Returns
    -------
    bool
    """
    above = source
    while above and not os.path.isabs(above):
        if os.path.lexists(above):  # the file, or the archive or folder it lies in
            return False
        above = os.path.dirname(above)
    return not above
