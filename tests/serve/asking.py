"""A request as ASGI has it, header by header, so that a test says exactly what is sent."""

from __future__ import annotations

import asyncio
import json


class Answer:
    def __init__(self, messages):
        self.status = next((each["status"] for each in messages if each["type"] == "http.response.start"), None)
        headers = next((each["headers"] for each in messages if each["type"] == "http.response.start"), [])
        self.headers = {name.decode().lower(): value.decode() for name, value in headers}
        self.body = b"".join(each.get("body", b"") for each in messages if each["type"] == "http.response.body")
        self.messages = messages

    @property
    def kind(self):
        return json.loads(self.body)["kind"]


async def asked(app, method="GET", path="/api/v1/info", headers=(), body=b"", raw_path=None, query=b"", pause=0.0):
    """Ask, and wait for the whole answer."""
    waiting, sent = [{"type": "http.request", "body": body, "more_body": False}], []

    async def receive():
        await asyncio.sleep(pause)
        if waiting:
            return waiting.pop()
        await asyncio.Event().wait()
        return None

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": raw_path or path.encode(),
        "query_string": query,
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
    await app(scope, receive, send)
    return Answer(sent)


def ask(app, *args, **more):
    return asyncio.run(asked(app, *args, **more))
