"""RequestLimits: how large, how long and how many; each has its status, and what is refused does no work."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import socket
import threading
import time

import pytest

from tests.serve.asking import ask, asked
from vicinal.serve import RequestLimits, create_app
from vicinal.serve import _running as running
from vicinal.serve._guard.caller import Doorkeeper
from vicinal.serve._guard.hosts import allowed_hosts
from vicinal.serve._guard.middleware import Guard
from vicinal.serve._guard.sessions import Sessions

HOST = ("Host", "127.0.0.1:8000")
JSON = ("Content-Type", "application/json")


def guarded(app, **limits):
    """An application behind the guard, and what lets a request in."""
    sessions = Sessions()
    guard = Guard(app, Doorkeeper(allowed_hosts("127.0.0.1", 8000), 8000, sessions), RequestLimits(**limits))
    return guard, [HOST, ("Authorization", f"Bearer {sessions.token}")]


async def quick(scope, receive, send):
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


def test_a_request_of_ten_megabytes_is_read_and_one_byte_more_is_not():
    app, headers = guarded(quick)
    assert ask(app, "POST", headers=[*headers, JSON], body=b"x" * 10_000_000).status == 200
    over = ask(app, "POST", headers=[*headers, JSON], body=b"x" * 10_000_001)
    assert (over.status, over.kind) == (413, "too-large")
    for said in ("10000001", "-1", "many"):
        declared = ask(app, "POST", headers=[*headers, JSON, ("Content-Length", said)])
        assert (declared.status, declared.kind) == (413, "too-large")


def test_an_address_that_is_too_long_is_refused():
    app, headers = guarded(quick)
    assert ask(app, headers=headers, query=b"q=" + b"x" * 200_000).status == 413


def test_a_client_that_sends_slowly_is_given_up():
    app, headers = guarded(quick, slow_seconds=0.05)
    slow = ask(app, "POST", headers=[*headers, JSON], body=b"{}", pause=5)
    assert (slow.status, slow.kind) == (408, "timeout")


def test_who_has_shown_no_secret_keeps_no_place_by_a_body_that_does_not_come():
    app, _ = guarded(quick, slow_seconds=0.05)  # after which a body that is waited for ends in 408
    assert ask(app, "POST", "/", [HOST, ("Content-Length", "9")], body=b"x" * 9, pause=5).status == 200
    assert app._n_running == 0


def test_a_client_that_goes_away_gets_no_work_done():
    async def gone():
        return {"type": "http.disconnect"}

    async def scenario():
        from vicinal.serve._guard.middleware import _read
        from vicinal.serve._problems import Problem

        with pytest.raises(Problem, match="closed before"):
            await _read(gone)

    asyncio.run(scenario())


def test_an_answer_that_takes_too_long_is_given_up_and_still_counts_as_running():
    ends = asyncio.Event()

    async def slow(scope, receive, send):
        await ends.wait()
        await quick(scope, receive, send)

    async def scenario():
        app, headers = guarded(slow, seconds=0.05, at_once=1)
        first = await asked(app, headers=headers)
        second = await asked(app, headers=headers)
        ends.set()
        await asyncio.sleep(0.05)
        third = await asked(app, headers=headers)
        return first, second, third

    first, second, third = asyncio.run(scenario())
    assert (first.status, first.kind) == (408, "timeout")
    assert [each["type"] for each in first.messages].count("http.response.start") == 1
    assert (second.status, second.kind, second.headers["retry-after"]) == (429, "too-many", "1")
    assert third.status == 200


def test_a_request_that_fails_after_it_was_given_up_is_only_logged(caplog):
    async def fails(scope, receive, send):
        await asyncio.sleep(0.1)
        raise RuntimeError("late")

    async def scenario():
        app, headers = guarded(fails, seconds=0.02)
        answer = await asked(app, headers=headers)
        await asyncio.sleep(0.2)
        return answer

    assert asyncio.run(scenario()).status == 408
    assert "RuntimeError" in caplog.text


def test_more_than_64_requests_at_once_are_told_to_come_again():
    begun, inside = asyncio.Event(), []

    async def waits(scope, receive, send):
        inside.append(scope)
        await begun.wait()
        await quick(scope, receive, send)

    async def scenario():
        app, headers = guarded(waits)
        waiting = [asyncio.create_task(asked(app, headers=headers)) for _ in range(64)]
        while len(inside) < 64:
            await asyncio.sleep(0)
        refused = await asked(app, headers=headers)
        begun.set()
        return refused, await asyncio.gather(*waiting)

    refused, answered = asyncio.run(scenario())
    assert (refused.status, refused.kind) == (429, "too-many")
    assert [each.status for each in answered] == [200] * 64


def test_a_burst_is_counted_before_any_of_it_was_read():
    async def scenario():
        app, headers = guarded(quick, at_once=3)
        return await asyncio.gather(*(asked(app, "POST", headers=[*headers, JSON], body=b"{}", pause=0.01) for _ in range(8)))

    assert sorted(each.status for each in asyncio.run(scenario())) == [200] * 3 + [429] * 5


def test_streams_of_events_have_a_limit_of_their_own():
    ends = asyncio.Event()

    async def stream(scope, receive, send):
        await ends.wait()
        await quick(scope, receive, send)

    async def scenario():
        app, headers = guarded(stream, streams=1, seconds=0.01)
        first = asyncio.create_task(asked(app, path="/api/v1/events", headers=headers))
        await asyncio.sleep(0.05)
        second = await asked(app, path="/api/v1/events", headers=headers)
        ends.set()
        return await first, second

    first, second = asyncio.run(scenario())
    assert (first.status, second.status) == (200, 429)


def test_no_secret_and_no_query_is_in_a_log(reading_app, caplog):
    caplog.set_level("DEBUG")
    code = reading_app.link().partition("code=")[2]
    cookie = ask(reading_app, "GET", "/login", [HOST], query=f"code={code}".encode()).headers["set-cookie"].split(";")[0]
    bearer = ("Authorization", f"Bearer {reading_app.token}")
    for headers, query in (([bearer], b"query=a-private-question"), ([("Cookie", cookie)], b"query=%28"), ([("Cookie", "x")], b"")):
        ask(reading_app, "GET", "/api/v1/search", [HOST, *headers], query=query)
    ask(reading_app, "GET", f"/api/v1/{'x' * 500}\n2026 forged line", [HOST, bearer])
    assert "GET /api/v1/search 200" in caplog.text
    for secret in (code, cookie.partition("=")[2], reading_app.token, "a-private-question"):
        assert secret not in caplog.text
    assert all("\n" not in record.getMessage() for record in caplog.records)


def test_no_secret_is_in_an_answer_but_the_one_that_was_asked_for(reader, reading_app):
    texts = [reader.get(path).text for path in ("/info", "/openapi.json", "/search?query=(", "/nothing", "/jobs")]
    assert all(reading_app.token not in text for text in texts)


def test_nothing_is_measured_for_others(reading_app):
    """FastAPI would send what it measures to an address in the environment."""
    assert getattr(reading_app.api, "_telemetry", {}).get("auto_configure") in (False, None)


@pytest.fixture
def listening(made_once, monkeypatch):
    """The whole server at a real socket: its port, and its token."""
    monkeypatch.setattr(running, "HEADER_SECONDS", 0.3)
    server_socket = running.bound_socket("127.0.0.1", 0)
    port = server_socket.getsockname()[1]
    app = create_app(made_once, port=port, page=False, limits=RequestLimits(slow_seconds=0.3))
    ready, servers = threading.Event(), []
    monkeypatch.setattr(running._StoppableServer, "__init__", _remembering(running._StoppableServer.__init__, servers))
    thread = threading.Thread(target=running.run, args=(app, server_socket, ready.set))
    thread.start()
    assert ready.wait(30)
    yield port, app.token
    servers[0].should_exit = True
    thread.join()
    app.close()


def _remembering(init, servers):
    def remembered(self, *args):
        servers.append(self)
        init(self, *args)

    return remembered


def spoken(port, text, seconds=10.0):
    """What the server answers to bytes, as they are, until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        connection.sendall(text)
        found = b""
        while part := connection.recv(1 << 16):
            found += part
    return found


