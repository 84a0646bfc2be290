"""Ranking: words and meaning become one score, and the score is a sum over words."""

from __future__ import annotations

import gc
import math
import weakref
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from bench.ranking_arrays import rank
from bench.ranking_arrays import ranking_of as array_ranking
from vicinal import RLPI, Vectorizer
from vicinal._matrix import unit_rows
from vicinal.projection import Projection
from vicinal.uses import _ranking_candidates, _zero_arrays
from vicinal.uses._compiled_steps import CompiledSteps
from vicinal.uses._ranking import LateTerm, Query, near, row_stochastic
from vicinal.uses._ranking_candidates import EMBEDDING_WEIGHT, N_FEEDBACK, NEIGHBOR_WEIGHT, Sampled
from vicinal.uses._ranking_steps import BY_ARRAYS
from vicinal.uses._retrieved import Evidence
from vicinal.uses._scores import Rescored, Scale, Surprises, highest, surprise
from vicinal.uses._term_scores import TermScores
from vicinal.uses._zero_arrays import zeros_for_a_while


def query_of(columns, counts, row, *late):
    """A query whose terms of the embedding are those of a sparse row."""
    row = sp.csr_array(row)
    return Query(columns, counts, row.indices.astype(np.int64), row.data.astype(np.float64), *late)


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
    ranking = array_ranking(B, words.terms_, row_stochastic(method.graph_.weights), projection, unit_rows(projection.transform(X)))

    def question(text):
        row = counts.transform([text])
        return query_of(row.indices.astype(np.int64), row.data, terms.transform([text]))

    return ranking, question


def weights_of(ranking):
    return ranking.weights.weights.toarray()


def neighbors_of(ranking):
    rows = ranking.lenders
    return sp.csr_array((rows.weights, rows.lenders, rows.starts), shape=(len(TEXTS), len(TEXTS))).toarray()


def standard(scores):
    return (scores - scores.mean()) / scores.std()


def by_the_formulas(ranking, q):
    """The agreement and the scores by R1 to R8, where all documents are candidates."""
    own, W, E = weights_of(ranking), neighbors_of(ranking), ranking.embeddings
    b = own[:, q.columns] @ q.counts
    w = np.maximum(own, W @ own)[:, q.columns] @ q.counts
    place = q.terms @ ranking.projection.weights[q.positions]
    place = place / np.linalg.norm(place)
    zb, zm, zw = standard(b), standard(E @ place), (w - b.mean()) / b.std()
    r = max(0.0, float(np.mean(zb * zm)))
    weight = EMBEDDING_WEIGHT * np.sqrt(r)
    scores = zw * np.abs(zw) + weight * zm * np.abs(zm)
    best = np.argsort(-scores, kind="stable")[:N_FEEDBACK]
    shares = np.maximum(scores[best], 0) / np.maximum(scores[best], 0).sum()
    towards = place + shares @ E[best]
    zf = standard(E @ (towards / np.linalg.norm(towards)))
    matching = W @ np.where(zw > 2, zw**2, 0.0)
    return r, zw * np.abs(zw) + weight * zf * np.abs(zf) + NEIGHBOR_WEIGHT * r * matching, matching


@pytest.mark.parametrize("text", ["car engine engine", "spring tulips", "driver"])
def test_the_score_is_the_sum_of_all_evidence_by_the_formulas(asked, text):
    ranking, question = asked
    q = question(text)
    found = rank(ranking, q)
    r, scores, _ = by_the_formulas(ranking, q)
    np.testing.assert_allclose(found.scores, scores, atol=1e-10)
    assert [weight for weight, _ in found.evidence] == pytest.approx([1.0, EMBEDDING_WEIGHT * np.sqrt(r), NEIGHBOR_WEIGHT * r])


def test_a_word_that_is_asked_twice_counts_twice_and_neighbours_that_match_are_credited(asked):
    ranking, question = asked
    assert question("car engine engine").counts.max() == 2
    assert any(by_the_formulas(ranking, question(text))[2].any() for text in ("spring tulips", "driver", "car engine engine"))


