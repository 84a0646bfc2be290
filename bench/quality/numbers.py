"""How many clusters are found: ``python -m bench.quality --numbers`` asks for the number alone, without clustering.

Each line of results is written as soon as it is there, with the number at resolution 1 beside the one that is chosen (V11).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from bench.harness import RESULTS
from bench.quality.draws import Draw
from bench.quality.material import Material, prepare
from bench.records import append_line, fingerprint, read_lines, typed
from bench.report import table
from vicinal._choice import Choice
from vicinal._consensus import ConsensusInput, NeighborGraphs, consensus_input, n_clusters, neighbor_graphs
from vicinal._consensus.merge import edges_between, without_gaps
from vicinal._consensus.views import in_order
from vicinal._content_keys import content_order
from vicinal.errors import VicinalWarning
from vicinal.graph import SparseGraph

FILE = RESULTS / "numbers.jsonl"
LEADERBOARD = RESULTS / "leaderboard.jsonl"
PEERS = {"bertopic": "BERTopic", "bertopic-auto": 'BERTopic, "auto"'}
WITHIN = 2.0
HEADING = """## How many clusters

The number alone, by `python -m bench.quality --numbers` from `bench/results/numbers.jsonl`, with the random seeds 0 to 4 as far as
they were run: the one chosen (formula V11 of [docs/maths/topics.md](../../docs/maths/topics.md)), and the one at resolution 1,
which was chosen before. "Range" is what the evidence gives as about as good, the widest of the seeds. Factors are those of the seed
furthest from k; over 2 in bold. What BERTopic finds is from [bench/leaderboard](../leaderboard/README.md).
`--corpus`, `--part` and `--seeds` choose as above; a run goes on where the last one stopped."""


@final
@dataclass(frozen=True)
class Number:
    """How many clusters are found in one draw with one random seed.

    Attributes
    ----------
    corpus : str
    seed, classes, documents : int
    found, low, high : int
        The number chosen, and the range that is about as good.
    at_one : int
        The number at resolution 1.
    cpu : float
        Seconds of the choice, without the neighbour graphs.
    code : str
        Fingerprint of the library.
    """

    corpus: str
    seed: int
    classes: int
    documents: int
    found: int
    low: int
    high: int
    at_one: int
    cpu: float
    code: str


Numbers = dict[tuple[str, int], Number]


def read(file: Path = FILE) -> tuple[Numbers, list[str]]:
    """The numbers that the state of the library asked last gives, by draw and seed; and a complaint per line that is none."""
    found, complaints = read_lines(file, lambda values: typed(Number, values))
    last = found[-1].code if found else ""
    return {(each.corpus, each.seed): each for each in found if each.code == last}, complaints


def run(draws: Sequence[Draw], n_seeds: int, file: Path = FILE) -> None:
    """Find the numbers that are not known yet of this state of the library, the first seed of all draws before the second."""
    code = fingerprint()
    known = {key for key, each in read(file)[0].items() if each.code == code}
    for seed in range(n_seeds):
        for draw in draws:
            if (draw.name, seed) not in known:
                found = measure(draw.name, prepare(draw), seed, code)
                append_line(asdict(found), file)
                print(f"{draw.name}, seed {seed}: {found.found} of {found.classes} ({found.at_one} at resolution 1)", flush=True)


def measure(name: str, material: Material, seed: int, code: str = "") -> Number:
    """The number that a fit of Topics to these documents would choose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        data = consensus_input(material.bm25, material.counts, None, seed, None)
        assert data.log_counts is not None
        data = in_order(data, content_order(data.log_counts.X))
        graphs = neighbor_graphs(data.X, seed, None)
        start = time.process_time()
        choice, at_one = numbers_of(data.sharing(graphs), graphs)
        cpu = time.process_time() - start
    size = int(material.counts.shape[0])
    chosen, low, high = int(choice.chosen), int(choice.low), int(choice.high)
    return Number(name, seed, material.n_classes, size, chosen, low, high, at_one, round(cpu, 2), code)


