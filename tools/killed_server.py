"""A server that is killed while labels are given through it: used by `tools.kills`."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import signal
import socket
import threading
from pathlib import Path

TOKEN = "t" * 43


def serve_and_ask(path: Path, labels: dict[int, dict[str, str]], after: float) -> list[tuple[int, bool]]:
    """Give labels, one request after the other, to a server that is killed some seconds after its first answer.

    Parameters
    ----------
    path : Path
        The index.
    labels : dict of int to dict
        Labels by id, by the number of the request.
    after : float
        Seconds.

    Returns
    -------
    list of (int, bool)
        Requests that were sent, and whether each was answered.
    """
    from vicinal.serve._running import bound_socket

    context = multiprocessing.get_context("fork")
    with bound_socket("127.0.0.1", 0) as listening:
        listening.listen()  # so that nobody has to wait until the server does
        port = listening.getsockname()[1]
        process = context.Process(target=_serve, args=(path, listening, port))
        process.start()
    assert process.pid is not None
    asked: list[tuple[int, bool]] = []
    timer = threading.Timer(after, os.kill, (process.pid, signal.SIGKILL))
    try:
        connection = _connected(port)
        timer.start()
        for number, given in labels.items():
            asked.append((number, False))
            asked[-1] = (number, _put(connection, given))
    except (OSError, http.client.HTTPException):
        pass
    timer.cancel()
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    return asked


def _serve(path: Path, listening: socket.socket, port: int) -> None:
    """The process that is killed."""
    from vicinal.serve import create_app
    from vicinal.serve._running import run

    run(create_app(path, port=port, page=False, token=TOKEN), listening, lambda: None)


def _connected(port: int) -> http.client.HTTPConnection:
    """A connection to a server that answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/api/v1/info", headers={"Authorization": f"Bearer {TOKEN}"})
    connection.getresponse().read()
    return connection


def _put(connection: http.client.HTTPConnection, labels: dict[str, str]) -> bool:
    """Give labels; whether the server answered that they are kept."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    connection.request("PUT", "/api/v1/labels", json.dumps({"labels": labels, "learn": False}), headers)
    answer = connection.getresponse()
    told = answer.read()
    if answer.status != 200:
        raise AssertionError(f"the server answered {answer.status}: {told[:300]!r}")
    return True
