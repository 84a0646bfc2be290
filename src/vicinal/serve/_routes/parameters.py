"""Parameters that several routes share, with their limits; cursors; and how problems are described."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from vicinal.serve import _limits
from vicinal.serve._problems import MEDIA_TYPE, Problem
from vicinal.serve._shapes import ProblemShape
from vicinal.serve._state import State

QueryText = Annotated[str, Query(max_length=_limits.QUERY, description="A query, as `vicinal search` takes it.")]
Where = Annotated[str, Query(max_length=_limits.QUERY, description="A condition, such as `year>=1998 AND label=news`.")]
Limit = Annotated[int, Query(ge=1, le=_limits.PAGE, description="How many at most.")]
Id = Annotated[str, Query(min_length=1, max_length=_limits.QUERY, description="The id of a document, or the end of one.")]
Name = Annotated[str, Query(min_length=1, max_length=_limits.QUERY, description="The name of a column.")]
Cursor = Annotated[str | None, Query(max_length=200, description="Where to go on: `next` of the page before.")]
#: A number that SQLite and NumPy can hold.
Number = Annotated[int, Query(ge=0, lt=1 << 31)]

_PROBLEM: dict[str, object] = {
    "description": "A problem (RFC 9457).",
    "model": ProblemShape,
    "content": {MEDIA_TYPE: {}},
}
PROBLEMS: dict[int | str, dict[str, object]] = {"4XX": _PROBLEM, "5XX": _PROBLEM}
_BINARY: dict[str, object] = {"schema": {"type": "string", "format": "binary"}}
NUMBERS: dict[int | str, dict[str, object]] = {
    200: {"description": "Little-endian numbers.", "content": {"application/octet-stream": _BINARY}}
}
_FILES = ("application/octet-stream", "text/csv", "text/tab-separated-values", "application/jsonl", "text/plain")
FILE: dict[int | str, dict[str, object]] = {200: {"description": "A file.", "content": dict.fromkeys(_FILES, _BINARY)}}
UNCHANGED: dict[int | str, dict[str, object]] = {304: {"description": "The index has not changed: see the header If-None-Match."}}


def router(tag: str) -> APIRouter:
    """A group of routes, whose problems are described."""
    return APIRouter(tags=[tag], responses={**PROBLEMS, **UNCHANGED})


class Body(BaseModel):
    """The body of a request: members that are not described are refused."""

    model_config = ConfigDict(extra="forbid")


def next_cursor(state: State, offset: int, total: int) -> str | None:
    """Where the next page begins, bound to the state of this one; None after the last."""
    if offset >= total:
        return None
    return base64.urlsafe_b64encode(f"{state.key}:{offset}".encode()).decode()


def offset_of(state: State, cursor: str | None) -> int:
    """How many a cursor passes over; a cursor of another state is refused."""
    if not cursor:
        return 0
    try:
        key, _, offset = base64.urlsafe_b64decode(cursor.encode()).decode("ascii").rpartition(":")
        passed = int(offset)
    except (ValueError, binascii.Error):
        raise Problem("bad-parameter", f"{cursor!r:.80} is no cursor. Use next of the page before.") from None
    if key != state.key:
        raise Problem("cursor-expired", "the index has changed since the page before. Ask for the first page again.")
    if not 0 <= passed < 1 << 31:
        raise Problem("bad-parameter", f"{cursor!r:.80} is no cursor. Use next of the page before.")
    return passed
