"""Each weight against its formula, written out once more with loops over one word in one document."""

from __future__ import annotations

import pickle
from math import log, sqrt

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import make_pipeline

from vicinal._validate import check_terms
from vicinal.errors import BadData, BadParameter, EmptyCorpus
from vicinal.terms import Vectorizer, Weighting, _weight, unit_rows
from vicinal.terms._schemes import SCHEMES
from vicinal.terms._vocabulary import count_tokens
from vicinal.terms._weight import cut_rows

small_counts = arrays(np.int64, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(0, 9))


@pytest.fixture
def counts(texts):
    """The notes' counts; "a" is made a word of every document."""
    return count_tokens([["a", *text.lower().split()] for text in texts])[0]


def naive(scheme, C, k1=1.2, b=0.75):
    """Weights by the book, without unit length."""
    N, m = C.shape
    df = [sum(C[j, t] > 0 for j in range(N)) for t in range(m)]
    length = [sum(C[j]) for j in range(N)]
    average = sum(length) / N

    def weigh(j, t):
        tf = C[j, t]
        bm25 = log(1 + (N - df[t] + 0.5) / (df[t] + 0.5)) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length[j] / average))
        return {
            "tf": tf,
            "log-tf": 1 + log(tf),
            "tfidf": tf * log(N / df[t]),
            "log-tfidf": (1 + log(tf)) * log(N / df[t]),
            "bm25": bm25,
        }[scheme]

    return np.array([[weigh(j, t) if C[j, t] else 0.0 for t in range(m)] for j in range(N)])


def naive_unit(X):
    norms = [sqrt(sum(value * value for value in row)) for row in X]
    return np.array([[value / norm if norm else 0.0 for value in row] for row, norm in zip(X, norms, strict=True)])


def naive_cut(X):
    degree = [sum(X[j] @ X[i] for i in range(len(X))) for j in range(len(X))]
    return np.array([[value / sqrt(d) if d else 0.0 for value in row] for row, d in zip(X, degree, strict=True)])


@pytest.mark.parametrize("scheme", ["tf", "log-tf", "tfidf", "log-tfidf", "bm25"])
def test_each_weight_is_its_formula(counts, scheme):
    expected = naive(scheme, counts.toarray())
    plain = Weighting(scheme, unit=False).fit_transform(counts)
    np.testing.assert_allclose(plain.toarray(), expected, rtol=1e-13)
    unit = Weighting(scheme).fit_transform(counts)
    np.testing.assert_allclose(unit.toarray(), naive_unit(expected), rtol=1e-13)


@pytest.mark.parametrize(("k1", "b"), [(0.0, 0.75), (2.0, 0.0), (0.9, 1.0), (10.0, 0.4)])
def test_bm25_is_the_naive_loop_for_any_parameters(counts, k1, b):
    weights = Weighting("bm25", k1=k1, b=b, unit=False).fit_transform(counts).toarray()
    np.testing.assert_allclose(weights, naive("bm25", counts.toarray(), k1, b), rtol=1e-13)
    assert not np.allclose(weights, naive("bm25", counts.toarray(), k1 + 0.1, b / 2 + 0.1))  # the loop can tell


def test_normalised_cut_weights_are_their_formula(counts):
    C = counts.toarray().astype(float)
    np.testing.assert_allclose(Weighting("ncw", unit=False).fit_transform(counts).toarray(), naive_cut(C), rtol=1e-13)
    np.testing.assert_allclose(Weighting("ncw").fit_transform(counts).toarray(), naive_cut(naive_unit(C)), rtol=1e-13)


def test_normalised_cut_weights_factorise_the_normalised_graph(counts):
    X = unit_rows(counts).toarray()
    W = X @ X.T
    root = np.sqrt(W.sum(axis=1))
    scaled = Weighting("ncw").fit_transform(counts).toarray()
    np.testing.assert_allclose(scaled @ scaled.T, W / np.outer(root, root), atol=1e-14)


def test_normalised_cut_weights_can_follow_another_weight(counts):
    both = make_pipeline(Weighting("log-tfidf"), Weighting("ncw", unit=False)).fit_transform(counts)
    expected = naive_cut(naive_unit(naive("log-tfidf", counts.toarray())))
    np.testing.assert_allclose(both.toarray(), expected, rtol=1e-12)


def test_plain_tfidf_is_that_of_scikit_learn_less_its_added_one(counts):
    theirs = TfidfTransformer(norm=None, smooth_idf=False).fit_transform(counts)  # tf (1 + ln(N / df))
    ours = Weighting("tfidf", unit=False).fit_transform(counts)
    np.testing.assert_allclose((theirs - counts).toarray(), ours.toarray(), atol=1e-12)


