"""Questions become answers: the documents found, each with the words that brought it there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vicinal.cli.demonstration.facts import Answer, Found, WordPart
from vicinal.corpus.document import Document
from vicinal.projection import Explanation, Projection
from vicinal.terms import Tokenizer, Vectorizer
from vicinal.typing import FloatArray, IntArray, Terms
from vicinal.uses import Hit, search, similarities
from vicinal.uses.search import best_first

#: Of a document, as much as is shown.
TEXT_LENGTH = 300


@dataclass(frozen=True, eq=False)
class Library:
    """Documents that can be asked: their words (unit rows), their places (unit rows), and the map between the two."""

    documents: Sequence[Document]
    vectorizer: Vectorizer
    X: Terms
    Z: FloatArray
    projection: Projection


def ask(library: Library, question: str, limit: int, word_share: float) -> Answer:
    """Find the documents nearest to a question in plain English."""
    row = library.vectorizer.transform([question])
    words = dict.fromkeys(Tokenizer(library.vectorizer.stop_words)(question))
    known = [word for word in words if word in library.vectorizer.vocabulary_]
    hits = search(row, library.X, library.Z, library.projection, limit=limit, words=word_share)
    by_words = similarities(row, library.X, library.Z, library.projection, words=1.0)
    ranks = best_first(by_words)
    found = tuple(_found(library, hit, by_words, ranks) for hit in hits)
    return Answer(question, tuple(known), tuple(word for word in words if word not in known), found)


def _found(library: Library, hit: Hit, by_words: FloatArray, ranks: IntArray) -> Found:
    document = library.documents[hit.document]
    own = set(hit.through.terms)
    rank = int((ranks == hit.document).argmax()) + 1 if by_words[hit.document] > 0 else None
    text = document.text[:TEXT_LENGTH]
    return Found(document.title, document.label, text, hit.score, rank, _parts(hit.why, own), _parts(hit.through, own))


def _parts(explanation: Explanation, own: set[str]) -> tuple[WordPart, ...]:
    return tuple(WordPart(word, part, word in own) for word, part in explanation.top(len(explanation.terms)))
