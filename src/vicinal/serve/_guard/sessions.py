"""Sessions: one token for programs, and links that work once and become a cookie of the browser that opens them."""

from __future__ import annotations

import secrets
import threading
import time
from typing import final

#: Bytes of a token: 256 bits.
N_BYTES = 32
#: Sessions that are remembered, and links that wait to be opened; the oldest are forgotten first.
MOST = 100
#: Seconds for which a link works.
LINK_SECONDS = 24 * 3600.0


@final
class Sessions:
    """The secrets of one server, in memory alone: they end with it.

    Parameters
    ----------
    token : str, optional
        The token of programs; by default a new one.
    """

    def __init__(self, token: str | None = None) -> None:
        self.token = token or secrets.token_urlsafe(N_BYTES)
        self._links: dict[str, float] = {}
        self._cookies: list[str] = []
        self._lock = threading.Lock()

    def new_code(self) -> str:
        """A code that lets one browser in, once."""
        code = secrets.token_urlsafe(N_BYTES)
        with self._lock:
            self._links[code] = time.monotonic() + LINK_SECONDS
            while len(self._links) > MOST:
                del self._links[next(iter(self._links))]
        return code

    def enter(self, code: str) -> str | None:
        """Use a code: the secret of a cookie, or None where the code is not known any more."""
        with self._lock:
            known = _one_of(code, self._links)
            if known is None or self._links.pop(known) < time.monotonic():
                return None
            self._cookies = [*self._cookies[1 - MOST :], secrets.token_urlsafe(N_BYTES)]
            return self._cookies[-1]

    def leave(self, cookie: str) -> None:
        """Forget the session of a cookie."""
        with self._lock:
            self._cookies = [each for each in self._cookies if not _same(each, cookie)]

    def is_token(self, given: str) -> bool:
        """Whether a program has given the token."""
        return _same(given, self.token)

    def is_cookie(self, given: str) -> bool:
        """Whether a browser has given the secret of a session."""
        with self._lock:
            return _one_of(given, self._cookies) is not None


def _same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that does not tell how much of them is."""
    return secrets.compare_digest(one.encode("utf-8", "surrogateescape"), other.encode())


def _one_of(given: str, known: dict[str, float] | list[str]) -> str | None:
    return next((each for each in [each for each in known if _same(given, each)]), None)
