"""The shapes of answers, as the description of the API shows them (OpenAPI); answers themselves are plain values."""

from __future__ import annotations

from typing_extensions import TypedDict

#: A term, or any other name, and its number; a value and its count; a beginning and an end: two of them, one after the other.
Term = list[str | float]
Count = list[str | int]
Span = list[int]


class ProblemShape(TypedDict, total=False):
    """An error, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    kind: str


class ExplanationShape(TypedDict):
    """Contributions of terms; with the rest they add up to the total."""

    total: float
    terms: list[Term]
    rest: float


class DocumentShape(TypedDict):
    """A document without its text."""

    row: int
    id: str
    title: str
    source: str
    cluster: int
    uncertainty: float | None
    label: str
    label_origin: str
    metadata: dict[str, object]
    beginning: str


class WholeDocumentShape(DocumentShape):
    """A document with its text."""

    text: str
    marks: list[Span]
    cluster_name: str


class WordsShape(TypedDict):
    """The words of a document with their contributions."""

    of: str
    cluster: int | None
    name: str
    why: ExplanationShape
    words: list[list[float]]


class DocumentsShape(TypedDict):
    """Some documents, and where the next begin."""

    documents: list[DocumentShape]
    total: int
    next: str | None


class PassageShape(TypedDict):
    """A passage of a text; offsets are those of the text."""

    text: str
    start: int
    matches: list[Span]
    before: bool
    after: bool


class HitShape(DocumentShape):
    """A document that was found."""

    score: float
    relevance: float
    why: ExplanationShape
    passage: PassageShape


class HitsShape(TypedDict):
    """Documents that were found."""

    hits: list[HitShape]


class SearchShape(HitsShape):
    """The answer to a query."""

    total: int
    near: int
    offset: int
    suggestions: dict[str, str]
    corrected: str
    notes: list[str]
    facets: dict[str, list[Count]]
    next: str | None


class SearchesShape(TypedDict):
    """The answers to several queries."""

    answers: list[SearchShape]


class SuggestionShape(TypedDict):
    """What a word may become."""

    text: str
    kind: str
    count: int | None


class SuggestionsShape(TypedDict):
    """What the last word of a query may become."""

    suggestions: list[SuggestionShape]


class ExemplarShape(TypedDict):
    """A typical document."""

    id: str
    title: str


class ClusterShape(TypedDict):
    """A cluster, a part of one, or a node of the tree."""

    number: int
    path: str
    name: str
    size: int
    share: float
    uncertainty: float
    terms: list[Term]
    exemplars: list[ExemplarShape]
    named: bool
    pinned: bool
    stability: float | None


class ClustersShape(TypedDict):
    """Clusters."""

    clusters: list[ClusterShape]


class NodeShape(TypedDict):
    """A node of the tree."""

    id: str
    size: int
    height: float
    parent: str
    children: list[str]
    terms: list[Term]
    distinguishing: list[Term]
    cluster: int
    given_name: str
    name: str
    x: float | None
    y: float | None


class TreeShape(TypedDict):
    """The tree of clusters."""

    root: str
    nodes: list[NodeShape]
    levels: dict[str, list[str]]


class ConstraintShape(TypedDict):
    """What a person decided about clusters."""

    number: int
    kind: str
    clusters: list[int]
    n_documents: int
    notes: list[str]
    name: str
    words: list[str]
    ids: list[str]
    sentence: str


class ConstraintsShape(TypedDict):
    """What people decided about clusters."""

    constraints: list[ConstraintShape | None]


class PredictionsShape(TypedDict, total=False):
    """Classes of documents; of a text nothing but its class is known."""

    predictions: list[dict[str, object]]
    counts: list[Count]
    total: int
    next: str | None


class LabelsShape(TypedDict, total=False):
    """The labels in force, and what was learnt from them."""

    labels: list[Count]
    n_labelled: int
    classes: list[str]
    accuracy: float | None
    n_learnt: int
    learnt: bool
    accepted: int


class JobShape(TypedDict):
    """Long work on the index."""

    id: str
    kind: str
    state: str
    step: str
    done: int
    total: int
    steps: list[str]
    started: str
    seconds: float
    result: dict[str, object] | None
    problem: dict[str, object] | None
    warnings: list[str]


class JobsShape(TypedDict):
    """The last jobs, newest first."""

    jobs: list[JobShape]


#: An answer whose members the text of its route lists.
Facts = dict[str, object]
