"""A server in a process of its own, which answers while others write, or is killed while labels are given through it."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

TOKEN = "t" * 43


def _started(path: Path) -> tuple[ForkProcess, int]:
    """A process that serves an index, and its port."""
    from vicinal.serve._running import bound_socket

    with bound_socket("127.0.0.1", 0) as listening:
        listening.listen()  # so that nobody has to wait until the server does
        port = listening.getsockname()[1]
        process = multiprocessing.get_context("fork").Process(target=_serve, args=(path, listening, port))
        process.start()
    return process, port


def _serve(path: Path, listening: socket.socket, port: int) -> None:
    from vicinal.serve import create_app
    from vicinal.serve._running import run

    run(create_app(path, port=port, page=False, token=TOKEN), listening, lambda: None)


@contextmanager
def served(path: Path) -> Iterator[http.client.HTTPConnection]:
    """A connection to a server of an index, which has answered; it is asked to end when the block does."""
    process, port = _started(path)
    try:
        yield _connected(port)
    finally:
        process.terminate()
        process.join()


def answered(connection: http.client.HTTPConnection, address: str) -> dict[str, Any]:
    """What a server answers to a question."""
    connection.request("GET", address, headers={"Authorization": f"Bearer {TOKEN}"})
    answer = connection.getresponse()
    told = answer.read()
    assert answer.status == 200, f"the server answered {answer.status}: {told[:300]!r}"
    return dict(json.loads(told))


def _connected(port: int) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    answered(connection, "/api/v1/info")
    return connection


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
    process, port = _started(path)
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


def _put(connection: http.client.HTTPConnection, labels: dict[str, str]) -> bool:
    """Give labels; whether the server answered that they are kept."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    connection.request("PUT", "/api/v1/labels", json.dumps({"labels": labels, "learn": False}), headers)
    answer = connection.getresponse()
    told = answer.read()
    if answer.status != 200:
        raise AssertionError(f"the server answered {answer.status}: {told[:300]!r}")
    return True
