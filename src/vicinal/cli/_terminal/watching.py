"""Look at files again and again, and bring an index in step with them when one has changed."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from vicinal.cli._terminal.exit_codes import print_to_stderr
from vicinal.cli._terminal.ingest import Columns
from vicinal.cli._terminal.rendering import synced_line
from vicinal.cli._terminal.syncing import ask_to_remove, bring_in_step, synced_facts
from vicinal.cli._terminal.text import visible
from vicinal.errors import EmptyCorpus, IndexLocked, NoSuchSource

if TYPE_CHECKING:
    from vicinal.corpus import Limits
    from vicinal.index import Index

#: What is looked at of a file: its path, size, time of the last change and number on the disk.
Files = frozenset[tuple[str, int, int, int]]


def look(paths: Sequence[str]) -> Files:
    """The files that are there now, none of which is opened."""
    from vicinal.corpus._files import walk

    found = (_state(each.path) for path in paths for each in walk(Path(path), lambda *_: None))
    return frozenset(state for state in found if state is not None)


def _state(path: Path) -> tuple[str, int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:  # gone since the folder was listed
        return None
    return str(path), status.st_size, status.st_mtime_ns, status.st_ino


class Watch:
    """Watches files for an index.

    Parameters
    ----------
    index : Index
    name : str
        The index as it was named.
    paths : sequence of str
    remove : bool
        Whether documents that are gone are removed.
    as_json : bool
        Whether each change is reported as a line of JSON.
    limits : Limits, optional
        Of the reading of each file.
    """

    def __init__(
        self, index: Index, name: str, paths: Sequence[str], *, remove: bool, as_json: bool, limits: Limits | None = None
    ) -> None:
        self._index, self._name, self._paths, self._remove, self._as_json = index, name, paths, remove, as_json
        self._limits = limits
        self._seen: Files | None = None
        self._said: type[Exception] | None = None

    def run(self, every: float, rounds: int | None = None, sleep: Callable[[float], object] = time.sleep) -> None:
        """Look so often, for ever or so many times."""
        done = 0
        while True:
            self._look()
            done += 1
            if rounds is not None and done >= rounds:
                return
            sleep(every)

    def _look(self) -> None:
        """Bring the index in step where something changed; what may be over by the next time is said once and tried again then."""
        files = look(self._paths)
        if files == self._seen:
            return
        try:
            self._sync()
            self._seen, self._said = files, None
        except (EmptyCorpus, IndexLocked, NoSuchSource) as error:
            if self._seen is None and not isinstance(error, IndexLocked):
                raise  # a wrong path from the beginning
            if type(error) is not self._said:
                print_to_stderr(f"vicinal watch: {error}")
            self._said = type(error)

    def _sync(self) -> None:
        columns = Columns(text=None, title=None, id=None, label=None, metadata=None, encoding=None, split=None, query=None)
        done, _ = bring_in_step(self._index, self._paths, columns, remove=self._remove, limits=self._limits)
        done = ask_to_remove(self._index, done, ask=False)
        if not (done.added or done.changed or done.moved or done.gone) and self._seen is not None:
            return
        if self._as_json:
            typer.echo(json.dumps({"index": self._name, **synced_facts(done)}, default=dict))
        else:
            typer.echo(f"{visible(self._name)}: {synced_line(done)}")
