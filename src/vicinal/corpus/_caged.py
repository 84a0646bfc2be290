"""The process that reads files which could take all time or memory: requests on standard input, documents on standard output.

It has limits on processor time, on memory and on what it gives out, and may use neither the network nor other programs but the
one that extracts the text of a PDF. A file that exceeds a limit is skipped; where this process dies of one, another is started.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from types import FrameType
from typing import BinaryIO

from vicinal.corpus._cage_messages import (
    BAD_PARAMETER,
    BEGIN,
    CLOSE,
    END,
    MORE,
    NOT_TO_ITS_END,
    NOTE,
    SKIP,
    Outbox,
    Request,
    document_event,
)
from vicinal.corpus._document import Document
from vicinal.corpus._file_reader import FileReader
from vicinal.corpus._files import position
from vicinal.corpus._formats.extraction import is_extractor, more_memory, more_seconds
from vicinal.corpus._formats.extractor import confine_memory, forbid
from vicinal.corpus._read_options import Limits
from vicinal.corpus._read_report import Report, Unreadable
from vicinal.corpus._unpack import Budget
from vicinal.errors import BadParameter

#: Seconds after which a process that is asked nothing ends.
IDLE_SECONDS = 30
#: Seconds of processor time per byte of a large file, for each second of the limit: 2.5 MB per second with the default.
_SECONDS_PER_BYTE = 0.04e-6
#: Seconds of processor time that each document of a large file adds, since a table may have many short rows; at most as much as the
#: size of the file gave beyond what any file has.
_SECONDS_PER_DOCUMENT = 1e-4
#: What is left out without being listed is counted, and sent when it is so many.
_MOST_COUNTED = 100_000
#: So many documents are made before the place in the file is looked up again.
_OFTEN = 64
#: Seconds between the exception that ends a file and the end of the process, where no exception can be raised.
_GRACE = 2


class TimeUp(Unreadable):
    """The processor time of a file is used up."""


class TimeWatch:
    """The processor time of one file, or of one member of an archive: so much without a document, and twice that in all.

    A file beyond 50 MB has more, by its size and its documents.
    """

    def __init__(self) -> None:
        self._limits, self._end, self._last, self._armed = Limits(), 0.0, 0.0, 0.0
        self.sending = False
        signal.signal(signal.SIGPROF, self._interrupt)

    def begin(self, limits: Limits, size: int) -> None:
        """Start to count for a file of a size."""
        seconds = limits.extract_seconds
        self._limits = limits
        by_size = max(2 * seconds, seconds * _SECONDS_PER_BYTE * size)
        self._end = time.process_time() + by_size
        self._last = self._end + by_size - 2 * seconds
        self._arm(time.process_time())

    def document(self) -> None:
        """A document was made: the time without one begins anew."""
        now = time.process_time()
        self._end = min(self._end + _SECONDS_PER_DOCUMENT, self._last)
        if now >= self._end:
            raise self._time_up()
        if now - self._armed > 0.5:
            self._arm(now)

    def stop(self) -> None:
        """Count no more."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def _arm(self, now: float) -> None:
        import resource

        self._armed = now
        left = max(0.01, min(self._limits.extract_seconds, self._end - now))
        signal.setitimer(signal.ITIMER_PROF, left, 1.0)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(now + left) + 1 + _GRACE, hard))

    def _interrupt(self, signal: int, frame: FrameType | None) -> None:
        if not self.sending:  # half a frame would be understood by nobody; the limit of the process is still there
            raise self._time_up()

    def _time_up(self) -> TimeUp:
        return TimeUp(f"reading it took too long and was stopped: {more_seconds(self._limits)}")


