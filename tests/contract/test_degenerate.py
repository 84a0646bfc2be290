"""Corpora at the edge, each against every method: too few documents or terms, copies, islands, impossible counts, labels.

Numbers at the edge are in test_degenerate_numbers.py; the ways to store a matrix in test_citizens.py and test_determinism.py.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal import LPI, LPP, LSI, NMFNCW, PLSI, RLPI, LaplacianEigenmap, graph
from vicinal._matrix import unit_rows
from vicinal.errors import (
    BadLabels,
    BadParameter,
    DisconnectedGraph,
    EmptyCorpus,
    FewerComponents,
    JoinedDocuments,
    NoNeighbors,
    NoVariation,
    OneClass,
    SingletonClass,
    TooFewDocuments,
    TooFewTerms,
    UnembeddedDocuments,
    VicinalWarning,
)
from vicinal.methods._graph_method import GraphMethod


def caught(action, *expected):
    """Run ``action``; return its result and its VicinalWarnings, which must be exactly of the expected kinds, in any order."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        result = action()
    ours = [each for each in seen if issubclass(each.category, VicinalWarning)]
    messages = [str(each.message) for each in ours]
    assert sorted(each.category.__name__ for each in ours) == sorted(each.__name__ for each in expected), messages
    return result, messages


def islands(*sizes):
    """Groups of documents that share no word with another group; inside a group each has two words in another proportion."""
    widths = np.linspace(0.6, 0.8, len(sizes))  # no two islands alike, lest their eigenvalues be equal
    angles = [np.linspace(0.4, 0.4 + width, size) for width, size in zip(widths, sizes, strict=True)]
    return sp.csr_array(sp.block_diag([np.column_stack([np.cos(angle), np.sin(angle)]) for angle in angles], format="csr"))


# 0 documents / 0 terms


@pytest.mark.parametrize(("shape", "noun"), [((0, 5), "no documents"), ((5, 0), "no terms")])
@pytest.mark.parametrize("form", [np.zeros, sp.csr_array])
def test_nothing_at_all_is_an_empty_corpus_that_names_the_stage(method, shape, noun, form):
    with pytest.raises(EmptyCorpus, match=rf"{method.__name__}\.fit has {noun}.*0 (sample|feature)"):
        method().fit(form(shape))


# 1 document; 2 documents


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_documents_have_fewer_dimensions_said_once_and_each_has_a_place(method, X, count):
    few = X[:count]
    embeddings, [message] = caught(lambda: method(5).fit_transform(few), FewerComponents)
    assert "asked for 5 components" in message
    assert f"Continuing with {embeddings.shape[1]}" in message
    assert embeddings.shape[0] == count
    assert np.isfinite(embeddings).all()
    assert np.all(np.linalg.norm(embeddings, axis=1) > 1e-6)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_number_of_dimensions_left_open_gives_no_warning_on_few_documents(method, X, count):
    embeddings, _ = caught(lambda: method().fit_transform(X[:count]))
    assert embeddings.shape[1] >= 1


# 1 term


@pytest.mark.parametrize("form", [sp.csr_array, np.asarray])
def test_one_term_works_or_is_too_few_and_never_gives_nan(method, form):
    column = form(np.array([[1.0], [2.0], [0.5], [3.0]]))
    try:
        embeddings = method().fit_transform(column)
    except TooFewTerms as error:
        assert "1 feature" in str(error)  # noqa: PT017
    else:
        assert np.isfinite(embeddings).all()


# empty document (zero row)


def with_empty(X, at):
    return sp.csr_array(sp.vstack([X[:at], sp.csr_array((1, X.shape[1])), X[at:]]))


