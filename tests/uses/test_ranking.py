"""Ranking: words and meaning become one score, and the score is a sum over words."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal import RLPI, Vectorizer
from vicinal._matrix import unit_rows
from vicinal.errors import BadData
from vicinal.projection import Projection
from vicinal.uses._ranking import Query, Ranking, row_stochastic

TEXTS = [
    "the car has an engine and four wheels",
    "an automobile with a strong engine and wheels",
    "the automobile and its driver on the road",
    "a car on the road needs a driver",
    "roses are flowers in a garden",
    "a garden of flowers and roses and tulips",
    "tulips flower in the garden in spring",
    "spring is when roses flower",
    "the road to the garden",
]


@pytest.fixture(name="asked", scope="module")
def ranking_and_questions():
    words = Vectorizer("bm25", min_df=1, max_df=1.0, unit=False)
    counts = Vectorizer("tf", min_df=1, max_df=1.0, unit=False).fit(TEXTS)
    terms = Vectorizer("bm25", min_df=1, max_df=1.0)
    X = terms.fit_transform(TEXTS)
    method = RLPI(2, n_neighbors=3, alpha=1.0).fit(X)
    projection = method.projection_.named(terms.terms_)
    B = sp.csc_array(words.fit_transform(TEXTS))
    ranking = Ranking(B, words.terms_, row_stochastic(method.graph_.weights), projection, unit_rows(projection.transform(X)))

    def question(text):
        row = counts.transform([text])
        return Query(row.indices.astype(np.int64), row.data, terms.transform([text]))

    return ranking, question


def test_the_score_is_the_sum_of_both_surprises_by_the_formula(asked):
    ranking, question = asked
    q = question("car engine engine")
    found = ranking.rank(q)
    lent = np.maximum(ranking.weights.toarray(), ranking.neighbors @ ranking.weights.toarray())
    w = lent[:, q.columns] @ q.counts
    place = ranking.projection.transform(q.terms)[0]
    m = ranking.embeddings @ (place / np.linalg.norm(place))
    zw, zm = ((each - each.mean()) / each.std() for each in (w, m))
    r = max(0.0, float(np.mean(zw * zm)))
    np.testing.assert_allclose(found.scores, zw * np.abs(zw) + r * zm * np.abs(zm), atol=1e-10)
    assert found.evidence[1][0] == pytest.approx(r)
    assert q.counts.max() == 2  # the word that is asked twice counts twice


def test_a_document_without_the_word_is_found_through_its_neighbours(asked):
    ranking, question = asked
    best = ranking.rank(question("car")).best(4).tolist()
    assert set(best) == {0, 1, 2, 3}
    assert best[0] in (0, 3)


@pytest.mark.parametrize("text", ["car engine", "roses in the garden", "driver", "spring tulips car"])
def test_what_words_add_adds_up_to_the_score(asked, text):
    ranking, question = asked
    found = ranking.rank(question(text))
    for document in range(len(TEXTS)):
        why = found.why(document)
        assert math.fsum(why.parts) == why.total
        assert why.total == pytest.approx(found.scores[document], abs=1e-10)
        assert len(set(why.terms)) == len(why.terms)


def test_either_opinion_can_be_asked_alone(asked):
    ranking, question = asked
    q = question("car engine")
    terms, embedding, both = ranking.rank(q, embedding=False), ranking.rank(q, terms=False), ranking.rank(q)
    assert len(terms.evidence) == len(embedding.evidence) == 1
    np.testing.assert_array_equal(both.scores, terms.scores + both.evidence[1][0] * embedding.scores)


def test_a_question_without_known_words_finds_nothing(asked):
    ranking, question = asked
    found = ranking.rank(question("zebra"))
    assert not found.scores.any()
    assert len(found.best(5)) == 0


def test_a_word_that_all_documents_have_alike_says_nothing():
    B = sp.csc_array(np.ones((4, 1)))
    projection = Projection(np.ones((4, 1)), np.ones(1))
    ranking = Ranking(B, np.array(["the"]), sp.csr_array((4, 4)), projection, np.zeros((4, 1)))
    found = ranking.rank(Query(np.array([0]), np.array([1.0]), sp.csr_array((1, 4))))
    assert not found.scores.any()


def test_equals_come_in_document_order_and_the_limit_holds(asked):
    ranking, question = asked
    found = ranking.rank(question("roses"))
    everything = found.best(100)
    assert (np.diff(np.round(found.scores[everything], 12)) <= 0).all()
    assert found.best(2).tolist() == everything[:2].tolist()


def test_a_question_of_other_terms_is_refused(asked):
    ranking, question = asked
    q = question("car")
    with pytest.raises(BadData, match=r"one row of \d+ terms, got shape \(1, 3\)"):
        ranking.rank(Query(q.columns, q.counts, sp.csr_array((1, 3))))


def test_a_document_without_neighbours_borrows_nothing():
    average = row_stochastic(sp.csr_array(np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]])))
    assert average.toarray().tolist() == [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