@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize("scheme", ["tfidf", "log-tfidf"])
def test_a_word_in_every_document_is_not_stored(counts, scheme, unit):
    weights = Weighting(scheme, unit=unit).fit_transform(counts)
    everywhere = np.flatnonzero((counts.toarray() > 0).all(axis=0))
    assert everywhere.size == 1
    assert not np.isin(weights.indices, everywhere).any()
    assert np.all(weights.data != 0)


@pytest.mark.parametrize("form", [sp.csr_array, np.asarray])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_row_does_not_depend_on_its_batch(scheme, form):
    counts = form(np.random.default_rng(0).poisson(0.3, size=(40, 500)))  # rows long enough for sums to be split
    weighting = Weighting(scheme).fit(counts)
    together = weighting.transform(counts)
    assert abs(together - Weighting(scheme).fit_transform(counts)).max() == 0
    for start, stop in [(row, row + 1) for row in range(40)] + [(3, 9), (0, 39), (20, 40)]:
        assert abs(weighting.transform(counts[start:stop]) - together[start:stop]).max() == 0


def test_a_sum_that_looks_beyond_its_row_would_depend_on_the_batch():
    squares = np.random.default_rng(0).random((50, 8))
    within, beyond = (
        np.add.reduceat(squares, [0], axis=1),
        np.add.reduceat(np.pad(squares, ((0, 0), (0, 1))), [0], axis=1),
    )
    assert np.any(within != beyond)  # one zero more, and the same numbers are added up in another order


@pytest.mark.parametrize("scheme", SCHEMES)
def test_new_documents_are_weighted_by_what_was_learnt(counts, scheme):
    weighting = Weighting(scheme).fit(counts)
    learnt = pickle.dumps(vars(weighting))
    weighting.transform(counts[:3])
    assert pickle.dumps(vars(weighting)) == learnt


@pytest.mark.parametrize("scheme", ["tf", "tfidf", "log-tfidf", "bm25", "ncw"])
def test_a_word_never_seen_in_training_gives_finite_weights(scheme):
    weighting = Weighting(scheme, unit=False).fit(np.array([[1, 0, 2], [1, 0, 0], [0, 0, 3]]))
    weights = weighting.transform(np.array([[0, 4, 0], [1, 4, 0]]))
    assert np.isfinite(weights).all()
    if scheme in ("tfidf", "log-tfidf"):
        assert np.all(weights[:, 1] == 0)
    if scheme == "ncw":
        assert np.all(weights[0] == 0)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_sparse_stays_sparse_and_dense_stays_dense(counts, scheme):
    sparse = Weighting(scheme).fit_transform(counts)
    dense = Weighting(scheme).fit_transform(counts.toarray())
    assert isinstance(sparse, sp.csr_array)
    assert isinstance(dense, np.ndarray)
    assert sparse.dtype == dense.dtype == np.float64
    assert np.array_equal(sparse.toarray(), dense)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("form", [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.coo_array, np.asarray])
@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
def test_the_form_of_the_counts_changes_nothing_and_the_counts_stay(counts, scheme, form, dtype):
    given_counts = form(counts.toarray().astype(dtype))
    before = pickle.dumps(given_counts)
    weights = Weighting(scheme).fit_transform(given_counts)
    if sp.issparse(weights):
        weights.data[:] = -1
        weights.indices[:] = 0
    assert pickle.dumps(given_counts) == before
    again = Weighting(scheme).fit_transform(given_counts)
    assert np.array_equal(again.toarray() if sp.issparse(again) else again, Weighting(scheme).fit_transform(counts.toarray()))


def test_untidy_counts_are_tidied_in_a_copy():
    untidy = sp.csr_array((np.array([1.0, 2.0, 0.0, 3.0]), np.array([1, 1, 0, 0]), np.array([0, 3, 4])), shape=(2, 2))
    weighting = Weighting("tf", unit=False)
    assert weighting.fit_transform(untidy).toarray().tolist() == [[0, 3], [3, 0]]
    assert weighting.document_frequencies_.tolist() == [1, 1]
    assert untidy.data.tolist() == [1, 2, 0, 3]


def test_what_was_learnt_is_there_to_read(counts):
    bm25 = Weighting("bm25").fit(counts)
    assert bm25.n_documents_ == counts.shape[0]
    assert np.array_equal(bm25.document_frequencies_, (counts.toarray() > 0).sum(axis=0))
    assert bm25.average_length_ == counts.sum() / counts.shape[0]
    assert bm25.idf_.shape == (counts.shape[1],)
    assert bm25.total_ is None
    assert Weighting("tf").fit(counts).idf_ is None
    assert np.array_equal(Weighting("ncw", unit=False).fit(counts).total_, counts.sum(axis=0))


@pytest.mark.parametrize("scheme", [scheme for scheme in SCHEMES if scheme != "ncw"])
@given(C=small_counts)
def test_rows_have_length_one_or_are_zero(scheme, C):
    norms = np.linalg.norm(Weighting(scheme).fit_transform(sp.csr_array(C)).toarray(), axis=1)
    assert np.all((np.abs(norms - 1) < 1e-12) | (norms == 0))
    if scheme not in ("tfidf", "log-tfidf"):  # there, a document may hold nothing but words of every document
        assert np.array_equal(norms > 0, C.any(axis=1))


