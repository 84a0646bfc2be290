"""What each part of Topics is worth: the same steps with one of them left out.

The steps are those of ``vicinal._consensus``. With every switch in its place the answer must be that of Topics itself: a test
holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count, islice
from typing import final

import numpy as np

from bench.quality.material import Material
from vicinal._consensus import ConsensusInput, NeighborGraphs, View, consensus_input, neighbor_graphs, take_views, vote
from vicinal._consensus.consensus import Candidate, ConsensusClustering, cluster_by_consensus, direct, merged_from_many
from vicinal._consensus.mixture import MAX_ROUNDS
from vicinal._consensus.rule import rule_of_terms
from vicinal._consensus.views import ROUNDS, in_order, terms_embedding
from vicinal._content_keys import content_order
from vicinal._matrix import nonzero_rows
from vicinal._typing import FloatArray, IntArray
from vicinal.graph._graph import number_by_size

SEED = 0
CANDIDATES: dict[str, Candidate] = {"direct": direct, "merged": merged_from_many}


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
    votes : bool
        All answers vote; else the first stands alone.
    """

    rounds: int = ROUNDS
    weighed: bool = True
    candidates: tuple[str, ...] = ("direct", "merged")
    left_out: str = ""
    mixed: bool = True
    shared: bool = True
    votes: bool = True


@final
@dataclass(frozen=True, eq=False)
class Begun:
    """What one answer begins with: documents, neighbour graphs, and the clusterings of all views, by rounds of correction."""

    data: ConsensusInput
    graphs: NeighborGraphs
    views: dict[int, list[View]]


@final
@dataclass(frozen=True, eq=False)
class Seen:
    """A corpus in the order of its content, and what each answer begins with, made when it is first asked for."""

    data: ConsensusInput
    order: IntArray
    coming: Iterator[Begun]
    come: list[Begun] = field(default_factory=list)

    def answers(self) -> Iterator[Begun]:
        """What each answer begins with."""
        for number in count():
            if number == len(self.come):
                self.come.extend(islice(self.coming, 1))
            if number == len(self.come):
                return
            yield self.come[number]


def see(material: Material) -> Seen:
    """Take each view once; every ablation of a draw starts from them."""
    if "seen" not in material.kept:
        data = consensus_input(material.bm25, material.counts, None, SEED, None)
        assert data.log_counts is not None
        order = content_order(data.log_counts.X)
        data = in_order(data, order)
        graphs = neighbor_graphs(data.X, SEED, None)
        data = data.sharing(graphs)
        by_terms = terms_embedding(data, graphs, material.n_classes)
        begun = (_begun(here, around, material.n_classes, by_terms) for here, around in vote.beginnings(data, graphs))
        material.kept["seen"] = Seen(data, order, begun)
    found = material.kept["seen"]
    assert isinstance(found, Seen)
    return found


def _begun(data: ConsensusInput, graphs: NeighborGraphs, n_clusters: int, by_terms: FloatArray) -> Begun:
    take = partial(take_views, data, graphs, n_clusters, n_starts=vote.VIEWS_PER_EMBEDDING, by_terms=by_terms)
    return Begun(data, graphs, {rounds: take(rounds=rounds) for rounds in (0, ROUNDS, MAX_ROUNDS)})


def assemble(material: Material, switches: Switches) -> IntArray:
    """The answer of Topics with some steps left out."""
    seen, k = see(material), material.n_classes
    answers = (_answer(begun, k, switches) for begun in islice(seen.answers(), None if switches.votes else 1))
    return _decided(seen, vote.lasting_vote(seen.data, [each.labels for each in vote.until_settled(answers)], k)[1])


def _answer(begun: Begun, n_clusters: int, switches: Switches) -> ConsensusClustering:
    """One answer with some steps left out."""
    views = [view for view in begun.views[switches.rounds] if not (switches.left_out and view.name.startswith(switches.left_out))]
    views = views if switches.weighed else [replace(view, share=1.0) for view in views]
    graphs = begun.graphs if switches.mixed else replace(begun.graphs, combined=begun.graphs.by_terms)
    candidates = {way: vote.CANDIDATES[way] for way in (CANDIDATES[name] for name in switches.candidates)}
    data = begun.data if switches.shared else replace(begun.data, neighbors=None)
    return cluster_by_consensus(data, graphs, n_clusters, views=views, candidates=candidates)


def best_view(material: Material) -> IntArray:
    """No consensus: the one view that fits the terms best."""
    seen = see(material)
    views = [view for begun in islice(seen.answers(), vote.FEWEST_ANSWERS) for view in begun.views[MAX_ROUNDS]]
    return _decided(seen, max(views, key=lambda view: view.log_likelihood).labels)


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
    ("vote", "one answer, no vote", _with(votes=False)),
)
