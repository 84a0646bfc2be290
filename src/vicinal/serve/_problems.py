"""Problems: errors as RFC 9457 has them, with a sentence for people and a kind for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, final

from starlette.responses import JSONResponse

from vicinal import errors
from vicinal.serve import _limits

MEDIA_TYPE = "application/problem+json"

#: Status and title of each kind of problem.
KINDS: dict[str, tuple[int, str]] = {
    "bad-request": (400, "The request cannot be read"),
    "bad-parameter": (400, "Bad parameter"),
    "bad-query": (400, "Bad query"),
    "bad-labels": (400, "Bad labels"),
    "bad-data": (400, "Bad data"),
    "unauthorized": (401, "Not signed in"),
    "forbidden": (403, "Not allowed"),
    "read-only": (403, "The index is read-only"),
    "not-found": (404, "Not found"),
    "method-not-allowed": (405, "Method not allowed"),
    "timeout": (408, "It took too long"),
    "not-fitted": (409, "The index is not fitted"),
    "no-tree": (409, "The index has no tree"),
    "no-classes": (409, "There are no classes yet"),
    "busy": (409, "Another job is running"),
    "locked": (409, "Another process is writing"),
    "changed": (409, "The index has changed"),
    "conflict": (409, "The index cannot be used so at present"),
    "cannot-fit": (409, "The documents cannot be fitted"),
    "cursor-expired": (410, "The index has changed since the first page"),
    "too-large": (413, "Too large"),
    "unsupported-media-type": (415, "Unsupported media type"),
    "bad-parameters": (422, "Bad parameters"),
    "too-many": (429, "Too many requests at once"),
    "internal": (500, "The server failed"),
    "missing-extra": (501, "An optional package is not installed"),
    "damaged": (503, "The index is damaged"),
    "engine-failed": (503, "The cluster of workers is gone"),
    "disk": (507, "The disk cannot be written"),
}

#: The kind of each error of the library: the first class that matches. The last row is for what has no class of its own.
_OF_ERRORS: tuple[tuple[type[errors.VicinalError], str], ...] = (
    (errors.BadQuery, "bad-query"),
    (errors.BadLabels, "bad-labels"),
    (errors.BadParameter, "bad-parameter"),
    (errors.BadData, "bad-data"),
    (errors.NoTree, "no-tree"),
    (errors.TooFewDocuments, "not-fitted"),
    (errors.NoSuchSource, "not-found"),
    (errors.IndexLocked, "locked"),
    (errors.ReadOnlyIndex, "read-only"),
    (errors.DiskFull, "disk"),
    (errors.DiskError, "disk"),
    (errors.BadIndex, "damaged"),
    (errors.EngineFailed, "engine-failed"),
    (errors.MissingExtra, "missing-extra"),
    (errors.EmptyCorpus, "cannot-fit"),
    (errors.TooFewTerms, "cannot-fit"),
    (errors.NoNeighbors, "cannot-fit"),
    (errors.NoVariation, "cannot-fit"),
    (errors.OneClass, "cannot-fit"),
    (errors.NotConverged, "cannot-fit"),
    (errors.VicinalError, "conflict"),
)


@final
class Problem(Exception):
    """A request that is refused.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    detail : str
        A sentence for people: what, why, and what to do.
    more : mapping, optional
        Further members.
    headers : mapping, optional
        Headers of the answer.
    """

    def __init__(
        self, kind: str, detail: str, more: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.more, self.headers = kind, detail, dict(more or {}), dict(headers or {})

    @property
    def status(self) -> int:
        """The status of HTTP."""
        return KINDS[self.kind][0]

    def facts(self) -> dict[str, object]:
        """The problem as plain values."""
        status, title = KINDS[self.kind]
        kind = "bad-parameter" if self.kind == "bad-parameters" else self.kind
        return {
            "type": f"urn:vicinal:problem:{kind}",
            "title": title,
            "status": status,
            "detail": self.detail,
            "kind": kind,
            **self.more,
        }

    def response(self) -> JSONResponse:
        """The problem as an answer."""
        return JSONResponse(self.facts(), self.status, self.headers, MEDIA_TYPE)


def of_error(error: errors.VicinalError, path: Path | None = None) -> Problem:
    """The problem that an error of the library is; an index is named, and where it lies on this machine is told nobody."""
    kind = next(kind for each, kind in _OF_ERRORS if isinstance(error, each))
    more = {"position": error.position} if isinstance(error, errors.BadQuery) else None
    said = str(error)
    if path is not None:
        for each in (path.resolve(), path.absolute(), path):
            said = said.replace(str(each), path.name)
    return Problem(kind, said, more)


def of_validation(found: Sequence[Mapping[str, Any]]) -> Problem:
    """The problem that parameters of other types than described are."""
    if any(str(each["type"]).startswith("json") for each in found):
        return Problem("bad-request", f"the body is no JSON: {found[0]['msg']}. Send an object, {{…}}.")
    if any(each["type"] == "string_too_long" and each["loc"][-1] in ("query", "where", "text") for each in found):
        return Problem("too-large", f"a query can have {_limits.QUERY:,} characters. Shorten it.")
    each_one = [{"where": ".".join(map(str, each["loc"])), "detail": str(each["msg"])} for each in found]
    said = "; ".join(f"{each['where']}: {each['detail']}" for each in each_one[:5])
    return Problem("bad-parameters", f"{said}.", {"errors": each_one[:50]})