class Relay(Report):
    """A report that is kept by the process that asked: everything is sent there."""

    def __init__(self, outbox: Outbox, watch: TimeWatch, limits: Limits) -> None:
        super().__init__(limits.lines)
        self._outbox, self._watch, self._limits = outbox, watch, limits
        self.source = self._skipping = ""
        self._more = 0

    def begin(self, source: str, size: int) -> None:
        """A file begins, or a member of an archive."""
        self._send_more()
        self.source = source
        self._watch.begin(self._limits, size)
        self._outbox.add([BEGIN, source])

    def skip(self, source: str, reason: str) -> None:
        """Record what is left out, and why."""
        self.n_skipped += 1
        self._here = self._here + 1 if source == self._skipping else 1
        self._skipping = source
        if self._here <= self.most + 1:
            self._outbox.add([SKIP, source, reason], len(source) + len(reason))
        else:
            self._more += 1
            if self._more >= _MOST_COUNTED:
                self._send_more()

    def _send_more(self) -> None:
        if self._more:
            self._outbox.add([MORE, self._skipping, self._more])
        self._more = 0

    def note(self, text: str) -> None:
        """Record a guess."""
        self._outbox.add([NOTE, text], len(text))

    def close(self, source: str) -> None:
        """End a source."""
        self._send_more()
        self._here = 0
        self._outbox.add([CLOSE, source, vars(self.tally)])
        self.tally = type(self.tally)()


class Worker:
    """Reads the files it is asked for, one after the other."""

    def __init__(self, output: BinaryIO) -> None:
        self._output, self._watch = output, TimeWatch()
        self._outbox = Outbox(self._write, time.monotonic)
        self._here = self._count = 0

    def _write(self, data: bytes) -> None:
        self._watch.sending = True
        self._output.write(data)
        self._output.flush()
        self._watch.sending = False

    def answer(self, request: Request) -> bool:
        """Read a file and send what it holds; whether this process can be asked again."""
        limits = request.options.limits
        confine_memory(limits.extract_bytes)
        report = Relay(self._outbox, self._watch, limits)
        size = _size(request)
        self._here = 0
        try:
            report.begin(request.source, size)
            self._read(request, FileReader(request.options, report, caged=True), Budget(size, limits))
        except BadParameter as error:
            self._outbox.add([BAD_PARAMETER, str(error)])
        except Unreadable as error:
            self._give_up(request, report, str(error))
        except MemoryError:
            self._give_up(request, report, f"it exceeded its memory: {more_memory(limits)}")
        self._watch.stop()
        again = _memory() < limits.extract_bytes // 2
        self._outbox.add([END, self._here, again])
        self._outbox.flush()
        return again

    @staticmethod
    def _give_up(request: Request, report: Relay, reason: str) -> None:
        """End a file of which the rest is not read; where it was a member of an archive, say so of the archive too."""
        report.skip(report.source, reason)
        if report.source != request.source:
            report.skip(request.source, NOT_TO_ITS_END)
        report.close(report.source)

    def _read(self, request: Request, reader: FileReader, budget: Budget) -> None:
        for document in reader.documents(request.found, request.source, self._at):
            budget.take(_length(document))
            self._outbox.add(document_event(document, self._here), len(document.text))
            self._watch.document()

    def _at(self, stream: BinaryIO, share: float | None) -> None:
        self._count += 1
        if share is not None or self._count % _OFTEN == 0:
            self._here = position(stream, share)


def _length(document: Document) -> int:
    """Characters of a document, its metadata included; a value that is none counts as well."""
    return len(document.text) + sum(
        len(name) + (len(value) if isinstance(value, str) else 8) for name, value in document.metadata.items()
    )


def _size(request: Request) -> int:
    try:
        return request.found.path.stat().st_size
    except OSError:
        return 0


def _memory() -> int:
    """Bytes of this process's address space; 0 where that is not known."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def main() -> None:
    """Answer requests until there are none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks, which ends this one
    sys.addaudithook(forbid(unless=is_extractor))
    requests, output = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    worker = Worker(output)
    while line := _next_request(requests):
        if not worker.answer(Request.decoded(line)):
            break


def _next_request(requests: BinaryIO) -> bytes:
    """A line; empty where nobody asks any more."""
    import select

    ready, _, _ = select.select([requests], [], [], IDLE_SECONDS)
    return requests.readline() if ready else b""


if __name__ == "__main__":
    main()
