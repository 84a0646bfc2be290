"""What `stability_` tells beside what another seed does: ``python -m bench.uncertainty --stability``."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import final

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import adjusted_rand_score

from bench.quality.draws import Draw
from bench.quality.material import Material, prepare
from bench.records import fingerprint, from_states
from vicinal import Topics
from vicinal._consensus.stability import most_similar
from vicinal.errors import VicinalWarning

FILE = Path(__file__).parents[1] / "results" / "stability.jsonl"
BORDERS = (0.0, 0.3, 0.5, 0.7, 0.9, 1.0)
DIGITS = 4
HEAD = """## What `stability_` tells

By `python -m bench.uncertainty --stability`, from `bench/results/stability.jsonl`: the same draws with two random seeds. *Told*:
the mean of `stability_` of clusters in a range of it. *Happened*: their Jaccard index with the most similar cluster of the other
seed.
"""


@final
@dataclass(frozen=True)
class Agreement:
    """How stable the clusters of one draw were said to be, and how stable they were.

    Attributes
    ----------
    corpus : str
    told, happened : list of float
        Of each cluster of both seeds: its stability, and its Jaccard index with the most similar cluster of the other seed.
    overall_told, overall_happened : float
        The mean of `overall_stability_`, and the adjusted Rand index of both.
    code : str
        State of the library.
    """

    corpus: str
    told: list[float]
    happened: list[float]
    overall_told: float
    overall_happened: float
    code: str


def measure(draw: Draw, seeds: tuple[int, int] = (0, 1)) -> Agreement:
    """Cluster a draw with two seeds and compare."""
    return agreement(prepare(draw), draw.name, seeds)


def agreement(material: Material, name: str, seeds: tuple[int, int] = (0, 1)) -> Agreement:
    """The same for documents at hand."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        one, other = (Topics(material.n_classes, random_state=seed).fit(material.counts) for seed in seeds)
    happened = [
        *most_similar(one.labels_, other.labels_, one.n_clusters_),
        *most_similar(other.labels_, one.labels_, other.n_clusters_),
    ]
    return Agreement(
        corpus=name,
        told=_rounded([*one.stability_, *other.stability_]),
        happened=_rounded(happened),
        overall_told=round(float(np.mean([one.overall_stability_, other.overall_stability_])), DIGITS),
        overall_happened=round(float(adjusted_rand_score(one.labels_, other.labels_)), DIGITS),
        code=fingerprint(),
    )


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(float(value), DIGITS) for value in values]


def written(results: Sequence[Agreement]) -> str:
    """The section of the page."""
    if not results:
        return HEAD + "\nNo results yet.\n"
    told, happened = (np.concatenate([getattr(each, name) for each in results]) for name in ("told", "happened"))
    lines = ["| `stability_` | clusters | told | happened |", "| --- | --- | --- | --- |"]
    for low, high in pairwise(BORDERS):
        here = (told >= low) & ((told < high) | (high == BORDERS[-1]))
        if here.any():
            lines.append(f"| {low:.1f} to {high:.1f} | {here.sum()} | {told[here].mean():.2f} | {happened[here].mean():.2f} |")
    overall = [each.overall_told for each in results], [each.overall_happened for each in results]
    both = f"{spearmanr(told, happened).statistic:.2f}"
    far = f"{np.mean(overall[0]):.2f} told, {np.mean(overall[1]):.2f} happened"
    states = from_states(each.code for each in results)
    found = f"{len(results)} draws, {len(told)} clusters of both seeds. Rank correlation of clusters: {both}."
    return HEAD + "\n" + "\n".join(lines) + f"\n\n{found} `overall_stability_`: {far} (adjusted Rand index). {states}\n"
