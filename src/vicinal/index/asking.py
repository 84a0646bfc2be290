"""Asking an index: questions in words, documents near a document."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._store import Documents, Store, match, snippets
from vicinal._store.filters import Filters
from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal.corpus import Document
from vicinal.errors import TooFewDocuments
from vicinal.index._results import Hit
from vicinal.index.groups import lasting
from vicinal.index.state import State
from vicinal.projection import Explanation
from vicinal.terms import Tokenizer
from vicinal.uses._ranking import Late, Question, highest
from vicinal.uses._search import TIE_DECIMALS

EMBEDDING = "(embedding)"
MOST_LATE = 10_000  # documents that are looked at for a word that was not learnt


def search(state: State | None, store: Store, question: str, limit: int, by: str, where: Filters) -> list[Hit]:
    """The best documents for a question; before the first fit by the words of the file alone."""
    if state is None and by == "embedding":
        raise TooFewDocuments(f"{store.path} must be fitted to be searched by embedding. Fit it, or search by terms.")
    if state is None:
        return _by_words_alone(store, question, limit, where)
    if not len(state.rows.numbers):
        return []
    ranked = state.ranking.rank(asked(state, store, question), words=by != "embedding", meaning=by != "terms")
    rows = best(ranked.scores, limit, _passing(state, store, where))
    whys = [ranked.why(int(row)) for row in rows]
    return hits(state, store, rows, whys, question)


def asked(state: State, store: Store, question: str) -> Question:
    """A question as numbers: by the words that were learnt, and by those that only the texts of the file know."""
    words = state.model.words
    counts = sp.csr_array(words.counts([question]))
    said = list(dict.fromkeys(_telling(question)))
    known = np.diff(sp.csr_array(words.counts(said)).indptr) > 0 if said else ()
    late = (_late(state, store, word) for word, there in zip(said, known, strict=True) if not there)
    return Question(counts.indices.astype(np.int64), counts.data, words.rows(counts), tuple(each for each in late if each))


def _late(state: State, store: Store, word: str) -> Late | None:
    """A word that came with documents added since the last fit, as SQLite's index of words has it; None where none has it."""
    numbers, weights = match(store, [word], MOST_LATE)
    rows = np.array([state.rows.row(int(number)) for number in numbers], dtype=np.int64)
    there = (rows >= 0) & (weights > 0)
    order = np.argsort(rows[there], kind="stable")
    return Late(word, rows[there][order], weights[there][order]) if there.any() else None


def best(scores: FloatArray, limit: int, passing: BoolArray | None = None) -> IntArray:
    """Rows with the highest scores above 0, best first; equals in the order of the documents."""
    return highest(scores if passing is None else np.where(passing, scores, 0.0), limit)


def near(state: State | None, store: Store, id: str, limit: int, where: Filters) -> list[Hit]:
    """The documents nearest to one: the mean of two cosines, of words and of places."""
    number = int(Documents(store).numbers([id])[0])
    row = -1 if state is None else state.rows.row(number)
    if state is None or row < 0:
        return []
    words = state.directions
    own = words[[row]]
    by_words = np.asarray((words @ own.T).todense()).ravel()
    by_place = np.asarray(state.rows.places @ state.rows.places[row], dtype=np.float64)
    scores = np.round(0.5 * by_words + 0.5 * by_place, TIE_DECIMALS)
    scores[row] = 0.0
    rows = best(scores, limit, _passing(state, store, where))
    whys = [_shared(words[[each]].multiply(own), 0.5 * by_place[each], state) for each in rows]
    return hits(state, store, rows, whys, "")


def _shared(products: sp.csr_array, meaning: float, state: State) -> Explanation:
    """The words that two documents share, and the part that is their places'."""
    entries = sp.coo_array(products)
    names = (*(str(state.model.words.forms[column]) for column in entries.col), EMBEDDING)
    parts = np.append(0.5 * entries.data.astype(np.float64), meaning)
    return Explanation(names, parts, float(np.sum(parts)))


def _passing(state: State, store: Store, where: Filters) -> BoolArray | None:
    return np.isin(state.rows.numbers, Documents(store).where(where)) if where else None


def hits(state: State, store: Store, rows: IntArray, whys: list[Explanation], question: str) -> list[Hit]:
    """Rows as they are shown, in this order: each with its reasons and where the words of a question stand in it."""
    numbers = state.rows.numbers[rows].tolist()
    shown = snippets(store, numbers, _telling(question))
    found = zip(Documents(store).at(numbers), whys, shown, lasting(state)[rows], strict=True)
    return [_hit(each.document, why, text, int(cluster)) for each, why, text, cluster in found]


def _hit(document: Document, why: Explanation, snippet: str, cluster: int) -> Hit:
    return Hit(document.id, document.title, document.source, why.total, why, snippet, cluster, document.metadata)


def _telling(question: str) -> list[str]:
    """The words of a question that are worth showing: without stop words, or all where there are no others."""
    return list(Tokenizer("english", (1, 1), True)(question)) or question.split()


def _by_words_alone(store: Store, question: str, limit: int, where: Filters) -> list[Hit]:
    """What SQLite's own index of words finds; the whole score is that of all words together."""
    among = Documents(store).where(where).tolist() if where else None
    numbers, scores = match(store, question, limit, among=among)
    shown = snippets(store, numbers.tolist(), _telling(question))
    found = zip(Documents(store).at(numbers.tolist()), scores, shown, strict=True)
    return [_hit(each.document, Explanation((question,), np.array([score]), float(score)), text, -1) for each, score, text in found]
