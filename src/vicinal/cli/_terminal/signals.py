"""Signals that ask a command to end: each has the manners of Ctrl-C, so that transactions are undone and journals are not left."""

from __future__ import annotations

import signal
from types import FrameType
from typing import final


@final
class Terminated(KeyboardInterrupt):
    """The command was asked to end by a signal other than that of Ctrl-C.

    Attributes
    ----------
    number : int
        The number of the signal.
    """

    number: int = 0


#: The last signal that arrived, for errors that SQLite reports in its own way.
_arrived: list[int] = []


def listen() -> None:
    """End the command by `Terminated` when it is asked to end, unless whoever started it has such signals ignored."""
    for name in ("SIGTERM", "SIGHUP"):  # the second is not on Windows
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    _arrived.append(number)
    error = Terminated()
    error.number = number
    raise error


def signal_of(error: KeyboardInterrupt) -> int:
    """The number of the signal that ended a command.

    Parameters
    ----------
    error : KeyboardInterrupt

    Returns
    -------
    int
    """
    if isinstance(error, Terminated):
        return error.number
    return _arrived[-1] if _arrived else int(signal.SIGINT)
