"""Clusters within a cluster: its documents are clustered again by themselves, with the terms that distinguish them there.

Nothing is written. A part is named by its path: ``3`` is a cluster, ``3.1`` a part of it, ``3:5.1`` a part of it in five.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._choice import is_auto
from vicinal._consensus import ClusterRule
from vicinal._matrix import unit_rows
from vicinal._typing import FloatArray, Floats, IntArray, Terms
from vicinal._validate import check_count
from vicinal._warn import warn
from vicinal.errors import BadParameter, ClusterCount, NoNeighbors, NoVariation, TooFewDocuments, TooFewTerms, VicinalWarning
from vicinal.index._clusters import SHOWN, describe_clusters, name_of, titled
from vicinal.index._model import SHARED
from vicinal.index._queries import hits
from vicinal.index._recipe import Recipe, load_recipe
from vicinal.index._results import Cluster, Hit
from vicinal.projection import Explanation, LinearMap
from vicinal.uses import Topics
from vicinal.uses._ranking import TIE_DECIMALS

if TYPE_CHECKING:
    from vicinal.index._snapshot import Snapshot

FEWEST = 4  # documents that can be clustered
_PATH = re.compile(r"[0-9]{1,9}(?:(?::[0-9]{1,9})?\.[0-9]{1,9})*")

ClusterName = int | str | Sequence[int]


@final
@dataclass(frozen=True)
class ClusterPath:
    """The path of a cluster: a cluster of the index, a part of that, and so on.

    A number of parts that was asked for is in it, so that the same path means the same documents in every call.

    Attributes
    ----------
    numbers : tuple of int
        The cluster of the index, the part of it, the part of that, ...
    n_parts : tuple of int or "auto"
        The number of parts of each but the last of them.
    """

    numbers: tuple[int, ...]
    n_parts: tuple[int | str, ...] = ()

    @property
    def parent(self) -> ClusterPath:
        """The cluster that this is a part of."""
        return ClusterPath(self.numbers[:-1], self.n_parts[:-1])

    def part(self, n_parts: int | str, number: int) -> ClusterPath:
        """One of its parts, where there are so many of them."""
        return ClusterPath((*self.numbers, number), (*self.n_parts, n_parts))

    def __str__(self) -> str:
        first, *others = self.numbers
        steps = zip(self.n_parts, others, strict=True)
        return f"{first}" + "".join(f".{number}" if is_auto(n_parts) else f":{n_parts}.{number}" for n_parts, number in steps)


def parse_path(name: ClusterName) -> ClusterPath:
    """The path that a number, a text such as "3.1", or a sequence of numbers stands for; BadParameter where it is none."""
    if isinstance(name, str):
        if not _PATH.fullmatch(name):
            raise _bad_path(name)
        numbers, n_parts = zip(*(_step(step) for step in name.split(".")), strict=True)
        return ClusterPath(numbers, n_parts[:-1])
    given: Sequence[Any] = tuple(name) if hasattr(name, "__iter__") and not isinstance(name, bytes) else (name,)
    try:
        numbers = tuple(check_count("the number of a cluster", each, 0) for each in given)
    except BadParameter:
        raise _bad_path(name) from None
    if not numbers:
        raise _bad_path(name)
    return ClusterPath(numbers, ("auto",) * (len(numbers) - 1))


def _step(step: str) -> tuple[int, int | str]:
    number, _, n_parts = step.partition(":")
    return int(number), int(n_parts) if n_parts else "auto"


def _bad_path(name: object) -> BadParameter:
    return BadParameter(f'a cluster is a number, or a path such as "3.1" as clusters() gives it, got {name!r}. Use 3 or "3.1".')


@final
@dataclass(frozen=True, eq=False)
class Part:
    """The documents of a cluster, or of a part of one.

    Attributes
    ----------
    path : ClusterPath
    rows : int array
        Of the snapshot, rising.
    uncertainty : float array
        Of each document.
    terms : tuple of (str, float)
        That distinguish it from the other parts.
    """

    path: ClusterPath
    rows: IntArray
    uncertainty: FloatArray
    terms: tuple[tuple[str, float], ...]


def clusters(snapshot: Snapshot, of: ClusterName | None, n_clusters: int | str) -> list[Cluster]:
    """The clusters of an index, or the parts of one of them; largest first."""
    recipe = replace(load_recipe(snapshot.store), n_clusters=n_clusters).checked()
    if of is None:
        _refuse_number(n_clusters)
        return describe_clusters(snapshot)
    path = parse_path(of)
    n_documents = len(_at(snapshot, path, recipe).rows)
    found = _parts(snapshot, path, recipe)
    if found and not is_auto(n_clusters) and len(found) < int(n_clusters):
        why = f"asked for {n_clusters} parts of cluster {path} but there are {len(found)}: its documents form no more clusters."
        warn(f"{why} Continuing with {len(found)}.", ClusterCount)
    return [_described(snapshot, part, n_documents) for part in found]


def parts_of(snapshot: Snapshot, number: int, n_clusters: int | str) -> tuple[Part, ...]:
    """The parts of a cluster of the index, largest first; none where it cannot be opened."""
    recipe = replace(load_recipe(snapshot.store), n_clusters=n_clusters).checked()
    return _parts(snapshot, parse_path(number), recipe)


def _refuse_number(n_clusters: int | str) -> None:
    if not is_auto(n_clusters):
        raise BadParameter(
            f"n_clusters is the number of parts that a cluster is opened in, got n_clusters={n_clusters} and no cluster. "
            f"Use of=3, n_clusters={n_clusters}; or fit(n_clusters={n_clusters}) for that many clusters."
        )


def _at(snapshot: Snapshot, path: ClusterPath, recipe: Recipe) -> Part:
    """The cluster at a path, for which those around it are opened; BadParameter where there is none."""
    *_, number = path.numbers
    if not path.n_parts:
        position = snapshot.cluster_table.position(number)
        rows = np.flatnonzero(snapshot.rows.clusters == position)
        return Part(path, rows, snapshot.rows.uncertainty[rows], snapshot.cluster_table.terms[position])
    found = _parts(snapshot, path.parent, replace(recipe, n_clusters=path.n_parts[-1]).checked())
    if not found:
        raise BadParameter(f"there is no cluster {path}: cluster {path.parent} cannot be opened further.")
    if number >= len(found):
        known = ", ".join(str(part.path) for part in found)
        raise BadParameter(f"there is no cluster {path}. Cluster {path.parent} has the parts {known}.")
    return found[number]


def _parts(snapshot: Snapshot, path: ClusterPath, recipe: Recipe) -> tuple[Part, ...]:
    """The parts of the cluster at a path, found when they are first asked for; none where it cannot be opened."""
    key = path, recipe.n_clusters
    if key not in snapshot.parts:
        snapshot.parts[key] = _fit_parts(snapshot, _at(snapshot, path, recipe), recipe)
    return snapshot.parts[key]


def _fit_parts(snapshot: Snapshot, whole: Part, recipe: Recipe) -> tuple[Part, ...]:
    counts, rows, columns = _shared(snapshot, whole.rows)
    _refuse_more(whole, recipe.n_clusters, len(rows))
    topics = _fit_topics(counts, recipe) if len(rows) >= FEWEST else None
    if topics is None:
        return ()
    sizes = np.bincount(topics.labels_[topics.labels_ >= 0])
    largest = [int(cluster) for cluster in np.argsort(-sizes, kind="stable") if sizes[cluster]]
    if len(largest) < 2:
        return ()
    forms = snapshot.model.vocabulary.forms[columns]
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


def _shared(snapshot: Snapshot, rows: IntArray) -> tuple[Terms, IntArray, IntArray]:
    """Counts of the terms that two of the documents have at least, the documents that have any, and the terms."""
    counts = sp.csr_array(snapshot.rows.counts[rows])
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


def _fit_topics(counts: Terms, recipe: Recipe) -> Any:
    """The clusters of the documents, or None where no terms distinguish them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # `clusters` itself warns each time of fewer clusters
        try:
            return Topics(recipe.n_clusters, random_state=recipe.random_state).fit(counts)
        except (TooFewDocuments, TooFewTerms, NoVariation, NoNeighbors):
            return None


