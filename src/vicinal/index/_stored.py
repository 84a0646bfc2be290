"""What an index keeps in its file: the names of arrays and settings, which rows are current, and its contents in numbers.

The names are those of format 1, which is older than the vocabulary of this project; they are listed here and nowhere else.
Nothing here loads the model, SciPy or scikit-learn: ``vicinal info`` answers at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import numpy as np

from vicinal._store import RULES, Arrays, Documents, Rule, Settings, Store
from vicinal._store.checksums import expected_tallies
from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal.errors import BadIndex, DamagedIndex, DiskFull, IndexLocked, ReadOnlyIndex
from vicinal.index._results import Info

#: Arrays with a row for each embedded document: its number in the store, counts of its terms, its embedding, its cluster and the
#: uncertainty of that; and the weights of its neighbours, for those that the model was fitted to.
NUMBERS, COUNTS, EMBEDDINGS = "rows/numbers", "rows/counts", "rows/places"
CLUSTERS, UNCERTAINTY, NEIGHBORS = "rows/topics", "rows/doubt", "rows/lenders"
#: The vocabulary: terms, the form in which each is shown, document frequencies, and the columns of embedding and clusters.
TERMS, FORMS, FREQUENCIES = "words/terms", "words/forms", "words/frequencies"
EMBEDDING_COLUMNS, CLUSTER_COLUMNS = "words/columns", "words/shared"
#: Linear maps, each of two arrays: weights and offset; and the eigenvalues of the first, which was found from a neighbour graph.
PROJECTION, CLUSTER_SCORES, CLASS_PROJECTION = "space", "topics", "classes"
EIGENVALUES = "space/values"
#: What earlier versions wrote in place of the eigenvalues that scores of clusters do not have, and nothing reads.
NO_EIGENVALUES = "topics/values"
LOG_SHARES, CLASS_CENTROIDS = "topics/shares", "classes/middles"
#: The tree of clusters: leaf of each document, merges, heights, edges between leaves, node of each cluster by its number, ids;
#: and two lists of the terms of each node, each of two arrays: terms and weights. Indexes of earlier versions have none.
TREE = "tree/"
TREE_LEAVES, TREE_MERGES, TREE_HEIGHTS, TREE_EDGES = "tree/leaves", "tree/merges", "tree/heights", "tree/edges"
TREE_CLUSTERS, TREE_IDS, TREE_TERMS, TREE_APART = "tree/clusters", "tree/ids", "tree/distinguishing", "tree/apart"
#: What search reads: documents by term and their lengths, as a fit writes them, and the generation of that fit; and rows that no
#: document has any more, behind the state of the documents at which they were noted. Indexes of earlier versions have none of it,
#: and search computes it.
POSTINGS, LENGTHS, LISTED_FIT = "search/postings", "search/lengths", "search/fit"
LEFT_BEHIND = "search/left"
#: What earlier versions wrote for search and nothing reads: the next fit drops it.
LENT = "search/lent"
#: And for documents that came after the fit: how long the vectors of its documents are, and which of them lend terms to each.
NORMS, LATER_LENDERS = "search/norms", "search/later"
#: What drift is measured by: share of unknown words, uncertainty and closeness of each row, and the generation of their fit.
DRIFT, DRIFT_FIT = "drift/rows", "drift/fit"
#: The layout: a point for each row that the model was fitted to, and the generation of that fit. Indexes of earlier versions, and
#: those fitted without one, have none.
POINTS, POINTS_FIT = "layout/points", "layout/fit"
#: Settings.
MODEL, VOCABULARY, CLUSTER_TABLE, CLASSES, RECIPE = "model", "words", "clusters", "classes", "recipe"
#: Keys within settings: the terms of a cluster, the mean length of a document in terms of the embedding, the scale of class scores.
CLUSTER_TERMS, EMBEDDING_LENGTH, CLASS_SCALE = "words", "length in space", "sharpness"
#: Whether the last fit was given vectors of documents, which are not kept.
VECTORS_GIVEN = "vectors given"
#: And of the table of clusters and each of its clusters: how far another random seed would find the same.
STABILITY = "stability"
#: And of classes, where the rule is one of terms and components: how they were weighed.
LINEAR_RULE = "linear"
#: And of the model: commits before it was saved, which tell two models of one generation apart, such as before and after a repair.
SAVED_AT = "commits"
#: What people decided about clusters, which a fit keeps: names by number, constraints, and hints (seed words and linked pairs);
#: and the clusters of the classes of the last fit.
CLUSTER_NAMES, CONSTRAINTS, HINTS, CLASS_CLUSTERS = "cluster names", "constraints", "hints", "class clusters"

_LARGEST, _NUMBERS = 1 << 31, 1 << 48
#: What the numbers of each array may be. Drift may be unknown; an uncertainty of -1 is of a row that was left behind.
RULES.update(
    {
        NUMBERS: Rule(1, _NUMBERS),
        COUNTS: Rule(0, _LARGEST),
        EMBEDDINGS: Rule(-1.001, 1.001),
        CLUSTERS: Rule(-1, _LARGEST),
        UNCERTAINTY: Rule(-1, 1.001),
        NEIGHBORS: Rule(),
        FREQUENCIES: Rule(0, _LARGEST),
        EMBEDDING_COLUMNS: Rule(0, _LARGEST),
        CLUSTER_COLUMNS: Rule(0, _LARGEST),
        EIGENVALUES: Rule(),
        LOG_SHARES: Rule(),
        CLASS_CENTROIDS: Rule(),
        TREE_LEAVES: Rule(-1, _LARGEST),
        TREE_MERGES: Rule(0, _LARGEST),
        TREE_HEIGHTS: Rule(),
        TREE_EDGES: Rule(),
        TREE_CLUSTERS: Rule(-1, _LARGEST),
        POSTINGS: Rule(0, _LARGEST),
        LENGTHS: Rule(0, _NUMBERS),
        LENT: Rule(),
        LISTED_FIT: Rule(0, _NUMBERS),
        DRIFT: Rule(nan=True),
        DRIFT_FIT: Rule(0, _NUMBERS),
        **{f"{name}/weights": Rule() for name in (PROJECTION, CLUSTER_SCORES, CLASS_PROJECTION, TREE_TERMS, TREE_APART)},
        **{f"{name}/offset": Rule() for name in (PROJECTION, CLUSTER_SCORES, CLASS_PROJECTION)},
        **{f"{name}/terms": Rule(-1, _LARGEST) for name in (TREE_TERMS, TREE_APART)},
    }
)


@contextmanager
def consistent(store: Store) -> Iterator[None]:
    """Raise DamagedIndex where something inside the block is missing or does not fit together, though the file itself is sound."""
    try:
        yield
    except (BadIndex, IndexLocked, ReadOnlyIndex, DiskFull):  # raised by the store already
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise DamagedIndex(f"{store.path}: the fitted model is not complete ({error}). Fit the index again.") from error


def current_rows(store: Store, numbers: IntArray, current: IntArray) -> IntArray:
    """The row of each document that is embedded by the present model, in the order of the documents.

    A document that was removed or changed leaves its old row behind; of several rows of one document the last is current.

    Parameters
    ----------
    store : Store
        For its path alone.
    numbers : int array
        The document of each row.
    current : int array
        Numbers of the documents that the present model has embedded, rising.
    """
    last = len(numbers) - 1 - np.unique(numbers[::-1], return_index=True)[1]  # of each number, the last row
    kept: IntArray = last[np.isin(numbers[last], current)]
    if len(kept) != len(current):
        raise DamagedIndex(f"{store.path}: {len(current) - len(kept)} embedded documents have no row. Fit the index again.")
    return kept


def kept_rows(store: Store, numbers: IntArray, generation: int, *, counted: bool = False) -> IntArray:
    """As `current_rows`, for the documents of the present model; where it was noted, no document is read for it.

    Parameters
    ----------
    store : Store
    numbers : int array
        The document of each row.
    generation : int
        Of the present model.
    counted : bool, default=False
        Whether documents were counted at an earlier state of the open file: then their tally is taken.
    """
    left = _noted(store, _documents_now(store, generation, len(numbers), counted=counted))
    if left is None:
        return current_rows(store, numbers, Documents(store).where([("generation", "=", generation)]))
    rows: IntArray = np.delete(np.arange(len(numbers)), left)
    return rows if _rises(numbers[rows]) else rows[np.argsort(numbers[rows], kind="stable")]


def keep_current(store: Store) -> None:
    """Note which rows were left behind, inside a transaction, so that the next search need not look at all documents.

    The number of documents and the sum of their checksums, in which each generation is, tell whether one has changed since.

    Parameters
    ----------
    store : Store
    """
    with suppress(DamagedIndex):  # a note that is not there is made up for by reading the documents
        model = Settings(store).get(MODEL)
        if model is not None:
            _keep_current(store, int(model["generation"]))


def _keep_current(store: Store, generation: int) -> None:
    numbers = Arrays(store).get(NUMBERS)
    now = _documents_now(store, generation, len(numbers))
    if _noted(store, now) is None:
        current = current_rows(store, numbers, Documents(store).where([("generation", "=", generation)]))
        put_left_behind(store, now, np.setdiff1d(np.arange(len(numbers)), current))


def put_left_behind(store: Store, now: IntArray, left: IntArray) -> None:
    """Note which rows were left behind at a state of the documents.

    Parameters
    ----------
    store : Store
    now : int array (4,)
        Number of documents, sum of their checksums, generation of the model and number of rows.
    left : int array
    """
    Arrays(store).put(LEFT_BEHIND, np.concatenate([now, left]).astype(np.int64))


def left_behind(store: Store) -> tuple[IntArray, IntArray] | None:
    """The state of the documents, and the rows that were left behind, where they were noted and every document has a row.

    Parameters
    ----------
    store : Store
    """
    model = Settings(store).get(MODEL)
    if model is None:
        return None
    now = _documents_now(store, int(model["generation"]), Arrays(store).outline(NUMBERS).shape[0])
    left = _noted(store, now)
    return None if left is None or now[0] != now[3] - len(left) else (now, left)


def _documents_now(store: Store, generation: int, n_rows: int, *, counted: bool = False) -> IntArray:
    """What tells one state of the documents from another; they are counted once, so that rows that damage took are missed."""
    n_documents, total = expected_tallies(store)["documents"]
    return np.array([n_documents if counted else Documents(store).count(), total, generation, n_rows], dtype=np.int64)


def _noted(store: Store, now: IntArray) -> IntArray | None:
    """The rows that were left behind, if they were noted at this state of the documents."""
    arrays = Arrays(store)
    noted = arrays.get(LEFT_BEHIND) if arrays.has(LEFT_BEHIND) else np.zeros(0, dtype=np.int64)
    return noted[len(now) :] if np.array_equal(noted[: len(now)], now) else None


def _rises(numbers: IntArray) -> bool:
    return bool(np.all(numbers[1:] > numbers[:-1]))


def contents(store: Store) -> Info:
    """The contents of an index in numbers, all of one state, from headers and three short arrays.

    Parameters
    ----------
    store : Store
    """
    with store.reading(), consistent(store):
        path, n_documents = str(store.path), Documents(store).count()
        size, model = os.path.getsize(path), Settings(store).get(MODEL)
        if model is None:
            return Info(path, size, n_documents, 0, 0, n_documents, None, None, 0, 0, 0, 0)
        generation = int(model["generation"])
        uncertainty, fitted, with_terms = _uncertainty(store, generation)
        n_fitted, n_without = int(fitted.sum()), int((~with_terms).sum())
        counts = n_documents, n_fitted, len(uncertainty) - n_fitted, n_documents - len(uncertainty)
        means = _mean(uncertainty[fitted & with_terms]), _mean(uncertainty[~fitted & with_terms])
        names = load_names(store)
        stable = Settings(store).get(CLUSTER_TABLE, {}).get(STABILITY)
        facts = Info(path, size, *counts, *means, *_sizes(store), generation, n_without, names, n_constraints(store))
        return replace(facts, stability=None if stable is None else float(stable))


def _uncertainty(store: Store, generation: int) -> tuple[FloatArray, BoolArray, BoolArray]:
    """The uncertainty of each embedded document, whether the model was fitted to it, and whether it has a known term."""
    arrays = Arrays(store)
    rows = kept_rows(store, arrays.get(NUMBERS), generation)
    return arrays.get(UNCERTAINTY)[rows], rows < n_fitted_to(store), arrays.get(CLUSTERS)[rows] >= 0


def n_fitted_to(store: Store) -> int:
    """How many documents the model was fitted to, whether or not they are still there."""
    return Arrays(store).outline(NEIGHBORS).shape[0]


def n_clusters_of(store: Store) -> int:
    """How many clusters the model has, by the header of its rule."""
    return Arrays(store).outline(f"{CLUSTER_SCORES}/weights").shape[1]


def _sizes(store: Store) -> tuple[int, int, int]:
    """Numbers of terms, components and clusters."""
    arrays = Arrays(store)
    names = (FORMS, f"{PROJECTION}/weights", f"{CLUSTER_SCORES}/weights")
    [n_terms], [_, n_components], [_, n_clusters] = (arrays.outline(name).shape for name in names)
    return n_terms, n_components, n_clusters


def _mean(uncertainty: FloatArray) -> float | None:
    return float(uncertainty.mean()) if len(uncertainty) else None


def stem_of(kept: Mapping[str, Any]) -> str | tuple[str, ...] | None:
    """The stemmers of a vocabulary, from its setting."""
    stem: str | list[str] | None = kept["stem"]
    return tuple(stem) if isinstance(stem, list) else stem


def language_of(kept: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The languages of a vocabulary; None for one that is older than they, in which every run of letters is a word."""
    return tuple(kept.get("language") or ()) or None


def load_names(store: Store) -> dict[int, str]:
    """The names that were given to clusters, by their numbers."""
    kept = Settings(store).get(CLUSTER_NAMES, {})
    return dict(sorted((int(number), str(name)) for number, name in kept.items()))


def save_names(store: Store, names: Mapping[int, str]) -> None:
    """Keep the names of clusters in place of those that there were."""
    Settings(store).set(CLUSTER_NAMES, {str(number): name for number, name in names.items()})


def n_constraints(store: Store) -> int:
    """How many constraints on clusters there are."""
    return len(Settings(store).get(CONSTRAINTS, {}).get("each", [])) + len(Settings(store).get(HINTS, []))


def documents_changed(store: Store) -> bool:
    """Whether documents were added, changed or removed since the last fit, or none was made yet."""
    with store.reading():
        info = contents(store)
        if info.generation == 0:
            return info.documents > 0
        return info.fitted != info.documents or info.fitted != n_fitted_to(store)
