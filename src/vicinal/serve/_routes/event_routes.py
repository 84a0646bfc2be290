"""Events: progress of a job, and changes of the index, as they happen (server-sent events)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Request, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from vicinal.serve._json_answers import as_json
from vicinal.serve._routes.parameters import router
from vicinal.serve._server import Server, Serving

routes = router("events")
#: Seconds between two looks at a job and at the index, and after which silence is broken.
JOB_LOOKS, INDEX_LOOKS, SILENCE = 0.1, 1.0, 15.0
STREAM: dict[int | str, dict[str, object]] = {200: {"description": "Events.", "content": {"text/event-stream": {}}}}


def event(name: str, facts: dict[str, object]) -> bytes:
    """One event; JSON has no line breaks."""
    return f"event: {name}\ndata: {as_json(facts)}\n\n".encode("utf-8", "replace")


def _stream(events: AsyncIterator[bytes]) -> Response:
    return StreamingResponse(
        events, media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )


@routes.get("/jobs/{id}/events", response_class=Response, responses=STREAM)
async def job_events(request: Request, server: Serving, id: Annotated[str, Field(max_length=100)]) -> Response:
    """Tell the progress of a job until it ends."""
    server.jobs.get(id)
    return _stream(_of_job(request, server, id))


async def _of_job(request: Request, server: Server, id: str) -> AsyncIterator[bytes]:
    job, seen, silent = server.jobs.get(id), -1, 0.0
    while True:
        version, facts = job.version, job.facts()
        if version != seen:
            seen, silent = version, 0.0
            yield event("job", facts)
        if facts["state"] != "running" or server.closing.is_set() or await request.is_disconnected():
            return
        silent += JOB_LOOKS
        if silent >= SILENCE:
            silent = 0.0
            yield b": still here\n\n"
        await asyncio.sleep(JOB_LOOKS)


@routes.get("/events", response_class=Response, responses=STREAM)
async def events(request: Request, server: Serving) -> Response:
    """Tell every change of the index and of its jobs, whoever makes it."""
    return _stream(_of_index(request, server))


async def _of_index(request: Request, server: Server) -> AsyncIterator[bytes]:
    told, silent = ("", {}), 0.0  # type: tuple[object, dict[str, int]], float
    while not server.closing.is_set() and not await request.is_disconnected():
        state = await run_in_threadpool(_present, server)
        versions = {job.id: job.version for job in server.jobs.every()}
        for job in server.jobs.every():
            if told[1].get(job.id) != job.version:
                yield event("job", job.facts())
        if state["etag"] != told[0]:
            yield event("state", state)
        silent = 0.0 if (state["etag"], versions) != told else silent + INDEX_LOOKS
        told = state["etag"], versions
        if silent >= SILENCE:
            silent = 0.0
            yield b": still here\n\n"
        await asyncio.sleep(INDEX_LOOKS)


def _present(server: Server) -> dict[str, object]:
    """The present state; nothing of it is loaded."""
    with server.states.reading() as state:
        return {"etag": state.key, "generation": state.index_state.generation, "documents": state.index_state.documents.count()}
