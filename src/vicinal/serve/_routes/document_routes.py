"""Documents: pages of them, one with its text, the words of one with their contributions, and which belong together."""

from __future__ import annotations

import re
from typing import Annotated

import numpy as np
from fastapi import Query, Request, Response

from vicinal.index._search.show import query_spans
from vicinal.serve import _facts, _limits
from vicinal.serve._answers.word_positions import words_of_document
from vicinal.serve._problems import Problem
from vicinal.serve._routes.parameters import Body, Cursor, Id, Limit, Number, QueryText, Where, next_cursor, offset_of, router
from vicinal.serve._selections import Selection, rows_where
from vicinal.serve._server import Serving
from vicinal.serve._shapes import DocumentsShape, Facts, WholeDocumentShape, WordsShape
from vicinal.serve._state import State, check_state

routes = router("documents")
_RANGE = re.compile(r"(\d{1,9}):(\d{1,9})")
_LIST = re.compile(r"\d{1,9}(,\d{1,9})*")


@routes.get("/documents", response_model=DocumentsShape)
def documents(
    request: Request,
    server: Serving,
    rows: Annotated[str | None, Query(max_length=_limits.QUERY, description="Rows: `0:100` (the end excluded) or `1,5,9`.")] = None,
    id: Annotated[list[str] | None, Query(max_length=_limits.PAGE, description="Ids of documents.")] = None,
    where: Where = "",
    limit: Limit = 100,
    cursor: Cursor = None,
    state: Annotated[str | None, Query(max_length=100, description="The ETag of the state that the rows are of.")] = None,
) -> Response:
    """List documents: by rows, by ids, or all that meet a condition, page by page."""

    def found(present: State) -> dict[str, object]:
        """The documents that are named, or a page of all."""
        if id is not None:
            chosen = present.rows_of_ids(id)
            return {"documents": _facts.documents(present, chosen.tolist()), "total": len(chosen), "next": None}
        if rows is not None:
            check_state(present, state)
            return {"documents": _facts.documents(present, _rows(rows, len(present))), "total": len(present), "next": None}
        return page(present, rows_where(present, where).tolist(), cursor, limit)

    return server.answer(request, found)


def page(state: State, rows: list[int], cursor: str | None, limit: int) -> dict[str, object]:
    """A page of documents, and where the next begins."""
    offset = offset_of(state, cursor)
    shown = rows[offset : offset + limit]
    return {"documents": _facts.documents(state, shown), "total": len(rows), "next": next_cursor(state, offset + limit, len(rows))}


def _rows(text: str, n_documents: int) -> list[int]:
    span = _RANGE.fullmatch(text)
    if span is None and not _LIST.fullmatch(text):
        raise Problem("bad-parameter", f"rows are 0:100 or 1,5,9, got {text!r:.80}.")
    found = list(range(int(span[1]), min(int(span[2]), n_documents))) if span else [int(each) for each in text.split(",")]
    if len(found) > _limits.PAGE:
        raise Problem(
            "bad-parameter", f"an answer has {_limits.PAGE:,} documents at most, got {len(found):,} rows. Ask for a part."
        )
    beyond = [row for row in found if row >= n_documents]
    if beyond:
        raise Problem("bad-parameter", f"rows are below {n_documents:,}, got {beyond[0]:,}.")
    return found


@routes.get("/document", response_model=WholeDocumentShape)
def document(request: Request, server: Serving, id: Id, query: QueryText = "") -> Response:
    """Give one document with its text, and where the words of a query stand in it."""

    def found(state: State) -> dict[str, object]:
        """The document in one state."""
        snapshot = state.snapshot
        [number] = state.index_state.documents.numbers([id]).tolist()
        [stored] = state.index_state.documents.at([number])
        shown = snapshot.show(stored.document.id)
        facts = _facts.document(state, int(state.rows_of_numbers(np.array([number]))[0]), stored.document)
        return {
            **facts,
            "text": shown.text,
            "marks": query_spans(state.index_state, number, shown.text, query),
            "cluster_name": shown.cluster_name,
        }

    return server.answer(request, found)


@routes.get("/document/words", response_model=WordsShape)
def words(request: Request, server: Serving, id: Id, cluster: Number | None = None, query: QueryText = "") -> Response:
    """Give the words of a document with what each contributes to its cluster, to another one, or to a query."""
    return server.answer(request, lambda state: words_of_document(state, id, cluster, query))


class RemoveBody(Body):
    """What to remove."""

    selection: Selection


@routes.delete("/documents", response_model=Facts)
def remove(request: Request, server: Serving, body: RemoveBody) -> Response:
    """Remove documents."""
    with server.states.reading() as state:
        ids = state.ids(body.selection.of(state).tolist())
    return server.change(request, lambda index: index.remove(ids), lambda state, removed: {"removed": removed})


@routes.get("/duplicates", response_model=Facts)
def duplicates(
    request: Request, server: Serving, threshold: Annotated[float, Query(gt=0, le=1)] = 0.9, limit: Limit = 100
) -> Response:
    """Find groups of duplicates and near-duplicates, largest first."""

    def found(state: State) -> dict[str, object]:
        """The groups of one state."""
        groups = state.once(("duplicates", threshold), lambda: state.snapshot.duplicates(threshold))
        each = [
            {"kept": one.kept.id, "removable": list(one.removable), "documents": [vars(document) for document in one.documents]}
            for one in groups[:limit]
        ]
        return {"groups": each, "total": len(groups)}

    return server.answer(request, found)
