"""A projection made by hand: names, the heaviest words, places, and what each word contributed."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal.errors import BadData, BadParameter, ZeroEmbeddings
from vicinal.projection import Explanation, Projection
from vicinal.projection._projection import say_zero_map

WORDS = ["tea", "jam", "rye", "oat"]
WEIGHTS = np.array([[1.0, 0.0], [-3.0, 0.5], [2.0, 0.0], [0.0, -0.5]])


@pytest.fixture
def plain():
    return Projection(WEIGHTS, eigenvalues=np.array([0.9, 0.8])).named(WORDS)


@pytest.fixture
def centred():
    return Projection(WEIGHTS, eigenvalues=np.array([0.9, 0.8]), offset=np.array([0.25, 4.0])).named(WORDS)


# names


def test_naming_gives_a_new_projection_and_leaves_the_old_one_without_names():
    nameless = Projection(WEIGHTS, made_by={"route": "regress"})
    named = nameless.named(WORDS)
    assert nameless.vocabulary is None
    assert named.vocabulary.tolist() == WORDS
    assert named.weights is nameless.weights
    assert named.made_by == {"route": "regress"}


@pytest.mark.parametrize("names", [WORDS[:3], [*WORDS, "fig"], [WORDS], "oats"])
def test_a_vocabulary_must_name_every_term(names):
    with pytest.raises(BadParameter, match="must name 4 terms, got shape"):
        Projection(WEIGHTS).named(names)


def test_a_term_without_a_name_goes_by_its_number():
    assert Projection(WEIGHTS).top_terms(1) == [("term 1", 0.5), ("term 3", -0.5)]


def test_a_projection_says_what_it_maps():
    assert repr(Projection(np.ones((1200, 3)))) == "Projection(1,200 terms -> 3 components, given)"


# the heaviest words


def test_top_terms_come_by_size_with_their_signs_and_without_those_of_no_weight(plain):
    assert plain.top_terms(0) == [("jam", -3.0), ("rye", 2.0), ("tea", 1.0)]


def test_terms_of_equal_size_come_in_the_order_of_the_vocabulary(plain):
    assert plain.top_terms(1) == [("jam", 0.5), ("oat", -0.5)]


def test_top_terms_may_be_limited(plain):
    assert plain.top_terms(0, limit=1) == [("jam", -3.0)]
    with pytest.raises(BadParameter, match="limit must be"):
        plain.top_terms(0, limit=0)


@pytest.mark.parametrize("component", [2, -1, 0.0, True, "first"])
def test_a_component_that_does_not_exist_is_refused(plain, component):
    for ask in (plain.top_terms, lambda j: plain.explain([1, 0, 0, 0], j)):
        with pytest.raises(BadParameter, match="component"):
            ask(component)


# places


@pytest.mark.parametrize("form", [list, np.array, lambda rows: np.array(rows, dtype=np.float32), lambda rows: sp.csc_matrix(rows)])
def test_documents_of_any_form_are_embedded_by_their_words(plain, form):
    assert plain.transform(form([[1, 1, 0, 0], [0, 0, 0, 2]])).tolist() == [[-2.0, 0.5], [0.0, -1.0]]


def test_what_is_taken_off_is_taken_off_documents_with_words_alone(centred):
    assert centred.transform([[1, 1, 0, 0], [0, 0, 0, 0]]).tolist() == [[-2.25, -3.5], [0.0, 0.0]]


def test_more_dense_documents_than_one_block_holds_are_all_embedded(centred):
    X = np.random.default_rng(0).integers(0, 3, size=(5000, 4)).astype(float)
    assert np.array_equal(centred.transform(X), centred.transform(sp.csr_array(X)))


def test_another_number_of_terms_is_refused_with_both_numbers(plain):
    with pytest.raises(BadData, match=r"X has 3 features, .* expecting 4 features"):
        plain.transform(np.ones((2, 3)))


# explanations


def test_each_word_contributes_its_count_times_its_weight(plain):
    explanation = plain.explain([2, 1, 0, 5], 0)
    assert explanation.terms == ("tea", "jam", "oat")
    assert explanation.parts.tolist() == [2.0, -3.0, 0.0]
    assert explanation.total == -1.0


def test_what_is_taken_off_is_a_part_called_the_constant(centred):
    explanation = centred.explain([2, 1, 0, 0], 1)
    assert explanation.terms == ("tea", "jam", "(constant)")
    assert explanation.parts.tolist() == [0.0, 0.5, -4.0]
    assert explanation.total == centred.transform([[2, 1, 0, 0]])[0, 1] == -3.5


def test_a_document_without_words_has_no_parts_not_even_the_constant(centred):
    explanation = centred.explain([0, 0, 0, 0], 1)
    assert explanation.terms == ()
    assert explanation.total == 0.0
    assert centred.explain_similarity([0, 0, 0, 0], [1, 0, 0, 0]).total == 0.0
    assert centred.explain_similarity([1, 0, 0, 0], [0, 0, 0, 0]).total == 0.0


def test_similarity_is_a_cosine_taken_apart_by_the_words_of_the_first(plain):
    explanation = plain.explain_similarity([1, 1, 0, 0], [0, 0, 1, 0])  # places (-2, 0.5) and (2, 0)
    assert explanation.terms == ("tea", "jam")
    np.testing.assert_allclose(explanation.parts, np.array([1.0, -3.0]) / np.hypot(2, 0.5), atol=1e-15)
    assert explanation.total == pytest.approx(-2 / np.hypot(2, 0.5))


@pytest.mark.parametrize(
    "form", [np.array, lambda x: np.array([x]), lambda x: sp.csr_array([x]), lambda x: sp.coo_array(np.array(x))]
)
def test_one_document_may_be_a_row_or_a_matrix_of_one_row(plain, form):
    assert plain.explain(form([2.0, 1.0, 0.0, 5.0]), 0).total == -1.0


def test_several_documents_at_once_are_refused(plain):
    with pytest.raises(BadData):
        plain.explain([[1, 0, 0, 0], [0, 1, 0, 0]], 0)


def test_the_words_that_mattered_most_come_first_whatever_their_sign():
    explanation = Explanation(("tea", "jam", "rye"), np.array([1.0, -3.0, 2.0]), 0.0)
    assert explanation.top() == [("jam", -3.0), ("rye", 2.0), ("tea", 1.0)]
    assert explanation.top(1) == [("jam", -3.0)]


# nothing left


def test_a_map_that_places_everything_on_zero_is_said_with_its_alpha():
    with pytest.warns(ZeroEmbeddings, match=r"alpha=1e\+15 leaves no weight"):
        say_zero_map(2.0, np.full((2, 1), 1e-13), 1.0, 1e15)
    say_zero_map(2.0, np.full((2, 1), 1e-11), 1.0, 1e15)
    say_zero_map(2.0, np.zeros((2, 1)), 0.0, 1e15)  # nothing was expected
