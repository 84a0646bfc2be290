"""How far luck moves the answer: figures over the random seeds of each draw, and the targets that they are held to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bench.quality.draws import Draw
from bench.quality.store import Result, Runs
from bench.quality.summary import Results, baseline, factor_of, met, open_row

SEEDS = 5  # of the settings that depend on luck
SLACK = 0.01  # that Topics(k) may be below a baseline
SPREAD, MOST_SPREAD = 0.03, 0.08  # of nine draws in ten, and of every draw
HALF = 0.5  # of the documents, more than which no cluster should hold unless a class does
MEAN = 0.68  # NMI
FACTOR, WITHIN = 2.0, 54  # of the number of clusters found, and on how many draws of 58


def over_seeds(runs: Runs, corpus: str, setting: str) -> list[Result]:
    """The results of a setting on a draw, by seed."""
    return [runs[key] for key in sorted(runs) if key[:2] == (corpus, setting)]


def together(runs: Runs) -> Results:
    """One result per draw and setting: means over seeds; the number of clusters is the one furthest from that of classes."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for (corpus, setting, _), result in runs.items():
        groups.setdefault((corpus, setting), []).append(result)
    return {key: _mean(found) for key, found in groups.items()}


def _mean(found: list[Result]) -> Result:
    return replace(
        max(found, key=factor_of),
        nmi=float(np.mean([each.nmi for each in found])),
        accuracy=float(np.mean([each.accuracy for each in found])),
        seconds=float(np.mean([each.seconds for each in found])),
    )


def lopsided(result: Result) -> bool:
    """Whether one cluster holds more than half of the documents although no class does."""
    return result.largest > HALF and result.largest_class <= HALF


def spread(found: Sequence[Result]) -> float | None:
    """Largest less smallest NMI; None of fewer than two seeds."""
    return max(each.nmi for each in found) - min(each.nmi for each in found) if len(found) > 1 else None


def loss(found: Sequence[Result], results: Results) -> float | None:
    """The smallest NMI less that of the better baseline; None where a baseline is missing."""
    best = baseline(results, found[0].corpus)
    return None if best is None else min(each.nmi for each in found) - best


def rows(runs: Runs, draws: Sequence[Draw]) -> list[dict[str, Any]]:
    """One row per draw that Topics(k) was run on, what misses a target in bold."""
    results = together(runs)
    return [_row(draw, found, results) for draw in draws if (found := over_seeds(runs, draw.name, "topics"))]


def _row(draw: Draw, found: list[Result], results: Results) -> dict[str, Any]:
    nmi, far, less = [each.nmi for each in found], spread(found), loss(found, results)
    worst = min(found, key=lambda each: each.nmi)
    largest = max(found, key=lambda each: (lopsided(each), each.largest))
    return {
        "corpus": draw.title,
        "seeds": len(found),
        "mean": f"{np.mean(nmi):.3f}",
        "spread": _marked(far, "{:.3f}", far is not None and _over(far, SPREAD)),
        "worst": f"{worst.nmi:.3f}",
        "worst seed": worst.seed,
        "worst − max(LSI, paper)": _marked(less, "{:+.3f}", less is not None and _over(-less, SLACK)),
        "largest cluster": _marked(largest.largest or None, "{:.2f}", lopsided(largest)),
        "largest class": _marked(largest.largest_class or None, "{:.2f}", False),
    }


def targets(runs: Runs, draws: Sequence[Draw], seeds: int = SEEDS) -> list[dict[str, Any]]:
    """One row per target over seeds; "so far" where a draw or a seed is missing."""
    topics = {draw: found for draw in draws if (found := over_seeds(runs, draw.name, "topics"))}
    auto = {draw: found for draw in draws if (found := over_seeds(runs, draw.name, "auto"))}
    titles = [draw for draw in draws if draw.source == "arxiv_titles"]
    short = {draw: found for draw, found in auto.items() if draw in titles}
    complete = _complete(topics, draws, seeds)
    return [
        _mean_row(topics, complete),
        *_spread_rows(topics, complete),
        *_loss_rows(topics, together(runs), complete),
        _lopsided_row(topics, complete),
        _number_row("all draws", auto, WITHIN / 58, _complete(auto, draws, seeds)),
        _number_row("arXiv titles", short, 0.9, _complete(short, titles, seeds)),
    ]


