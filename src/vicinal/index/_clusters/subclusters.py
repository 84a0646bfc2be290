"""Clusters within a cluster: its documents are clustered again by themselves, with the terms that distinguish them there.

Nothing is written. A part is named by its path: ``3`` is a cluster, ``3.1`` a part of it, ``3:5.1`` a part of it in five.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard, final

import numpy as np
import scipy.sparse as sp

from vicinal._choice import is_auto
from vicinal._matrix import csr
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal._validate import check_count
from vicinal._warn import warn
from vicinal.errors import BadParameter, ClusterCount, NoNeighbors, NoVariation, TooFewDocuments, TooFewTerms, VicinalWarning
from vicinal.index._clusters.cluster_path import ClusterName, ClusterPath, bad_path, parse_path
from vicinal.index._clusters.cluster_table import SHOWN, describe_clusters, distinguishing_terms, name_of
from vicinal.index._clusters.cuts import clusters_of_cut, parts_of_node, rows_of_node
from vicinal.index._clusters.typical import exemplars_of, typical_hits
from vicinal.index._model import SHARED
from vicinal.index._recipe import Recipe, load_recipe
from vicinal.index._results import Cluster
from vicinal.index._search.hits import Hit
from vicinal.uses import Topics
from vicinal.uses._topics.topics import fit_to_counts
from vicinal.uses._tree.cut import refuse_two_cuts

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState

FEWEST = 4  # documents that can be clustered


@final
@dataclass(frozen=True, eq=False)
class Part:
    """The documents of a cluster, or of a part of one.

    Attributes
    ----------
    path : ClusterPath
    rows : int array
        Of the state, rising.
    uncertainty : float array
        Of each document.
    terms : tuple of (str, float)
        That distinguish it from the other parts.
    """

    path: ClusterPath
    rows: IntArray
    uncertainty: FloatArray
    terms: tuple[tuple[str, float], ...]


def clusters(
    state: IndexState,
    of: ClusterName | None,
    n_clusters: int | str,
    level: str | None = None,
    nodes: Iterable[str] | None = None,
) -> list[Cluster]:
    """The clusters of an index, those of a cut of its tree, or the parts of one of them; largest first."""
    if of is None:
        asked = None if is_auto(n_clusters) else n_clusters
        refuse_two_cuts(asked, level, nodes)
        number = None if asked is None else check_count("n_clusters", asked)
        is_cut = number is not None or level is not None or nodes is not None
        return clusters_of_cut(state, number, level, nodes) if is_cut else describe_clusters(state)
    _refuse_cut(level, nodes)
    if _is_node(of):
        return parts_of_node(state, _node(state, of), n_clusters)
    recipe = replace(load_recipe(state.store), n_clusters=n_clusters).checked()
    path = parse_path(of)
    n_documents = len(_at(state, path, recipe).rows)
    found = _parts(state, path, recipe)
    if found and not is_auto(n_clusters) and len(found) < int(n_clusters):
        why = f"asked for {n_clusters} parts of cluster {path} but there are {len(found)}: its documents form no more clusters."
        warn(f"{why} Continuing with {len(found)}.", ClusterCount)
    return [_described(state, part, n_documents) for part in found]


def parts_of(state: IndexState, number: int, n_clusters: int | str) -> tuple[Part, ...]:
    """The parts of a cluster of the index, largest first; none where it cannot be opened."""
    recipe = replace(load_recipe(state.store), n_clusters=n_clusters).checked()
    return _parts(state, parse_path(number), recipe)


def _refuse_cut(level: str | None, nodes: Iterable[str] | None) -> None:
    if level is not None or nodes is not None:
        asked = f"nodes={nodes!r:.80}" if level is None else f"level={level!r}"
        raise BadParameter(f"level and nodes are of the whole tree, got {asked} for the parts of one cluster. Use n_clusters.")


def _at(state: IndexState, path: ClusterPath, recipe: Recipe) -> Part:
    """The cluster at a path, for which those around it are opened; BadParameter where there is none."""
    *_, number = path.numbers
    if not path.n_parts:
        position = state.cluster_table.position(number)
        rows = np.flatnonzero(state.rows.clusters == position)
        return Part(path, rows, state.rows.uncertainty[rows], state.cluster_table.terms[position])
    found = _parts(state, path.parent, replace(recipe, n_clusters=path.n_parts[-1]).checked())
    if not found:
        raise BadParameter(f"there is no cluster {path}: cluster {path.parent} cannot be opened further. Use {path.parent}.")
    if number >= len(found):
        known = ", ".join(str(part.path) for part in found)
        raise BadParameter(f"there is no cluster {path}. Cluster {path.parent} has the parts {known}.")
    return found[number]


def _parts(state: IndexState, path: ClusterPath, recipe: Recipe) -> tuple[Part, ...]:
    """The parts of the cluster at a path, found when they are first asked for; none where it cannot be opened."""
    key = path, recipe.n_clusters
    if key not in state.parts:
        state.parts[key] = _fit_parts(state, _at(state, path, recipe), recipe)
    return state.parts[key]


def _fit_parts(state: IndexState, whole: Part, recipe: Recipe) -> tuple[Part, ...]:
    counts, rows, columns = _shared(state, whole.rows)
    _refuse_more(whole, recipe.n_clusters, len(rows))
    topics = _fit_topics(counts, recipe) if len(rows) >= FEWEST else None
    if topics is None:
        return ()
    sizes = np.bincount(topics.labels_[topics.labels_ >= 0])
    largest = [int(cluster) for cluster in np.argsort(-sizes, kind="stable") if sizes[cluster]]
    if len(largest) < 2:
        return ()
    forms = state.model.vocabulary.forms[columns]
    inside = [np.flatnonzero(topics.labels_ == cluster) for cluster in largest]
    return tuple(
        Part(
            whole.path.part(recipe.n_clusters, number),
            rows[here],
            topics.uncertainty_[here],
            tuple(distinguishing_terms(topics.rule_, cluster, forms, SHOWN)),
        )
        for number, (cluster, here) in enumerate(zip(largest, inside, strict=True))
    )


def _shared(state: IndexState, rows: IntArray) -> tuple[Terms, IntArray, IntArray]:
    """Counts of the terms that two of the documents have at least, the documents that have any, and the terms."""
    counts = sp.csr_array(state.rows.counts[rows])
    columns = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]) >= SHARED)
    counts = sp.csr_array(counts[:, columns])
    with_terms = np.flatnonzero(np.diff(counts.indptr) > 0)
    return counts[with_terms], rows[with_terms], columns


def _refuse_more(whole: Part, n_clusters: int | str, n_documents: int) -> None:
    if not is_auto(n_clusters) and int(n_clusters) > n_documents:
        raise TooFewDocuments(
            f"cluster {whole.path} cannot be opened in {n_clusters} parts: of its {len(whole.rows)} documents {n_documents} have a "
            'term that another has. Ask for fewer parts, or n_clusters="auto".'
        )


def _fit_topics(counts: Terms, recipe: Recipe) -> Topics | None:
    """The clusters of the documents, or None where no terms distinguish them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # `clusters` itself warns each time of fewer clusters
        try:
            return fit_to_counts(Topics(recipe.n_clusters, random_state=recipe.random_state), csr(counts))
        except (TooFewDocuments, TooFewTerms, NoVariation, NoNeighbors):
            return None


