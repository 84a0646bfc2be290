"""Show: one document with all that the index knows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._store import Passage
from vicinal._store.passages import spans_of_words
from vicinal.index._results import Shown
from vicinal.index._search.word_forms import forms_in

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState


def show(snapshot: IndexState, id: str, query: str) -> Shown:
    """A document by its id, the end of it, or the path of its file, with the words of a query marked."""
    number = int(snapshot.documents.numbers([id])[0])
    [stored] = snapshot.documents.at([number])
    document, label = stored.document, snapshot.label_of(number)
    row = snapshot.rows.row(number) if snapshot.fitted else -1
    cluster = int(snapshot.cluster_numbers[row]) if row >= 0 else -1
    title, text = _marked(snapshot, number, (document.title, document.text), query)
    return Shown(
        document.id,
        document.title,
        document.text,
        document.source,
        text,
        title,
        dict(document.metadata),
        label.label if label else "",
        label.origin if label else "",
        cluster,
        snapshot.cluster_names().get(cluster, "") if cluster >= 0 else "",
        float(snapshot.rows.uncertainty[row]) if row >= 0 else None,
    )


def _marked(snapshot: IndexState, number: int, fields: tuple[str, str], query: str) -> tuple[str, str]:
    """Title and text of a document with the words of a query in brackets, in whatever form."""
    words = query.split()
    words += forms_in(snapshot.store, query, fields)
    found = spans_of_words(snapshot.store, number, fields, words)
    title, text = (Passage(field, 0, spans).marked() for field, spans in zip(fields, found, strict=True))
    return title, text
