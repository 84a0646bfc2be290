"""The app of an index in a process of its own, for the questions about it; its map may be given more points than it has documents.

``python -m bench.app_server INDEX --points 1000000`` answers every request as `vicinal serve` does, but for the points, which are
those of the index again and again, each a little beside: the page draws them as it would draw a million documents.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import vicinal
from vicinal._typing import IntArray
from vicinal.index._snapshot import state_of
from vicinal.serve import create_app
from vicinal.serve._running import bound_socket, run

#: By how much a point that is there again lies beside the first, as a share of the map.
BESIDE = 0.01


def many_points(path: str, n_points: int) -> bytes:
    """The points and clusters of so many documents, as the API gives them."""
    with vicinal.open(path) as index:
        points, clusters = index.layout().points, _clusters_of(index)
    documents = np.arange(n_points)
    again = documents % len(points)
    beside = np.random.default_rng(0).standard_normal((n_points, 2)) * BESIDE * np.nanstd(points)
    drawn = points[again] + np.where(documents < len(points), 0.0, beside.T).T
    return b"".join(
        each.tobytes() for each in (drawn[:, 0].astype("<f4"), drawn[:, 1].astype("<f4"), clusters[again].astype("<i4"))
    )


def _clusters_of(index: vicinal.Index) -> IntArray:
    with index.snapshot() as snapshot:
        return np.array(state_of(snapshot).cluster_numbers)


def with_points(app: Any, body: bytes) -> Any:
    """The app, but for its points."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"] != "/api/v1/points":
            await app(scope, receive, send)
            return
        headers = [(b"content-type", b"application/octet-stream"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return answer


@contextmanager
def served(path: Path, n_points: int = 0) -> Iterator[tuple[int, str, str]]:
    """The app of an index: the number of its process, the link for a browser, and the token for programs."""
    token = os.urandom(24).hex()
    command = [sys.executable, "-u", "-m", "bench.app_server", str(path), "--points", str(n_points)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "VICINAL_TOKEN": token})
    try:
        assert process.stdout is not None
        yield process.pid, next(line.strip() for line in process.stdout if "/login?code=" in line), token
    finally:
        process.kill()
        process.wait()


def main() -> None:
    """Serve until the process ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index")
    parser.add_argument("--points", type=int, default=0)
    given = parser.parse_args()
    listening = bound_socket("127.0.0.1", 0)
    app = create_app(given.index, port=listening.getsockname()[1], token=os.environ.pop("VICINAL_TOKEN", None))
    asked: Any = with_points(app, many_points(given.index, given.points)) if given.points else app
    run(asked, listening, lambda: print(app.link(), flush=True))


if __name__ == "__main__":
    main()