def test_a_document_without_the_word_is_found_through_its_neighbours(asked):
    ranking, question = asked
    best = rank(ranking, question("car")).best(4).tolist()
    assert set(best) == {0, 1, 2, 3}
    assert best[0] in (0, 3)


@pytest.mark.parametrize("text", ["car engine", "roses in the garden", "driver", "spring tulips car"])
def test_what_words_add_adds_up_to_the_score(asked, text):
    ranking, question = asked
    found = rank(ranking, question(text))
    for document in range(len(TEXTS)):
        why = found.why(document)
        assert math.fsum(why.parts) == why.total
        assert why.total == pytest.approx(found.scores[document], abs=1e-10)
        assert len(set(why.terms)) == len(why.terms)


def test_either_opinion_can_be_asked_alone(asked):
    ranking, question = asked
    q = question("car engine")
    terms, embedding, both = rank(ranking, q, embedding=False), rank(ranking, q, terms=False), rank(ranking, q)
    assert [len(each.evidence) for each in (terms, embedding, both)] == [1, 1, 3]
    lent = np.maximum(weights_of(ranking), neighbors_of(ranking) @ weights_of(ranking))
    own, w = (weights[:, q.columns] @ q.counts for weights in (weights_of(ranking), lent))
    z = (w - own.mean()) / own.std()
    np.testing.assert_allclose(terms.scores, z * np.abs(z), atol=1e-12)


def test_a_question_without_known_words_finds_nothing(asked):
    ranking, question = asked
    found = rank(ranking, question("zebra"))
    assert not found.scores.any()
    assert len(found.best(5)) == 0


def test_a_word_that_all_documents_have_alike_finds_them_all_by_its_weight():
    B = sp.csc_array(np.ones((4, 1)))
    projection = Projection(np.ones((4, 1)))
    ranking = array_ranking(B, np.array(["the"]), sp.csr_array((4, 4)), projection, np.zeros((4, 1)))
    found = rank(ranking, query_of(np.array([0]), np.array([1.0]), sp.csr_array((1, 4))))
    assert found.best(5).tolist() == [0, 1, 2, 3]
    assert found.why(2).top() == [("the", 1.0)]
    assert found.relevance(found.scores).tolist() == [1.0] * 4


def test_equals_come_in_document_order_and_the_limit_holds(asked):
    ranking, question = asked
    found = rank(ranking, question("roses"))
    everything = found.best(100)
    assert (np.diff(np.round(found.scores[everything], 12)) <= 0).all()
    assert found.best(2).tolist() == everything[:2].tolist()


def test_a_document_without_neighbours_borrows_nothing():
    average = row_stochastic(sp.csr_array(np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]])))
    assert average.toarray().tolist() == [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


def ranking_of(weights, neighbors, embeddings, projection):
    names = np.array([f"t{i}" for i in range(weights.shape[1])], dtype=object)
    return array_ranking(sp.csc_array(weights), names, sp.csr_array(neighbors), projection, np.asarray(embeddings))


def by_terms(weights, neighbors):
    """One term in all documents, each with its neighbours."""
    n = len(weights)
    ranking = ranking_of(weights, neighbors, np.zeros((n, 1)), Projection(np.ones((1, 1))))
    scores = ranking._terms(query_of(np.array([0]), np.array([1.0]), sp.csr_array((1, 1))))
    totals = BY_ARRAYS.totals(scores.terms, n)
    return BY_ARRAYS.surroundings(np.arange(n), ranking.lenders).terms(scores, totals)[:, 0]


def test_a_term_counts_as_in_the_document_or_as_in_the_mean_of_its_neighbours_whichever_is_more():
    weights = np.array([[4.0], [1.0], [0.0], [2.0]])
    neighbors = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0.5, 0.5, 0]])
    # document 0 keeps its own 4 (lent: 1), 1 is lent 4 (own: 1), 2 lacks it and is lent 2.5, 3 keeps its own 2 (lent: 0.5)
    assert by_terms(weights, neighbors).tolist() == [4.0, 4.0, 2.5, 2.0]


