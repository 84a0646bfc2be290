"""The demonstration itself: one index, and every verb of it in turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from vicinal import __version__
from vicinal.cli._demo.comparison import agree, clusters_by_id, in_large_modules
from vicinal.cli._demo.demo_documents import MODULE
from vicinal.cli._demo.findings import Agreement, Answer, Facts, Lesson, Settings
from vicinal.cli._terminal.ingest import learn
from vicinal.cli._terminal.progress_display import Stage, Stages
from vicinal.cli._terminal.text import counted, human_bytes
from vicinal.corpus import Document
from vicinal.index import Cluster, Fitted, Index, open

#: Documents that are shown for each question.
HITS = 2
#: One in so many documents of the larger modules is labelled.
EVERY = 10
NEW_TEXT = "The chance that two samples come from one distribution"
#: Words as they are, so that an installation with a stemmer shows the same as one without.
STEM = "none"


def demonstrate(documents: Sequence[Document], questions: Sequence[str], settings: Settings, stages: Stages) -> Facts:
    """Put the documents into an index, learn from them, and ask it everything."""
    with TemporaryDirectory(prefix="vicinal-") as folder, open(settings.keep or Path(folder, "demo.vic"), create=True) as index:
        _add(index, documents, stages)
        fitted = learn(index, stages, {"n_clusters": settings.clusters, "random_state": settings.seed, "stem": STEM})
        clusters, agreement = _clusters(index, documents, settings.seed, Path(folder), stages)
        answers = _search(index, questions, stages)
        lesson = _teach(index, documents, stages)
        about = index.info()
    modules = len({document.metadata[MODULE] for document in documents})
    found = (fitted, tuple(clusters), agreement, answers, lesson)
    return Facts(__version__, settings, about.documents, modules, about.bytes, _with_outcomes(stages.done, fitted), *found)


def _with_outcomes(done: Sequence[Stage], fitted: Fitted) -> tuple[Stage, ...]:
    """Say of the steps of learning what came out, which is known when all of it is done."""
    outcomes = {
        "terms": f"{fitted.n_terms:,} different ones",
        "embedding": f"{fitted.n_components:,} dimensions, from who is near whom",
        "clusters": f"{fitted.n_clusters:,} clusters",
        "embed": "every document, by its words",
        "save": "all of it in the file, or nothing",
    }
    return tuple(replace(stage, outcome=outcomes.get(stage.name, stage.outcome)) for stage in done)


def _add(index: Index, documents: Sequence[Document], stages: Stages) -> None:
    with stages.measure("add") as stage:
        index.add(documents, progress=lambda step, done, total: stage.advance(done, len(documents)))
        stage.outcome = f"one file, {human_bytes(index.info().bytes)}"


def _clusters(
    index: Index, documents: Sequence[Document], seed: int, folder: Path, stages: Stages
) -> tuple[list[Cluster], Agreement | None]:
    with stages.measure("describe") as stage:
        clusters = index.clusters()
        agreement = agree(clusters_by_id(index, folder), documents, seed)
        stage.outcome = f"{len(clusters)} described, and compared with the modules"
    return clusters, agreement


def _search(index: Index, questions: Sequence[str], stages: Stages) -> tuple[Answer, ...]:
    with stages.measure("search") as stage:
        answers = tuple(Answer(question, tuple(index.search(question, HITS))) for question in questions)
        stage.outcome = f"{counted(len(answers), 'question')} answered"
    return answers


def _teach(index: Index, documents: Sequence[Document], stages: Stages) -> Lesson | None:
    """Label some documents with their modules and sort a new text; None where no two modules are large enough."""
    labels = _some_labels(in_large_modules(documents))
    if not labels:
        return None
    with stages.measure("label") as stage:
        labelled = index.label(labels)
        stage.outcome = f"{counted(labelled.n_labelled, 'document')}, a fifth at a time held back to judge"
    with stages.measure("classify") as stage:
        [category] = index.classify([NEW_TEXT])
        stage.outcome = "a new text"
    return Lesson(EVERY, labelled, NEW_TEXT, category)


def _some_labels(documents: Sequence[Document]) -> dict[str, str]:
    """The module of every tenth document of each module, from the first on."""
    by_module: defaultdict[str, list[str]] = defaultdict(list)
    for document in documents:
        by_module[str(document.metadata[MODULE])].append(document.id)
    return {id: module for module, ids in by_module.items() for id in ids[::EVERY]}
