"""The roots of a store, looked up by the files they contain, and named so that no two documents can get one id."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import final

from vicinal._store.origins import Origins, Root
from vicinal._store.provenance import Provenance

#: Ids of documents that came from nowhere known and that begin with a name: the name itself, its rows, or files inside it.
_UNKNOWN = (
    "SELECT 1 FROM documents WHERE (id = ? OR (id >= ? AND id < ?) OR (id >= ? AND id < ?)) "
    "AND NOT EXISTS (SELECT 1 FROM origins WHERE document = number) LIMIT 1"
)


@final
class RootNames:
    """The roots of a store, and those that are registered.

    Parameters
    ----------
    origins : Origins
    """

    def __init__(self, origins: Origins) -> None:
        self._origins = origins
        self._home = os.path.dirname(os.path.abspath(origins.store.path))
        self.by_number: dict[int, Root] = {}
        self._by_path: dict[str, Root] = {}
        self._by_name: dict[str, Root] = {}
        self._inner: dict[str, list[Root]] = {}
        self._moved: dict[str, Root] = {}
        #: Names that something came with, each with the name it got.
        self.renamed: dict[str, str] = {}
        for root in origins.roots():
            self._learn(root)

    def _learn(self, root: Root) -> None:
        self.by_number[root.number] = self._by_path[root.path] = self._by_name[root.name] = root
        for outer in _outer(root.name):
            self._inner.setdefault(outer, []).append(root)
        if root.beside and not os.path.lexists(root.path):
            self._moved[os.path.normpath(os.path.join(self._home, root.beside))] = root

    def containing(self, file: str) -> Root | None:
        """The innermost root that contains a file; one that was moved together with the index gets its new path.

        Parameters
        ----------
        file : str

        Returns
        -------
        Root or None
        """
        path, below = file, ""
        while path != below:
            if path in self._by_path:
                return self._by_path[path]
            if path in self._moved:
                return self.lead_to(self._moved.pop(path), path)
            path, below = os.path.dirname(path), path
        return None

    def named(self, name: str) -> Root | None:
        """The root that has a name, or None."""
        return self._by_name.get(name)

    def lead_to(self, root: Root, path: str) -> Root:
        """Give a root another path, such as the one it was moved to."""
        self._by_path.pop(root.path, None)
        return self._keep(replace(root, path=path, beside=self._beside(path)))

    def read_with(self, root: Root, options: Mapping[str, object]) -> Root:
        """Remember the columns and the encoding that a root is read with."""
        return root if dict(root.options) == dict(options) else self._keep(replace(root, options=dict(options)))

    def register(self, path: str, name: str, options: Mapping[str, object], *, of_unknown: bool = False) -> Root:
        """Register what was named, by the shortest name that is free: its own, or one with the folders above it.

        Parameters
        ----------
        path : str
        name : str
        options : mapping
        of_unknown : bool, default=False
            Whether it is the root of documents whose origin was not known so far, so that their ids may begin with the name.

        Returns
        -------
        Root
        """
        free = (each for each in _longer(path, name) if self._is_free(each, path))
        chosen = next(each for each in free if of_unknown or not self._is_of_unknown(each))
        if chosen != name and not of_unknown:
            self.renamed[name] = chosen
        number = 1 + max(self.by_number, default=0)
        return self._keep(Root(number, path, self._beside(path), chosen, dict(options)))

    def _keep(self, root: Root) -> Root:
        self._origins.put_root(root)
        self._learn(root)
        return root

    def _beside(self, path: str) -> str:
        try:
            return os.path.relpath(path, self._home) if os.path.isabs(path) else ""
        except ValueError:  # on another drive
            return ""

    def _is_free(self, name: str, path: str) -> bool:
        """Whether no document of another root can have an id that begins with a name."""
        if name in self._by_name or any(outer in self._by_name for outer in _outer(name)):
            return False
        inner = self._inner.get(name, ())
        return all(each.path == os.path.join(path, *each.name[len(name) + 1 :].split("/")) for each in inner)

    def _is_of_unknown(self, name: str) -> bool:
        """Whether the id of a document of unknown origin begins with a name."""
        return bool(self._origins.store.rows(_UNKNOWN, (name, f"{name}#", f"{name}$", f"{name}/", f"{name}0")))


def relative(root: Root, found: Provenance) -> str:
    """The path of a file inside a root that contains it, with ``/`` between folders."""
    file = absolute(found)
    return "" if file == root.path else file[len(root.path.rstrip(os.sep)) + 1 :].replace(os.sep, "/")


def absolute(found: Provenance) -> str:
    """The absolute path of the file that a document came from, or the name of its stream."""
    return os.path.join(found.root, *found.path.split("/")) if found.path else found.root


def _outer(name: str) -> list[str]:
    """The names that a name lies in: of "2024/feb/a.csv", "2024" and "2024/feb"."""
    parts = name.split("/")
    return ["/".join(parts[:place]) for place in range(1, len(parts))]


def _longer(path: str, name: str) -> Iterator[str]:
    """A name, the same with more and more of the folders above it, and at last with a number."""
    yield name
    above = [part for part in os.path.dirname(path).replace(os.sep, "/").split("/") if part] if os.path.isabs(path) else []
    for place in range(len(above) - 1, -1, -1):
        yield "/".join([*above[place:], name])
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1
