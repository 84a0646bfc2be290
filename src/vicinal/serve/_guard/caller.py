"""Who asks: the Host that was asked for, the token or cookie that was given, and the page that a request came from.

The order of the checks is that of the table in docs/app.md: Host, then the secret, then, for a cookie, the origin of the request.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from starlette.requests import cookie_parser
from starlette.types import Scope

from vicinal.serve._guard.sessions import Sessions
from vicinal.serve._problems import Problem

API = "/api/"
SAFE = ("GET", "HEAD", "OPTIONS")
#: What a browser says of a request from a page of this server, or from none.
OWN_SITES = ("same-origin", "none")


def header(scope: Scope, name: bytes) -> list[str]:
    """All values of a header."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def cookie_name(port: int) -> str:
    """The name of the cookie: browsers send the cookies of all ports of a host."""
    return f"vicinal_{port}"


def given_cookie(scope: Scope, port: int) -> str:
    """The secret that a browser sent, or an empty text."""
    # Not SimpleCookie of the standard library: it gives up at a cookie it cannot parse, which any page of this host may have set.
    return cookie_parser("; ".join(header(scope, b"cookie"))).get(cookie_name(port), "")


@final
@dataclass(frozen=True)
class Doorkeeper:
    """Lets a request in, or says why not.

    Attributes
    ----------
    hosts : frozenset of str
        What Host may be, with the port.
    port : int
    sessions : Sessions
    """

    hosts: frozenset[str]
    port: int
    sessions: Sessions

    def check(self, scope: Scope) -> None:
        """Refuse a request that may not be answered.

        Raises
        ------
        Problem
            Of kind "forbidden" or "unauthorized".
        """
        self._check_host(scope)
        if header(scope, b"upgrade"):
            raise Problem("forbidden", "this server speaks no other protocol than HTTP, got a request to upgrade the connection.")
        if not scope["path"].startswith(API):
            return
        cookie = given_cookie(scope, self.port)
        if self._has_token(scope):
            return
        if not cookie or not self.sessions.is_cookie(cookie):
            raise Problem(
                "unauthorized",
                "this request has neither the cookie of a session nor the token. Open the link that vicinal serve printed, or send "
                "the header Authorization: Bearer TOKEN.",
                headers={"WWW-Authenticate": 'Bearer realm="vicinal"'},
            )
        self._check_origin(scope)

    def _check_host(self, scope: Scope) -> None:
        hosts = header(scope, b"host")
        raw = scope.get("raw_path") or scope["path"].encode()
        if len(hosts) != 1 or hosts[0] not in self.hosts or not raw.startswith(b"/"):
            got = " and ".join(f"{host!r:.80}" for host in hosts) or "none"
            raise Problem(
                "forbidden",
                f"the server is asked for under another name than its own, got Host {got}, as a page of somebody else would do. "
                f"Use one of {', '.join(sorted(self.hosts))}; another name is allowed by --allow-host.",
            )

    def _has_token(self, scope: Scope) -> bool:
        given = header(scope, b"authorization")
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        return scheme.lower() == "bearer" and self.sessions.is_token(token.strip())

    def _check_origin(self, scope: Scope) -> None:
        """Refuse what a browser sends with the cookie for a page that is not of this server."""
        sites, origins = header(scope, b"sec-fetch-site"), header(scope, b"origin")
        own = f"http://{header(scope, b'host')[0]}"
        foreign = any(site not in OWN_SITES for site in sites) or any(origin != own for origin in origins)
        if foreign or (scope["method"] not in SAFE and not sites and not origins):
            raise Problem(
                "forbidden",
                "the request comes from another page than one of this server, and is not answered with the cookie of a session. "
                "Programs send the header Authorization: Bearer TOKEN instead.",
            )