def distinguishing_terms(rule: ClusterRule, cluster: int, forms: Any, limit: int) -> list[tuple[str, float]]:
    """The terms that distinguish a cluster from the others, in the form in which they are shown, heaviest first."""
    return [(str(forms[term]), weight) for term, weight in rule.top_terms(cluster, limit)]


def _described(snapshot: Snapshot, part: Part, n_documents: int) -> Cluster:
    typical = snapshot.rows.numbers[by_typicality(snapshot, part.rows)[:SHOWN]].tolist()
    share, uncertainty = len(part.rows) / n_documents, float(part.uncertainty.mean())
    facts = part.path.numbers[-1], str(part.path), name_of(part.terms), len(part.rows), share, uncertainty, part.terms
    return Cluster(*facts, titled(snapshot, typical))


def members(snapshot: Snapshot, cluster: ClusterName, limit: int) -> list[Hit]:
    """The documents of a cluster or of a part of one, the most typical first, with the cosine to the centroid as score."""
    rows = _at(snapshot, parse_path(cluster), load_recipe(snapshot.store)).rows
    first = by_typicality(snapshot, rows)[:limit]
    projection, centroid = snapshot.model.projection, _centroid(snapshot, rows)
    offset = None if projection.offset is None else np.atleast_1d(projection.offset @ centroid)
    towards = LinearMap(projection.weights @ centroid[:, None], offset)
    towards = towards if projection.vocabulary is None else towards.named(projection.vocabulary)
    return hits(snapshot, first, [_why_typical(snapshot, int(row), towards) for row in first], [])


def by_typicality(snapshot: Snapshot, rows: IntArray) -> IntArray:
    """Rows by decreasing cosine with their centroid; equals in the order of the documents."""
    return most_typical(snapshot.rows.embeddings, rows)


def most_typical(embeddings: Floats, rows: IntArray) -> IntArray:
    """Rows of an array of embeddings by decreasing cosine with their centroid; equals in their order."""
    inside = np.asarray(embeddings[rows], dtype=np.float64)
    cosines = np.round(inside @ _direction(inside), TIE_DECIMALS)
    return rows[np.argsort(-cosines, kind="stable")]


def _centroid(snapshot: Snapshot, rows: IntArray) -> FloatArray:
    """The direction of the mean of the embeddings of rows."""
    return _direction(np.asarray(snapshot.rows.embeddings[rows], dtype=np.float64))


def _direction(embeddings: FloatArray) -> FloatArray:
    return np.asarray(unit_rows(embeddings.sum(axis=0)[None, :])).ravel()


def _why_typical(snapshot: Snapshot, row: int, towards: LinearMap) -> Explanation:
    """The contribution of each term of a document to the cosine of its embedding with a direction."""
    x = snapshot.model.vocabulary.weighted(sp.csr_array(snapshot.rows.counts[[row]]))
    length = float(np.linalg.norm(snapshot.model.projection.transform(x)))
    why = towards.explain(x, 0)
    scale = 1.0 / length if length > 0 else 0.0
    return Explanation(why.terms, why.parts * scale, why.total * scale)
