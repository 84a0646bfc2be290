"""What all routes share: the index, whether it may be changed, the jobs, the sessions, and how an answer is made of a state."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, final

from fastapi import Depends, Request, Response

from vicinal.serve._guard.sessions import Sessions
from vicinal.serve._json_answers import JsonAnswer
from vicinal.serve._limits import RequestLimits
from vicinal.serve._problems import Problem
from vicinal.serve._state import State, States

if TYPE_CHECKING:
    from vicinal.index import Index
    from vicinal.serve._jobs.jobs import Jobs

Told = TypeVar("Told")
#: Seconds for which a change waits for one of another browser.
PATIENCE = 20.0


@final
@dataclass(frozen=True, eq=False)
class Server:
    """What all routes share.

    Attributes
    ----------
    index : Index
    jobs : Jobs
    sessions : Sessions
    port : int
    origin : str
        The address of the server, ``http://127.0.0.1:8000``.
    read_only : bool
        Whether nothing may be changed.
    limits : RequestLimits
    tell : callable
        Called with a link that nobody has opened yet, to show it to the person at the terminal.
    closing : Event
        Set when the server ends, which ends streams of events.
    """

    index: Index
    jobs: Jobs
    sessions: Sessions
    port: int
    origin: str
    read_only: bool
    limits: RequestLimits
    tell: Callable[[str], object]
    closing: threading.Event = field(default_factory=threading.Event)
    states: States = field(init=False)
    _writer: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        object.__setattr__(self, "states", States(self.index))

    @property
    def path(self) -> Path:
        """The file of the index."""
        return Path(self.index.path)

    def link(self) -> str:
        """A link that lets one browser in, once."""
        return f"{self.origin}/login?code={self.sessions.new_code()}"

    def answer(self, request: Request, make: Callable[[State], Any]) -> Response:
        """Answer from one state: its key is the ETag, and what the browser has already is not sent again.

        Parameters
        ----------
        request : Request
        make : callable
            From the state to plain values, or to a response.
        """
        with self.states.reading() as state:
            tag = f'"{state.key}"'
            if request.method in ("GET", "HEAD") and tag in _known(request):
                return Response(status_code=304, headers={"ETag": tag})
            made = make(state)
        response = made if isinstance(made, Response) else JsonAnswer(made)
        response.headers["ETag"] = tag
        response.headers["Vary"] = "Accept, Authorization, Cookie"
        return response

    @contextmanager
    def writing(self) -> Iterator[Index]:
        """The index, to be changed: one change at a time, and none where the server is read-only."""
        self.refuse_reading_only()
        if not self._writer.acquire(timeout=PATIENCE):
            raise Problem("locked", "another change of the index takes long. Try again in a moment.")
        try:
            yield self.index
        finally:
            self._writer.release()

    def change(self, request: Request, act: Callable[[Index], Told], tell: Callable[[State, Told], Any]) -> Response:
        """Change the index, and answer from the state after it.

        Parameters
        ----------
        request : Request
        act : callable
            Changes the index.
        tell : callable
            From the state after it and what the change returned to plain values.
        """
        with self.writing() as index:
            done = act(index)
            return self.answer(request, lambda state: tell(state, done))

    def refuse_reading_only(self) -> None:
        """Refuse a change where the server is read-only."""
        if self.read_only:
            raise Problem("read-only", "the server was started to be read only. Start it without --read-only to change the index.")


def _known(request: Request) -> list[str]:
    """The tags of what a browser has."""
    return [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]


async def server_of(request: Request) -> Server:
    """The server that a request is for; a coroutine, since FastAPI would take a thread for a plain function."""
    found: Server = request.app.state.server
    return found


#: A parameter of a route: what all routes share.
Serving = Annotated[Server, Depends(server_of)]