def _described(state: IndexState, part: Part, n_documents: int) -> Cluster:
    share, uncertainty = len(part.rows) / n_documents, float(part.uncertainty.mean())
    facts = part.path.numbers[-1], str(part.path), name_of(part.terms), len(part.rows), share, uncertainty, part.terms
    return Cluster(*facts, exemplars_of(state, part.rows))


def members(state: IndexState, cluster: ClusterName, limit: int) -> list[Hit]:
    """The documents of a cluster or of a part of one, the most typical first, with the cosine to the centroid as score."""
    return typical_hits(state, rows_of(state, cluster), limit)


def rows_of(state: IndexState, cluster: ClusterName) -> IntArray:
    """The documents of a cluster, of a part of one, or of a node of the tree, whose id begins with a letter."""
    if _is_node(cluster):
        return rows_of_node(state, _node(state, cluster))
    return _at(state, parse_path(cluster), load_recipe(state.store)).rows


def _is_node(cluster: ClusterName) -> TypeGuard[str]:
    return isinstance(cluster, str) and cluster[:1].isalpha()


def _node(state: IndexState, id: str) -> str:
    """The whole id of a node; BadParameter where there is none."""
    try:
        return state.cluster_tree.ids[state.cluster_tree.number(id)]
    except BadParameter as error:
        raise BadParameter(f"{bad_path(id)} Or the id of a node of the tree: {error}") from None
