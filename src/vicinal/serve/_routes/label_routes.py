"""Labels: given and taken away, what is learnt from them, which documents to label next, and the classes of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request, Response
from pydantic import Field, model_validator

from vicinal.errors import BadLabels
from vicinal.serve import _facts, _limits
from vicinal.serve._answers.label_classes import curve, label_facts, rest
from vicinal.serve._problems import Problem
from vicinal.serve._routes.document_routes import page
from vicinal.serve._routes.parameters import Body, Cursor, Limit, Name, next_cursor, offset_of, router
from vicinal.serve._selections import Name as GivenName
from vicinal.serve._selections import Selection, Text
from vicinal.serve._server import Server, Serving
from vicinal.serve._shapes import DocumentsShape, Facts, LabelsShape, PredictionsShape
from vicinal.serve._state import State

if TYPE_CHECKING:
    from vicinal.index import Index

routes = router("labels")


@routes.get("/labels", response_model=LabelsShape)
def labels(request: Request, server: Serving) -> Response:
    """Count the labels in force, and tell the accuracy of what was learnt from them."""
    return server.answer(request, label_facts)


@routes.get("/labels/documents", response_model=DocumentsShape)
def labelled(request: Request, server: Serving, label: Name, limit: Limit = 100, cursor: Cursor = None) -> Response:
    """List the documents with a label."""

    def found(state: State) -> dict[str, object]:
        """A page of the documents with the label."""
        return page(state, [row for row, each in state.labels.items() if each.label == label], cursor, limit)

    return server.answer(request, found)


class LabelBody(Body):
    """Labels by id, one label for a selection, or the column that has them; null takes a label away."""

    labels: dict[str, GivenName | None] | None = Field(None, max_length=_limits.NAMED)
    selection: Selection | None = None
    label: GivenName | None = None
    column: GivenName | None = None
    learn: bool = Field(True, description="Whether classes are learnt from all labels at once; else they are only kept.")

    @model_validator(mode="after")
    def _given_once(self) -> LabelBody:
        if sum(each is not None for each in (self.labels, self.selection, self.column)) != 1:
            raise ValueError("labels are given by exactly one of labels, selection and column")
        return self


@routes.put("/labels", response_model=LabelsShape)
def label(request: Request, server: Serving, body: LabelBody) -> Response:
    """Label documents, and learn classes from all labels."""
    given = body.labels
    if body.selection is not None:
        with server.states.reading() as state:
            given = dict.fromkeys(state.ids(body.selection.of(state).tolist()), body.label)
    return server.change(request, lambda index: _give(index, given, body), lambda state, _: label_facts(state))


def _give(index: Index, given: dict[str, str | None] | None, body: LabelBody) -> None:
    """Keep labels; learn from them where that is wanted, and possible: the last label may just have been taken away."""
    index.label(given, column=body.column, learn=False)
    if body.learn:
        try:
            index.label()
        except BadLabels:
            if body.column is not None or any((given or {}).values()):
                raise


@routes.post("/labels/learn", response_model=LabelsShape)
def learn(request: Request, server: Serving) -> Response:
    """Learn classes from all labels that are kept."""
    return server.change(request, lambda index: index.label(), lambda state, _: label_facts(state))


@routes.get("/labels/ask", response_model=PredictionsShape)
def ask(request: Request, server: Serving, limit: Limit = 20) -> Response:
    """Find the documents whose labels would teach most."""
    return server.answer(request, lambda state: {"predictions": _facts.predictions(state, state.snapshot.ask(limit))})


@routes.get("/labels/curve", response_model=Facts)
def accuracy_curve(request: Request, server: Serving) -> Response:
    """Measure accuracy on labels held out, with a quarter, a half, three quarters and all of the others."""
    return server.answer(request, lambda state: {"points": curve(state)})


def _predicted(state: State, rows: list[int]) -> list[dict[str, object]]:
    ids = state.ids(rows)
    return _facts.predictions(state, state.snapshot.classify(ids=ids)) if ids else []


@routes.get("/labels/uncertain", response_model=PredictionsShape)
def least_certain(request: Request, server: Serving, limit: Limit = 20) -> Response:
    """List the documents without a label whose class is least certain."""
    return server.answer(request, lambda state: {"predictions": _predicted(state, rest(state).rows[::-1][:limit].tolist())})


@routes.get("/labels/rest", response_model=PredictionsShape)
def sorted_rest(request: Request, server: Serving, limit: Limit = 100, cursor: Cursor = None) -> Response:
    """Sort all documents without a label into classes, the most certain first."""

    def found(state: State) -> dict[str, object]:
        """A page of the predictions."""
        every, offset = rest(state), offset_of(state, cursor)
        shown = _predicted(state, every.rows[offset : offset + limit].tolist())
        total = len(every.rows)
        return {"predictions": shown, "counts": every.counts(), "total": total, "next": next_cursor(state, offset + limit, total)}

    return server.answer(request, found)


class AcceptBody(Body):
    """From which probability on a predicted class becomes a label."""

    least: float = Field(ge=0.0, le=1.0)


@routes.post("/labels/accept", response_model=LabelsShape)
def accept(request: Request, server: Serving, body: AcceptBody) -> Response:
    """Make predicted classes labels, where they are certain enough."""

    def act(index: Index) -> int:
        """Give the labels that are certain enough, and return how many."""
        chosen = _certain(server, body.least)
        if chosen:
            index.label(chosen)
        return len(chosen)

    return server.change(request, act, lambda state, accepted: {**label_facts(state), "accepted": accepted})


def _certain(server: Server, least: float) -> dict[str, str]:
    with server.states.reading() as state:
        every = rest(state)
        n_certain = int((every.probabilities >= least).sum())
        return dict(zip(state.ids(every.rows[:n_certain].tolist()), every.labels[:n_certain], strict=True))


class ClassifyBody(Body):
    """Texts that are not added, and documents of the index."""

    texts: list[str] = Field(default_factory=list, max_length=_limits.PAGE)
    ids: list[Text] = Field(default_factory=list, max_length=_limits.PAGE)


@routes.post("/classify", response_model=PredictionsShape)
def classify(request: Request, server: Serving, body: ClassifyBody) -> Response:
    """Predict the class of texts and documents."""

    def found(state: State) -> dict[str, object]:
        """The classes of the texts."""
        try:
            return {"predictions": _facts.predictions(state, state.snapshot.classify(body.texts, ids=body.ids))}
        except BadLabels as error:
            raise Problem("no-classes", str(error)) from None

    return server.answer(request, found)