@pytest.mark.parametrize("scheme", SCHEMES)
@given(C=small_counts)
def test_no_counts_give_negative_or_infinite_weights(scheme, C):
    weights = Weighting(scheme).fit_transform(C)
    assert np.isfinite(weights).all()
    assert (weights >= 0).all()


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=finite))
def test_unit_rows_have_length_one_whatever_the_numbers(X):
    before = X.copy()
    with np.errstate(over="ignore"):
        results = unit_rows(X), unit_rows(sp.csr_array(X)).toarray()
    for rows in results:
        norms = np.linalg.norm(rows, axis=1)
        assert np.all(np.where(X.any(axis=1), np.abs(norms - 1) < 1e-12, norms == 0))
    assert np.array_equal(X, before)


def test_plain_division_by_the_length_fails_where_unit_rows_does_not():
    X = np.array([[1e200, 1e200], [1e-200, 0.0]])
    with np.errstate(all="ignore"):
        assert not np.allclose(np.linalg.norm(naive_unit(X), axis=1), 1)
    np.testing.assert_allclose(unit_rows(X), [[sqrt(0.5), sqrt(0.5)], [1, 0]])


def test_unit_rows_keeps_single_precision_and_leaves_its_input():
    X = sp.csr_array(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32))
    assert unit_rows(X).dtype == np.float32
    np.testing.assert_allclose(unit_rows(X).toarray(), [[0.6, 0.8], [0, 0]], rtol=1e-7)
    assert X.data.tolist() == [3, 4]
    assert not np.shares_memory(unit_rows(X).indices, X.indices)


def test_cut_rows_leaves_a_document_without_kin_at_zero():
    X = sp.csr_array(np.array([[1.0, 0.0], [0.0, 2.0]]))
    assert cut_rows(X, np.array([4.0, 0.0])).toarray().tolist() == [[0.5, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array, np.asarray])
@pytest.mark.parametrize("method", ["fit", "transform"])
def test_a_negative_count_is_named_by_row_and_column(form, method):
    weighting = Weighting().fit(np.ones((2, 3)))
    with pytest.raises(BadData, match="-2 in row 1, column 2"):
        getattr(weighting, method)(form(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, -2.0]])))


def test_an_error_changes_nothing_that_was_learnt(counts):
    weighting = Weighting().fit(counts)
    before = pickle.dumps(vars(weighting))
    with pytest.raises(BadData):
        weighting.fit(np.array([[1.0, -1.0]]))
    assert pickle.dumps(vars(weighting)) == before


def test_not_a_number_is_named_by_row_and_column():
    with pytest.raises(BadData, match="row 1, column 0"):
        Weighting().fit(np.array([[0.0, 1.0], [np.nan, 0.0]]))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_counts_of_nothing_are_refused(shape):
    with pytest.raises(EmptyCorpus, match="matrix of counts"):
        Weighting().fit(np.zeros(shape))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_documents_without_words_stay_zero(scheme):
    assert not Weighting(scheme).fit_transform(np.zeros((3, 2))).any()


def test_another_number_of_words_than_learnt_is_refused():
    with pytest.raises(BadData, match="2 features"):
        Weighting().fit(np.ones((2, 3))).transform(np.ones((2, 2)))


@pytest.mark.parametrize(
    "parameters",
    [{"scheme": "idf"}, {"scheme": None}, {"k1": -1}, {"k1": "1.2"}, {"k1": float("inf")}, {"b": 1.1}, {"b": -0.1}],
)
def test_parameters_that_cannot_work_are_refused(parameters):
    with pytest.raises(BadParameter, match=next(iter(parameters))):
        Weighting(**parameters).fit(np.ones((2, 2)))


def test_a_weighting_can_be_cloned_pickled_and_asked_for_names(counts):
    weighting = clone(Weighting("log-tf", unit=False)).fit(counts)
    assert (pickle.loads(pickle.dumps(weighting)).transform(counts) != weighting.transform(counts)).nnz == 0
    assert weighting.get_feature_names_out().shape == (counts.shape[1],)


@pytest.mark.parametrize(("call", "checks"), [("fit", 1), ("transform", 1), ("vectorizer", 0)])
def test_counts_are_checked_once_where_they_come_in(monkeypatch, counts, texts, call, checks):
    fitted = Weighting().fit(counts)
    seen = []
    monkeypatch.setattr(_weight, "check_terms", lambda X, *stage: seen.append(X) or check_terms(X, *stage))
    if call == "vectorizer":
        vectorizer = Vectorizer()
        vectorizer.fit_transform(texts)
        vectorizer.transform(texts)
    else:
        getattr(fitted, call)(counts)
    assert len(seen) == checks
