"""What the results say taken together: each peer beside vicinal, on the tasks that both have finished."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from bench.leaderboard.contestants import CONTESTANTS, Contestant
from bench.leaderboard.store import Key, Result
from bench.leaderboard.tasks import CLASSES, CLUSTERS, LABELS, SEARCH
from bench.report import table

Results = dict[Key, Result]
Figure = Callable[[Result], float]


def figure(name: str) -> Figure:
    """How an answer was judged by one measure."""
    return lambda result: float(result.figures[name])


def factor(result: Result) -> float:
    """How many times too many or too few clusters were found; one is exact."""
    found, classes = max(result.figures["found"], 1.0), result.figures["classes"]
    return float(max(found / classes, classes / found))


def rival(peer: Contestant) -> Contestant:
    """Vicinal with the same knowledge."""
    (found,) = (each for each in CONTESTANTS if each.is_ours and _table(each) == _table(peer))
    return found


def _table(who: Contestant) -> tuple[str, bool]:
    return who.contest, who.finds_number


@final
@dataclass(frozen=True)
class Pair:
    """The results of a peer and of vicinal on the tasks that both have finished, task by task."""

    theirs: list[Result]
    ours: list[Result]

    def __len__(self) -> int:
        return len(self.theirs)

    def cell(self, of: Figure, shape: str, less: bool = False, together: Callable[..., Any] = np.mean) -> str:
        """The peer's figure and ours, the better one in bold whosever it is; neither where both read the same."""
        values = [float(together([of(result) for result in side])) for side in (self.theirs, self.ours)]
        shown = [shape.format(value) for value in values]
        best = values.index((min if less else max)(values))
        if shown[0] != shown[1]:
            shown[best] = f"**{shown[best]}**"
        return " / ".join(shown)

    def ahead(self, of: Figure) -> str:
        """On how many tasks vicinal has more."""
        return f"{sum(of(o) > of(t) for t, o in zip(self.theirs, self.ours, strict=True))} of {len(self)}"


def pair(results: Results, peer: Contestant, labels: str | None = None) -> Pair:
    """A peer and vicinal; of the contest of classes with so many labels only."""
    ours = rival(peer).name
    tasks = [task for contest, task, who in results if (contest, who) == (peer.contest, peer.name)]
    both = [[results.get((peer.contest, task, who)) for who in (peer.name, ours)] for task in tasks]
    done = [
        (t, o)
        for t, o in both
        if t and o and t.outcome == o.outcome == "done" and (labels is None or t.task.split(":")[1] == labels)
    ]
    return Pair([t for t, _ in done], [o for _, o in done])


def peers(contest: str) -> list[Contestant]:
    """Everybody of a contest but ourselves."""
    return [each for each in CONTESTANTS if each.contest == contest and not each.is_ours]


def clusters(results: Results) -> list[dict[str, Any]]:
    """One row per peer that finished something."""
    rows = []
    for peer in peers(CLUSTERS):
        found = pair(results, peer)
        if not found:
            continue
        rows.append(
            {
                "peer": peer.title,
                "k": "found" if peer.finds_number else "given",
                "draws": len(found),
                "NMI": found.cell(figure("nmi"), "{:.3f}"),
                "AC": found.cell(figure("accuracy"), "{:.3f}"),
                "factor of k": found.cell(factor, "{:.1f}", less=True),
                "outliers": found.cell(lambda r: 100 * r.figures["outliers"], "{:.0f} %", less=True),
                **_cost(found),
                "vicinal ahead in NMI": found.ahead(figure("nmi")),
            }
        )
    return rows


def _cost(found: Pair) -> dict[str, str]:
    return {
        "CPU seconds": found.cell(lambda r: r.cpu, "{:.1f}", less=True),
        "MB": found.cell(lambda r: r.memory, "{:.0f}", less=True, together=np.max),
    }


def classes(results: Results) -> list[dict[str, Any]]:
    """One row per peer and number of labels."""
    rows = []
    for peer in peers(CLASSES):
        for labels in LABELS:
            found = pair(results, peer, labels)
            if found:
                measured = {"accuracy": found.cell(figure("accuracy"), "{:.3f}"), "F1": found.cell(figure("f1"), "{:.3f}")}
                row = {"peer": peer.title, "labels per class": labels, "draws": len(found), **measured, **_cost(found)}
                rows.append(row | {"vicinal ahead in accuracy": found.ahead(figure("accuracy"))})
    return rows


def search(results: Results) -> list[dict[str, Any]]:
    """One row per peer."""
    rows = []
    for peer in peers(SEARCH):
        if found := pair(results, peer):
            measured = {"MAP": found.cell(figure("map"), "{:.1f}"), "nDCG@10": found.cell(figure("ndcg"), "{:.1f}")}
            row = {"peer": peer.title, "collections": len(found), **measured, **_cost(found)}
            rows.append(row | {"vicinal ahead in MAP": found.ahead(figure("map"))})
    return rows


def summary(results: Results) -> str:
    """Three tables: the part of the page that the project's README shows too."""
    made: Sequence[tuple[str, Callable[[Results], list[dict[str, Any]]]]] = (
        ("Clusters", clusters),
        ("Classes", classes),
        ("Search", search),
    )
    parts = [
        f"**{title}**\n\n{table(rows)}" if (rows := rows_of(results)) else f"**{title}**: no results yet."
        for title, rows_of in made
    ]
    return "\n\n".join(parts)


def bold(values: dict[str, float], ours: str, shape: str, less: bool = False) -> dict[str, str]:
    """The best of a row in bold, and every peer that is ahead of us; nobody where we or all peers are missing."""
    sign = -1.0 if less else 1.0
    best = max((sign * value for value in values.values()), default=0.0)
    compared = ours in values and len(values) > 1
    marked = {who for who, value in values.items() if compared and (sign * value == best or sign * value > sign * values[ours])}
    return {who: f"**{shape.format(value)}**" if who in marked else shape.format(value) for who, value in values.items()}


def done(results: Iterable[Result]) -> list[Result]:
    """Those with an answer."""
    return [result for result in results if result.outcome == "done"]