@pytest.mark.parametrize("at", [0, 20, 36])
def test_empty_document_is_embedded_at_zero_and_changes_no_other(method, make, X, at):
    expected = make(method).fit_transform(X)
    model = make(method)
    embeddings, [message] = caught(lambda: model.fit_transform(with_empty(X, at)), UnembeddedDocuments)
    assert not embeddings[at].any()
    np.testing.assert_allclose(np.delete(embeddings, at, axis=0), expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    assert model.unembedded_.tolist() == [i == at for i in range(37)]
    assert "1 of 37 documents" in message
    assert f"document {at}" in message
    if issubclass(method, GraphMethod):
        assert model.graph_.connected_components[at] == -1


def test_empty_document_stays_outside_a_complete_graph(graph_method, make, X):
    model = make(graph_method, graph="complete")
    embeddings, _ = caught(lambda: model.fit_transform(with_empty(X, 5)), UnembeddedDocuments)
    expected = make(graph_method, graph="complete").fit_transform(X)
    assert not embeddings[5].any()
    np.testing.assert_allclose(np.delete(embeddings, 5, axis=0), expected, rtol=0, atol=1e-10 * np.abs(expected).max())


def test_empty_document_with_a_label_changes_no_other(graph_method, make, X, y):
    expected = make(graph_method, n_components=2).fit_transform(X, y)
    model = make(graph_method, n_components=2)
    embeddings, _ = caught(lambda: model.fit_transform(with_empty(X, 5), np.insert(y, 5, 0)), UnembeddedDocuments)
    assert not embeddings[5].any()
    assert model.unembedded_[5]
    np.testing.assert_allclose(np.delete(embeddings, 5, axis=0), expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_empty_document_to_be_embedded_lands_on_zero(linear_method, make, X):
    model = make(linear_method).fit(X)
    assert not model.transform(sp.csr_array((2, X.shape[1]))).any()
    assert not model.transform(np.zeros((2, X.shape[1]))).any()


@pytest.mark.parametrize("form", [np.zeros, sp.csr_array])
def test_documents_that_are_all_empty_have_no_variation(method, form):
    with pytest.raises((NoVariation, NoNeighbors), match="4 documents"):
        method().fit(form((4, 6)))


# duplicate documents


def test_copies_get_the_same_place_to_the_last_bit(linear_method, make, X):
    copies = sp.csr_array(sp.vstack([X, X[[3, 3, 3, 20]]]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # five copies may be an island, which is said
        embeddings = make(linear_method).fit_transform(copies)
    for row, twin in ((36, 3), (37, 3), (38, 3), (39, 20)):
        assert np.array_equal(embeddings[row], embeddings[twin])


def test_neighbours_beyond_copies_are_distinct_documents_on_request(X):
    copies = sp.csr_array(sp.vstack([X, X[[3] * 6]]))
    assert set(graph.nearest(unit_rows(copies), 6).documents[3]) <= set(range(36, 42))
    plain = graph.knn(X, 6).weights
    distinct = graph.knn(copies, 6, distinct=True).weights
    assert (abs(distinct[:36, :36] - plain)).max() <= 1e-12
    assert all(distinct[[row]].indices.tolist() == [3] for row in range(36, 42))


def test_copies_are_neighbours_in_document_order():
    X = np.tile([[1.0, 2.0, 3.0]], (6, 1))
    for form in (np.asarray, sp.csr_array):
        found = graph.nearest(unit_rows(form(X)), 3).documents
        assert found.tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2], [0, 1, 2], [0, 1, 2]]


# all documents identical


@pytest.mark.parametrize("form", [sp.csr_array, lambda rows: rows.toarray()])
def test_one_document_many_times_is_no_variation(method, X, form):
    same = form(sp.csr_array(sp.vstack([X[[4]]] * 9)))
    with pytest.raises(NoVariation, match="9 documents"):
        method(3).fit(same)


def test_documents_that_differ_in_length_alone_have_no_variation(graph_method, X):
    lengths = sp.diags_array(np.linspace(0.5, 3.0, 9))
    with pytest.raises(NoVariation, match="9 documents"):
        graph_method(3).fit(sp.csr_array(lengths @ sp.vstack([X[[4]]] * 9)))


# disconnected graph


@pytest.mark.parametrize("n_islands", [2, 3, 18])
def test_islands_without_a_common_word_are_said_once_with_count_and_sizes(graph_method, make, n_islands):
    size = 36 // n_islands
    model = make(graph_method, n_components=n_islands - 1, n_neighbors=min(6, size - 1))
    embeddings, [message] = caught(lambda: model.fit_transform(islands(*[size] * n_islands)), DisconnectedGraph)
    assert f"{n_islands} connected components of {size}, {size}" in message
    assert "which share no term and stay apart" in message
    assert embeddings.shape == (36, n_islands - 1)
    middles = np.array([embeddings[model.graph_.connected_components == c].mean(axis=0) for c in range(n_islands)])
    spread = max(
        np.linalg.norm(embeddings[model.graph_.connected_components == c] - middles[c], axis=1).max() for c in range(n_islands)
    )
    apart = min(np.linalg.norm(middles[a] - middles[b]) for a in range(n_islands) for b in range(a))
    assert apart > spread


def three_islands(X, y):
    """Weights of the neighbour graph with every edge between topics cut."""
    W = graph.knn(X, 6).weights.tocoo()
    kept = y[W.row] == y[W.col]
    return sp.csr_array((W.data[kept], (W.row[kept], W.col[kept])), shape=W.shape)


def test_islands_are_bridged_by_default(graph_method, make, X, y):
    model = make(graph_method, graph=three_islands(X, y))
    _, [message] = caught(lambda: model.fit(X), DisconnectedGraph)
    assert "3 connected components of 12, 12, 12 documents, joined" in message
    assert model.graph_.connected_components.max() == 0
    assert model.graph_.n_edges == graph.as_graph(three_islands(X, y)).n_edges + 2


@pytest.mark.parametrize("graph_method", [LaplacianEigenmap, RLPI], indirect=True)
def test_kept_islands_have_as_many_functions_of_value_one_as_there_are_islands_less_one(graph_method, make, X, y):
    model = make(graph_method, graph=three_islands(X, y), disconnected="keep", n_components=4)
    caught(lambda: model.fit(X), DisconnectedGraph)
    assert (model.eigenvalues_ > 1 - 1e-12).tolist() == [True, True, False, False]


@pytest.mark.parametrize("graph_method", [LaplacianEigenmap, RLPI], indirect=True)
def test_islands_apart_have_no_function_of_value_one(graph_method, make, X, y):
    kept = make(graph_method, graph=three_islands(X, y), disconnected="keep", n_components=5)
    apart = make(graph_method, graph=three_islands(X, y), disconnected="apart", n_components=3)
    for model in (kept, apart):
        caught(lambda model=model: model.fit(X), DisconnectedGraph)
    assert apart.eigenvalues_.max() < 1 - 1e-6
    np.testing.assert_allclose(apart.eigenvalues_, kept.eigenvalues_[2:], rtol=1e-12)


# isolated nodes


def isolated(X, *documents):
    W = graph.knn(X, 6).weights.tolil()
    for document in documents:
        W[document, :] = 0.0
        W[:, document] = 0.0
    return sp.csr_array(W)


def test_isolated_document_is_joined_to_its_nearest_one(graph_method, make, X):
    model = make(graph_method, graph=isolated(X, 7))
    embeddings, [message] = caught(lambda: model.fit_transform(X), JoinedDocuments)
    assert "1 document" in message
    cosines = (unit_rows(X) @ unit_rows(X)[[7]].T).toarray().ravel()
    cosines[7] = 0.0
    assert model.graph_.weights[[7]].indices.tolist() == [cosines.argmax()]
    assert not model.unembedded_.any()
    assert embeddings[7].any()


def test_isolated_document_that_shares_no_term_is_not_embedded(graph_method, make, X):
    alone = sp.csr_array(sp.block_diag([X, [[1.0]]], format="csr"))
    model = make(graph_method)
    _, [message] = caught(lambda: model.fit(alone), UnembeddedDocuments)
    assert "1 of 37 documents" in message
    assert model.unembedded_.tolist() == [False] * 36 + [True]


def test_documents_that_all_share_no_word_have_no_neighbours(graph_method):
    with pytest.raises(NoNeighbors, match="no two of the 6 documents"):
        graph_method().fit(np.eye(6))


# k >= n, k = 0, negative, float


@pytest.mark.parametrize("k", [36, 37, 1000])
def test_as_many_neighbours_as_documents_is_too_few_documents_with_the_largest_legal_value(graph_method, X, k):
    with pytest.raises(TooFewDocuments, match=rf"asked for {k} neighbours.*36 documents.*n_neighbors=35"):
        graph_method(3, n_neighbors=k).fit(X)
    caught(lambda: graph_method(3, n_neighbors=35).fit(X))


@pytest.mark.parametrize("k", [0, -1, 2.5, 4.0, "four", True, np.nan])
def test_neighbours_that_are_no_count_are_a_bad_parameter(graph_method, X, k):
    with pytest.raises(BadParameter, match=r"n_neighbors must be a whole number of at least 1, got"):
        graph_method(3, n_neighbors=k).fit(X)


@pytest.mark.parametrize("d", [0, -1, 2.5, 3.0, "three", True, np.nan])
def test_dimensions_that_are_no_count_are_a_bad_parameter(method, X, d):
    with pytest.raises(BadParameter, match=r"n_components must be a whole number of at least 1, got"):
        method(d).fit(X)


# dims > rank, dims >= n


@pytest.mark.parametrize("d", [36, 50, 10_000])
def test_more_dimensions_than_there_are_are_clipped_with_the_number_said(method, make, X, d):
    model = make(method, n_components=d)
    without_a_graph = not issubclass(method, GraphMethod)  # and so without the constant, which takes one dimension of 36
    if d == 36 and without_a_graph:
        return
    embeddings, [message] = caught(lambda: model.fit_transform(X), FewerComponents)
    assert f"asked for {d} components" in message
    assert f"Continuing with {embeddings.shape[1]}." in message
    assert 30 <= embeddings.shape[1] <= 36
    if method not in (PLSI, NMFNCW):  # factors that are not negative may well be dependent
        assert np.linalg.matrix_rank(embeddings) == embeddings.shape[1]


def test_more_dimensions_than_the_rank_are_clipped_with_the_number_said(linear_method, make, X):
    low_rank = sp.csr_array(X[:, :6] @ sp.csr_array(np.vander(np.linspace(0.1, 1.0, 6), 40)))
    model = make(linear_method, n_components=20)
    embeddings, _ = caught(lambda: model.fit_transform(low_rank), FewerComponents, UnembeddedDocuments)
    assert embeddings.shape[1] <= 6
    assert np.linalg.matrix_rank(embeddings) == embeddings.shape[1]


# one class; class of one document; label missing / unseen


def test_labels_of_one_class_are_refused(graph_method, make, X):
    with pytest.raises(OneClass, match=r"36 documents.*1 class"):
        make(graph_method).fit(X, np.zeros(36, dtype=int))


def test_partial_labels_of_one_class_are_refused(graph_method, make, X):
    with pytest.raises(OneClass, match="1 class"):
        make(graph_method).fit(X, np.where(np.arange(36) < 4, 5, -1))


def test_class_of_one_document_is_allowed_and_said(graph_method, make, X, y):
    y[0] = 3
    _, [message] = caught(lambda: make(graph_method, n_components=3).fit(X, y), SingletonClass)
    assert "1 of 4 classes" in message


@pytest.mark.parametrize("missing", [-1, np.nan])
def test_labels_that_are_all_missing_are_no_labels(graph_method, make, X, missing):
    unlabelled = make(graph_method).fit_transform(X, np.full(36, missing))
    assert np.array_equal(unlabelled, make(graph_method).fit_transform(X))


def test_some_labels_missing_are_welcome_and_used(graph_method, make, X, y):
    partial = np.where(np.arange(36) % 3 == 0, y, -1)
    model = make(graph_method, n_components=2)
    embeddings, _ = caught(lambda: model.fit_transform(X, partial))
    assert not model.unembedded_.any()
    assert not np.array_equal(embeddings, make(graph_method, n_components=2).fit_transform(X))


@pytest.mark.parametrize("labels", [np.zeros(35), np.zeros((36, 2)), np.linspace(0, 1, 36)])
def test_labels_that_are_no_classes_or_not_one_per_document_are_bad(graph_method, make, X, labels):
    with pytest.raises(BadLabels):
        make(graph_method).fit(X, labels)


def test_lsi_knows_no_labels(make, X):
    assert np.array_equal(make(LSI).fit_transform(X, np.zeros(36)), make(LSI).fit_transform(X))


@pytest.mark.parametrize("linear_method", [LPP, LPI, RLPI], indirect=True)
def test_labels_give_one_dimension_less_than_classes_and_no_noise(linear_method, X, y):
    model = linear_method()
    caught(lambda: model.fit(X, y))
    assert model.transform(X).shape == (36, 2)
