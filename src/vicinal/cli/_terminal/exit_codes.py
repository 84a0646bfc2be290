"""Exit codes of the command line, and errors as one line on standard error, never as a traceback."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from vicinal.cli._terminal.out_of_memory import is_out_of_memory
from vicinal.cli._terminal.signals import signal_of
from vicinal.errors import BadParameter, DamagedIndex, DamagedPart, NewerIndex, NotAnIndex, VicinalError, VicinalWarning

NOTHING_FOUND = 1
USAGE = 2
DATA = 3
DAMAGED = 4
SIGNALLED = 128  # as in shells: this and the number of the signal
CLOSED_PIPE = SIGNALLED + 13  # SIGPIPE

UNCHANGED = "interrupted; the index is unchanged."
KEPT = "interrupted; the documents added so far are kept, and the same command continues from there."

#: Exit code of each error: the first class that matches.
_CODES: tuple[tuple[type[VicinalError], int], ...] = (
    (BadParameter, USAGE),
    (DamagedIndex, DAMAGED),
    (NotAnIndex, DAMAGED),
    (NewerIndex, DAMAGED),
    (VicinalError, DATA),
)

USE_LABELS, NO_LABELS = "--use-labels", "--no-labels"
#: Options by the parameters of the library, which its messages name.
OPTIONS = {
    "n_clusters": "--clusters",
    "n_components": "--components",
    "n_neighbors": "--neighbors",
    "random_state": "--seed",
    "alpha": "--alpha",
    "recall": "--recall",
    "stem": "--stem",
    "encoder": "--encoder",
    "links": "--links",
    "language": "--language",
    "segmenter": "--segmenter",
    "split": "--split",
    "threshold": "--threshold",
    "level": "--level",
    "nodes": "--nodes",
    "encoding": "--encoding",
}
#: What messages of the library say about its methods, and what a user of the command line does instead.
_CALLS = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (r"\bmerge_clusters\(\[(\d+), (\d+)\]\)", r"--merge \1,\2"),
        (r"\bundo\((\d+)\)", r"--undo \1"),
        (r"\bas clusters\(\) gives it", "as vicinal clusters lists it"),
        (r"\blabel\(\)", "vicinal label"),
        (r"\buse_labels=True\b", USE_LABELS),
        (r"\buse_labels=False\b", NO_LABELS),
        (r"\btree\(\)", "vicinal clusters --tree"),
        (r"\bclusters\(of=(\d+)\)", r"vicinal clusters --open \1"),
        (r"\b(another|larger) n_clusters\b", r"\1 --clusters"),
        (r"\bseed_words(\[(.+?)\])?(?=[ ,])", lambda found: f"--seed-words{f' of {found[2]}' if found[1] else ''}"),
        (r"\b(must|cannot)_link\b", r"--\1-link"),
        (r"Ids are in Tree\.ids and Cut\.nodes", "vicinal clusters --tree shows the ids"),
        (r"\b(text|title|id|label|metadata): there is no column", r"--\1: there is no column"),
        (r"\bLimits\(extract_seconds=(\d+)\)", r"--max-seconds \1"),
    )
)
_BYTES = re.compile(r"\bLimits\(document_bytes=(\d+)\)")
_MEMORY = re.compile(r"\bLimits\(extract_bytes=(\d+)\)")
_PARAMETER = re.compile(rf"(?<![\w/.-])({'|'.join(OPTIONS)})(=| (?=must be\b))")


def with_options(message: str) -> str:
    """A message of the library with the options of the command line in place of parameters: ``--neighbors 99``."""
    for pattern, said in _CALLS:
        message = pattern.sub(said, message)
    message = _BYTES.sub(lambda found: f"--max-size {-(-int(found[1]) // 1_000_000)}", message)
    message = _MEMORY.sub(lambda found: f"--max-memory {-(-int(found[1]) // 2**20)}", message)
    return _PARAMETER.sub(lambda found: f"{OPTIONS[found[1]]} ", message)


def exit_code(error: VicinalError) -> int:
    """The exit code for an error of the library."""
    return next(code for kind, code in _CODES if isinstance(error, kind))


@contextmanager
def reporting_errors(verb: str, interrupted: str = UNCHANGED) -> Iterator[None]:
    """Run a verb inside the block: errors and warnings of the library become one line each.

    Parameters
    ----------
    verb : str
    interrupted : str
        The message after Ctrl-C.

    Raises
    ------
    typer.Exit
        With the exit code for the error.
    """
    try:
        with _warnings_as_lines(verb):
            yield
    except VicinalError as error:
        print_to_stderr(f"vicinal {verb}: {with_options(str(error))}")
        raise typer.Exit(exit_code(error)) from None
    except OSError as error:  # of a file other than the index: an export, or a temporary folder
        if is_out_of_memory(error):
            raise
        print_to_stderr(f"vicinal {verb}: {_explained(error)}")
        raise typer.Exit(DATA) from None
    except KeyboardInterrupt as error:
        print_to_stderr(f"vicinal {verb}: {interrupted}")
        raise typer.Exit(after_signal(error)) from None


def after_signal(error: KeyboardInterrupt) -> int:
    """The exit code after Ctrl-C or another signal that ends a command, as in shells: 128 and the number of the signal."""
    return SIGNALLED + signal_of(error)


def _explained(error: OSError) -> str:
    """The message of the operating system, with the file."""
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    return f"{where}{error.strerror or error}. Check the free space, that the folder exists and that you may write there."


def print_to_stderr(text: str) -> None:
    """Print one line on standard error, above the bars if there are any; control characters in it are escaped."""
    from vicinal.cli._terminal.text import visible

    sys.stderr.write(f"{visible(text)}\n")  # which the bars listen to; a console of our own would write into them


def nothing_found(text: str) -> typer.Exit:
    """Print why nothing was found; return the exception that ends the command."""
    print_to_stderr(text)
    return typer.Exit(DAMAGED if _damages else NOTHING_FOUND)


#: Damage that was warned of since the command began: its answer does without what is damaged.
_damages: list[str] = []


def begin() -> None:
    """Forget what an earlier command of this process warned of."""
    _damages.clear()


def end(*_: object, **__: object) -> None:
    """End a command whose answer does without a damaged part by the exit code for damage, after all its output."""
    if _damages:
        raise typer.Exit(DAMAGED)


@contextmanager
def _warnings_as_lines(verb: str) -> Iterator[None]:
    """Print each warning of the library once, in one line; other warnings are left alone."""
    printed = set[str]()
    with warnings.catch_warnings():
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: object, **more: object) -> None:
            """Print a warning of the library once, as a note; others are shown as they were before."""
            if not issubclass(category, VicinalWarning):
                others(message, category, *where, **more)  # type: ignore[arg-type]
            elif str(message) not in printed:
                printed.add(str(message))
                if issubclass(category, DamagedPart):
                    _damages.append(str(message))
                print_to_stderr(f"vicinal {verb}: warning: {with_options(str(message))}")

        warnings.simplefilter("always", VicinalWarning)
        warnings.showwarning = show
        yield
