"""Selections and columns: what sets documents apart, two groups against each other, and documents by time and column."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query, Request, Response
from pydantic import Field

from vicinal.serve import _limits
from vicinal.serve._answers.cross_table import cross_table
from vicinal.serve._answers.document_columns import MOST_VALUES, column, every_column
from vicinal.serve._answers.selection_summary import summary
from vicinal.serve._answers.terms_apart import contrast
from vicinal.serve._answers.timeline import series
from vicinal.serve._json_answers import BinaryAnswer, little
from vicinal.serve._routes.parameters import NUMBERS, Body, Limit, Name, router
from vicinal.serve._selections import Name as GivenName
from vicinal.serve._selections import Selection
from vicinal.serve._server import Serving
from vicinal.serve._shapes import Facts
from vicinal.serve._state import State

routes = router("selections and columns")


class SummaryBody(Body):
    """Documents to describe."""

    selection: Selection
    column: GivenName | None = Field(None, description="Column of the timeline; by default the first with dates.")
    limit: int = Field(10, ge=1, le=_limits.PAGE)


@routes.post("/selection", response_model=Facts)
def selection(request: Request, server: Serving, body: SummaryBody) -> Response:
    """Describe a selection: the terms that set it apart from the rest, typical and uncertain documents, labels, timeline."""
    return server.answer(request, lambda state: summary(state, body.selection.of(state), body.column, body.limit))


class SelectionBody(Body):
    """Documents."""

    selection: Selection


@routes.post("/selection/rows", response_class=Response, responses=NUMBERS)
def selection_rows(request: Request, server: Serving, body: SelectionBody) -> Response:
    """Give the rows (uint32) of a selection."""
    return server.answer(request, lambda state: BinaryAnswer(little(body.selection.of(state), "u4")))


class ContrastBody(Body):
    """Two groups of documents; null is all that are not in the first."""

    one: Selection
    other: Selection | None = None
    limit: int = Field(30, ge=1, le=_limits.PAGE)


@routes.post("/contrast", response_model=Facts)
def contrast_groups(request: Request, server: Serving, body: ContrastBody) -> Response:
    """Compare two groups of documents: the terms of each against the other."""

    def found(state: State) -> dict[str, object]:
        """Both groups, each with its terms."""
        both = contrast(state, body.one.of(state), None if body.other is None else body.other.of(state))
        one, other = both.sizes
        return {
            "one": {"size": one, "terms": both.terms(body.limit)},
            "other": {"size": other, "terms": both.terms(body.limit, of_other=True)},
            "scatter": both.scatter(),
        }

    return server.answer(request, found)


@routes.get("/columns", response_model=Facts)
def columns(request: Request, server: Serving) -> Response:
    """List the columns of the documents, with their kinds."""
    return server.answer(request, lambda state: {"columns": [each.facts() for each in every_column(state)]})


@routes.get("/columns/values", response_model=Facts)
def values(request: Request, server: Serving, name: Name, limit: Limit = MOST_VALUES) -> Response:
    """Count the values of a column, most frequent first."""

    def found(state: State) -> dict[str, object]:
        """The values of the column."""
        one = column(state, name)
        return {**one.facts(), **one.limits(), "values": one.counts[:limit]}

    return server.answer(request, found)


@routes.get("/columns/codes", response_class=Response, responses=NUMBERS)
def codes(request: Request, server: Serving, name: Name, limit: Limit = MOST_VALUES) -> Response:
    """Give for each document the position of its value in the list of values (int32): `limit` for a rarer one, -1 for none."""
    return server.answer(request, lambda state: BinaryAnswer(little(column(state, name).codes(limit), "i4")))


@routes.get("/columns/numbers", response_class=Response, responses=NUMBERS)
def numbers(request: Request, server: Serving, name: Name) -> Response:
    """Give for each document its number, or its date in days since 1970 (float32); NaN for none."""
    return server.answer(request, lambda state: BinaryAnswer(little(column(state, name).numbers(), "f4")))


@routes.get("/columns/timeline", response_model=Facts)
def timeline(
    request: Request,
    server: Serving,
    name: Name,
    by: Annotated[str, Query(min_length=1, max_length=_limits.QUERY)] = "cluster",
    period: Literal["auto", "day", "week", "month", "quarter", "year", "decade"] = "auto",
) -> Response:
    """Count documents over time, by cluster or by another column."""
    return server.answer(request, lambda state: series(state, name, by, period))


@routes.get("/columns/table", response_model=Facts)
def table(request: Request, server: Serving, name: Name) -> Response:
    """Count documents by cluster and by the values of a column, against what chance would give."""
    return server.answer(request, lambda state: cross_table(state, name))
