"""Standard output and error when nobody listens or there is no room: a quiet end or one line, never a traceback."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from typing import Any, TextIO, final

import typer

from vicinal.cli._terminal.exit_codes import DATA

GONE = 141  # as shells say it: 128 and the number of the signal that ends programs whose reader has left


@final
class Output(io.TextIOWrapper):
    """Standard output that ends the command when it cannot be written.

    Parameters
    ----------
    *given, **options
        As for `io.TextIOWrapper`.
    """

    ended: typer.Exit | None = None

    def write(self, text: str, /) -> int:
        """Write a text, or end the command."""
        return int(self._tried(super().write, text))

    def flush(self) -> None:
        """Write what is still waiting, or end the command."""
        self._tried(super().flush)

    def _tried(self, step: Callable[..., Any], *given: str) -> Any:
        """Once it has failed it goes on failing: some callers try a stream out and pass over what that says."""
        if self.ended is not None:
            raise self.ended
        try:
            return step(*given)
        except OSError as error:
            self.ended = self._end(error)
        raise self.ended

    def _end(self, error: OSError) -> typer.Exit:
        _let_go(self)
        if error.errno in (errno.EPIPE, errno.EINVAL):  # the second is how Windows says it
            return typer.Exit(GONE)
        sys.stderr.write(f"vicinal: the answer could not be written: {error.strerror}. Make room, or write it elsewhere.\n")
        return typer.Exit(DATA)


@final
class Remarks(io.TextIOWrapper):
    """Standard error that is given up when it cannot be written: what the command does matters more than what it says of it.

    Parameters
    ----------
    *given, **options
        As for `io.TextIOWrapper`.
    """

    def write(self, text: str, /) -> int:
        """Write a text if that can be."""
        try:
            return super().write(text)
        except OSError:
            _let_go(self)
            return len(text)

    def flush(self) -> None:
        """Write what is still waiting if that can be."""
        try:
            super().flush()
        except OSError:
            _let_go(self)


def guard() -> None:
    """Put guarded streams in the place of standard output and error; a terminal without "é" shows \\xe9 on them."""
    _fill_gaps()
    if sys.stdout is sys.__stdout__:  # and not what a program that calls us has put in its place
        sys.stdout = _guarded(sys.stdout, Output)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _guarded(sys.stderr, Remarks)


def finish() -> None:
    """Write what is still waiting; if that cannot be, end the command as it would have ended then."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except typer.Exit as end:
        if isinstance(sys.stdout, Output):
            sys.stdout.ended = None  # the interpreter flushes once more, and must not hear of it again
        sys.exit(end.exit_code)


def _guarded(stream: TextIO | None, kind: type[Any]) -> Any:
    """The same stream, guarded; one that is closed stays away."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    encoding, line_buffering, write_through = stream.encoding, stream.line_buffering, stream.write_through
    return kind(
        stream.detach(), encoding=encoding, errors="backslashreplace", line_buffering=line_buffering, write_through=write_through
    )


def _fill_gaps() -> None:
    """Open the null device where a standard stream is closed, or the next file would get its number and be taken for it."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free


def _let_go(stream: io.TextIOWrapper) -> None:
    """Lead a stream into nothing: what is still waiting in it must not complain again when the interpreter ends."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)
