"""What each part of Topics is worth: the same steps with one of them left out.

The steps are those of ``vicinal._consensus``. With every switch in its place the answer must be that of Topics itself: a test
holds it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import final

import numpy as np

from bench.quality.material import Material
from vicinal._consensus import ConsensusInput, NeighborGraphs, View, consensus_input, neighbor_graphs, take_views
from vicinal._consensus.consensus import DIRECT_STARTS, MERGED_STARTS, Candidate, cluster_by_consensus, direct, merged_from_many
from vicinal._consensus.mixture import MAX_ROUNDS
from vicinal._consensus.rule import rule_of_terms
from vicinal._consensus.views import ROUNDS, in_order
from vicinal._content_keys import content_order
from vicinal._matrix import nonzero_rows
from vicinal._typing import IntArray
from vicinal.graph._graph import number_by_size

SEED = 0
CANDIDATES: dict[str, tuple[Candidate, int]] = {"direct": (direct, DIRECT_STARTS), "merged": (merged_from_many, MERGED_STARTS)}


@final
@dataclass(frozen=True)
class Switches:
    """Which steps are taken.

    Attributes
    ----------
    rounds : int
        In which terms correct the clustering of each view before the views are combined.
    weighed : bool
        Views count by how well they fit the terms; else all the same.
    candidates : tuple of {"direct", "merged"}
        Ways to cluster the consensus, of which the better is kept.
    left_out : str
        Views whose name begins so are not taken; empty for none.
    mixed : bool
        Clusters are merged and compared on the combined graph; else on the graph by terms.
    shared : bool
        Documents share their assignments with their neighbours in the last correction.
    """

    rounds: int = ROUNDS
    weighed: bool = True
    candidates: tuple[str, ...] = ("direct", "merged")
    left_out: str = ""
    mixed: bool = True
    shared: bool = True


@final
@dataclass(frozen=True, eq=False)
class Seen:
    """A corpus in the order of its content, its neighbour graphs, the clusterings of all views, by rounds of correction."""

    data: ConsensusInput
    graphs: NeighborGraphs
    views: dict[int, list[View]]
    order: IntArray


def see(material: Material) -> Seen:
    """Take all views once; every ablation of a draw starts from them."""
    if "seen" not in material.kept:
        k, X = material.n_classes, material.bm25
        data = consensus_input(X, material.counts, None, SEED, None)
        assert data.log_counts is not None
        order = content_order(data.log_counts.X)
        data = in_order(data, order)
        graphs = neighbor_graphs(data.X, SEED, None)
        data = data.sharing(graphs)
        material.kept["seen"] = Seen(
            data, graphs, {rounds: take_views(data, graphs, k, rounds) for rounds in (0, ROUNDS, MAX_ROUNDS)}, order
        )
    found = material.kept["seen"]
    assert isinstance(found, Seen)
    return found


def assemble(material: Material, switches: Switches) -> IntArray:
    """The answer of Topics with some steps left out."""
    seen, k = see(material), material.n_classes
    views = [view for view in seen.views[switches.rounds] if not (switches.left_out and view.name.startswith(switches.left_out))]
    views = views if switches.weighed else [replace(view, share=1.0) for view in views]
    graphs = seen.graphs if switches.mixed else replace(seen.graphs, combined=seen.graphs.by_terms)
    candidates = dict(CANDIDATES[name] for name in switches.candidates)
    data = seen.data if switches.shared else replace(seen.data, neighbors=None)
    return _decided(seen, cluster_by_consensus(data, graphs, k, views=views, candidates=candidates).labels)


def best_view(material: Material) -> IntArray:
    """No consensus: the one view that fits the terms best."""
    seen = see(material)
    return _decided(seen, max(seen.views[MAX_ROUNDS], key=lambda view: view.log_likelihood).labels)


def _decided(seen: Seen, labels: IntArray) -> IntArray:
    """What the rule of terms decides of the documents that it was fitted to, in the order they came in."""
    data = seen.data
    assert data.log_counts is not None
    labels = number_by_size(labels)
    rule = rule_of_terms(data.log_counts, labels, int(labels.max(initial=0)) + 1)
    decided = np.where(nonzero_rows(data.X), np.argmax(rule.log_probabilities(data.log_counts.X), axis=1), -1)
    return np.asarray(decided[np.argsort(seen.order)])


def _with(**switches: object) -> Callable[[Material], IntArray]:
    return partial(assemble, switches=replace(Switches(), **switches))  # type: ignore[arg-type]


ABLATIONS: tuple[tuple[str, str, Callable[[Material], IntArray]], ...] = (
    ("nothing", "nothing left out", _with()),
    ("correction", "views not corrected by words", _with(rounds=0)),
    ("settled", "views corrected until settled", _with(rounds=MAX_ROUNDS)),
    ("shares", "equal shares of views", _with(weighed=False)),
    ("direct", "direct only", _with(candidates=("direct",))),
    ("merged", "merged only", _with(candidates=("merged",))),
    ("single", "single best view by nats", best_view),
    ("lsi", "without LSI views", _with(left_out="LSI")),
    ("mixed", "without the mixed graph", _with(mixed=False)),
    ("shared", "last correction not shared with neighbours", _with(shared=False)),
)
