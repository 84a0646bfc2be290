"""Results of the index as plain values: documents, hits, clusters, constraints, predictions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from vicinal.serve._state import State

if TYPE_CHECKING:
    from vicinal.corpus import Document
    from vicinal.index import Cluster, Constraint, Hit, Hits, Prediction
    from vicinal.projection import Explanation

Counted = TypeVar("Counted")
#: Terms of an explanation that are told one by one, and characters of the beginning of a text.
TERMS, BEGINNING = 50, 200


def explanation(why: Explanation) -> dict[str, object]:
    """Contributions of terms, largest first; those that are not listed are summed."""
    order = np.argsort(-np.abs(why.parts), kind="stable")[:TERMS]
    terms = [[why.terms[i], float(why.parts[i])] for i in order]
    return {"total": float(why.total), "terms": terms, "rest": float(why.total) - sum(part for _, part in terms)}


def documents(state: State, rows: Sequence[int]) -> list[dict[str, object]]:
    """Documents by their rows."""
    found = state.index_state.documents.at(state.numbers[list(rows)].tolist())
    return [document(state, row, stored.document) for row, stored in zip(rows, found, strict=True)]


def document(state: State, row: int, one: Document) -> dict[str, object]:
    """A document without its text."""
    label, uncertainty = state.labels.get(int(row)), state.uncertainty[row]
    return {
        "row": int(row),
        "id": one.id,
        "title": one.title,
        "source": one.source,
        "cluster": int(state.clusters[row]),
        "uncertainty": None if np.isnan(uncertainty) else float(uncertainty),
        "label": "" if label is None else label.label,
        "label_origin": "" if label is None else label.origin,
        "metadata": dict(one.metadata),
        "beginning": " ".join(one.text[: 2 * BEGINNING].split())[:BEGINNING],
    }


def _by_id(state: State, ids: Sequence[str]) -> list[dict[str, object]]:
    return documents(state, state.rows_of_ids(ids).tolist()) if ids else []


def hits(state: State, found: Sequence[Hit]) -> list[dict[str, object]]:
    """Hits, each with what is known of its document."""
    return [
        {
            **facts,
            "score": hit.score,
            "relevance": hit.relevance,
            "why": explanation(hit.why),
            "passage": vars(hit.passage),
        }
        for facts, hit in zip(_by_id(state, [hit.id for hit in found]), found, strict=True)
    ]


def answer(state: State, found: Hits) -> dict[str, object]:
    """What a search found."""
    return {
        "hits": hits(state, found),
        "total": found.total,
        "near": found.near,
        "offset": found.offset,
        "suggestions": found.suggestions,
        "corrected": found.corrected,
        "notes": list(found.notes),
        "facets": {column: [[value, count] for value, count in counts.items()] for column, counts in found.facets.items()},
    }


def cluster(one: Cluster) -> dict[str, object]:
    """A cluster."""
    return {**vars(one), "exemplars": [{"id": id, "title": title} for id, title in one.exemplars]}


def clusters(found: Iterable[Cluster]) -> dict[str, object]:
    """Clusters."""
    return {"clusters": [cluster(each) for each in found]}


def constraint(one: Constraint) -> dict[str, object]:
    """What a person decided about clusters."""
    return {**vars(one), "sentence": str(one)}


def predictions(state: State, found: Sequence[Prediction]) -> list[dict[str, object]]:
    """Predicted classes, each with what is known of its document; of a text there is nothing."""
    known = iter(_by_id(state, [each.id for each in found if each.id]))
    return [
        {
            **(next(known) if each.id else {"id": ""}),
            "predicted": each.label,
            "probability": each.probability,
            "others": [list(other) for other in each.others],
            "why": explanation(each.why),
        }
        for each in found
    ]


def counted(counts: Mapping[Counted, int]) -> list[tuple[Counted, int]]:
    """Counts, most frequent first; equals by name."""
    return [(value, int(count)) for value, count in sorted(counts.items(), key=lambda each: (-each[1], str(each[0])))]
