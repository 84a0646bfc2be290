"""What the index is: its contents in numbers, the points of the map, and what is damaged."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import Request, Response
from pydantic import Field

from vicinal import __version__
from vicinal.errors import NoTree
from vicinal.index._layout.stored_layout import has_layout
from vicinal.serve import _limits
from vicinal.serve._json_answers import BinaryAnswer, little
from vicinal.serve._problems import Problem
from vicinal.serve._routes.job_routes import FitBody
from vicinal.serve._routes.parameters import NUMBERS, Body, router
from vicinal.serve._server import Server, Serving
from vicinal.serve._shapes import Facts
from vicinal.serve._state import State

routes = router("index")
ARROW = "application/vnd.apache.arrow.stream"


@routes.get("/info", response_model=Facts)
def info(request: Request, server: Serving) -> Response:
    """Tell what is in the index, in numbers, and what can be asked of it."""
    return server.answer(request, lambda state: _info(state, server))


def _info(state: State, server: Server) -> dict[str, object]:
    snapshot = state.snapshot
    known = snapshot.info()
    return {
        **{name: value for name, value in vars(known).items() if name != "drift"},
        "path": server.path.name,
        "drift": None if known.drift is None else asdict(known.drift),
        "needs_fit": snapshot.needs_fit(),
        "has_map": has_layout(state.index_state),
        "has_tree": _has_tree(state),
        "read_only": server.read_only or not state.index_state.writable,
        "columns": state.columns,
        "version": __version__,
        "limits": {"body": _limits.BODY, "query": _limits.QUERY, "limit": _limits.PAGE, "selection": _limits.SELECTION},
    }


def _has_tree(state: State) -> bool:
    try:
        return state.snapshot.fitted and bool(state.snapshot.tree().ids)
    except NoTree:
        return False


@routes.post("/needs-fit", response_model=Facts)
def needs_fit(request: Request, server: Serving, body: FitBody) -> Response:
    """Tell whether a fit with these parameters would change anything."""
    return server.answer(request, lambda state: {"needs_fit": state.snapshot.needs_fit(body.recipe())})


@routes.get("/points", response_class=Response, responses=NUMBERS)
def points(request: Request, server: Serving) -> Response:
    """Give the point of each document and its cluster: x, y (float32) and cluster (int32), each for all rows; or as Arrow."""
    return server.answer(request, lambda state: _points(state, ARROW in request.headers.get("accept", "")))


def _points(state: State, as_arrow: bool) -> Response:
    state.index_state.require_fitted("draw a map")
    x, y = little(state.points[:, 0], "f4"), little(state.points[:, 1], "f4")
    if not as_arrow:
        return BinaryAnswer(x, y, little(state.clusters, "i4"))
    return _arrow({"id": state.index_state.documents.ids(state.numbers.tolist()), "x": x, "y": y, "cluster": state.clusters})


def _arrow(columns: dict[str, object]) -> Response:
    try:
        import pyarrow as pa
    except ImportError:
        raise Problem("missing-extra", "Arrow needs pyarrow, which is not installed. Run pip install vicinal[read].") from None
    table = pa.table({name: pa.array(values) for name, values in columns.items()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return Response(sink.getvalue().to_pybytes(), media_type=ARROW)


class CheckBody(Body):
    """How closely to look."""

    level: int = Field(2, ge=1, le=2)


@routes.post("/check", response_model=Facts)
def check(request: Request, server: Serving, body: CheckBody) -> Response:
    """Look for damage, in sizes alone or in every byte."""
    damage = [asdict(each) for each in server.index.check(body.level)]
    return server.answer(request, lambda state: {"damage": damage})