def test_parts_of_own_and_lent_terms_add_up_to_the_score():
    weights = np.array([[4.0, 0.0], [1.0, 3.0], [0.0, 1.0], [2.0, 0.0]])
    neighbors = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0.5, 0.5, 0]])
    ranking = ranking_of(weights, neighbors, np.zeros((4, 1)), Projection(np.ones((1, 1))))
    found = rank(ranking, query_of(np.array([0, 1]), np.array([1.0, 2.0]), sp.csr_array((1, 1))), embedding=False)
    for document in range(4):
        assert found.why(document).total == pytest.approx(found.scores[document], abs=1e-12)


def test_an_embedding_that_disagrees_with_the_terms_is_not_counted():
    weights = np.array([[3.0], [2.0], [1.0], [0.0]])
    embeddings = np.array([[-1.0], [-1.0], [1.0], [1.0]])  # the documents with the term lie on the other side
    ranking = ranking_of(weights, np.zeros((4, 4)), embeddings, Projection(np.ones((1, 1))))
    query = query_of(np.array([0]), np.array([1.0]), sp.csr_array([[1.0]]))
    terms, both = rank(ranking, query, embedding=False), rank(ranking, query)
    assert both.evidence[1][0] == 0.0
    assert both.scores.tolist() == terms.scores.tolist()
    turned = rank(ranking_of(weights, np.zeros((4, 4)), -embeddings, Projection(np.ones((1, 1)))), query)
    assert turned.evidence[1][0] == pytest.approx(
        EMBEDDING_WEIGHT * 0.8944271909999159**0.5
    )  # the correlation of 3, 2, 1, 0 with 1, 1, -1, -1
    assert turned.scores[0] > terms.scores[0]


def test_the_offset_of_a_projection_moves_the_query_and_is_a_part_of_the_score():
    rng = np.random.default_rng(0)
    weights, offset = rng.normal(size=(3, 2)), np.array([0.4, -0.3])
    X = unit_rows(rng.random((6, 3)))
    projection = Projection(weights, offset, np.array(["a", "b", "c"], dtype=object))
    embeddings = unit_rows(projection.transform(X))
    ranking = ranking_of(X, np.zeros((6, 6)), embeddings, projection)
    query = np.array([[0.0, 1.0, 0.5]])
    found = rank(ranking, query_of(np.array([1, 2]), np.ones(2), sp.csr_array(query)), terms=False)
    place = unit_rows(projection.transform(query)).ravel()
    m = embeddings @ place
    z = (m - m.mean()) / m.std()
    np.testing.assert_allclose(found.scores, z * np.abs(z), atol=1e-10)
    for document in range(6):
        why = found.why(document)
        assert why.terms == ("b", "c", "(centre)")
        assert why.total == pytest.approx(found.scores[document], abs=1e-10)
    centre = found.why(0).parts[2]
    expected = (
        (-offset @ (embeddings[0] - embeddings.mean(axis=0))) / np.linalg.norm(projection.transform(query)) / m.std() * abs(z[0])
    )
    assert centre == pytest.approx(expected, abs=1e-10)


def test_a_query_without_known_terms_has_no_embedding_though_the_projection_has_an_offset():
    embeddings = unit_rows(np.random.default_rng(1).normal(size=(6, 2)))
    projection = Projection(np.ones((3, 2)), np.array([0.4, -0.3]), np.array(["a", "b", "c"], dtype=object))
    ranking = ranking_of(np.eye(6, 3), np.zeros((6, 6)), embeddings, projection)
    found = rank(ranking, query_of(np.zeros(0, dtype=np.int64), np.zeros(0), sp.csr_array((1, 3))), terms=False)
    assert found.scores.tolist() == [0.0] * 6
    assert found.best(6).tolist() == []


def test_scores_are_equal_when_twelve_decimals_agree_and_no_sooner():
    assert highest(np.array([0.5, 0.5 + 1e-10, 0.2]), 3).tolist() == [1, 0, 2]
    assert highest(np.array([0.5, 0.5 + 1e-14, 0.2]), 3).tolist() == [0, 1, 2]