Found = dict[Draw, list[Result]]


def _complete(found: Found, draws: Sequence[Draw], seeds: int) -> bool:
    return len(found) == len(draws) and all(len(each) >= seeds for each in found.values())


def _mean_row(topics: Found, complete: bool) -> dict[str, Any]:
    row = open_row("mean NMI of Topics(k), all draws and seeds", f"≥ {MEAN:.3f}")
    if not topics:
        return row
    value = float(np.mean([np.mean([each.nmi for each in found]) for found in topics.values()]))
    answers = sum(map(len, topics.values()))
    where = f"{len(topics)} draws, {answers} answers"
    return row | {"measured": f"{value:.3f}", "where": where, "met": met(value >= MEAN, complete)}


def _spread_rows(topics: Found, complete: bool) -> list[dict[str, Any]]:
    known = {draw: far for draw, found in topics.items() if (far := spread(found)) is not None}
    few = open_row(f"draws with a spread over seeds ≤ {SPREAD}", "≥ nine in ten")
    most = open_row("largest spread over seeds", f"≤ {MOST_SPREAD}")
    if not known:
        return [few, most]
    within, (draw, far) = sum(not _over(far, SPREAD) for far in known.values()), max(known.items(), key=lambda each: each[1])
    return [
        few | {"measured": f"{within} of {len(known)}", "met": met(within >= 0.9 * len(known), complete)},
        most | {"measured": f"{far:.3f}", "where": draw.title, "met": met(not _over(far, MOST_SPREAD), complete)},
    ]


def _loss_rows(topics: Found, results: Results, complete: bool) -> list[dict[str, Any]]:
    known = {draw: less for draw, found in topics.items() if (less := loss(found, results)) is not None}
    count = open_row(f"draws whose worst seed is below max(LSI-100, RLPI of the paper) − {SLACK}", "none")
    least = open_row("worst seed of Topics(k) − max(LSI-100, RLPI of the paper)", f"≥ −{SLACK}")
    if not known:
        return [count, least]
    below, (draw, less) = sum(_over(-less, SLACK) for less in known.values()), min(known.items(), key=lambda each: each[1])
    complete = complete and len(known) == len(topics)
    return [
        count | {"measured": f"{below} of {len(known)}", "met": met(below == 0, complete)},
        least | {"measured": f"{less:+.3f}", "where": draw.title, "met": met(not _over(-less, SLACK), complete)},
    ]


def _lopsided_row(topics: Found, complete: bool) -> dict[str, Any]:
    row = open_row("answers with a cluster of over half of the documents, where no class has that", "none")
    answers = [(each, draw) for draw, found in topics.items() for each in found if each.largest > 0]
    if not answers:
        return row
    lumps = [draw.title for each, draw in answers if lopsided(each)]
    where = "; ".join(dict.fromkeys(lumps))
    return row | {"measured": f"{len(lumps)} of {len(answers)}", "where": where, "met": met(not lumps, complete)}


def _number_row(which: str, auto: Found, share: float, complete: bool) -> dict[str, Any]:
    """A draw counts where every seed is within the factor; what single answers do is said beside it."""
    asked = f"≥ {WITHIN} of 58" if which == "all draws" else "≥ nine in ten"
    row = open_row(f'draws where Topics("auto") finds the number within a factor of two, {which}', asked)
    if not auto:
        return row
    right = {draw: [factor_of(each) <= FACTOR for each in found] for draw, found in auto.items()}
    always, answers = sum(map(all, right.values())), [each for found in right.values() for each in found]
    return row | {
        "measured": f"{always} of {len(auto)}",
        "where": f"{sum(answers)} of {len(answers)} answers",
        "met": met(always >= share * len(auto), complete),
    }


def _over(value: float, bound: float) -> bool:
    """Whether it is larger, NMI being kept with four digits."""
    return round(value, 4) > bound


def _marked(value: float | None, shape: str, bold: bool) -> str:
    shown = "" if value is None else shape.format(value)
    return f"**{shown}**" if bold else shown
