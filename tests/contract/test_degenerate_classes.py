"""Corpora and numbers at the edge against the methods that need labels; what labels themselves may be is in tests/methods."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal.errors import BadData, EmptyCorpus, NoVariation, TooFewTerms, UnembeddedDocuments, VicinalError
from vicinal.methods import SUPERVISED


@pytest.fixture(name="learner", params=SUPERVISED, ids=lambda each: each.__name__)
def every_supervised_method(request):
    return request.param


def alternating(count):
    return np.arange(count) % 2


@pytest.mark.parametrize(("shape", "noun"), [((0, 5), "no documents"), ((5, 0), "no terms")])
@pytest.mark.parametrize("form", [np.zeros, sp.csr_array])
def test_nothing_at_all_is_an_empty_corpus_that_names_the_stage(learner, shape, noun, form):
    with pytest.raises(EmptyCorpus, match=rf"{learner.__name__}\.fit has {noun}"):
        learner().fit(form(shape), alternating(shape[0]))


@pytest.mark.filterwarnings("ignore::vicinal.errors.SingletonClass")
def test_two_documents_of_two_classes_are_told_apart(learner, X):
    embeddings = learner().fit_transform(X[:2], [0, 1])
    assert embeddings.shape == (2, 1)
    assert np.isfinite(embeddings).all()
    assert not np.allclose(embeddings[0], embeddings[1])


def test_one_term_is_too_few(learner):
    with pytest.raises(TooFewTerms, match=r"1 feature\(s\)"):
        learner().fit(np.arange(1.0, 7.0)[:, None], alternating(6))


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_one_document_many_times_is_no_variation(learner, X, form):
    with pytest.raises(NoVariation, match="all 6 documents"):
        learner().fit(form(np.repeat(X[[3]].toarray(), 6, axis=0)), alternating(6))


def test_copies_get_the_same_place_to_the_last_bit_even_in_other_classes(learner, X, y):
    embeddings = learner().fit_transform(sp.csr_array(sp.vstack([X, X[:5]])), np.append(y, [0, 1, 2, 1, 2]))
    assert np.array_equal(embeddings[:5], embeddings[-5:])


def test_empty_document_lands_on_zero_and_changes_no_other(learner, X, y):
    with pytest.warns(UnembeddedDocuments, match="1 of 37 documents"):
        model = learner().fit(sp.csr_array(sp.vstack([X, sp.csr_array((1, X.shape[1]))])), np.append(y, 1))
    np.testing.assert_allclose(model.transform(X), learner().fit_transform(X, y), atol=1e-9)
    assert not model.transform(sp.csr_array((1, X.shape[1]))).any()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
def test_what_is_not_finite_is_refused_with_row_and_column_in_learning_and_placing(learner, X, y, value, dense):
    model, column = learner().fit(X, y), int(X[[17]].indices[1])
    X.data[X.indptr[17] + 1] = value
    for verb in (lambda bad: learner().fit(bad, y), model.transform):
        with pytest.raises(BadData, match=rf"(NaN|infinity) .*in row 17, column {column}\b"):
            verb(X.toarray() if dense else X)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
def test_numbers_whose_squares_are_no_numbers_give_embeddings_or_an_error_and_never_nan(learner, X, y, scale, dense):
    scaled = X * scale
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            embeddings = learner().fit_transform(scaled.toarray() if dense else scaled, y)
        except VicinalError:
            return
    assert np.isfinite(embeddings).all()


def test_negative_zeros_are_zeros(learner, X, y):
    dense = X.toarray()
    assert np.array_equal(learner().fit_transform(np.where(dense == 0, -0.0, dense), y), learner().fit_transform(dense, y))


def test_words_in_no_document_weigh_nothing(learner, X, y):
    padded = sp.csr_array(sp.hstack([X, sp.csr_array((X.shape[0], 3))]))
    assert not learner().fit(padded, y).components_[:, -3:].any()


def test_words_that_always_come_together_share_their_weight(learner, X, y):
    doubled = sp.csr_array(sp.hstack([X, X[:, :4]]))
    weights = learner().fit(doubled, y).components_
    np.testing.assert_allclose(weights[:, :4], weights[:, -4:], atol=1e-7 * np.abs(weights).max())
