"""Files to take away: documents, embeddings, layout or projection of an index, a selection of documents, or a copy of it all."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from fastapi import Request, Response
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from vicinal.serve._answers.export_selection import export_selection
from vicinal.serve._routes.parameters import FILE, Body, router
from vicinal.serve._selections import Selection
from vicinal.serve._server import Server, Serving

if TYPE_CHECKING:
    from vicinal.serve._state import State

routes = router("files")
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "ids": "text/plain; charset=utf-8",
}
What = Literal["documents", "embeddings", "layout", "projection"]
Format = Literal["csv", "tsv", "jsonl", "parquet", "npz", "safetensors"]


def _download(server: Server, name: str, kind: str, write: Callable[[Path], object]) -> Response:
    """A file that is written to a folder of its own, which is gone when it was sent."""
    folder = tempfile.TemporaryDirectory(prefix="vicinal-")
    try:
        file = Path(folder.name) / name
        write(file)
    except BaseException:
        folder.cleanup()
        raise
    media_type = MEDIA_TYPES.get(kind, "application/octet-stream")
    shown = f"{server.path.stem}-{name}" if kind != "vic" else server.path.name
    return FileResponse(
        file,
        media_type=media_type,
        filename=shown,
        headers={"Cache-Control": "no-store"},
        background=BackgroundTask(folder.cleanup),
    )


@routes.get("/export", response_class=Response, responses=FILE)
def export(request: Request, server: Serving, what: What = "documents", format: Format = "csv", raw: bool = False) -> Response:
    """Write documents, embeddings, the layout or the projection to a file; in tables no cell can start a formula unless `raw`."""

    def made(state: State) -> Response:
        """The export of one state."""
        return _download(server, f"{what}.{format}", format, lambda file: state.snapshot.export(file, what, raw=raw))

    return server.answer(request, made)


class ExportBody(Body):
    """Documents to write."""

    selection: Selection
    format: Literal["csv", "tsv", "jsonl", "parquet", "ids"] = "csv"


@routes.post("/export", response_class=Response, responses=FILE)
def export_some(request: Request, server: Serving, body: ExportBody) -> Response:
    """Write a selection of documents to a file, or their ids, one to a line."""
    ending = "txt" if body.format == "ids" else body.format

    def made(state: State) -> Response:
        """The selection of one state."""
        rows = body.selection.of(state)
        return _download(server, f"selection.{ending}", body.format, lambda file: export_selection(state, rows, file, body.format))

    return server.answer(request, made)


@routes.get("/copy", response_class=Response, responses=FILE)
def copy(request: Request, server: Serving) -> Response:
    """Copy the whole index, also while others write it."""

    def made(state: State) -> Response:
        """A copy of one state."""
        return _download(server, "copy.vic", "vic", state.snapshot.copy)

    return server.answer(request, made)
