"""The guard around the application: refuses, counts, reads requests to their end, and gives every answer its headers."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vicinal.serve import _limits
from vicinal.serve._guard.caller import API, SAFE, Doorkeeper, header
from vicinal.serve._guard.headers import protected
from vicinal.serve._limits import RequestLimits
from vicinal.serve._problems import Problem

log = logging.getLogger("vicinal.serve")
#: Kinds of bodies that are read.
BODIES = ("application/json", "multipart/form-data")


@final
class Guard:
    """An ASGI application around another.

    Parameters
    ----------
    app : ASGI application
    doorkeeper : Doorkeeper
    limits : RequestLimits
    """

    def __init__(self, app: ASGIApp, doorkeeper: Doorkeeper, limits: RequestLimits) -> None:
        self._app, self._doorkeeper, self._limits = app, doorkeeper, limits
        self._n_running = self._n_streams = 0
        self._tasks: set[asyncio.Future[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            answer = _SentAnswer(send)
            begun = time.perf_counter()
            try:
                await self._answered(scope, receive, answer)
            except Problem as problem:
                await problem.response()(scope, receive, answer)
            finally:
                # The path alone: queries, tokens and codes are in no log.
                milliseconds = 1000 * (time.perf_counter() - begun)
                log.info("%s %s %s %.0f ms", scope["method"], ascii(scope["path"])[1:-1][:200], answer.status, milliseconds)

    async def _answered(self, scope: Scope, receive: Receive, answer: _SentAnswer) -> None:
        self._doorkeeper.check(scope)
        _check_address(scope)
        if scope["path"].endswith("/events"):
            await self._streamed(scope, receive, answer)
            return
        if self._n_running >= self._limits.at_once:
            raise _too_many(f"{self._limits.at_once} requests")
        self._n_running += 1
        try:
            # Elsewhere nobody was asked for a secret, and nobody may keep a place by a body that does not come.
            body = await self._body(scope, receive) if scope["path"].startswith(API) else b""
        except BaseException:
            self._n_running -= 1
            raise
        await self._in_time(scope, _after(body, receive), answer)

    async def _streamed(self, scope: Scope, receive: Receive, answer: _SentAnswer) -> None:
        if self._n_streams >= self._limits.streams:
            raise _too_many(f"{self._limits.streams} streams of events")
        self._n_streams += 1
        try:
            await self._app(scope, receive, answer)
        finally:
            self._n_streams -= 1

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body: no route waits for a client."""
        declared = header(scope, b"content-length")
        if declared and (not declared[0].isdigit() or int(declared[0]) > _limits.BODY):
            raise _too_large()
        try:
            body = await asyncio.wait_for(_read(receive), self._limits.slow_seconds)
        except TimeoutError:
            raise Problem(
                "timeout", f"the request did not arrive within {self._limits.slow_seconds:g} seconds. Send it again."
            ) from None
        kind = "".join(header(scope, b"content-type")[:1]).split(";")[0].strip().lower()
        if body and scope["method"] not in SAFE and kind not in BODIES:
            raise Problem("unsupported-media-type", f"a body is {' or '.join(BODIES)}, got {kind!r:.80}.")
        return body

    async def _in_time(self, scope: Scope, receive: Receive, answer: _SentAnswer) -> None:
        """Run the application; where no answer begins in time, say so, and let it end by itself: it still counts as running."""
        task = asyncio.ensure_future(self._app(scope, receive, answer))
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        seconds = self._limits.seconds
        await asyncio.wait(
            {task, begun := asyncio.ensure_future(answer.begun.wait())}, timeout=seconds, return_when="FIRST_COMPLETED"
        )
        begun.cancel()
        if not task.done() and not answer.begun.is_set():
            await answer.give_up(
                scope, Problem("timeout", f"the answer took longer than {seconds:g} seconds. Ask for less at once.")
            )
            task.add_done_callback(_forget_error)
            return
        await task

    def _ended(self, task: asyncio.Future[None]) -> None:
        self._n_running -= 1
        self._tasks.discard(task)


@final
class _SentAnswer:
    """What is sent: with headers, with its status known, and of one application alone."""

    def __init__(self, send: Send) -> None:
        self._send, self._given_up = send, False
        self.begun = asyncio.Event()
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if self._given_up:
            return
        if message["type"] == "http.response.start":
            self.status, message = message["status"], protected(message)
            self.begun.set()
        await self._send(message)

    async def give_up(self, scope: Scope, problem: Problem) -> None:
        """Answer with a problem, and drop what the application sends after it."""
        response, self._given_up = problem.response(), True
        self.status = problem.status

        async def send(message: Message) -> None:
            """Send a message, with the headers of the guard."""
            await self._send(protected(message) if message["type"] == "http.response.start" else message)

        await response(scope, _nothing, send)


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


def _after(body: bytes, receive: Receive) -> Receive:
    """The body that was read already, and then what comes after it."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def given() -> Message:
        """The messages of the request: the body that was read already, then what comes."""
        return waiting.pop() if waiting else await receive()

    return given


async def _read(receive: Receive) -> bytes:
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Problem("bad-request", "the connection was closed before the request was complete.")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > _limits.BODY:
            raise _too_large()
        if not message.get("more_body", False):
            return b"".join(parts)


def _forget_error(task: asyncio.Future[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.warning("a request that was given up failed: %s", type(task.exception()).__name__)


def _check_address(scope: Scope) -> None:
    if len(scope.get("query_string", b"")) + len(scope["path"]) > _limits.ADDRESS:
        raise Problem("too-large", f"the address of a request can have {_limits.ADDRESS:,} bytes. Send less, or a body.")


def _too_large() -> Problem:
    return Problem("too-large", f"a request can have {_limits.BODY:,} bytes. Send files one at a time, or add them by vicinal add.")


def _too_many(what: str) -> Problem:
    return Problem("too-many", f"{what} are being answered already. Ask again in a second.", headers={"Retry-After": "1"})
