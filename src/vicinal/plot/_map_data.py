"""What a map shows: points, titles and clusters of the documents, and the names of the tree at three levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np
import scipy.sparse as sp

from vicinal._typing import FloatArray, IntArray
from vicinal.errors import NoTree
from vicinal.index import Cluster, Index, Snapshot
from vicinal.index._clusters.cluster_table import describe_clusters
from vicinal.index._layout.stored_layout import layout_of

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState
    from vicinal.uses import Tree

CHUNK = 1000
LONGEST_TITLE = 200  # characters, and fewer where there are so many documents that a page of them would be too large:
ALL_TITLES = 24_000_000  # characters in all, but of no title fewer than
LEAST_TITLE = 60
N_TERMS = 8  # of a document
ALL = "All documents"
LEVELS = ("coarse", "medium", "fine")


@final
@dataclass(frozen=True)
class MapName:
    """A name on the map.

    Attributes
    ----------
    name : str
    size : int
        Documents of its cluster.
    x, y : float
        The middle of their points.
    cluster : int
        Position in the list of clusters of the largest cluster among its documents.
    """

    name: str
    size: int
    x: float
    y: float
    cluster: int


@final
@dataclass(frozen=True)
class MapNode:
    """A node of the tree: a cluster, or nodes merged."""

    name: str
    size: int
    clusters: tuple[int, ...]
    children: tuple[MapNode, ...] = ()


@final
@dataclass(frozen=True, eq=False)
class MapData:
    """All that is drawn.

    Attributes
    ----------
    ids, titles : list of str
        Of the documents with a point.
    points : (documents, 2)
    clusters : list of Cluster
        Largest first.
    cluster : int array (documents,)
        Position in ``clusters``, -1 for none.
    middles : (clusters, 2)
        Middle of each cluster; NaN for one without points.
    levels : list of lists of MapName
        From coarse to fine.
    tree : MapNode or None
    vocabulary : list of str
    terms : list of lists of int
        The weightiest terms of each document, as positions in the vocabulary; empty lists where they are left out.
    n_without : int
        Documents without a point.
    """

    ids: list[str]
    titles: list[str]
    points: FloatArray
    clusters: list[Cluster]
    cluster: IntArray
    middles: FloatArray
    levels: list[list[MapName]]
    tree: MapNode | None
    vocabulary: list[str]
    terms: list[list[int]]
    n_without: int


def map_data(index: Index | Snapshot, with_terms: bool = True) -> MapData:
    """Collect what a map of an index shows.

    Parameters
    ----------
    index : Index or Snapshot
    with_terms : bool, default=True
        Whether terms of each document are there to be searched for.
    """
    with index._reading() as state:
        found, clusters = layout_of(state), describe_clusters(state)
        shown = np.flatnonzero(np.isfinite(found.points).all(axis=1))
        position = {each.number: i for i, each in enumerate(clusters)}
        cluster = np.array([position.get(int(number), -1) for number in found.clusters[shown]], dtype=np.int64)
        points = found.points[shown]
        vocabulary, terms = _terms(state, shown) if with_terms else ([], [[] for _ in shown])
        levels, tree = _names(state, shown, points, cluster, clusters)
        ids = [found.ids[i] for i in shown]
        middles = np.array([_middle(points[cluster == i]) for i in range(len(clusters))]).reshape(-1, 2)
        return MapData(
            ids,
            _titles(state, shown),
            points,
            clusters,
            cluster,
            middles,
            levels,
            tree,
            vocabulary,
            terms,
            len(found) - len(shown),
        )


def _middle(points: FloatArray) -> FloatArray:
    return np.median(points, axis=0) if len(points) else np.full(2, np.nan)


def _spot(points: FloatArray) -> tuple[float, float]:
    x, y = _middle(points).tolist()
    return x, y


def _titles(state: IndexState, shown: IntArray) -> list[str]:
    """The title of each document, or else how its text begins."""
    numbers, found = state.rows.numbers[shown].tolist(), []
    longest = max(LEAST_TITLE, min(LONGEST_TITLE, ALL_TITLES // max(len(numbers), 1)))
    for start in range(0, len(numbers), CHUNK):
        for stored in state.documents.at(numbers[start : start + CHUNK]):
            document = stored.document
            title = " ".join((document.title or document.text[: 2 * LONGEST_TITLE]).split()) or document.id
            found.append(title if len(title) <= longest else f"{title[: longest - 1]}…")
    return found


def _terms(state: IndexState, shown: IntArray) -> tuple[list[str], list[list[int]]]:
    """The terms with the largest BM25 weights of each document, and those of them that any has."""
    weights = sp.csr_array(state.unit_terms)[shown]
    chosen = []
    for row in range(len(shown)):
        here = slice(weights.indptr[row], weights.indptr[row + 1])
        order = np.lexsort((weights.indices[here], -weights.data[here]))[:N_TERMS]
        chosen.append(weights.indices[here][order])
    used = np.unique(np.concatenate(chosen)) if chosen else np.zeros(0, dtype=np.int64)
    forms = state.model.vocabulary.forms
    return [str(forms[each]) for each in used], [np.searchsorted(used, each).tolist() for each in chosen]


def _names(
    state: IndexState, shown: IntArray, points: FloatArray, cluster: IntArray, clusters: list[Cluster]
) -> tuple[list[list[MapName]], MapNode | None]:
    """Names at each level, and the tree; those of the clusters alone where the index keeps no tree."""
    own = [
        MapName(each.name, each.size, *_spot(points[cluster == i]), i) for i, each in enumerate(clusters) if (cluster == i).any()
    ]
    try:
        tree = state.cluster_tree
    except NoTree:
        return [own], None
    levels = [own if level == "medium" else _level(tree, level, shown, points, cluster) for level in LEVELS]
    root = _node(tree, tree.number(tree.root), {each.number: i for i, each in enumerate(clusters)}, clusters)
    return levels, replace(root, name=ALL) if root.children else root


def _level(tree: Tree, level: str, shown: IntArray, points: FloatArray, cluster: IntArray) -> list[MapName]:
    cut, found = tree.cut(level=level), []
    labels = cut.labels[shown]
    for label in np.unique(labels[labels >= 0]):
        here = labels == label
        node = tree.node(cut.nodes[label]) if label < len(cut.nodes) else None
        name = "" if node is None else node.given_name or ", ".join(term for term, _ in node.distinguishing[:3])
        largest = int(np.bincount(cluster[here] + 1).argmax()) - 1
        found.append(MapName(name, int(here.sum()), *_spot(points[here]), largest))
    return sorted((each for each in found if each.name), key=lambda each: -each.size)


def _node(tree: Tree, number: int, position: dict[int, int], clusters: list[Cluster]) -> MapNode:
    """A node with those below it, down to the clusters of the index."""
    described = tree.node(tree.ids[number])
    own = position.get(described.cluster, -1)
    if own >= 0:
        return MapNode(clusters[own].name, clusters[own].size, (own,))
    if number < tree.n_leaves:
        return MapNode(described.name, described.size, ())
    children = tuple(_node(tree, int(each), position, clusters) for each in tree.merges[number - tree.n_leaves])
    name = described.given_name or ", ".join(term for term, _ in described.distinguishing[:3])
    return MapNode(name, described.size, tuple(each for child in children for each in child.clusters), children)
