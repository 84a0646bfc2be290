"""What the demonstration found out, as values: the terminal and ``--json`` show the same facts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from vicinal.cli._terminal.progress_display import Stage

if TYPE_CHECKING:
    from vicinal.index import Cluster, Fitted, Hit, Labelled, Prediction


@dataclass(frozen=True)
class Settings:
    """What the run was asked to do; ``keep`` is where the index stays, and None if it goes."""

    clusters: int = 36
    seed: int = 0
    documents: int | None = None
    keep: str | None = None


@dataclass(frozen=True)
class Agreement:
    """How far the clusters agree with the modules, over the modules with ``at_least`` documents, and what chance would give.

    ``pure`` clusters have at least four in five of their documents, of whatever modules, from a single one.
    """

    clusters: int
    pure: int
    modules: int
    at_least: int
    documents: int
    nmi: float
    accuracy: float
    chance_nmi: float
    chance_accuracy: float


@dataclass(frozen=True, eq=False)
class Answer:
    """A question and the documents found."""

    question: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True, eq=False)
class Lesson:
    """One in ``every`` documents of the larger modules was labelled with its module; then a new text was sorted."""

    every: int
    labelled: Labelled
    text: str
    category: Prediction


@dataclass(frozen=True, eq=False)
class Facts:
    """Everything the demonstration shows."""

    version: str
    settings: Settings
    documents: int
    modules: int
    bytes: int
    stages: tuple[Stage, ...]
    fitted: Fitted
    clusters: tuple[Cluster, ...]
    agreement: Agreement | None
    answers: tuple[Answer, ...]
    lesson: Lesson | None


def plain(facts: Facts) -> dict[str, Any]:
    """The facts as plain values, each as the verb says it that would answer it alone."""
    from vicinal.cli._terminal.results import cluster_facts, fitted_facts, hit_facts

    return {
        "version": facts.version,
        "settings": asdict(facts.settings),
        "documents": facts.documents,
        "modules": facts.modules,
        "bytes": facts.bytes,
        "stages": [asdict(stage) for stage in facts.stages],
        "fit": fitted_facts(facts.fitted),
        "clusters": [cluster_facts(each, len(each.terms)) for each in facts.clusters],
        "agreement": None if facts.agreement is None else asdict(facts.agreement),
        "answers": [{"question": each.question, "hits": [hit_facts(hit) for hit in each.hits]} for each in facts.answers],
        "lesson": None if facts.lesson is None else _lesson(facts.lesson),
    }


def _lesson(lesson: Lesson) -> dict[str, Any]:
    from vicinal.cli._terminal.results import category_facts

    labelled = lesson.labelled
    return {
        "every": lesson.every,
        "n_labelled": labelled.n_labelled,
        "classes": dict(labelled.classes),
        "accuracy": labelled.accuracy,
        "text": lesson.text,
        "category": category_facts(lesson.category),
    }
