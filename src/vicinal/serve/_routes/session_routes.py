"""Sessions: links for other browsers, and the end of a session."""

from __future__ import annotations

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from vicinal.serve._guard.caller import cookie_name, given_cookie
from vicinal.serve._json_answers import JsonAnswer
from vicinal.serve._problems import Problem
from vicinal.serve._routes.parameters import router
from vicinal.serve._server import Serving, server_of
from vicinal.serve._shapes import Facts

routes = router("session")


@routes.post("/session/links", response_model=Facts)
def new_link(server: Serving) -> Response:
    """Make a link that lets one more browser in, once."""
    return JsonAnswer({"link": server.link()}, headers={"Cache-Control": "no-store"})


@routes.delete("/session", status_code=204, response_class=Response)
def leave(request: Request, server: Serving) -> Response:
    """End the session of this browser."""
    server.sessions.leave(given_cookie(request.scope, server.port))
    response = Response(status_code=204)
    response.delete_cookie(cookie_name(server.port), httponly=True, samesite="strict")
    return response


async def login(request: Request) -> Response:
    """Let a browser in that opens a link: the code becomes a cookie, and is worth nothing any more."""
    server = await server_of(request)
    if request.method != "GET" or request.headers.get("sec-purpose", "").startswith("prefetch"):
        raise Problem("forbidden", "a link is opened by a person, not ahead of time.")
    cookie = server.sessions.enter(request.query_params.get("code", "")[:200])
    if cookie is None:
        raise Problem(
            "forbidden", "this link was opened before, or is of a server that has ended. Use the newest link in the terminal."
        )
    response = RedirectResponse(_next(request.query_params.get("next", "")), 303, {"Cache-Control": "no-store"})
    response.set_cookie(cookie_name(server.port), cookie, httponly=True, samesite="strict", path="/")
    server.tell(server.link())
    return response


def _next(wanted: str) -> str:
    """A view of the page: never another path, and never another server."""
    return wanted if wanted.startswith(("/?", "/#")) and wanted.isprintable() and len(wanted) <= 10_000 else "/"
