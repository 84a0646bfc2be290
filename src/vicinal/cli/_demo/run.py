"""Run the demonstration on one index: add, fit, clusters, search, label, classify, map."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from vicinal import __version__
from vicinal._plural import counted
from vicinal.cli._demo.comparison import agree, clusters_by_id, in_large_modules
from vicinal.cli._demo.demo_documents import MODULE
from vicinal.cli._demo.findings import Agreement, Answer, DemoOptions, Findings, Lesson
from vicinal.cli._terminal.ingest import print_notes
from vicinal.cli._terminal.progress_display import FinishedStep, ProgressDisplay
from vicinal.corpus import Document
from vicinal.index import Cluster, Fitted, Index, open

#: Documents that are shown for each query.
HITS = 2
#: One in so many documents of the larger modules is labelled.
EVERY = 10
NEW_TEXT = "The chance that two samples come from one distribution"
#: No stemming, so that an installation with a stemmer shows the same as one without.
STEM = "none"
TITLE = "The documentation of Python, NumPy, SciPy and scikit-learn"


def demonstrate(documents: Sequence[Document], queries: Sequence[str], options: DemoOptions, display: ProgressDisplay) -> Findings:
    """Add the documents to an index, fit it, and show every verb."""
    with TemporaryDirectory(prefix="vicinal-") as folder, open(options.keep or Path(folder, "demo.vic"), create=True) as index:
        _add(index, documents, display)
        fitted = print_notes(index.fit(n_clusters=options.clusters, random_state=options.seed, stem=STEM, progress=display))
        clusters, agreement = _compare(index, documents, options.seed, Path(folder), display)
        answers = _search(index, queries, display)
        lesson = _teach(index, documents, display)
        _draw(index, options.map, display)
        about = index.info()
    modules = len({document.metadata[MODULE] for document in documents})
    found = (fitted, tuple(clusters), agreement, answers, lesson)
    steps = _with_outcomes(display.finished, fitted)
    return Findings(__version__, options, about.documents, modules, about.bytes, steps, *found)


def _with_outcomes(finished: Sequence[FinishedStep], fitted: Fitted) -> tuple[FinishedStep, ...]:
    """The steps of the fit with their outcomes, which are known when all of it is done."""
    outcomes = {
        "terms": f"{fitted.n_terms:,} terms in the vocabulary",
        "embedding": f"{fitted.n_components:,} components, from the neighbour graph",
        "clusters": f"{fitted.n_clusters:,} clusters",
        "embed": "every document embedded",
        "layout": "a point for each document on the map",
        "save": "model and embeddings in the file",
    }
    return tuple(replace(step, outcome=outcomes.get(step.name, step.outcome)) for step in finished)


def _add(index: Index, documents: Sequence[Document], display: ProgressDisplay) -> None:
    with display.step("add") as step:
        index.add(documents, progress=display)
        step.outcome = f"{len(index):,} documents in one file"


def _compare(
    index: Index, documents: Sequence[Document], seed: int, folder: Path, display: ProgressDisplay
) -> tuple[list[Cluster], Agreement | None]:
    with display.step("compare") as step:
        clusters = index.clusters()
        agreement = agree(clusters_by_id(index, folder), documents, seed)
        step.outcome = "clusters compared with modules"
    return clusters, agreement


def _search(index: Index, queries: Sequence[str], display: ProgressDisplay) -> tuple[Answer, ...]:
    with display.step("search") as step:
        answers = tuple(Answer(query, tuple(index.search(query, HITS))) for query in queries)
        step.outcome = "1 query" if len(queries) == 1 else f"{len(queries):,} queries"
    return answers


def _teach(index: Index, documents: Sequence[Document], display: ProgressDisplay) -> Lesson | None:
    """Label some documents with their modules and classify a new text; None where no two modules are large enough."""
    labels = _some_labels(in_large_modules(documents))
    if not labels:
        return None
    with display.step("label") as step:
        labelled = index.label(labels)
        step.outcome = f"{counted(labelled.n_labelled, 'label')}, cross-validated"
    with display.step("classify") as step:
        [prediction] = index.classify([NEW_TEXT])
        step.outcome = "a new text"
    return Lesson(EVERY, labelled, NEW_TEXT, prediction)


def _draw(index: Index, file: str | None, display: ProgressDisplay) -> None:
    """Write the map, where it was asked for."""
    if file is None:
        return
    from vicinal.plot import write_map

    with display.step("map") as step:
        n_documents = write_map(index, file, title=TITLE)
        step.outcome = f"{n_documents:,} documents on one page"


def _some_labels(documents: Sequence[Document]) -> dict[str, str]:
    """The module of every tenth document of each module, from the first on."""
    by_module: defaultdict[str, list[str]] = defaultdict(list)
    for document in documents:
        by_module[str(document.metadata[MODULE])].append(document.id)
    return {id: module for module, ids in by_module.items() for id in ids[::EVERY]}
