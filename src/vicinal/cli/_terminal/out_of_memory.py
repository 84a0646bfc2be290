"""Out of memory: whichever library notices it first, and in whatever words, a command ends with one line and an exit code."""

from __future__ import annotations

import errno
import os
import traceback

LINE = (
    "vicinal: there is not enough memory to go on. Every change that was reported is kept, and the one that was not is undone. "
    "Close other programs, raise the limit on memory, or do it on a larger machine.\n"
)
#: What libraries say that could not be loaded, or could not start a thread, for want of memory.
_SAID = (
    "failed to map segment",
    "cannot allocate memory",
    "can't start new thread",
    "error return without exception set",  # of a function in C that forgot to say why it failed
    "without setting an exception",
    "could not find/load shared object file",
    "std::bad_alloc",
    "unable to allocate",
)


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether an error, or one that it arose from, says that there is no memory."""
    seen = set[int]()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return True
        if isinstance(error, ImportError | OSError | RuntimeError | SystemError) and _says(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _says(error: BaseException) -> bool:
    text = str(error).lower()
    return any(said in text for said in _SAID)


def tell_out_of_memory(error: BaseException) -> int:
    """Give back what the command held, print one line, and return the exit code."""
    from vicinal.cli._terminal.exit_codes import DATA

    traceback.clear_frames(error.__traceback__)
    os.write(2, LINE.encode())
    return DATA
