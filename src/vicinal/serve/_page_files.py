"""The page of the app: files that were built from ``web/`` and lie in the package; each has exactly one address."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from vicinal.serve._problems import Problem

FOLDER = Path(__file__).parent / "page"
INDEX = "index.html"
#: Kinds of files, which the machine's own list may name otherwise.
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}
HOW_TO_BUILD = (
    "The page of the app was not built: run make app (it needs Node 20 or later) in a checkout. The API works without it."
)


def is_built(folder: Path = FOLDER) -> bool:
    """Whether the page is there."""
    return (folder / INDEX).is_file()


def page_files(folder: Path = FOLDER) -> dict[str, Path]:
    """The files of the page by their addresses: what is not in here is not served, whatever a path says."""
    found = {f"/{file.relative_to(folder).as_posix()}": file for file in sorted(folder.rglob("*")) if file.is_file()}
    return {**found, "/": folder / INDEX} if is_built(folder) else {}


def served_file(files: dict[str, Path], request: Request) -> Response:
    """The file at an address; "not-found" for any other."""
    file = files.get(request.scope["path"])
    if file is None:
        missing = HOW_TO_BUILD if request.scope["path"] == "/" else "there is nothing at this address. The API is under /api/v1."
        raise Problem("not-found", missing)
    media_type = MEDIA_TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    lasting = request.scope["path"].startswith("/assets/")
    caching = "public, max-age=31536000, immutable" if lasting else "no-cache"
    return FileResponse(file, media_type=media_type, headers={"Cache-Control": caching})
