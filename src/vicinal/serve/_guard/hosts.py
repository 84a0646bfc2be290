"""Hosts: the names under which the server is asked for, compared as whole strings, so that no other page reaches it by its own."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable

from vicinal.errors import BadParameter

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def refuse_remote(host: str, allow_remote: bool) -> None:
    """Refuse an address that other machines reach, unless that is wanted."""
    if not is_loopback(host) and not allow_remote:
        raise BadParameter(
            f"--host {host} lets other machines reach the server: whoever has its token can then read every document of the index "
            "and change it, and what is sent is not encrypted. Add --allow-remote if that is what you want, and --read-only if "
            "they are only to look."
        )


def allowed_hosts(host: str, port: int, names: Iterable[str] = ()) -> frozenset[str]:
    """What the header Host may be, whole.

    Parameters
    ----------
    host : str
        The address that the server listens at.
    port : int
    names : iterable of str
        Further names by which people reach it.
    """
    own = [f"[{host.strip('[]')}]" if ":" in host else host] if host not in ("0.0.0.0", "::") else [socket.gethostname()]
    each = dict.fromkeys([*LOOPBACK, *own, *names])
    with_port = {f"{name.lower()}:{port}" for name in each}
    return frozenset(with_port | {name.lower() for name in each} if port == 80 else with_port)
