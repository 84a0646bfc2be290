"""What each stage of an index costs as a function of the size of its corpus: the table of costs, and where its numbers come from.

Work is counted in units that the size tells (characters, multiply-adds, entries x components); a cost is the CPU seconds of a unit
on the machine whose probe is `REFERENCE` of ``_machine_speed.py``, measured by ``python -m bench plan`` on abstracts of arXiv.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, final

from vicinal.planning._corpus_size import CorpusSize
from vicinal.planning._machine_speed import MachineSpeed

VIEWED = 30_000  # documents that clusters are found in: `max_documents` of Topics
MANY, FEWEST_ANSWERS, MOST_ANSWERS = 10_000, 3, 5  # as in `_consensus/vote.py`, which takes long to import
BASE = 330e6  # bytes of Python and its libraries
KEPT_PER_ENTRY, KEPT_PER_TERM = 22.0, 90.0  # bytes of what is learnt, on disk


class FitSettings(NamedTuple):
    """The parameters of a fit that its cost depends on."""

    n_components: int
    n_neighbors: int
    layout: bool


Count = Callable[[CorpusSize, FitSettings], float]


@final
@dataclass(frozen=True)
class StageCost:
    """The cost of a stage.

    Attributes
    ----------
    name : str
    seconds : callable
        CPU seconds on the machine of reference.
    limited_by : {"text", "lists", "products"}
        Which speed of a machine it depends on.
    threaded : float
        Share of its CPU time that several threads divide.
    memory : callable
        Bytes in memory besides Python and its libraries, at the most.
    disk : callable
        Bytes that it writes.
    grows_with : str
        What its time grows with, for people.
    """

    name: str
    seconds: Count
    limited_by: str
    threaded: float
    memory: Count
    disk: Count
    grows_with: str

    def elapsed(self, cpu_seconds: float, machine: MachineSpeed) -> float:
        """Seconds on a machine that does nothing else."""
        return cpu_seconds * (1.0 - self.threaded + self.threaded / machine.n_threads)


def _embedded(size: CorpusSize, settings: FitSettings) -> float:
    """Numbers of embeddings."""
    return size.n_documents * settings.n_components


def _nothing(size: CorpusSize, settings: FitSettings) -> float:
    return 0.0


def _spectrum(size: CorpusSize, settings: FitSettings) -> float:
    """Products with the graph, of which larger graphs need more, and which leave the processor's caches."""
    return 2.9e-6 * _embedded(size, settings) * math.pow(size.n_documents / 10_000, 0.2)


def _clusters(size: CorpusSize, settings: FitSettings) -> float:
    """Products of each answer with the documents that views are taken of; clusters grow with the square root of their number."""
    viewed = min(size.n_documents, VIEWED)
    entries = size.nnz * viewed / size.n_documents
    answers = MOST_ANSWERS if viewed < MANY else FEWEST_ANSWERS  # that vote, where they do not agree sooner (V25)
    return 0.6 + (1.3e-7 + 1.5e-7 * answers) * entries * math.sqrt(viewed) + 2.0e-7 * (size.nnz - entries)


def _matrices(size: CorpusSize, settings: FitSettings) -> float:
    """Bytes of documents x terms, its rows of length one and posting lists, and of some arrays of documents x components."""
    return 40.0 * size.nnz + 12 * size.n_terms + 24.0 * size.n_documents * settings.n_neighbors + 24.0 * _embedded(size, settings)


#: In the order in which they run; "neighbours", "spectrum" and "regression" are the step "embedding" of a fit.
STAGES = (
    StageCost(
        "add",
        lambda size, _: 0.1 + 5.5e-8 * size.n_characters + 1.2e-5 * size.n_documents,
        "text",
        0.0,
        lambda size, _: 10e6,
        lambda size, _: 2e6 + 1.75 * size.n_characters + 150.0 * size.n_documents,
        "characters",
    ),
    StageCost(
        "terms",
        lambda size, _: 0.05 + 7.5e-8 * size.n_characters,
        "text",
        0.0,
        lambda size, _: 30.0 * size.nnz + 300.0 * size.n_terms,
        _nothing,
        "characters",
    ),
    StageCost(
        "neighbours",
        lambda size, _: 0.3 + 1.1e-9 * size.multiply_adds,
        "lists",
        0.95,
        _matrices,
        _nothing,
        "documents squared",
    ),
    StageCost(
        "spectrum",
        _spectrum,
        "products",
        0.0,
        lambda size, settings: _matrices(size, settings) + 24.0 * _embedded(size, settings),
        _nothing,
        "documents x components",
    ),
    StageCost(
        "regression",
        lambda size, settings: 0.05 + 1.8e-8 * size.nnz * settings.n_components,
        "products",
        0.73,
        lambda size, settings: _matrices(size, settings) + 32.0 * size.n_terms * settings.n_components,
        _nothing,
        "entries x components",
    ),
    StageCost(
        "clusters",
        _clusters,
        "products",
        0.57,
        lambda size, settings: 40e6 + 2 * _matrices(size, settings) + 32.0 * size.n_terms * settings.n_components,
        _nothing,
        f"entries, and the square root of documents up to {VIEWED:,}",
    ),
    StageCost(
        "embed",
        lambda size, settings: 1.2e-9 * size.nnz * settings.n_components,
        "products",
        0.0,
        lambda size, settings: 40e6 + 2 * _matrices(size, settings),
        _nothing,
        "entries x components",
    ),
    StageCost(
        "layout",
        lambda size, _: 0.2 + 9.0e-5 * size.n_documents,
        "products",
        0.58,
        lambda size, settings: 40e6 + 2 * _matrices(size, settings),
        lambda size, _: 8.0 * size.n_documents,
        "documents",
    ),
    StageCost(
        "save",
        lambda size, _: 0.05 + 4.3e-5 * size.n_documents,
        "text",
        0.24,
        lambda size, settings: 40e6 + 2 * _matrices(size, settings),
        lambda size, settings: KEPT_PER_ENTRY * size.nnz + KEPT_PER_TERM * size.n_terms + 4.0 * _embedded(size, settings),
        "documents",
    ),
)
