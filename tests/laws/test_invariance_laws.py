"""What must not matter: the order of documents and words, copies, empty documents, unused words, the width of a float."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, error, error_up_to_sign, square, tall, topics, wide
from vicinal import LPI, LPP, LSI, OLPI, RLPI, LaplacianEigenmap
from vicinal.errors import UnembeddedDocuments

LINEAR = (LSI, LPP, LPI, OLPI, RLPI)
METHODS = (*LINEAR, LaplacianEigenmap)
WITH_GRAPH = (LPP, LPI, OLPI, RLPI, LaplacianEigenmap)
CORPORA = {"tall": tall, "wide": wide, "square": square}

linear = pytest.mark.parametrize("method", LINEAR)
every_method = pytest.mark.parametrize("method", METHODS)
every_storage = pytest.mark.parametrize("storage", [sp.csr_array, lambda X: X.toarray()], ids=["sparse", "dense"])


@pytest.fixture(name="X", params=CORPORA)
def corpus(request):
    return CORPORA[request.param]()


def shuffled(n, seed=0):
    return np.random.default_rng(seed).permutation(n)


def with_empty_document(X, at=7):
    return sp.csr_array(sp.vstack([X[:at], sp.csr_array((1, X.shape[1])), X[at:]]))


def with_unused_terms(X, count=3, at=5):
    return sp.csr_array(sp.hstack([X[:, :at], sp.csr_array((X.shape[0], count)), X[:, at:]]))


@every_method
def test_documents_in_another_order_have_the_same_places(X, method):
    order = shuffled(X.shape[0])
    assert error_up_to_sign(method(4).fit_transform(X[order]), method(4).fit_transform(X)[order]) < 1e-8


@linear
def test_documents_in_another_order_give_the_same_weights(X, method):
    order = shuffled(X.shape[0])
    assert error_up_to_sign(method(4).fit(X[order]).components_.T, method(4).fit(X).components_.T) < 1e-8


@pytest.mark.parametrize("method", WITH_GRAPH)
def test_labelled_documents_in_another_order_have_the_same_places_where_classes_differ_in_size(method):
    X, y, order = wide(), np.repeat([0, 1, 2], [6, 10, 14]), shuffled(30)
    assert error_up_to_sign(method(2).fit_transform(X[order], y[order]), method(2).fit_transform(X, y)[order]) < 1e-8


@linear
def test_words_in_another_order_have_the_same_weights(X, method):
    order = shuffled(X.shape[1])
    one, other = method(4).fit(X), method(4).fit(X[:, order])
    assert error_up_to_sign(other.components_.T, one.components_[:, order].T) < 1e-8
    assert error_up_to_sign(other.transform(X[:, order]), one.transform(X)) < 1e-8


def test_words_in_another_order_leave_the_map_of_the_graph_alone(X):
    order = shuffled(X.shape[1])
    assert error_up_to_sign(LaplacianEigenmap(4).fit_transform(X[:, order]), LaplacianEigenmap(4).fit_transform(X)) < 1e-8


@linear
@every_storage
def test_copies_have_the_same_place_to_the_bit(method, storage):
    X = documents()
    X = storage(sp.csr_array(sp.vstack([X, X[[4, 9, 4]]])))
    embeddings = method(4).fit_transform(X)
    np.testing.assert_array_equal(embeddings[60:], embeddings[[4, 9, 4]])


def test_functions_of_the_graph_tell_copies_apart_which_is_why_they_are_not_served():
    X = documents()
    X = sp.csr_array(sp.vstack([X, X[[4] * 10]]))
    embeddings = LaplacianEigenmap(4).fit_transform(X)
    assert np.ptp(embeddings[60:], axis=0).max() > 1e-4


@linear
@every_storage
def test_a_document_has_the_same_place_to_the_bit_alone_and_among_others(method, storage):
    X = storage(documents())
    fitted = method(4).fit(X)
    embeddings = fitted.transform(X)
    for i in (0, 17, 59):
        np.testing.assert_array_equal(fitted.transform(X[[i]])[0], embeddings[i])
    np.testing.assert_array_equal(fitted.transform(X[::-1]), embeddings[::-1])


@every_method
def test_an_empty_document_leaves_the_others_where_they_are(X, method):
    others = np.delete(np.arange(X.shape[0] + 1), 7)
    larger = with_empty_document(X)
    with pytest.warns(UnembeddedDocuments):
        embeddings = method(4).fit_transform(larger)
    assert not embeddings[7].any()
    assert error(embeddings[others], method(4).fit_transform(X)) < 1e-12


def test_an_empty_document_leaves_the_mean_where_it_is(X):
    with pytest.warns(UnembeddedDocuments):
        fitted = RLPI(4, center=True).fit(with_empty_document(X))
    assert error(fitted.transform(X), RLPI(4, center=True).fit_transform(X)) < 1e-12


@pytest.mark.filterwarnings("ignore::vicinal.errors.UnembeddedDocuments")
@pytest.mark.parametrize("method", [LPI, LPP, OLPI, RLPI])
def test_an_empty_document_with_a_label_leaves_the_others_where_they_are(method):
    X, y = wide(), np.repeat([0, 1, 2], [6, 10, 14])
    fitted = method(2).fit(with_empty_document(X), np.insert(y, 7, 0))
    assert error(fitted.transform(X), method(2).fit(X, y).transform(X)) < 1e-12


@pytest.mark.filterwarnings("ignore::vicinal.errors.UnembeddedDocuments")
@pytest.mark.parametrize("method", WITH_GRAPH)
def test_an_empty_document_with_a_label_is_not_embedded(method):
    X, y = wide(), np.repeat([0, 1, 2], [6, 10, 14])
    assert method(2).fit(with_empty_document(X), np.insert(y, 7, 0)).unembedded_[7]


@pytest.mark.filterwarnings("ignore::vicinal.errors.UnembeddedDocuments")
@pytest.mark.parametrize("method", [LPI, LPP, OLPI, RLPI])
def test_an_empty_document_with_a_label_among_unlabelled_ones_leaves_the_others_where_they_are(method):
    X, y = documents(), np.where(np.arange(60) < 20, topics(), -1)
    fitted = method(4).fit(with_empty_document(X), np.insert(y, 7, 0))
    assert error(fitted.transform(X), method(4).fit(X, y).transform(X)) < 1e-12


@linear
def test_words_that_no_document_uses_weigh_nothing_and_change_nothing(X, method):
    one, other = method(4).fit(X), method(4).fit(with_unused_terms(X))
    assert np.abs(other.components_[:, 5:8]).max() < 1e-14 * np.abs(other.components_).max()
    assert error_up_to_sign(np.delete(other.components_, [5, 6, 7], axis=1).T, one.components_.T) < 1e-10


@linear
def test_words_that_no_document_uses_weigh_exactly_nothing(method):
    for X in (wide(), tall()):
        assert not method(4).fit(with_unused_terms(X)).components_[:, 5:8].any()


@pytest.mark.parametrize("method", [LPP, LPI, OLPI, RLPI])
def test_with_labels_too_unused_words_and_the_order_of_words_change_nothing(method):
    X, y, order = wide(), np.repeat([0, 1, 2], [6, 10, 14]), shuffled(120)
    embeddings = method(2).fit_transform(X, y)
    assert error_up_to_sign(method(2).fit_transform(with_unused_terms(X), y), embeddings) < 1e-10
    assert error_up_to_sign(method(2).fit_transform(X[:, order], y), embeddings) < 1e-8


def test_words_that_no_document_uses_leave_the_map_of_the_graph_alone(X):
    np.testing.assert_array_equal(LaplacianEigenmap(4).fit_transform(with_unused_terms(X)), LaplacianEigenmap(4).fit_transform(X))


@pytest.mark.parametrize("method", WITH_GRAPH)
@every_storage
def test_sparse_and_dense_rows_have_the_same_places(X, method, storage):
    assert error(method(4).fit_transform(storage(X)), method(4).fit_transform(X)) < 1e-9


@pytest.mark.parametrize("method", [LSI, LPI, OLPI, RLPI, LaplacianEigenmap, LPP])
@every_storage
def test_rows_of_half_the_width_have_the_same_places(method, storage):
    X = storage(wide())
    assert error(method(4).fit_transform(X.astype(np.float32)), method(4).fit_transform(X)) < 1e-5


@pytest.mark.parametrize("method", [LPP, LPI, OLPI])
@every_storage
def test_rows_of_half_the_width_have_the_same_places_where_words_are_dependent(method, storage):
    rng = np.random.default_rng(1)
    X = storage(sp.csr_array(rng.random((40, 5)) @ rng.random((5, 60))))
    assert error(method(3).fit_transform(X.astype(np.float32)), method(3).fit_transform(X)) < 1e-4


@pytest.mark.parametrize("alpha", [1e-7, 1e-6, 1e-5])
def test_a_small_alpha_is_enough_for_rows_of_half_the_width(alpha):
    rng = np.random.default_rng(1)
    X = sp.csr_array(rng.random((40, 5)) @ rng.random((5, 60)))
    assert error(RLPI(3, alpha=alpha).fit_transform(X.astype(np.float32)), RLPI(3, alpha=alpha).fit_transform(X)) < 1e-3


@pytest.mark.parametrize("method", WITH_GRAPH)
def test_learning_twice_gives_the_same_bits(method):
    X = documents()
    np.testing.assert_array_equal(method(4).fit_transform(X), method(4).fit_transform(X))


@pytest.mark.parametrize("method", WITH_GRAPH)
def test_the_number_of_threads_changes_no_bit(method):
    X = documents(n=200, n_terms=300)
    np.testing.assert_array_equal(method(4, n_jobs=1).fit_transform(X), method(4, n_jobs=3).fit_transform(X))


@pytest.mark.parametrize("method", [LPI, LaplacianEigenmap])
def test_long_documents_count_no_more_than_short_ones_where_documents_are_independent(method):
    """The graph sees cosines alone, and without a penalty every function stays in reach."""
    X = wide()
    lengths = sp.diags_array(np.random.default_rng(0).uniform(0.1, 10.0, X.shape[0]))
    assert error_up_to_sign(method(4).fit_transform(sp.csr_array(lengths @ X)), method(4).fit_transform(X)) < 1e-9