def test_at_a_real_socket_the_same_is_refused(listening):
    port, token = listening
    own, end = f"Host: 127.0.0.1:{port}\r\n", f"Authorization: Bearer {token}\r\nConnection: close\r\n\r\n"

    def status(line, hosts=own, more=""):
        answer = spoken(port, f"{line} HTTP/1.1\r\n{hosts}{more}{end}".encode("latin-1"))
        return int(answer.split(b" ", 2)[1])

    assert status("GET /api/v1/info") == 200
    assert status("GET /api/v1/info", f"{own}Host: evil.test\r\n") in (400, 403)
    assert status("GET /api/v1/info", "Host: evil.test\r\n") == 403
    assert status("GET /api/v1/info", "Host: \r\n") == 403
    assert status("GET http://evil/api/v1/info", own) == 403
    assert status("GET /../../../../etc/passwd") == 404
    assert status("GET /%2e%2e/%2e%2e/etc/passwd") == 404
    assert status("GET /..%5c..%5cetc%5cpasswd") == 404
    assert status("GET /%00") == 404
    upgrade = "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nOrigin: https://evil.test\r\n"
    assert status("GET /api/v1/events", own, upgrade) == 403
    assert status("POST /api/v1/check", own, "Content-Type: application/json\r\nContent-Length: 99999999\r\n") == 413
    assert status("POST /api/v1/check", own, "Content-Type: application/json\r\nContent-Length: 5\r\n") == 408


def test_a_connection_that_says_nothing_is_closed(listening):
    port, _ = listening
    begun = time.monotonic()
    assert spoken(port, b"GET / HTTP/1.1\r\nHost:") == b""
    assert time.monotonic() - begun >= 0.2


def test_headers_of_a_second_request_have_a_limit_too_and_bytes_one_by_one_do_not_renew_it(listening):
    port, token = listening
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    for _ in range(2):  # what comes in time is answered
        connection.request("GET", "/api/v1/info", headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        assert (answer.status, answer.will_close) == (200, False)
        answer.read()
    with contextlib.suppress(OSError):  # closed by the server, though the client is never silent
        for _ in range(300):
            connection.sock.sendall(b"G")
            time.sleep(0.02)
        pytest.fail("the server went on to wait")
    connection.close()


def test_a_port_that_is_taken_is_said_to_be(listening):
    from vicinal.errors import BadParameter

    port, _ = listening
    with pytest.raises(BadParameter, match="--port 0"):
        running.bound_socket("127.0.0.1", port)
