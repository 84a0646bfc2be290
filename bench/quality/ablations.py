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
from vicinal._consensus import Corpus, Neighborhoods, View, corpus_of, look_around, take_views
from vicinal._consensus.consensus import ROUNDS
from vicinal._consensus.rule import rule_of_words
from vicinal._consensus.settle import direct, merged_from_many, settle
from vicinal._consensus.word_model import MAX_ROUNDS
from vicinal._matrix import nonzero_rows
from vicinal._typing import IntArray
from vicinal.graph._graph import number_by_size

SEED = 0
WAYS = {"direct": direct, "merged": merged_from_many}


@final
@dataclass(frozen=True)
class Switches:
    """Which steps are taken.

    Attributes
    ----------
    rounds : int
        In which words correct the clustering of each view before they are joined.
    weighed : bool
        Views count by how well they explain the words; else all the same.
    candidates : tuple of {"direct", "merged"}
        Ways from the consensus to k groups, of which the better is kept.
    left_out : str
        Views whose name begins so are not taken; empty for none.
    mixed : bool
        Groups are merged and judged on the mixed graph; else on the graph by words.
    """

    rounds: int = ROUNDS
    weighed: bool = True
    candidates: tuple[str, ...] = ("direct", "merged")
    left_out: str = ""
    mixed: bool = True


@final
@dataclass(frozen=True, eq=False)
class Seen:
    """A corpus, its neighbourhoods, and the clusterings of all views, by rounds of correction."""

    corpus: Corpus
    around: Neighborhoods
    views: dict[int, list[View]]


def see(material: Material) -> Seen:
    """Take all views once; every ablation of a draw starts from them."""
    if "seen" not in material.kept:
        k, X = material.n_classes, material.bm25
        corpus = corpus_of(X, material.counts, None, SEED, None)
        around = look_around(X, SEED, None)
        material.kept["seen"] = Seen(
            corpus, around, {rounds: take_views(corpus, around, k, rounds) for rounds in (0, ROUNDS, MAX_ROUNDS)}
        )
    found = material.kept["seen"]
    assert isinstance(found, Seen)
    return found


def assemble(material: Material, switches: Switches) -> IntArray:
    """The answer of Topics with some steps left out."""
    seen, k = see(material), material.n_classes
    views = [view for view in seen.views[switches.rounds] if not (switches.left_out and view.name.startswith(switches.left_out))]
    views = views if switches.weighed else [replace(view, share=1.0) for view in views]
    around = seen.around if switches.mixed else replace(seen.around, both=seen.around.by_words)
    ways = [WAYS[name] for name in switches.candidates]
    return _told(seen.corpus, settle(seen.corpus, around, k, views=views, ways=ways).labels)


def best_view(material: Material) -> IntArray:
    """No consensus: the one view that explains the words best."""
    seen = see(material)
    return _told(seen.corpus, max(seen.views[MAX_ROUNDS], key=lambda view: view.nats).labels)


def _told(corpus: Corpus, labels: IntArray) -> IntArray:
    """What the rule of words says of the documents that it was learnt from."""
    assert corpus.evidence is not None
    labels = number_by_size(labels)
    rule = rule_of_words(corpus.evidence, labels, int(labels.max(initial=0)) + 1)
    return np.where(nonzero_rows(corpus.X), np.argmax(rule.log_probabilities(corpus.evidence.X), axis=1), -1)


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
)
