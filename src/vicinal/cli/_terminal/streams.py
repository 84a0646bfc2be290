"""Guarded standard output and error: a closed pipe or a full disk ends the command without a traceback."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from typing import TypeVar, final

import typer

from vicinal.cli._terminal.exit_codes import CLOSED_PIPE, DATA

Outcome = TypeVar("Outcome")


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
        return self._tried(lambda: super(Output, self).write(text))

    def flush(self) -> None:
        """Write what is buffered, or end the command."""
        self._tried(lambda: super(Output, self).flush())

    def _tried(self, step: Callable[[], Outcome]) -> Outcome:
        """Once it has failed it goes on failing: some callers try a stream and ignore its error."""
        if self.ended is not None:
            raise self.ended
        try:
            return step()
        except OSError as error:
            self.ended = self._end(error)
        raise self.ended

    def _end(self, error: OSError) -> typer.Exit:
        _let_go(self)
        if error.errno in (errno.EPIPE, errno.EINVAL):  # the second is how Windows says it
            return typer.Exit(CLOSED_PIPE)
        sys.stderr.write(f"vicinal: the output cannot be written: {error.strerror}. Free some space, or write it elsewhere.\n")
        return typer.Exit(DATA)


@final
class Messages(io.TextIOWrapper):
    """Standard error that is dropped when it cannot be written: the command goes on without its messages.

    Parameters
    ----------
    *given, **options
        As for `io.TextIOWrapper`.
    """

    def write(self, text: str, /) -> int:
        """Write a text if that is possible."""
        try:
            return super().write(text)
        except OSError:
            _let_go(self)
            return len(text)

    def flush(self) -> None:
        """Write what is buffered if that is possible."""
        try:
            super().flush()
        except OSError:
            _let_go(self)


def guard() -> None:
    """Replace standard output and error by guarded streams; a terminal without "é" shows \\xe9 on them."""
    _fill_gaps()
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout is sys.__stdout__:  # and not replaced by a program that calls us
        sys.stdout = _guarded(sys.stdout, Output)
    if isinstance(sys.stderr, io.TextIOWrapper) and sys.stderr is sys.__stderr__:
        sys.stderr = _guarded(sys.stderr, Messages)


def finish() -> None:
    """Write what is buffered; if that fails, end the command with the exit code of the failure."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except typer.Exit as end:
        if isinstance(sys.stdout, Output):
            sys.stdout.ended = None  # the interpreter flushes once more, and must not fail again
        sys.exit(end.exit_code)


def _guarded(stream: io.TextIOWrapper, kind: type[io.TextIOWrapper]) -> io.TextIOWrapper:
    """The same stream, guarded."""
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
    """Redirect a stream to the null device: what is buffered must not fail again when the interpreter ends."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)