def test_terms_that_came_late_count_where_they_are_and_have_a_name():
    ranking = ranking_of(np.zeros((4, 1)), np.zeros((4, 4)), np.zeros((4, 1)), Projection(np.ones((1, 1))))
    late = LateTerm("zeppelin", np.array([1, 3]), np.array([2.0, 1.0]))
    found = rank(ranking, query_of(np.zeros(0, dtype=np.int64), np.zeros(0), sp.csr_array((1, 1)), (late,)))
    w = np.array([0.0, 2.0, 0.0, 1.0])
    z = (w - w.mean()) / w.std()
    np.testing.assert_allclose(found.scores, z * np.abs(z), atol=1e-12)
    assert found.best(10).tolist() == [1, 3]
    assert found.why(1).terms == ("zeppelin",)


def test_the_documents_near_one_are_scored_by_the_mean_of_two_cosines(asked):
    ranking, _ = asked
    X = unit_rows(sp.csr_array(ranking.weights.weights))
    found, X = near(X, ranking.names, ranking.embeddings, 3), X.toarray()
    expected = 0.5 * X @ X[3] + 0.5 * ranking.embeddings @ ranking.embeddings[3]
    np.testing.assert_allclose(found.scores, expected, atol=1e-12)
    for document in range(len(TEXTS)):
        why = found.why(document)
        assert why.terms[-1] == "(embedding)"
        assert why.total == pytest.approx(expected[document], abs=1e-12)
    others = np.arange(len(TEXTS)) != 3
    assert 3 not in found.best(20, others)


def test_single_precision_and_double_precision_rank_alike(asked):
    ranking, question = asked
    single = replace(ranking, embeddings=ranking.embeddings.astype(np.float32))
    for text in ("car engine", "roses"):
        np.testing.assert_allclose(rank(single, question(text)).scores, rank(ranking, question(text)).scores, atol=1e-4)


def test_values_that_hold_arrays_are_compared_by_identity_and_can_be_keys(asked):
    """Compared field by field, two of them would raise an error, as the truth value of an array is ambiguous."""
    ranking, question = asked
    scores = Evidence(np.arange(3.0), lambda document: ((), np.zeros(0)))

    def made():
        late = LateTerm("tram", np.array([1]), np.array([0.5]))
        return [scores, late, question("car"), rank(ranking, question("car")), ranking]

    for one, other in zip(made(), made(), strict=True):
        assert {one: "found"}[one] == "found"
        assert (one == other) is (one is other)


@pytest.fixture(name="corpus", scope="module")
def random_corpus():
    """Four hundred documents of which a query has a term of few: neighbours at random, and embeddings in single precision."""
    rng = np.random.default_rng(4)
    weights = rng.random((400, 6)) * (rng.random((400, 6)) < [0.02, 0.05, 0.1, 0.3, 0.6, 0.9])
    near = sp.csr_array(sp.random_array((400, 400), density=0.01, rng=rng))
    projection = Projection(rng.normal(size=(6, 5)))
    ranking = ranking_of(weights, row_stochastic(near + near.T), unit_rows(projection.transform(weights)), projection)
    return replace(ranking, embeddings=ranking.embeddings.astype(np.float32))


def some_query():
    return query_of(np.array([0, 1, 3]), np.ones(3), sp.csr_array([[0.6, 0.5, 0.0, 0.4, 0.0, 0.0]]))


def test_documents_that_are_no_candidates_keep_the_score_of_their_own_terms(corpus, monkeypatch):
    everybody = rank(corpus, some_query())
    monkeypatch.setattr(_ranking_candidates, "N_FIRST", 8)
    found = rank(corpus, some_query())
    b = weights_of(corpus)[:, [0, 1, 3]].sum(axis=1)
    own = standard(b) * np.abs(standard(b))
    first = np.argsort(-own, kind="stable")[:8]
    chosen = np.union1d(first, sp.csr_array((corpus.lenders.weights, corpus.lenders.lenders, corpus.lenders.starts))[first].indices)
    others = np.setdiff1d(np.arange(400), chosen)
    assert len(others) > 100
    np.testing.assert_allclose(found.scores[others], own[others], atol=1e-10)
    assert (np.abs(everybody.scores[others] - own[others]) > 1e-3).any()  # so that candidates make a difference
    for document in (*chosen[:5], *others[:5]):
        assert found.why(int(document)).total == pytest.approx(found.scores[document], abs=1e-5)


