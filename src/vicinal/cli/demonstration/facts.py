"""What the demonstration found out, as plain values: the terminal and ``--json`` show the same facts."""

from __future__ import annotations

from dataclasses import dataclass

from vicinal.cli.stages import Stage


@dataclass(frozen=True)
class Settings:
    """What the run was asked to do, and how it does it."""

    clusters: int = 36
    seed: int = 0
    documents: int | None = None
    neighbors: int = 20
    dimensions: int = 100
    topic_dimensions: int = 40
    alpha: float = 0.1
    tol: float = 1e-6  # at the library's own 1e-3, rounding in the spectrum (4e-12) is enough to change the topics
    hits: int = 4
    word_share: float = 0.3


@dataclass(frozen=True)
class WordPart:
    """A word and what it added; ``in_document`` is false where only its neighbourhood did."""

    word: str
    part: float
    in_document: bool = True


@dataclass(frozen=True)
class LabelCount:
    """How many documents of a cluster are from one module."""

    label: str
    documents: int


@dataclass(frozen=True)
class Topic:
    """A cluster: its size, the words that set it apart, where its documents are from, the documents at its centre."""

    documents: int
    words: tuple[WordPart, ...]
    labels: tuple[LabelCount, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Agreement:
    """How far the clusters agree with the modules, over the modules with ``at_least`` documents, and what chance would give."""

    clusters: int
    labels: int
    at_least: int
    documents: int
    nmi: float
    accuracy: float
    chance_nmi: float
    chance_accuracy: float


@dataclass(frozen=True)
class Found:
    """A document that was found, the words that brought it there, and its rank had only the words themselves counted.

    The parts of ``why`` are words of the question, those of ``through`` words of the document; either add up to the score.
    ``rank_by_words`` is None where the document has no word of the question.
    """

    title: str
    label: str
    text: str
    score: float
    rank_by_words: int | None
    why: tuple[WordPart, ...]
    through: tuple[WordPart, ...]


@dataclass(frozen=True)
class Answer:
    """A question, those of its words that no document knows, and the documents found."""

    question: str
    known: tuple[str, ...]
    unknown: tuple[str, ...]
    found: tuple[Found, ...]


@dataclass(frozen=True)
class Facts:
    """Everything the demonstration shows."""

    version: str
    settings: Settings
    documents: int
    labels: int
    words: int
    stages: tuple[Stage, ...]
    topics: tuple[Topic, ...]
    agreement: Agreement | None
    answers: tuple[Answer, ...]
    notes: tuple[str, ...]
