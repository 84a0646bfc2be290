"""The questions about the app: points that stand for many documents, and clients whose failures are counted."""

from __future__ import annotations

import asyncio
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

pytest.importorskip("fastapi")

from bench.app_load import Client, _row, questions
from bench.app_server import many_points, with_points
from tests.index.small import made


class Stand(BaseHTTPRequestHandler):
    """A server that knows one token, and no documents."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        right = self.headers["Authorization"] == "Bearer right" and not self.path.startswith("/api/v1/document")
        self.send_response(200 if right else 404)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *args):
        pass


@pytest.fixture
def stand():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stand)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_points_of_many_documents_are_those_of_the_index_and_others_beside_them(tmp_path):
    body = many_points(str(made(tmp_path / "small.vic")), 100)
    assert len(body) == 100 * 12
    x, clusters = np.frombuffer(body, "<f4", 100), np.frombuffer(body, "<i4", 100, 800)
    assert clusters[:30].tolist() == clusters[30:60].tolist()
    assert (x[:30] != x[30:60]).all()
    np.testing.assert_allclose(x[:30], x[30:60], atol=0.2 * np.ptp(x))


def test_only_the_points_are_answered_in_place_of_the_app():
    sent, passed = [], []

    async def app(scope, receive, send):
        passed.append(scope["path"])

    async def send(message):
        sent.append(message)

    answer = with_points(app, b"123")
    for path in ("/api/v1/points", "/api/v1/info"):
        asyncio.run(answer({"type": "http", "path": path}, None, send))
    assert sent[1]["body"] == b"123"
    assert passed == ["/api/v1/info"]


def test_answers_and_failures_of_clients_are_counted(stand):
    asked = questions(["a title of three"], ["d1"])
    client = Client(stand, "right", asked, 0)
    turns = iter([True] * 16)
    client.run(lambda: next(turns, False))
    assert len(client.seconds) == 16
    assert client.errors == ["404 GET /document"] * 2
    row = _row([client], 0.005, 1000.0, 0.01)
    assert row["errors"] == "2 (404 GET /document)"
    assert row["memory grew by"] == "1.0%"
