"""Files of an object store or another machine, by addresses that fsspec understands: each is fetched, read, and removed again."""

from __future__ import annotations

import os
import posixpath
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, final

from vicinal.corpus._database import without_password
from vicinal.corpus._files import Found, shown
from vicinal.errors import MissingExtra, NoSuchSource

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


@final
@dataclass(frozen=True, eq=False)
class Remote:
    """The address of a file or folder in a store, and the file system of fsspec that reads it."""

    address: str
    system: Any
    root: str

    def files(self) -> list[str]:
        """The files, sorted; names that begin with a dot, in or below the folder, are left out."""
        if not self.system.isdir(self.root):
            return [self.root]
        found = [str(each) for each in self.system.find(self.root)]
        return sorted(each for each in found if not any(part.startswith(".") for part in self._below(each).split("/")))

    def fetched(self, file: str, folder: str) -> Found:
        """A copy of a file, named as a local one in a folder of that name would be."""
        name, below = posixpath.basename(self.root.rstrip("/")) or "root", self._below(file)
        target = Path(folder) / posixpath.basename(file)
        self.system.get_file(file, str(target))
        return Found(target, shown(f"{name}/{below}" if below else name), by_itself=not below)

    def shown(self, file: str) -> str:
        """The address of a file, for messages; it holds no password."""
        below = self._below(file)
        return shown(f"{self.address.rstrip('/')}/{below}" if below else self.address)

    def _below(self, file: str) -> str:
        return file.removeprefix(self.root).lstrip("/") if file != self.root else ""


def remote_of(source: object) -> Remote | None:
    """What a source is in a store, or None for a local path or a stream.

    Raises
    ------
    MissingExtra
        fsspec, or the package that it needs for such addresses, is not installed.
    NoSuchSource
        There is no such file or folder, or no such kind of address.
    """
    if not isinstance(source, str) or not (scheme := _ADDRESS.match(source)):
        return None
    try:
        url_to_fs = import_module("fsspec.core").url_to_fs
        system, root = url_to_fs(source)
    except ImportError as error:
        raise MissingExtra(
            f"addresses of {scheme[1]}:// are read by fsspec, which is not installed, or lacks a package for them ({error}). "
            f"Use pip install 'vicinal[remote]', and the package of that store, such as s3fs or gcsfs."
        ) from None
    except ValueError as error:
        raise NoSuchSource(f"nothing can be read at {without_password(source)}: {error}. Use a path, or such as s3://…") from None
    remote = Remote(without_password(source), system, str(root))
    if not system.exists(root):
        raise NoSuchSource(f"nothing to read at {remote.address}: no file or folder has that address. Check the spelling.")
    return remote


def fetch(remote: Remote, file: str) -> Iterator[tuple[Found, str]]:
    """A file in a temporary folder, with its address, until the next step of the iterator."""
    with tempfile.TemporaryDirectory(prefix="vicinal-fetched-") as folder:
        yield remote.fetched(file, os.fspath(folder)), remote.shown(file)
