"""What the results say taken together: differences, factors, ratios, means, and whether the targets are met."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from bench.quality.draws import Draw
from bench.quality.store import Result

Results = dict[tuple[str, str], Result]  # of draws and settings, over all seeds
Figure = Callable[[Results, str], float | None]
BASELINES = ("lsi", "paper")


def baseline(results: Results, corpus: str) -> float | None:
    """NMI of the better baseline; None where one is missing."""
    found = [results[corpus, name].nmi for name in BASELINES if (corpus, name) in results]
    return max(found) if len(found) == len(BASELINES) else None


def difference(results: Results, corpus: str) -> float | None:
    """NMI of Topics(k) less that of the better baseline."""
    ours, best = results.get((corpus, "topics")), baseline(results, corpus)
    return None if ours is None or best is None else ours.nmi - best


def factor_of(result: Result) -> float:
    """How many times too many or too few groups were found; one is exact."""
    return max(result.found / result.classes, result.classes / max(result.found, 1))


def factor(results: Results, corpus: str) -> float | None:
    """How many times too many or too few groups Topics("auto") found."""
    auto = results.get((corpus, "auto"))
    return None if auto is None else factor_of(auto)


def ratio(results: Results, corpus: str) -> float | None:
    """Time of Topics(k) in times of one RLPI fit with clustering."""
    ours, one = results.get((corpus, "topics")), results.get((corpus, "bm25"))
    return None if ours is None or one is None or one.seconds == 0 else ours.seconds / one.seconds


def from_texts(results: Results, corpus: str) -> float | None:
    """Seconds from texts to topics."""
    ours = results.get((corpus, "topics"))
    return None if ours is None else ours.counting + ours.seconds


def worst(results: Results, draws: Iterable[Draw], figure: Figure, pick: Callable[..., Any] = max) -> tuple[float, Draw] | None:
    """The largest, or with ``pick=min`` the smallest, of a figure, and where; None where there is none yet."""
    found = [(value, draw) for draw in draws if (value := figure(results, draw.name)) is not None]
    return pick(found, key=lambda each: each[0]) if found else None


def means(results: Results, draws: Iterable[Draw], settings: Sequence[str], field: str) -> tuple[dict[str, float], int]:
    """Mean of a figure per setting over the draws that all of them were run on, and how many these are."""
    complete = [draw.name for draw in draws if all((draw.name, setting) in results for setting in settings)]
    if not complete:
        return {}, 0
    return {s: float(np.mean([getattr(results[name, s], field) for name in complete])) for s in settings}, len(complete)


def targets(results: Results, draws: Sequence[Draw]) -> list[dict[str, Any]]:
    """One row per target: what is asked, what was measured, whether that is enough."""
    slowest, furthest = worst(results, draws, ratio), worst(results, draws, factor)
    whole = worst(results, [draw for draw in draws if draw.name == "ng"], from_texts)
    return [
        _mean_target(results, "20 Newsgroups whole, NMI", ["ng"], 0.73),
        _mean_target(results, "TDT2 (30), NMI", ["tdt2"], 0.90),
        _mean_target(results, "arXiv abstracts, 20 x 1,000, mean NMI of five draws", _five("arxiv_abs"), 0.75),
        _mean_target(results, "arXiv titles, 20 x 1,000, mean NMI of five draws", _five("arxiv_titles"), 0.45),
        _mean_target(results, "Reuters (30), NMI", ["reuters"], 0.55),
        _row("largest time of Topics(k) over RLPI BM25", "≤ 5", slowest, "{:.1f}", 5.0),
        _row("largest factor between groups found and classes", "≤ 2", furthest, "{:.2f}", 2.0),
        _row("20 Newsgroups, seconds from texts to topics", "≤ 120", whole, "{:.0f}", 120.0),
    ]


def _five(source: str) -> list[str]:
    return [f"{source}:20:1000:{seed}" for seed in range(5)]


def _mean_target(results: Results, what: str, corpora: list[str], bound: float) -> dict[str, Any]:
    found = [results[name, "topics"].nmi for name in corpora if (name, "topics") in results]
    row = open_row(what, f"≥ {bound:.2f}")
    if not found:
        return row
    row["where"] = "" if len(corpora) == 1 else f"{len(found)} of {len(corpora)} draws"
    return row | {"measured": f"{np.mean(found):.3f}", "met": met(float(np.mean(found)) >= bound, len(found) == len(corpora))}


def _row(what: str, asked: str, found: tuple[float, Draw] | None, shape: str, bound: float) -> dict[str, Any]:
    row = open_row(what, asked)
    if found is None:
        return row
    value, draw = found
    return row | {"measured": shape.format(value), "where": draw.title, "met": met(value <= bound, True)}


def open_row(what: str, asked: str) -> dict[str, Any]:
    """A target of which nothing was measured yet."""
    return {"target": what, "asked": asked, "measured": "", "where": "", "met": ""}


def met(enough: bool, complete: bool) -> str:
    """Whether a target is met, by all that is to be measured or so far."""
    return ("yes" if enough else "**no**") + ("" if complete else ", so far")
