"""The demonstration itself: five nouns, one after the other, and what they are good for."""

from __future__ import annotations

from collections.abc import Sequence

from vicinal import __version__, graph, spectrum
from vicinal.cli.demonstration.answers import Library, ask
from vicinal.cli.demonstration.boilerplate import STOP_WORDS
from vicinal.cli.demonstration.facts import Agreement, Answer, Facts, Settings, Topic
from vicinal.cli.demonstration.notes import noting
from vicinal.cli.demonstration.topics import agree, describe
from vicinal.cli.stages import Stages
from vicinal.corpus.document import Document
from vicinal.graph import Graph
from vicinal.projection import Projection, Ridge, regress
from vicinal.rows import unit_rows
from vicinal.terms import Vectorizer
from vicinal.typing import Terms
from vicinal.uses import cluster

#: A module with fewer documents is too small to be a class.
CLASS_SIZE = 50


def demonstrate(documents: Sequence[Document], questions: Sequence[str], settings: Settings, stages: Stages) -> Facts:
    """Learn from the documents, find topics, answer questions."""
    notes: list[str] = []
    with noting(notes):
        library = learn(documents, settings, stages)
        topics, agreement = find_topics(library, settings, stages)
        answers = answer(library, questions, settings, stages)
    return Facts(
        __version__,
        settings,
        len(documents),
        len({document.label for document in documents}),
        library.projection.n_terms,
        tuple(stages.done),
        topics,
        agreement,
        answers,
        tuple(notes),
    )


def learn(documents: Sequence[Document], settings: Settings, stages: Stages) -> Library:
    """Terms, graph, spectrum, projection: what `RLPI` does in one call, here with a clock between the steps."""
    vectorizer = Vectorizer("bm25", stop_words=STOP_WORDS, min_df=3, max_df=0.3)
    with stages.measure("words") as stage:
        X = vectorizer.fit_transform(document.text for document in documents)
        stage.outcome = f"{X.shape[1]:,} words, {X.nnz / X.shape[0]:.0f} of them in a document"
    with stages.measure("neighbours") as stage:
        W: Graph = graph.knn(X, settings.neighbors)
        W = graph.repair(W, X)
        stage.outcome = f"{settings.neighbors} for each document, exactly"
    projection = _project(X, W, vectorizer, settings, stages)
    return Library(documents, vectorizer, X, unit_rows(projection.transform(X)), projection)


def _project(X: Terms, W: Graph, vectorizer: Vectorizer, settings: Settings, stages: Stages) -> Projection:
    with stages.measure("spectrum") as stage:
        S = spectrum.solve(W, settings.dimensions, random_state=settings.seed)
        stage.outcome = f"the {len(S)} smoothest functions on it"
    with stages.measure("projection") as stage:
        projection = regress(X, S, Ridge(settings.alpha), tol=settings.tol, vocabulary=vectorizer.terms_)
        stage.outcome = f"{projection.n_terms:,} words → {projection.n_dimensions} dimensions"
    return projection


def find_topics(library: Library, settings: Settings, stages: Stages) -> tuple[tuple[Topic, ...], Agreement | None]:
    """Cluster the documents by their smoothest dimensions, and compare with the modules, which were not shown."""
    with stages.measure("topics") as stage:
        Z = unit_rows(library.projection.transform(library.X)[:, : settings.topic_dimensions])
        found = cluster(Z, settings.clusters, random_state=settings.seed)
        topics = describe(found, library.documents, library.X, library.vectorizer.terms_)
        agreement = agree(found.labels, library.documents, settings.clusters, CLASS_SIZE, settings.seed)
        stage.outcome = f"{len(topics)} clusters, the best of 10 starts"
    return topics, agreement


def answer(library: Library, questions: Sequence[str], settings: Settings, stages: Stages) -> tuple[Answer, ...]:
    """Ask every question."""
    with stages.measure("questions") as stage:
        answers = tuple(ask(library, question, settings.hits, settings.word_share) for question in questions)
        stage.outcome = f"{len(answers)} answered"
    return answers
