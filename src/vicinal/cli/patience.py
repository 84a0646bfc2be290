"""Patience: a line on standard error for who waits longer than a moment, and none for who does not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from vicinal.cli.errors import line

#: Seconds after which one begins to wonder.
MOMENT = 2.0


@contextmanager
def patiently(text: str, moment: float = MOMENT) -> Iterator[threading.Timer]:
    """Say what is being done if the block takes longer than a moment.

    Parameters
    ----------
    text : str
    moment : float, default=2.0
        In seconds.
    """
    timer = threading.Timer(moment, line, [text])
    timer.daemon = True
    timer.start()
    try:
        yield timer
    finally:
        timer.cancel()
