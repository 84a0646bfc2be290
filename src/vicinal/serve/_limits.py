"""Limits on requests: how large, how long and how many; what is beyond them is refused before any work is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

#: Bytes of a request, and of its address, beyond which it is refused.
BODY = 10_000_000
ADDRESS = 160_000
#: Characters of a query or a condition.
QUERY = 10_000
#: Documents, clusters or terms in one answer; documents of a selection.
PAGE, SELECTION = 1_000, 100_000
#: Documents, or queries, that are named one by one in a request.
NAMED, QUERIES = 100_000, 50


@final
@dataclass(frozen=True)
class RequestLimits:
    """How long a request may take, and how many there may be at once.

    Attributes
    ----------
    seconds : float
        Until an answer begins.
    slow_seconds : float
        Until the whole request has arrived.
    at_once : int
        Requests that are answered at the same time.
    streams : int
        Streams of events that are open at the same time.

    Examples
    --------
    >>> from vicinal.serve import RequestLimits
    >>> RequestLimits(at_once=8).seconds
    30.0
    """

    seconds: float = 30.0
    slow_seconds: float = 10.0
    at_once: int = 64
    streams: int = 64
