"""Clusters: those of the fit, of other cuts and of the tree; their members; and the changes that people make of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import Path, Query, Request, Response
from pydantic import Field

from vicinal.serve import _facts, _limits
from vicinal.serve._answers.tree_facts import clusters_of_rows, tree_facts
from vicinal.serve._json_answers import BinaryAnswer, little
from vicinal.serve._problems import Problem
from vicinal.serve._routes.parameters import NUMBERS, Body, Limit, router
from vicinal.serve._selections import Name, Selection
from vicinal.serve._server import Serving
from vicinal.serve._shapes import ClustersShape, ConstraintShape, ConstraintsShape, Facts, HitsShape, TreeShape
from vicinal.serve._state import State

if TYPE_CHECKING:
    from vicinal.index import Constraint, Index, Uncertain

routes = router("clusters")
Level = Literal["fine", "medium", "coarse"]
NClusters = Annotated[int | None, Query(ge=1, lt=1 << 31)]
Nodes = Annotated[list[str] | None, Query(max_length=_limits.PAGE, description="Ids of nodes of the tree: a cut by hand.")]
ClusterName = Annotated[str, Query(min_length=1, max_length=100, description="A number, a path such as 3.1, or the id of a node.")]
ClusterNumber = Annotated[int, Path(ge=0, lt=1 << 31, description="The number of a cluster.")]


@routes.get("/clusters", response_model=ClustersShape)
def clusters(
    request: Request,
    server: Serving,
    of: ClusterName | None = None,
    n_clusters: NClusters = None,
    level: Level | None = None,
    node: Nodes = None,
) -> Response:
    """Describe the clusters, those of another cut of the tree, or the parts of one."""

    def found(state: State) -> dict[str, object]:
        """The clusters of one state."""
        if of is None and n_clusters is None and level is None and node is None:
            return _facts.clusters(state.listed_clusters())
        return _facts.clusters(state.snapshot.clusters(of, n_clusters or "auto", level=level, nodes=node))

    return server.answer(request, found)


@routes.get("/clusters/rows", response_class=Response, responses=NUMBERS)
def cluster_rows(
    request: Request, server: Serving, n_clusters: NClusters = None, level: Level | None = None, node: Nodes = None
) -> Response:
    """Give for each document the position of its cluster in the list of the clusters of a cut (int32), -1 for none."""
    return server.answer(request, lambda state: BinaryAnswer(little(clusters_of_rows(state, n_clusters, level, node), "i4")))


@routes.get("/tree", response_model=TreeShape)
def tree(request: Request, server: Serving) -> Response:
    """Give the tree of the clusters, and its cuts at three levels."""
    return server.answer(request, lambda state: state.once("tree", lambda: tree_facts(state)))


@routes.get("/clusters/members", response_model=HitsShape)
def members(request: Request, server: Serving, cluster: ClusterName, limit: Limit = 20) -> Response:
    """List the documents of a cluster, the most typical first."""

    def found(state: State) -> dict[str, object]:
        """The members in one state."""
        return {"hits": _facts.hits(state, state.snapshot.members(cluster, limit))}

    return server.answer(request, found)


@routes.get("/uncertain", response_model=Facts)
def uncertain(
    request: Request, server: Serving, limit: Limit = 20, cluster: Annotated[int | None, Query(ge=0, lt=1 << 31)] = None
) -> Response:
    """List the documents that lie between two clusters, the most uncertain first; of all clusters, or of one."""

    def found(state: State) -> dict[str, object]:
        """The uncertain documents of one state."""
        listed = _uncertain(state, limit, cluster)
        known = _facts.documents(state, state.rows_of_ids([each.id for each in listed]).tolist())
        each = zip(known, listed, strict=True)
        return {"documents": [{**facts, "clusters": one.clusters, "terms": one.terms} for facts, one in each]}

    return server.answer(request, found)


def _uncertain(state: State, limit: int, cluster: int | None) -> list[Uncertain]:
    """The most uncertain documents, of all clusters or of one: as many are looked through as it takes."""
    wanted = limit if cluster is None else 10 * limit
    while True:
        every = state.snapshot.uncertain(wanted)
        found = [each for each in every if cluster is None or each.clusters[0][0] == cluster][:limit]
        if len(found) == limit or len(every) < wanted:
            return found
        wanted *= 10


@routes.get("/constraints", response_model=ConstraintsShape)
def constraints(request: Request, server: Serving) -> Response:
    """List what people decided about clusters, and every fit keeps."""
    return server.answer(request, lambda state: {"constraints": [_facts.constraint(each) for each in state.snapshot.constraints()]})


class NameBody(Body):
    """The name of a cluster; null takes it away."""

    name: str | None = Field(max_length=1000)


@routes.patch("/clusters/{cluster}", response_model=ClustersShape)
def name_cluster(request: Request, server: Serving, cluster: ClusterNumber, body: NameBody) -> Response:
    """Give a cluster a name, or take it away."""
    return server.change(
        request, lambda index: index.name_cluster(cluster, body.name), lambda state, _: _facts.clusters(state.snapshot.clusters())
    )


def _steered(request: Request, server: Serving, act: Callable[[Index], Constraint]) -> Response:
    return server.change(request, act, lambda _, made: _facts.constraint(made))


class MergeBody(Body):
    """Clusters that become one; the first continues."""

    clusters: list[Annotated[int, Field(ge=0, lt=1 << 31)]] = Field(min_length=2, max_length=_limits.PAGE)


@routes.post("/clusters/merge", response_model=ConstraintShape)
def merge(request: Request, server: Serving, body: MergeBody) -> Response:
    """Make several clusters one."""
    return _steered(request, server, lambda index: index.merge_clusters(body.clusters))


class NewBody(Body):
    """Documents that become a cluster of their own."""

    selection: Selection
    name: str | None = Field(None, max_length=1000)


@routes.post("/clusters/new", response_model=ConstraintShape)
def new_cluster(request: Request, server: Serving, body: NewBody) -> Response:
    """Make a cluster of some documents, with a name if one is given."""
    ids = _ids(server, body.selection)

    def act(index: Index) -> Constraint:
        """Make the cluster, and name it, in one transaction."""
        with index.transaction():
            made = index.move_documents(ids, None)
            if body.name:
                index.name_cluster(made.clusters[0], body.name)
        return made

    return _steered(request, server, act)


def _ids(server: Serving, selection: Selection) -> list[str]:
    """The ids of a selection, without documents that are in no cluster, unless they are named one by one."""
    with server.states.reading() as state:
        rows = selection.of(state)
        return state.ids((rows if selection.ids is not None else rows[state.clusters[rows] >= 0]).tolist())


class SplitBody(Body):
    """How many parts."""

    n_clusters: Annotated[int, Field(ge=2, le=_limits.PAGE)] | Literal["auto"] = "auto"


@routes.post("/clusters/{cluster}/split", response_model=ConstraintShape)
def split(request: Request, server: Serving, cluster: ClusterNumber, body: SplitBody) -> Response:
    """Make the parts of a cluster clusters of their own."""
    return _steered(request, server, lambda index: index.split_cluster(cluster, body.n_clusters))


class MoveBody(Body):
    """Documents to move."""

    selection: Selection


@routes.post("/clusters/{cluster}/move", response_model=ConstraintShape)
def move(request: Request, server: Serving, cluster: ClusterNumber, body: MoveBody) -> Response:
    """Put documents into a cluster, where every fit leaves them."""
    ids = _ids(server, body.selection)
    return _steered(request, server, lambda index: index.move_documents(ids, cluster))


@routes.post("/clusters/{cluster}/pin", response_model=ConstraintShape)
def pin(request: Request, server: Serving, cluster: ClusterNumber) -> Response:
    """Keep all documents of a cluster in it at every fit."""
    return _steered(request, server, lambda index: index.pin_cluster(cluster))


@routes.delete("/clusters/{cluster}/pin", response_model=ConstraintShape)
def unpin(request: Request, server: Serving, cluster: ClusterNumber) -> Response:
    """Let a fit move the documents of a cluster again."""
    return _steered(request, server, lambda index: index.unpin_cluster(cluster))


@routes.delete("/constraints/{constraint}", response_model=ConstraintShape)
def undo(request: Request, server: Serving, constraint: Annotated[int, Path(ge=1, lt=1 << 31)]) -> Response:
    """Undo a merge, a split, a move, a pin, seed words or a link."""
    return _steered(request, server, lambda index: index.undo(constraint))


class SteeringStep(Body):
    """One change of several that are made together."""

    do: Literal["name", "merge", "split", "move", "pin", "unpin", "undo"]
    cluster: int | None = Field(None, ge=0, lt=1 << 31)
    clusters: list[Annotated[int, Field(ge=0, lt=1 << 31)]] = Field(default_factory=list, max_length=_limits.PAGE)
    n_clusters: Annotated[int, Field(ge=2, le=_limits.PAGE)] | Literal["auto"] = "auto"
    name: str | None = Field(None, max_length=1000)
    ids: list[Name] = Field(default_factory=list, max_length=_limits.NAMED)
    constraint: int = Field(0, ge=0, lt=1 << 31)


class SteerBody(Body):
    """Changes that are made together, or none of them."""

    steps: list[SteeringStep] = Field(min_length=1, max_length=100)


#: What each step calls.
STEPS: dict[str, Callable[[Index, SteeringStep, int], Constraint | None]] = {
    "name": lambda index, step, cluster: index.name_cluster(cluster, step.name),
    "merge": lambda index, step, _: index.merge_clusters(step.clusters),
    "split": lambda index, step, cluster: index.split_cluster(cluster, step.n_clusters),
    "move": lambda index, step, _: index.move_documents(step.ids, step.cluster),
    "pin": lambda index, _, cluster: index.pin_cluster(cluster),
    "unpin": lambda index, _, cluster: index.unpin_cluster(cluster),
    "undo": lambda index, step, _: index.undo(step.constraint),
}
WITHOUT_CLUSTER = ("merge", "move", "undo")


@routes.post("/steer", response_model=ConstraintsShape)
def steer(request: Request, server: Serving, body: SteerBody) -> Response:
    """Make several changes of clusters in one transaction: all of them, or none after an error."""
    for step in body.steps:
        if step.cluster is None and step.do not in WITHOUT_CLUSTER:
            raise Problem("bad-parameter", f"the step {step.do!r} names no cluster. Add cluster, its number.")

    def act(index: Index) -> list[Constraint | None]:
        """Take all steps in one transaction."""
        with index.transaction():
            return [STEPS[step.do](index, step, step.cluster or 0) for step in body.steps]

    def told(_: State, made: list[Constraint | None]) -> dict[str, object]:
        """What was made, as plain values."""
        return {"constraints": [None if each is None else _facts.constraint(each) for each in made]}

    return server.change(request, act, told)