def test_candidates_are_chosen_among_the_documents_that_may_be_found(corpus, monkeypatch):
    monkeypatch.setattr(_ranking_candidates, "N_FIRST", 4)
    among = np.zeros(400, dtype=bool)
    among[300:] = True
    free, restricted = rank(corpus, some_query()), rank(corpus, some_query(), among=among)
    best = restricted.best(4, among).tolist()
    assert all("(first answers)" in restricted.why(row).terms for row in best)
    assert not all("(first answers)" in free.why(row).terms for row in best)


def test_a_sample_stands_for_all_embeddings_where_there_are_many(corpus, monkeypatch):
    whole = rank(corpus, some_query())
    monkeypatch.setattr(_ranking_candidates, "SAMPLE", 100)
    monkeypatch.setattr(_ranking_candidates, "N_HOLDERS", 50)
    assert len(Sampled(corpus.embeddings).some) == 100
    part = rank(replace(corpus, embeddings=corpus.embeddings.copy()), some_query())
    assert part.evidence[1][0] == pytest.approx(whole.evidence[1][0], rel=0.2)
    assert part.evidence[1][0] != whole.evidence[1][0]
    assert len(set(part.best(10).tolist()) & set(whole.best(10).tolist())) >= 8


def test_a_score_that_all_documents_share_is_no_deviation():
    scale = Scale.of(np.full(5, 0.1))
    assert scale.z(np.array([0.1, 3.0])).tolist() == [0.0, 0.0]
    assert scale.ideal(7.0) == 0.0


def test_the_highest_of_many_scores_are_those_of_a_full_sort():
    rng = np.random.default_rng(0)
    for scale in (0.1, 1.0, 30.0):
        scores = np.round(rng.normal(size=3000) * scale, 1)  # with many equals
        for limit in (1, 7, 400, 5000):
            full = np.argsort(-scores, kind="stable")[:limit]
            assert highest(scores, limit).tolist() == full[scores[full] > 0].tolist()


@pytest.mark.parametrize("share", [None, 0.3])
def test_scores_that_are_computed_when_asked_for_rank_as_all_of_them_do(share):
    rng = np.random.default_rng(1)
    for kind in range(6):
        worth = np.round(np.where(rng.random(2000) < 0.2, rng.gamma(1.0, 2.0, 2000), 0.0), 1)  # with many equals
        first = Surprises(worth, Scale.of(worth))
        rows = np.sort(rng.permutation(2000)[: (0, 1, 40, 300, 1999, 2000)[kind]])
        values = np.round(rng.normal(2.0, 20.0, len(rows)), 1)
        values[::7] = first.of(rows)[::7]  # equal to what they were
        again, among = Rescored(first, rows, values), None if share is None else rng.random(2000) < share
        expected = surprise((worth - worth.mean()) / Scale.of(worth).spread)
        for scores, full in ((first, expected.copy()), (again, expected)):
            full[rows] = values if scores is again else full[rows]
            np.testing.assert_array_equal(scores.whole, full)
            some = rng.permutation(2000)[:50]
            np.testing.assert_array_equal(scores.of(some), full[some])
            allowed = full if among is None else np.where(among, full, 0.0)
            assert scores.n_above_zero(among) == np.count_nonzero(np.round(allowed, 12) > 0)
            if scores is again:
                found = np.flatnonzero(np.round(allowed, 12) > 0)
                assert scores.n_near(among) == np.count_nonzero(worth[found] == 0)
                assert scores.matching(among).tolist() == found[worth[found] != 0].tolist()
            order = np.argsort(worth == 0, kind="stable") if scores is again else np.arange(2000)  # of equals, those with a term
            for limit in (1, 10, 150, 3000):
                assert scores.best(limit, among).tolist() == order[highest(allowed[order], limit)].tolist()


def test_zeros_are_used_again_and_thrown_away_after_an_error():
    with zeros_for_a_while(50, float) as first:
        first[7] = 1.0
        with zeros_for_a_while(50, float) as other:
            assert not np.shares_memory(other, first)
        first[7] = 0.0
    with zeros_for_a_while(40, float) as again:
        assert np.shares_memory(again, first) or np.shares_memory(again, other)
        assert len(again) == 40
    with pytest.raises(ZeroDivisionError), zeros_for_a_while(50, float) as spoilt:
        spoilt[7] = 1 / 0 if spoilt[:].fill(3.0) is None else 0.0
    with zeros_for_a_while(50, float) as clean:
        assert not clean.any()
    for length in range(60, 70):
        with zeros_for_a_while(length, bool) as short:
            assert len(short) == length
    assert len(_zero_arrays._KEPT.arrays) <= _zero_arrays._MOST_KEPT


