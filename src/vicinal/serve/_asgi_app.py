"""`create_app`: the index as an ASGI application, behind its guard."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import anyio.to_thread
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from vicinal import __version__
from vicinal._threads import count_threads
from vicinal.errors import VicinalError
from vicinal.index import open
from vicinal.serve import _page_files
from vicinal.serve._guard.caller import Doorkeeper
from vicinal.serve._guard.hosts import allowed_hosts
from vicinal.serve._guard.middleware import Guard
from vicinal.serve._guard.sessions import Sessions
from vicinal.serve._jobs.jobs import Jobs
from vicinal.serve._limits import RequestLimits
from vicinal.serve._problems import Problem, of_error, of_validation
from vicinal.serve._routes import (
    cluster_routes,
    document_routes,
    event_routes,
    file_routes,
    index_routes,
    job_routes,
    label_routes,
    search_routes,
    selection_routes,
    session_routes,
)
from vicinal.serve._server import Server

if TYPE_CHECKING:
    pass

log = logging.getLogger("vicinal.serve")
API = "/api/v1"
#: Requests that are worked at; others wait for their turn, first come, first served.
THREADS = max(8, 2 * count_threads(None))
#: FastAPI would send what it measures elsewhere where variables of the environment (OTEL_…) say so: no request leaves this machine.
NO_TELEMETRY: Any = {"auto_configure": False, "tracing": False, "metrics": False, "logs": False}
ROUTES = (
    index_routes,
    document_routes,
    search_routes,
    cluster_routes,
    selection_routes,
    label_routes,
    job_routes,
    event_routes,
    file_routes,
    session_routes,
)


@final
class App:
    """An index that is served: an ASGI application.

    `create_app` makes it. Every request is refused that does not name the server by its own name, or has no token; see docs/app.md.

    Parameters
    ----------
    server : Server
        What all routes share.
    api : FastAPI
        The routes.
    doorkeeper : Doorkeeper
        Who may ask.

    Attributes
    ----------
    api : FastAPI
        The routes, without the guard.

    Examples
    --------
    >>> import vicinal
    >>> from vicinal.serve import create_app
    >>> with vicinal.open("served.vic", create=True) as index:
    ...     added = index.add([vicinal.Document("a", "wheat exports fell")])
    >>> app = create_app("served.vic", page=False)
    >>> app.origin
    'http://127.0.0.1:8000'
    >>> app.close()
    """

    def __init__(self, server: Server, api: FastAPI, doorkeeper: Doorkeeper) -> None:
        self._server = server
        self.api = api
        self._guard = Guard(api, doorkeeper, server.limits)

    @property
    def token(self) -> str:
        """The token that programs send: ``Authorization: Bearer TOKEN``."""
        return self._server.sessions.token

    @property
    def origin(self) -> str:
        """The address of the server."""
        return self._server.origin

    def link(self) -> str:
        """Make a link that lets one browser in, once.

        Returns
        -------
        str
            An address to open.
        """
        return self._server.link()

    def close(self) -> None:
        """End what is running, and close the index."""
        self._server.closing.set()
        self._server.jobs.close()
        self._server.index.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        await self._guard(scope, receive, send)


def _tell_nobody(link: str) -> None:
    """Where nobody asked for links."""


def create_app(
    path: str | os.PathLike[str],
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    allow_hosts: Iterable[str] = (),
    read_only: bool = False,
    page: bool = True,
    token: str | None = None,
    limits: RequestLimits | None = None,
    tell: Callable[[str], object] | None = None,
) -> App:
    """Make an application of an index, for uvicorn or any other ASGI server; `vicinal serve` runs it.

    Parameters
    ----------
    path : str or path
        The index.
    host : str, default="127.0.0.1"
        The address that the server listens at.
    port : int, default=8000
        Its port, which requests must name.
    allow_hosts : iterable of str, default=()
        Further names by which the server is reached.
    read_only : bool, default=False
        Whether nothing may be changed.
    page : bool, default=True
        Whether the page of the app is served beside the API.
    token : str, optional
        The token of programs; by default a new one, of 256 bits.
    limits : RequestLimits, optional
        How long a request may take, and how many there may be at once.
    tell : callable, optional
        Called with a new link whenever one was opened.

    Returns
    -------
    App
        To be closed at the end.

    Raises
    ------
    BadIndex
        There is no index at the path, or it cannot be opened.

    Examples
    --------
    >>> import vicinal
    >>> from starlette.testclient import TestClient
    >>> from vicinal.serve import create_app
    >>> with vicinal.open("create_app.vic", create=True) as index:
    ...     added = index.add([vicinal.Document("a", "wheat exports fell")])
    >>> app = create_app("create_app.vic", page=False)
    >>> client = TestClient(app, app.origin, headers={"Authorization": f"Bearer {app.token}"})
    >>> client.get("/api/v1/info").json()["documents"]
    1
    >>> app.close()
    """
    index = open(path)
    names = list(allow_hosts)
    anywhere = names[0] if names else "127.0.0.1"
    shown = anywhere if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    sessions, hosts = Sessions(token), allowed_hosts(host, port, names)
    server = Server(
        index,
        Jobs(Path(path)),
        sessions,
        port,
        f"http://{shown}:{port}",
        read_only,
        limits or RequestLimits(),
        tell or _tell_nobody,
    )
    return App(server, _api(server, page), Doorkeeper(hosts, port, sessions))


def _api(server: Server, page: bool) -> FastAPI:
    api = FastAPI(
        title="vicinal",
        version=__version__,
        description="An index of documents: search, clusters, labels, map. Every answer is of one state of the index.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=partial(_lifespan, server=server),
        telemetry=NO_TELEMETRY,
    )
    api.state.server = server
    for each in ROUTES:
        api.include_router(each.routes, prefix=API)
    api.add_route("/login", session_routes.login, methods=["GET"], include_in_schema=False)
    _describe_problems(api)
    files = _page_files.page_files() if page else {}

    async def static(request: Request) -> Response:
        """Answer with a file of the page."""
        return _page_files.served_file(files, request)

    api.add_route("/{path:path}", static, methods=["GET", "HEAD"], include_in_schema=False)
    return api


@asynccontextmanager
async def _lifespan(_: FastAPI, server: Server) -> AsyncIterator[None]:
    """While the server runs; at its end, streams of events end too."""
    # Python runs one thread at a time: more of them make no answer come sooner, and all of them later.
    anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
    yield
    server.closing.set()
    await asyncio.to_thread(server.jobs.close)


def _describe_problems(api: FastAPI) -> None:
    """Every error becomes a problem; what went wrong inside is told to the log alone."""

    async def problem(_: Request, error: Exception) -> Response:
        """A request that was refused, as an answer."""
        assert isinstance(error, Problem)
        return error.response()

    async def library(request: Request, error: Exception) -> Response:
        """An error of the library, as an answer."""
        assert isinstance(error, VicinalError)
        return of_error(error, request.app.state.server.path).response()

    async def validation(_: Request, error: Exception) -> Response:
        """Parameters that are not as described, as an answer."""
        assert isinstance(error, RequestValidationError)
        return of_validation(error.errors()).response()

    async def http(_: Request, error: Exception) -> Response:
        """A refusal of the framework, as an answer."""
        assert isinstance(error, HTTPException)
        return _of_http(error).response()

    handlers: dict[Any, Any] = {
        Problem: problem,
        VicinalError: library,
        RequestValidationError: validation,
        HTTPException: http,
        Exception: _internal,
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)


async def _internal(request: Request, error: Exception) -> Response:
    log.error("%s %s failed", request.method, ascii(request.scope["path"])[1:-1][:200], exc_info=error)
    return Problem("internal", "the server failed to answer; its log says why. The index was not changed.").response()


def _of_http(error: HTTPException) -> Problem:
    if error.status_code == 405:
        return Problem(
            "method-not-allowed", "this address does not know the method. See /api/v1/openapi.json.", headers=error.headers
        )
    if error.status_code == 404:
        return Problem("not-found", "there is nothing at this address. The API is under /api/v1.")
    return Problem("bad-request", f"the request cannot be read: {error.detail}.")
