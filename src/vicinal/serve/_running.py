"""Run the server: listen at an address, tell the link that lets a browser in, and end well."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from vicinal._threads import single_threaded_libraries
from vicinal.errors import BadParameter
from vicinal.serve import _limits

if TYPE_CHECKING:
    from vicinal.serve._asgi_app import App

#: Seconds that a client has to send the headers of a request, and between two requests.
HEADER_SECONDS, IDLE_SECONDS = 10.0, 15
#: Seconds that requests have to end when the server does.
GRACE_SECONDS = 3


@final
class TimedProtocol(H11Protocol):
    """HTTP whose clients must send the headers of each request within some seconds, however many there are on a connection."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._waiting = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def data_received(self, data: bytes) -> None:
        """Take what came; until the headers end the time for them goes on, and bytes one by one do not renew it."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def bound_socket(host: str, port: int) -> socket.socket:
    """Listen at an address; port 0 takes a free one.

    Raises
    ------
    BadParameter
        The address is taken, or not one of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only with the protocol named does asyncio send at once; else a body waits 40 ms for the client's receipt of the headers.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host.strip("[]"), port))
    except OSError as error:
        listening.close()
        raise BadParameter(
            f"the server cannot listen at {host}, port {port}: {error.strerror or error}. Another server may have the port: "
            "use --port 0 for a free one."
        ) from None
    return listening


def run(app: App, listening: socket.socket, ready: Callable[[], object]) -> None:
    """Answer requests until the process is told to end.

    Parameters
    ----------
    app : App
    listening : socket
    ready : callable
        Called when requests are answered.
    """
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    config = uvicorn.Config(
        app,
        http=TimedProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        h11_max_incomplete_event_size=2 * _limits.ADDRESS,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
        backlog=256,
    )
    import scipy.linalg  # noqa: F401  its BLAS is one to be held as well

    # Requests are many: threads of BLAS would wait for each other, by spinning, in every one of them.
    with single_threaded_libraries():
        _StoppableServer(config, ready).run(sockets=[listening])


class _StoppableServer(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen, then tell that it is ready."""
        await super().startup(sockets)
        self._ready()
