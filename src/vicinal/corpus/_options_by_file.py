"""Options of each file: what was said for all and, where nothing was said, what the file was read with before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from vicinal.corpus._read_options import ReadOptions
from vicinal.corpus._split import checked_split

#: Options of `vicinal.read` by name, for each file or folder that an index knows, by absolute path.
Recorded: TypeAlias = Mapping[str, Mapping[str, object]]
_RECORDED = ("text", "title", "id", "label", "metadata", "encoding", "split", "query")


class OptionsByFile:
    """The options of files, those of a file that is known by itself before those of a folder around it.

    Parameters
    ----------
    options : ReadOptions
        What was said for all.
    said : frozenset of str
        Names of the options that were said, which hold for known files, too.
    """

    def __init__(self, options: ReadOptions, said: frozenset[str]) -> None:
        self._options, self._said = options, said
        self._known: dict[str, ReadOptions] = {}
        self._folders: dict[str, str] = {}

    def learn(self, recorded: Recorded) -> None:
        """Learn what files and folders were read with before."""
        self._known = {path: self._merged(options) for path, options in recorded.items()}

    def of(self, path: Path) -> ReadOptions:
        """The options of a file or folder."""
        if not self._known:
            return self._options
        whole = self._absolute(path)
        above = (whole, *map(str, Path(whole).parents))
        return next((self._known[each] for each in above if each in self._known), self._options)

    def said_of(self, path: Path) -> dict[str, object]:
        """The options of a file or folder by name, as `vicinal.read` takes them: those that differ from the defaults."""
        options = self.of(path)
        found = {name: getattr(options, name) for name in _RECORDED if getattr(options, name) not in {None, ""}}
        return {name: _plain(value) for name, value in found.items()}

    def _merged(self, recorded: Mapping[str, object]) -> ReadOptions:
        before: dict[str, Any] = {name: recorded[name] for name in _RECORDED if name in recorded and name not in self._said}
        if "metadata" in before:
            before["metadata"] = tuple(before["metadata"])
        if "split" in before:
            before["split"] = checked_split(before["split"])
        return replace(self._options, **before)

    def _absolute(self, path: Path) -> str:
        """The absolute path, without links but the last part of that of a file: as an index keeps it."""
        if path.is_dir():
            return os.path.realpath(path)
        folder, name = os.path.split(os.path.abspath(path))
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], name)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else str(value)