def test_where_all_documents_are_worth_the_same_none_is_best():
    scores = Surprises(np.full(300, 0.7), Scale.of(np.full(300, 0.7)))
    assert scores.best(5).tolist() == []
    assert scores.n_above_zero() == 0
    assert Rescored(scores, np.array([7]), np.array([3.0])).best(5).tolist() == [7]


def test_where_no_document_found_has_a_term_all_that_are_near_are_counted():
    worth = np.where(np.arange(300) < 2, 5.0, 0.0)
    scores = Rescored(Surprises(worth, Scale.of(worth)), np.array([0, 7, 9]), np.array([3.0, 2.0, -1.0]))
    assert (scores.matching().tolist(), scores.n_near()) == ([0, 1], 1)
    near = np.arange(300) > 5
    assert (scores.matching(near).tolist(), scores.n_near(near), scores.n_above_zero(near)) == ([7], 1, 1)


def test_a_query_without_terms_is_worth_nothing():
    assert BY_ARRAYS.totals((), 3).tolist() == CompiledSteps().totals((), 3).tolist() == [0.0] * 3
    assert TermScores((), 3).ideal == 0.0


def many_documents(rng, n=700):
    """Documents with some terms each, neighbours, and embeddings in single precision as an index keeps them."""
    weights = sp.random_array((n, 12), density=0.15, format="csc", rng=rng)
    near = sp.random_array((n, n), density=0.02, format="csr", dtype=np.float32, rng=rng)
    embeddings = rng.standard_normal((n, 6)).astype(np.float32)
    projection = Projection(rng.standard_normal((12, 6)))
    return ranking_of(weights, row_stochastic(near).astype(np.float32), unit_rows(embeddings), projection)


@pytest.mark.parametrize("among", [None, 0.3])
@pytest.mark.parametrize("columns", [[0], [1, 4, 5], list(range(12)), []])
def test_compiled_loops_have_the_bits_that_arrays_have(columns, among):
    rng = np.random.default_rng(len(columns))
    ranking = many_documents(rng)
    late = LateTerm("late", np.array([3, 99, 512]), np.array([1.5, 0.1, 2.0]))
    row = sp.random_array((1, 12), density=0.4, format="csr", rng=rng)
    asked = ranking.asked(
        query_of(np.array(columns, dtype=np.int64), 1.0 + np.arange(len(columns)) % 2, row, (late,) * (among is None))
    )
    allowed = None if among is None else rng.random(700) < among
    for _ in range(2):  # the zeros of the first time must be zeros again
        arrays, loops = (ranking.ranked(asked, allowed, steps) for steps in (BY_ARRAYS, CompiledSteps()))
        np.testing.assert_array_equal(arrays.scores, loops.scores)
        for document in arrays.best(5).tolist():
            one, other = arrays.why(document), loops.why(document)
            assert one.terms == other.terms
            np.testing.assert_array_equal(one.parts, other.parts)
    assert not columns or len(set(arrays.scores.tolist())) > 50


def test_reasons_are_told_after_all_else_is_forgotten():
    ranking = many_documents(np.random.default_rng(5))
    row = sp.csr_array(np.eye(1, 12, 3) + np.eye(1, 12, 7))
    found = ranking.ranked(ranking.asked(query_of(np.array([3, 7]), np.ones(2), row)))
    rows = np.concatenate([found.best(5), [699]])  # the last is seldom a candidate
    alone, totals = [found.why(document) for document in rows.tolist()], weakref.ref(found.combined.first.worth)
    told = found.whys(rows)
    del found
    gc.collect()
    assert totals() is None
    for one, other in zip(alone, told(), strict=True):
        assert one.terms == other.terms
        np.testing.assert_array_equal(one.parts, other.parts)
