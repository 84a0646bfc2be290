"""Search: the full query language, suggestions, and documents that are similar to others."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query, Request, Response
from pydantic import Field

from vicinal.serve import _facts, _limits
from vicinal.serve._answers.found_rows import found_rows
from vicinal.serve._answers.more_like import more_like
from vicinal.serve._answers.suggestions import suggestions
from vicinal.serve._json_answers import BinaryAnswer, little
from vicinal.serve._routes.parameters import (
    NUMBERS,
    Body,
    Cursor,
    Id,
    Limit,
    Number,
    QueryText,
    Where,
    next_cursor,
    offset_of,
    router,
)
from vicinal.serve._selections import Name, Selection, Text
from vicinal.serve._server import Serving
from vicinal.serve._shapes import ExplanationShape, HitsShape, SearchesShape, SearchShape, SuggestionsShape
from vicinal.serve._state import State

routes = router("search")
By = Literal["both", "terms", "embedding"]
Facets = Annotated[list[str] | None, Query(max_length=20, description="Columns whose values are counted.")]


@routes.get("/search", response_model=SearchShape)
def search(
    request: Request,
    server: Serving,
    query: QueryText = "",
    where: Where = "",
    limit: Limit = 20,
    cursor: Cursor = None,
    by: By = "both",
    correct: bool | None = None,
    facet: Facets = None,
    plain: bool = False,
) -> Response:
    """Find documents by a query, page by page."""

    def found(state: State) -> dict[str, object]:
        """A page of hits in one state."""
        offset = offset_of(state, cursor)
        hits = state.snapshot.search(
            query, limit, offset=offset, by=by, where=where.strip() or (), correct=correct, facets=facet or (), plain=plain
        )
        return {**_facts.answer(state, hits), "next": next_cursor(state, offset + limit, hits.total)}

    return server.answer(request, found)


class SearchBody(Body):
    """Several queries."""

    queries: list[Text] = Field(min_length=1, max_length=_limits.QUERIES)
    limit: int = Field(10, ge=1, le=_limits.PAGE)
    offset: int = Field(0, ge=0, lt=1 << 31)
    where: Text = ""
    by: By = "both"
    correct: bool | None = None
    facets: list[Name] = Field(default_factory=list, max_length=20)
    plain: bool = False


@routes.post("/search", response_model=SearchesShape)
def search_many(request: Request, server: Serving, body: SearchBody) -> Response:
    """Find documents for several queries, all in one state of the index."""

    def found(state: State) -> dict[str, object]:
        """The hits of each query."""
        options = body.model_dump(exclude={"queries", "where"})
        answers = state.snapshot.search_many(body.queries, where=body.where.strip() or (), **options)
        return {"answers": [{**_facts.answer(state, each), "next": None} for each in answers]}

    return server.answer(request, found)


@routes.get("/search/rows", response_class=Response, responses=NUMBERS)
def search_rows(
    request: Request,
    server: Serving,
    query: QueryText = "",
    where: Where = "",
    limit: Annotated[int, Query(ge=1, le=_limits.SELECTION)] = _limits.SELECTION,
) -> Response:
    """Give the rows (uint32) of the best documents for a query, and their relevance (float32)."""

    def found(state: State) -> Response:
        """The rows that are found, with their relevance."""
        rows, relevance = found_rows(state, query, where, limit)
        return BinaryAnswer(little(rows, "u4"), little(relevance, "f4"))

    return server.answer(request, found)


@routes.get("/search/suggest", response_model=SuggestionsShape)
def suggest(request: Request, server: Serving, text: QueryText = "", limit: Limit = 10) -> Response:
    """Complete the last word of a query: terms, columns, their values, and clusters that have a name."""
    return server.answer(request, lambda state: {"suggestions": suggestions(state, text, limit)})


@routes.get("/near", response_model=HitsShape)
def near(request: Request, server: Serving, id: Id, limit: Limit = 10, where: Where = "") -> Response:
    """Find the documents most similar to one."""

    def found(state: State) -> dict[str, object]:
        """The documents near one."""
        return {"hits": _facts.hits(state, state.snapshot.near(id, limit, where=where.strip() or ()))}

    return server.answer(request, found)


class LikeBody(Body):
    """Documents that others are to be like."""

    selection: Selection
    limit: int = Field(20, ge=1, le=_limits.PAGE)
    where: Text = ""


@routes.post("/like", response_model=HitsShape)
def like(request: Request, server: Serving, body: LikeBody) -> Response:
    """Find more documents like several: those that are nearest to their middle."""

    def found(state: State) -> dict[str, object]:
        """The documents near several."""
        return {"hits": _facts.hits(state, more_like(state, body.selection.of(state), body.limit, body.where))}

    return server.answer(request, found)


@routes.get("/explain", response_model=ExplanationShape)
def explain(
    request: Request,
    server: Serving,
    id: Id | None = None,
    other: Id | None = None,
    cluster: Number | None = None,
    component: Number | None = None,
    limit: Limit = 20,
) -> Response:
    """Explain the cluster of a document, the similarity of two, a cluster or a component, by terms."""

    def found(state: State) -> dict[str, object]:
        """The explanation in one state."""
        return _facts.explanation(state.snapshot.explain(id, other=other, cluster=cluster, component=component, limit=limit))

    return server.answer(request, found)
