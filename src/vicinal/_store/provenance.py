"""Where a document came from, told by its id and its source: the file, what was named to read it, and the part of the file.

An id that `vicinal.read` makes is the path from the named file or folder on, and ``#row`` in a table; its other ids are keys of
the data, such as the column ``id`` of a table. The first kind says which folder was named, and the second does not.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from vicinal.corpus import Document

#: Names of sources that are new each time they are read.
STREAMS = ("stdin", "stream")
#: Begins the part of a document that has an id of its own.
KEY = "id:"
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
    def key(self) -> str | None:
        """The id that the document has of its own, or None where its id is made of its path."""
        return self.part.removeprefix(KEY) if self.part.startswith(KEY) else None

    @property
    def folder(self) -> str:
        """The folder inside the root, as `read` keeps it in the metadata; empty where the file lies in the root itself."""
        return folder_of(self.path, self.part)


def folder_of(path: str, part: str) -> str:
    """The folder of a file inside its root; what lies in an archive is in the folders of the archive too."""
    inside = part if part.startswith("/") else ""
    return f"{path}{inside.partition('#')[0]}".rpartition("/")[0]


class Provenances:
    """Tells where documents came from; what a source stands for is looked up once, as seen from the present folder."""

    def __init__(self) -> None:
        self._names: dict[str, list[str]] = {}
        self._located: dict[tuple[str, int], tuple[str, str, str]] = {}

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
        if source not in self._names:
            self._names[source] = _names(source)
        names = self._names[source]
        depth = next((len(names) - place for place, name in enumerate(names) if _begins(id, name)), 0)
        if (source, depth) not in self._located:
            self._located[source, depth] = _locate(source, depth or 1)
        root, name, path = self._located[source, depth]
        part = id[len(names[-depth]) :] if depth else f"{KEY}{id}"
        return Provenance(root, name, path, "" if part.startswith(" (") else part)


def _begins(id: str, name: str) -> bool:
    return id.startswith(name) and (len(id) == len(name) or id[len(name) :].startswith(_AFTER))


def _pieces(source: str) -> list[str]:
    whole = source if is_stream(source) else os.path.abspath(source)
    return [part for part in whole.replace(os.sep, "/").split("/") if part] or [source]


def _names(source: str) -> list[str]:
    """What an id may begin with that is made of the path: the whole path first, the name of the file last."""
    pieces = _pieces(source)
    return ["/".join(pieces[place:]) for place in range(len(pieces))]


def _locate(source: str, depth: int) -> tuple[str, str, str]:
    """Root, name and path in the root of a file whose id has so many parts of its path."""
    pieces = _pieces(source)
    if is_stream(source):
        return source, pieces[-depth], ""
    root = os.path.abspath(source)
    for _ in range(depth - 1):
        root = os.path.dirname(root)
    return named_root(root, is_folder=depth > 1), pieces[-depth], "/".join(pieces[len(pieces) - depth + 1 :])


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
