"""Clients that ask the API again and again, without a pause: how long answers take, how many fail, how much memory it takes."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final
from urllib.parse import urlencode, urlsplit

import numpy as np

from bench.app_server import served

API = "/api/v1"
#: Of the time, after which memory is taken for what the server needs; and what follows is growth.
WARM = 0.3


@final
@dataclass(eq=False)
class Client:
    """One who asks; answers and failures are kept."""

    origin: str
    token: str
    questions: Sequence[tuple[str, str, bytes]]
    start: int
    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def run(self, goes_on: Callable[[], bool]) -> None:
        """Ask one question after the other as long as that goes on."""
        connection, turn = http.client.HTTPConnection(urlsplit(self.origin).netloc, timeout=60), self.start
        while goes_on():
            method, path, body = self.questions[turn % len(self.questions)]
            turn += 1
            began = time.perf_counter()
            try:
                connection.request(method, API + path, body or None, self._headers())
                answer = connection.getresponse()
                answer.read()
                if answer.status >= 400:
                    self.errors.append(f"{answer.status} {method} {path.split('?')[0]}")
            except (OSError, http.client.HTTPException) as error:
                self.errors.append(f"{type(error).__name__} {method} {path.split('?')[0]}")
                connection.close()
            self.seconds.append(time.perf_counter() - began)
        connection.close()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}


def questions(titles: Sequence[str], ids: Sequence[str]) -> list[tuple[str, str, bytes]]:
    """What is asked, of every kind in turn: most of it are searches and documents, as people ask."""
    asked: list[tuple[str, str, bytes]] = []
    for title, id in zip(titles, ids, strict=True):
        query = " ".join(title.split()[:3])
        asked += [
            ("GET", f"/search?{urlencode({'query': query, 'limit': 20})}", b""),
            ("GET", f"/document?{urlencode({'id': id, 'query': query})}", b""),
            ("GET", f"/search/suggest?{urlencode({'text': query[:4]})}", b""),
            ("GET", f"/search?{urlencode({'query': title.split()[0], 'limit': 10})}", b""),
            ("GET", f"/near?{urlencode({'id': id, 'limit': 6})}", b""),
            ("GET", "/clusters", b""),
            ("POST", "/selection", json.dumps({"selection": {"query": query, "limit": 200}, "limit": 6}).encode()),
            ("GET", "/points", b""),
        ]
    return asked


def measure(index: Path, asked: Sequence[tuple[str, str, bytes]], n_clients: int, minutes: float) -> dict[str, Any]:
    """The row of so many clients."""
    with served(index) as (process, link, token):
        clients = [Client(link.split("/login")[0], token, asked, 7 * i) for i in range(n_clients)]
        Client(link.split("/login")[0], token, asked[:8], 0).run(_for(5))  # what is loaded once is there
        goes_on = _for(60 * minutes)
        threads = [threading.Thread(target=client.run, args=(goes_on,)) for client in clients]
        for thread in threads:
            thread.start()
        time.sleep(WARM * 60 * minutes)
        warm = _resident(process)
        for thread in threads:
            thread.join()
        grown = _resident(process) / warm - 1
    return _row(clients, minutes, warm, grown)


def _for(seconds: float) -> Callable[[], bool]:
    until = time.monotonic() + seconds
    return lambda: time.monotonic() < until


def _row(clients: Sequence[Client], minutes: float, warm: float, grown: float) -> dict[str, Any]:
    times = np.array([each for client in clients for each in client.seconds])
    errors = [each for client in clients for each in client.errors]
    return {
        "clients": len(clients),
        "minutes": minutes,
        "answers": f"{len(times):,}",
        "answers per second": round(len(times) / (60 * minutes)),
        "p50 (ms)": round(1000 * float(np.quantile(times, 0.5))),
        "p99 (ms)": round(1000 * float(np.quantile(times, 0.99))),
        "errors": f"{len(errors)} ({', '.join(sorted(set(errors))[:3])})" if errors else 0,
        "memory (MB)": round(warm / 1024),
        "memory grew by": f"{grown:.1%}",
    }


def _resident(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return float(line.split()[1])
    raise RuntimeError(f"process {process} has ended")
