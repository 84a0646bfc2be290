"""Search: scores that are sums over words to the last bit, meaning beyond the words, and mistakes that are caught."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from vicinal import RLPI, Vectorizer
from vicinal._matrix import unit_rows
from vicinal.errors import BadData, BadParameter
from vicinal.projection import LinearMap, Projection
from vicinal.uses import search, similarities
from vicinal.uses._scores import highest

TEXTS = [
    "the car stops at the garage with a flat tyre",
    "a car engine needs oil, says the garage",
    "the driver parks the car in the evening",
    "an automobile engine burns oil and petrol",
    "the automobile has a new tyre and a driver",
    "petrol for the driver, oil for the engine",
    "roses bloom in the garden in june",
    "water the garden and the roses in the evening",
    "a bee visits roses and tulips in bloom",
    "tulips need water and sun in the garden",
    "sun and rain make the tulips bloom",
    "the bee sleeps in the garden in the evening",
]


@pytest.fixture(scope="module")
def library():
    vectorizer = Vectorizer(min_df=1, max_df=1.0)
    X = vectorizer.fit_transform(TEXTS)
    projection = RLPI(2, n_neighbors=6).fit(X).projection_.named(vectorizer.terms_)
    return vectorizer, X, unit_rows(projection.transform(X)), projection


def ask(library, question, **options):
    vectorizer, X, Z, projection = library
    return search(vectorizer.transform([question]), X, Z, projection, **options)


def cosine(one, other):
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 1.0])
def test_the_parts_of_a_score_add_up_to_the_last_bit(library, share):
    hits = ask(library, "oil for my car in the garden", limit=12, term_weight=share)
    assert len(hits) > 3
    for hit in hits:
        assert math.fsum(hit.why.parts) == hit.score == hit.why.total
        assert sum(part for _, part in hit.why.top(100)) == pytest.approx(hit.score, abs=1e-12)


def test_a_score_without_the_parts_of_the_words_themselves_does_not_add_up(library):
    """What the check above would say of an explanation that forgot one of the two reasons."""
    vectorizer, X, _, projection = library
    question = vectorizer.transform(["oil for my car"])
    hit = ask(library, "oil for my car", term_weight=0.5)[0]
    place_alone = projection.explain_similarity(question, X[[hit.document]])
    assert abs(0.5 * math.fsum(place_alone.parts) - hit.score) > 0.01


def test_the_score_is_the_mean_of_two_cosines(library):
    vectorizer, X, _, projection = library
    x = vectorizer.transform(["water for the roses"]).toarray().ravel()
    for hit in ask(library, "water for the roses", term_weight=0.3, limit=12):
        d = X[[hit.document]].toarray().ravel()
        expected = 0.3 * cosine(x, d) + 0.7 * cosine(x @ projection.weights, d @ projection.weights)
        assert hit.score == pytest.approx(expected, abs=1e-12)


def test_the_words_of_the_document_add_up_to_the_same_score(library):
    for hit in ask(library, "a bee in the garden", limit=12):
        assert math.fsum(hit.through.parts) == pytest.approx(hit.score, abs=1e-12)
        assert set(hit.through.terms) <= set(TEXTS[hit.document].replace(",", "").split())


def test_a_document_without_any_word_of_the_question_is_found_by_its_place(library):
    found = {hit.document for hit in ask(library, "automobile", limit=6)}
    by_words = {hit.document for hit in ask(library, "automobile", limit=6, term_weight=1.0)}
    assert by_words == {3, 4}
    assert {0, 1, 5} < found  # they say car, garage and petrol
    assert not found & {6, 7, 8, 9, 10, 11}  # they speak of flowers


def test_a_word_that_the_document_lacks_can_bring_it_there(library):
    hit = next(hit for hit in ask(library, "automobile oil", limit=12) if hit.document == 1)
    parts = dict(zip(hit.why.terms, hit.why.parts, strict=True))
    assert "automobile" not in hit.through.terms
    assert parts["automobile"] > 0.1


def test_unknown_words_lead_nowhere(library):
    assert ask(library, "zeppelin") == []


def test_documents_without_a_positive_score_are_no_hits(library):
    hits = ask(library, "bee", limit=12, term_weight=1.0)
    assert [hit.document for hit in hits] == [8, 11] or [hit.document for hit in hits] == [11, 8]
    assert all(hit.score > 0 for hit in hits)


def test_the_best_come_first_and_no_more_than_asked_for(library):
    everyone = ask(library, "sun and water in the evening", limit=12)
    scores = [hit.score for hit in everyone]
    assert scores == sorted(scores, reverse=True)
    assert [hit.document for hit in ask(library, "sun and water in the evening", limit=3)] == [h.document for h in everyone[:3]]


def test_equal_scores_stay_in_document_order():
    assert highest(np.array([0.5, 0.7, 0.5 + 1e-15, 0.7]), 4).tolist() == [1, 3, 0, 2]
    X = sp.csr_array(np.eye(2)[[0, 1, 0, 0]])
    A = Projection(np.eye(2))
    assert [hit.document for hit in search([[1.0, 0.0]], X, A.transform(X), A)] == [0, 2, 3]


def test_a_score_does_not_depend_on_the_other_documents(library):
    vectorizer, X, Z, projection = library
    question = vectorizer.transform(["petrol and oil"])
    everyone = similarities(question, X, Z, projection)
    for i in range(len(TEXTS)):
        assert similarities(question, X[[i]], Z[[i]], projection)[0] == everyone[i]


def test_dense_documents_give_the_same_hits(library):
    vectorizer, X, Z, projection = library
    question = vectorizer.transform(["petrol and oil"])
    sparse = search(question, X, Z, projection)
    dense = search(question.toarray().ravel(), X.toarray(), Z, projection)
    assert [hit.document for hit in sparse] == [hit.document for hit in dense]
    assert [hit.score for hit in sparse] == pytest.approx([hit.score for hit in dense], abs=1e-12)


def test_the_length_of_the_question_changes_nothing(library):
    vectorizer, X, Z, projection = library
    question = vectorizer.transform(["petrol and oil"])
    one, many = (search(scale * question, X, Z, projection) for scale in (1.0, 1000.0))
    assert [hit.document for hit in one] == [hit.document for hit in many]
    assert [hit.score for hit in one] == pytest.approx([hit.score for hit in many], abs=1e-12)


def test_a_centred_projection_has_a_constant_part_and_still_adds_up(library):
    vectorizer, X, _, _ = library
    projection = RLPI(3, n_neighbors=6, center=True).fit(X).projection_.named(vectorizer.terms_)
    hits = search(vectorizer.transform(["garden"]), X, unit_rows(projection.transform(X)), projection)
    assert hits[0].why.terms == ("garden", "(constant)")
    for hit in hits:
        assert math.fsum(hit.why.parts) == hit.score
        assert math.fsum(hit.through.parts) == pytest.approx(hit.score, abs=1e-12)


def test_inputs_are_left_as_they_were(library):
    _, X, Z, projection = library
    before = X.data.tobytes(), X.indices.tobytes(), Z.tobytes(), projection.weights.tobytes()
    ask(library, "a car in the garden")
    assert before == (X.data.tobytes(), X.indices.tobytes(), Z.tobytes(), projection.weights.tobytes())


@given(st.integers(0, 2**32 - 1), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_every_score_adds_up_and_is_what_the_ranking_used(seed, share):
    rng = np.random.default_rng(seed)
    X = unit_rows(sp.csr_array(rng.random((9, 6)) * (rng.random((9, 6)) < 0.5)))
    A = Projection(rng.normal(size=(6, 3)))
    Z, question = unit_rows(A.transform(X)), rng.random((1, 6))
    scores = similarities(question, X, Z, A, term_weight=share)
    for hit in search(question, X, Z, A, term_weight=share):
        assert math.fsum(hit.why.parts) == hit.score
        assert hit.score == pytest.approx(scores[hit.document], abs=1e-12)


def test_rows_that_are_not_of_length_one_are_refused(library):
    vectorizer, X, Z, projection = library
    question = vectorizer.transform(["garden"])
    with pytest.raises(BadData, match=r"rows of documents must have length one, got 2 for document \d+. Use unit_rows"):
        search(question, 2 * X, Z, projection)
    with pytest.raises(BadData, match="rows of embeddings must have length one"):
        search(question, X, 3 * Z, projection)


def test_shapes_that_do_not_fit_are_refused(library):
    vectorizer, X, Z, projection = library
    question = vectorizer.transform(["garden"])
    with pytest.raises(BadData, match="one vectorizer"):
        search(question[:, 1:], X, Z, projection)
    with pytest.raises(BadData, match="embeddings must have one row for each of the 12 documents"):
        search(question, X, Z[1:], projection)
    with pytest.raises(BadData, match="a query is one row, got 2"):
        search(vectorizer.transform(["garden", "car"]), X, Z, projection)


@pytest.mark.parametrize(
    ("options", "says"), [({"term_weight": 1.5}, "between 0"), ({"term_weight": -1}, "at least 0"), ({"limit": 0}, "limit")]
)
def test_parameters_that_no_corpus_could_make_right_are_refused(library, options, says):
    with pytest.raises(BadParameter, match=says):
        ask(library, "garden", **options)


def test_embeddings_that_are_not_finite_are_refused_with_their_document():
    Z = np.array([[1.0], [np.nan], [-1.0]])
    A = LinearMap(np.array([[1.0], [1.0], [-1.0]]))
    for answer in (search, similarities):
        with pytest.raises(BadData, match=r"must be finite, got \[nan\] for document 1"):
            answer([[1.0, 0.0, 0.0]], np.eye(3), Z, A)