def numbers_of(data: ConsensusInput, graphs: NeighborGraphs) -> tuple[Choice, int]:
    """The choice, and the number at resolution 1; the same fine clusters are judged twice."""
    fine = without_gaps(n_clusters._fine_clusters(data, graphs))
    many = int(fine.max()) + 1
    by_terms, combined = (edges_between(graph, fine, many) for graph in _judges(graphs))
    inside, expected = n_clusters.along_merges(by_terms, combined)
    return n_clusters.choice_along_merges(inside, expected), many - n_clusters.last_of_largest(inside - expected)


def _judges(graphs: NeighborGraphs) -> tuple[SparseGraph, SparseGraph]:
    return graphs.by_terms, graphs.combined


def factor(found: int, classes: int) -> float:
    """How many times too many or too few."""
    return max(found / classes, classes / found)


def section(draws: Iterable[Draw], numbers: Numbers) -> str:
    """The section of the page: a row per draw, and in how many draws every seed is within a factor of two."""
    groups = [(draw, [numbers[key] for key in sorted(numbers) if key[0] == draw.name]) for draw in draws]
    groups = [(draw, found) for draw, found in groups if found]
    if not groups:
        return ""
    parts = {"tuning": "tuning", "held": "held back"}
    lines = [_summary(title, [found for draw, found in groups if draw.part == part]) for part, title in parts.items()]
    titles = [found for draw, found in groups if draw.source == "arxiv_titles"]
    lines += [_summary("arXiv titles, both parts", titles), _summary("all", [found for _, found in groups])]
    peers = found_by_peers()
    rows = [_row(draw, found) | {title: peers.get((draw.name, who), "") for who, title in PEERS.items()} for draw, found in groups]
    return f"{HEADING}\n\n{chr(10).join(line for line in lines if line)}\n\n{table(rows)}"


def found_by_peers(file: Path = LEADERBOARD) -> dict[tuple[str, str], int]:
    """What peers that find the number themselves found, by draw and peer, as far as bench/leaderboard has run them."""

    def parse(values: Any) -> tuple[tuple[str, str], int] | None:
        if values["contest"] != "clusters" or values["who"] not in PEERS or values["outcome"] != "done":
            return None
        return (values["task"], values["who"]), int(values["figures"]["found"])

    return dict(each for each in read_lines(file, parse)[0] if each is not None)


def _furthest(found: Sequence[Number], field: str) -> float:
    return max(factor(getattr(each, field), each.classes) for each in found)


def _summary(title: str, groups: Sequence[Sequence[Number]]) -> str:
    if not groups:
        return ""
    told = []
    for field, name in (("found", "chosen"), ("at_one", "at resolution 1")):
        within = sum(_furthest(found, field) <= WITHIN for found in groups)
        logs = [abs(np.log2(getattr(each, field) / each.classes)) for found in groups for each in found]
        told.append(f"{name} {within} of {len(groups)}, mean |log2 factor| {np.mean(logs):.2f}")
    return f"- within a factor of two, {title}: " + "; ".join(told)


def _row(draw: Draw, found: Sequence[Number]) -> dict[str, Any]:
    shown: dict[str, Any] = {"corpus": draw.title, "part": draw.part, "seeds": len(found), "k": found[0].classes}
    shown["chosen"] = ", ".join(str(each.found) for each in found)
    shown["range"] = f"{min(each.low for each in found)} to {max(each.high for each in found)}"
    shown["factor"] = _bold(_furthest(found, "found"))
    shown["at resolution 1"] = ", ".join(str(each.at_one) for each in found)
    shown["its factor"] = _bold(_furthest(found, "at_one"))
    return shown


def _bold(value: float) -> str:
    return f"**{value:.2f}**" if value > WITHIN else f"{value:.2f}"
