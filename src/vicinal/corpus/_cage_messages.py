"""What the process that reads files is asked and what it answers: requests and events as JSON, which can run nothing.

A request is one line. Answers come in frames: eight bytes with a length, and a list of events, each of which begins with its kind.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vicinal.corpus._document import Document, Metadata
from vicinal.corpus._files import Found
from vicinal.corpus._read_options import Limits, ReadOptions
from vicinal.corpus._split import checked_split

DOCUMENT, SKIP, MORE, NOTE = "document", "skip", "more", "note"
BEGIN, CLOSE, END, BAD_PARAMETER = "begin", "close", "end", "bad parameter"
#: Bytes that say how long a frame is.
#: Of a file of which not all was read: what it held earlier is not gone.
NOT_TO_ITS_END = "not read to its end"
HEAD = 8
#: Characters of documents that are collected before they are sent.
_ENOUGH = 1 << 16


@dataclass(frozen=True)
class Request:
    """A file to read, and how: ``source`` is its path as documents have it."""

    found: Found
    source: str
    options: ReadOptions

    def encoded(self) -> bytes:
        """As one line."""
        split = None if self.options.split is None else str(self.options.split)
        options = vars(self.options) | {"limits": vars(self.options.limits), "split": split}
        path = os.path.abspath(self.found.path)  # this process may go to another folder; the other does not
        return json.dumps([path, self.found.name, self.found.by_itself, self.source, options]).encode("ascii") + b"\n"

    @classmethod
    def decoded(cls, line: bytes) -> Request:
        """What `encoded` wrote."""
        path, name, by_itself, source, options = json.loads(line)
        options["limits"] = Limits(**options["limits"])
        options["split"] = checked_split(options["split"])
        options["metadata"] = None if options["metadata"] is None else tuple(options["metadata"])
        return cls(Found(Path(path), name, by_itself), source, ReadOptions(**options))


def document_event(document: Document, here: int) -> list[object]:
    """An event for a document, and how many bytes of its file were read."""
    values = dict(document.metadata)
    return [DOCUMENT, here, document.id, document.text, document.title, document.label, document.source, values]


def document_of(event: list[object]) -> Document:
    """What `document_event` described; ValueError where it is none."""
    texts, values = event[2:7], event[-1]
    if len(event) != 8 or not all(isinstance(each, str) for each in texts) or not isinstance(values, dict):
        raise ValueError("an event that describes no document")
    id, text, title, label, source = map(str, texts)
    return Document(id, text, title, label, source, Metadata(values))


class Outbox:
    """Events that are sent in frames: when they are many, when the last frame is some time ago, and at the end of a file.

    Parameters
    ----------
    write : callable
        Writes bytes.
    clock : callable
        The time in seconds.
    """

    def __init__(self, write: Callable[[bytes], object], clock: Callable[[], float]) -> None:
        self._write, self._clock = write, clock
        self._events: list[list[object]] = []
        self._characters, self._sent = 0, clock()

    def add(self, event: list[object], characters: int = 0) -> None:
        """Send an event now or with the next ones."""
        self._events.append(event)
        self._characters += characters + 100
        if self._characters > _ENOUGH or self._clock() - self._sent > 0.1:
            self.flush()

    def flush(self) -> None:
        """Send what is collected."""
        frame = json.dumps(self._events, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        self._events, self._characters, self._sent = [], 0, self._clock()
        self._write(len(frame).to_bytes(HEAD, "big") + frame)  # at once: a signal in between would leave a head without its frame


def events_of(frame: bytes) -> list[list[object]]:
    """The events in a frame; ValueError where it holds something else."""
    events = json.loads(frame.decode("utf-8", "surrogatepass"))
    if not isinstance(events, list) or not all(isinstance(each, list) and each and isinstance(each[0], str) for each in events):
        raise ValueError("a frame that holds no events")
    return events
