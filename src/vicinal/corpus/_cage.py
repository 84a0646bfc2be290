"""The cage: files that could take all time or memory are read by a process with limits, which is replaced when it dies."""

from __future__ import annotations

import atexit
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias, cast

from vicinal.corpus._cage_messages import (
    BAD_PARAMETER,
    BEGIN,
    CLOSE,
    DOCUMENT,
    END,
    HEAD,
    MORE,
    NOT_TO_ITS_END,
    NOTE,
    SKIP,
    Request,
    document_of,
    events_of,
)
from vicinal.corpus._database import has_database_ending
from vicinal.corpus._decode import Tally
from vicinal.corpus._document import Document
from vicinal.corpus._files import Found
from vicinal.corpus._formats import FORMATS, OTHER
from vicinal.corpus._formats.extraction import more_memory, more_seconds
from vicinal.corpus._read_options import Limits, ReadOptions
from vicinal.corpus._read_report import Report, Unreadable
from vicinal.corpus._unpack import ARCHIVES, without_compression
from vicinal.errors import BadParameter

Event: TypeAlias = list[object]
_PROGRAM = "import runpy, sys; sys.path[:] = sys.argv[1:]; runpy.run_module('vicinal.corpus._caged', run_name='__main__')"
#: One pool of memory and no threads, so that the limit on the address space is one on memory.
_ENVIRONMENT = {
    "MALLOC_ARENA_MAX": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
#: A frame has at most so many times the bytes of one document: characters that are escaped, and metadata.
_LONGEST_FRAME = 8
#: A process may say nothing by the clock for so many times its limit of processor time: others may need the processors more.
PATIENCE = 12.0
#: Processes that wait for a next file.
_MOST_IDLE = 2
#: In seconds: one that waited longer may be about to end by itself (`IDLE_SECONDS`), and would take a request with it.
_LONGEST_IDLE = 20.0


def is_safe(found: Found) -> bool:
    """Whether a file can be read in this process: it is small, and of a format whose time and memory are those of its size."""
    name = found.path.name
    suffix = found.path.suffix.lower()
    if without_compression(name) != name or suffix in ARCHIVES or has_database_ending(found.path):
        return False
    most = FORMATS.get(suffix, OTHER).safe_bytes
    try:
        return found.path.stat().st_size <= most
    except (OSError, ValueError):  # which the reading reports
        return True


class Dead(Exception):
    """The process ended, or was ended, before it had answered."""


class Cage:
    """A process that reads files, with the pipes to and from it."""

    def __init__(self) -> None:
        paths = [path for path in dict.fromkeys([str(Path(__file__).parents[2]), *sys.path]) if path]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM, *paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=os.environ | _ENVIRONMENT,
        )
        self.owner = os.getpid()
        self.is_fresh, self.idle_since = True, time.monotonic()
        self._received = bytearray()

    def ask(self, request: Request) -> None:
        """Send a request."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request.encoded())
        except OSError as error:
            raise Dead from error

    def events(self, limits: Limits) -> Iterator[Event]:
        """Yield the events of a file, the last of which is its end; raise Dead where they stop before."""
        while True:
            size = int.from_bytes(self._take(HEAD, limits), "big")
            if size > _LONGEST_FRAME * limits.document_bytes + (1 << 24):
                raise Dead
            try:
                events = events_of(self._take(size, limits))
            except ValueError as error:
                raise Dead from error
            self.is_fresh = False
            yield from events
            if events and events[-1][0] == END:
                return

    def _take(self, size: int, limits: Limits) -> bytes:
        """So many bytes of what the process sends."""
        assert self._process.stdout is not None
        output = self._process.stdout.fileno()
        last = time.monotonic() + PATIENCE * limits.extract_seconds
        while len(self._received) < size:
            if os.name == "posix" and not select.select([output], [], [], max(0.0, last - time.monotonic()))[0]:
                raise Dead(f"reading it took too long and was stopped: {more_seconds(limits)}")
            piece = os.read(output, 1 << 20)
            if not piece:
                raise Dead
            self._received += piece
            last = max(last, time.monotonic() + 1)
        taken = bytes(memoryview(self._received)[:size])
        del self._received[:size]
        return taken

    def has_ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def end(self) -> int:
        """End the process; the code that it ended with."""
        if self.owner != os.getpid():  # of a process that this one was forked from
            return 0
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.kill()  # does nothing where it has ended
        return self._process.wait()


class Cages:
    """The processes of this one that wait for a file."""

    def __init__(self) -> None:
        self._idle: list[Cage] = []

    def lend(self) -> Cage:
        """A process that waits, or a new one."""
        while self._idle:
            try:
                cage = self._idle.pop()
            except IndexError:  # another thread was faster
                break
            if cage.owner == os.getpid() and time.monotonic() - cage.idle_since < _LONGEST_IDLE:
                return cage
            cage.end()
        try:
            return Cage()
        except OSError as error:
            raise Unreadable(f"the process that would read it cannot be started: {error}") from error

    def give_back(self, cage: Cage) -> None:
        """Keep a process for the next file, unless enough wait."""
        cage.idle_since = time.monotonic()
        if len(self._idle) < _MOST_IDLE:
            self._idle.append(cage)
        else:
            cage.end()

    def end(self) -> None:
        """End all that wait."""
        while self._idle:
            self._idle.pop().end()


CAGES = Cages()
atexit.register(CAGES.end)


def _document(event: Event) -> Document:
    try:
        return document_of(event)
    except ValueError as error:
        raise Dead from error


def _tally(counts: object) -> Tally:
    """Counts that were sent; Dead where they are none."""
    fields = {**vars(Tally())}
    if not isinstance(counts, dict) or {name: type(value) for name, value in counts.items()} != {
        name: type(value) for name, value in fields.items()
    }:
        raise Dead
    return Tally(**counts)


class CagedReader:
    """Reads files in a cage, and reports as if it had read them itself.

    Parameters
    ----------
    options : ReadOptions
    report : Report

    Attributes
    ----------
    options : ReadOptions
        Of the next file.
    """

    def __init__(self, options: ReadOptions, report: Report) -> None:
        self.options, self._report = options, report
        self._file, self._source, self._given, self._is_last = "", "", 0, False
        self.n_files = 0

    def documents(self, found: Found, source: str, at: Callable[[int], None]) -> Iterator[Document]:
        """All documents of a file; ``at`` is told how many of its bytes were read."""
        try:
            cage = self._asked(Request(found, source, self.options))
        except Unreadable as error:
            self._report.skip(source, str(error))
            return
        self._file, self._source, self._given, self._is_last = source, source, 0, False
        done = False
        try:
            for event in cage.events(self.options.limits):
                if event[0] == DOCUMENT:
                    self._given += 1
                    at(cast(int, event[1]))
                    yield _document(event)
                else:
                    self._note(event, at)
            done = True
        except Dead as error:
            self._dead(cage, str(error))
        finally:
            if not done or self._is_last:
                cage.end()
            else:
                CAGES.give_back(cage)

    def _asked(self, request: Request) -> Cage:
        """A process that was sent a request; one that waited and ended meanwhile is replaced."""
        while True:
            cage = CAGES.lend()
            try:
                if not cage.has_ended():
                    cage.ask(request)
                    return cage
            except Dead:
                pass
            cage.end()
            if cage.is_fresh:
                raise Unreadable("the process that would read it cannot be started")

    def _note(self, event: Event, at: Callable[[int], None]) -> None:
        """Take an event that is no document into the report."""
        kind, *values = event
        if kind == SKIP:
            self._report.skip(str(values[0]), str(values[1]))
        elif kind == MORE:
            self._report.skip_more(str(values[0]), cast(int, values[1]))
        elif kind == NOTE:
            self._report.note(str(values[0]))
        elif kind == BEGIN:
            self._source = str(values[0])
        elif kind == CLOSE:
            self._report.tally = _tally(values[1])
            self._close(str(values[0]))
        elif kind == BAD_PARAMETER:
            raise BadParameter(str(values[0]))
        elif kind == END:
            at(cast(int, values[0]))
            self._is_last = not values[1]

    def _close(self, source: str) -> None:
        self.n_files += self._given > 0
        self._given = 0
        self._report.close(source)

    def _dead(self, cage: Cage, why: str) -> None:
        """Report a file that its process died of."""
        limits, code = self.options.limits, cage.end()
        if not why and -code in (getattr(signal, "SIGXCPU", None),):
            why = f"reading it took too long and was stopped: {more_seconds(limits)}"
        self._report.skip(self._source, why or f"its reader crashed, or exceeded its time or memory: {more_memory(limits)}")
        if self._source != self._file:  # a member of an archive, of which the others were not read: they are not gone
            self._report.skip(self._file, NOT_TO_ITS_END)
        self._close(self._source)
