"""What goes wrong, on the command line: one line on standard error, never a traceback, and an exit code that means something."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from vicinal.errors import BadParameter, DamagedIndex, NewerIndex, NotAnIndex, VicinalError, VicinalWarning

NOTHING_FOUND = 1
USAGE = 2
DATA = 3
DAMAGED = 4
INTERRUPTED = 130  # as shells say it: 128 and the number of the signal

UNCHANGED = "interrupted; the index is as it was before."
KEPT = "interrupted; what was added is kept, and the same command again goes on where it stopped."

#: Which error ends the command with which code: the first that fits.
_CODES: tuple[tuple[type[VicinalError], int], ...] = (
    (BadParameter, USAGE),
    (DamagedIndex, DAMAGED),
    (NotAnIndex, DAMAGED),
    (NewerIndex, DAMAGED),
    (VicinalError, DATA),
)


def exit_code(error: VicinalError) -> int:
    """The code that a command ends with after an error."""
    return next(code for kind, code in _CODES if isinstance(error, kind))


@contextmanager
def plainly(verb: str, interrupted: str = UNCHANGED) -> Iterator[None]:
    """Run a verb inside the block: errors and warnings of the library become one line each.

    Parameters
    ----------
    verb : str
    interrupted : str
        What to say after Ctrl-C.

    Raises
    ------
    typer.Exit
        With the code for the error.
    """
    try:
        with _warnings_as_lines(verb):
            yield
    except VicinalError as error:
        line(f"vicinal {verb}: {error}")
        raise typer.Exit(exit_code(error)) from None
    except OSError as error:  # of a file beside the index: one that is exported, or a folder for what is temporary
        line(f"vicinal {verb}: {_what(error)}")
        raise typer.Exit(DATA) from None
    except KeyboardInterrupt:
        line(f"vicinal {verb}: {interrupted}")
        raise typer.Exit(INTERRUPTED) from None


def _what(error: OSError) -> str:
    """What the system says, of which file."""
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    return f"{where}{error.strerror or error}. Check that there is room, that the folder exists and that you may write there."


def line(text: str) -> None:
    """Put one line on standard error, above the bars if there are any; what is in it is shown and not obeyed."""
    from vicinal.cli._terminal.text import visible

    sys.stderr.write(f"{visible(text)}\n")  # which the bars listen to; a console of our own would write into them


def nothing(text: str) -> typer.Exit:
    """Say that nothing was found, and why that may be; give back what ends the command."""
    line(text)
    return typer.Exit(NOTHING_FOUND)


@contextmanager
def _warnings_as_lines(verb: str) -> Iterator[None]:
    """Say each warning of the library once, in one line; those of others are left as they are."""
    said = set[str]()
    with warnings.catch_warnings():
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: object, **more: object) -> None:
            if not issubclass(category, VicinalWarning):
                others(message, category, *where, **more)  # type: ignore[arg-type]
            elif str(message) not in said:
                said.add(str(message))
                line(f"vicinal {verb}: warning: {message}")

        warnings.simplefilter("always", VicinalWarning)
        warnings.showwarning = show
        yield
