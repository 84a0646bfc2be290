"""The findings of the demonstration as values: the terminal and ``--json`` show the same ones."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from vicinal.cli._terminal.progress_display import FinishedStep

if TYPE_CHECKING:
    from vicinal.index import Cluster, Fitted, Hit, Labelled, Prediction


@dataclass(frozen=True)
class DemoOptions:
    """The options of the run; ``keep`` is the file that the index stays in, and ``map`` that of the map, or None."""

    clusters: int = 36
    seed: int = 0
    documents: int | None = None
    keep: str | None = None
    map: str | None = None


@dataclass(frozen=True)
class Agreement:
    """How far the clusters agree with the modules, over the modules with ``at_least`` documents, and for clusters at random.

    ``pure`` clusters have at least four in five of their documents, of whatever modules, from a single one.
    """

    clusters: int
    pure: int
    modules: int
    at_least: int
    documents: int
    nmi: float
    accuracy: float
    random_nmi: float
    random_accuracy: float


@dataclass(frozen=True, eq=False)
class Answer:
    """A query and its hits."""

    query: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True, eq=False)
class Lesson:
    """One in ``every`` documents of the larger modules is labelled with its module; then a new text is classified."""

    every: int
    labelled: Labelled
    text: str
    prediction: Prediction


@dataclass(frozen=True, eq=False)
class Findings:
    """Everything that the demonstration shows."""

    version: str
    options: DemoOptions
    documents: int
    modules: int
    bytes: int
    steps: tuple[FinishedStep, ...]
    fitted: Fitted
    clusters: tuple[Cluster, ...]
    agreement: Agreement | None
    answers: tuple[Answer, ...]
    lesson: Lesson | None


def plain(findings: Findings) -> dict[str, object]:
    """The findings as plain values, each as the verb prints it that shows it alone."""
    from vicinal.cli._terminal.rendering import cluster_facts, fitted_facts, hit_facts

    return {
        "version": findings.version,
        "options": asdict(findings.options),
        "documents": findings.documents,
        "modules": findings.modules,
        "bytes": findings.bytes,
        "steps": [asdict(step) for step in findings.steps],
        "fit": fitted_facts(findings.fitted),
        "clusters": [cluster_facts(each, len(each.terms)) for each in findings.clusters],
        "agreement": None if findings.agreement is None else asdict(findings.agreement),
        "answers": [{"query": each.query, "hits": [hit_facts(hit) for hit in each.hits]} for each in findings.answers],
        "lesson": None if findings.lesson is None else _lesson(findings.lesson),
    }


def _lesson(lesson: Lesson) -> dict[str, object]:
    from vicinal.cli._terminal.rendering import label_facts, prediction_facts

    return {
        "every": lesson.every,
        **label_facts(lesson.labelled),
        "text": lesson.text,
        "prediction": prediction_facts(lesson.prediction),
    }
