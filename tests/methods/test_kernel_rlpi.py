"""KernelRLPI: its parameters, its landmarks, what it refuses and says, and how it places documents."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from tests.laws.toys import documents, error, topics
from vicinal import CentroidClassifier, KernelRLPI
from vicinal.errors import BadData, BadParameter, FewerComponents, UnembeddedDocuments, ZeroEmbeddings
from vicinal.projection._kernels import kernel_ridge
from vicinal.projection._kernels.kernel_functions import KERNELS

EVERY = pytest.mark.parametrize("kernel", KERNELS)
LANDMARKS = pytest.mark.parametrize("n_landmarks", [None, 20])


@pytest.fixture(name="X")
def corpus():
    return documents()


# parameters


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kernel": "sigmoid"}, "kernel must be one of 'linear', 'cosine', 'rbf', 'polynomial', got 'sigmoid'"),
        ({"gamma": 0.0}, "gamma must be a finite number greater than 0"),
        ({"gamma": "auto"}, "gamma must be one of 'scale'"),
        ({"gamma": None}, "gamma must be a number above 0 or 'scale'"),
        ({"degree": 0}, "degree must be a whole number of at least 1"),
        ({"degree": 2.5}, "degree must be a whole number"),
        ({"coef0": -1.0}, "coef0 must be a finite number of at least 0"),
        ({"alpha": -0.1}, "alpha must be a finite number of at least 0"),
        ({"n_landmarks": 0}, "n_landmarks must be a whole number of at least 1"),
        ({"n_landmarks": "all"}, "n_landmarks must be a whole number"),
        ({"eigen_solver": "cholesky"}, "eigen_solver must be one of"),
    ],
    ids=str,
)
def test_parameters_that_make_no_kernel_are_refused(X, options, message):
    with pytest.raises(BadParameter, match=message):
        KernelRLPI(**options).fit(X)


def test_gamma_is_one_over_the_variance_of_the_documents(X):
    assert KernelRLPI(2, kernel="rbf").fit(X).gamma_ == pytest.approx(1.0 / X.toarray().var(axis=0).sum(), rel=1e-12)
    assert KernelRLPI(2, kernel="rbf", gamma=0.3).fit(X).gamma_ == 0.3


@EVERY
def test_a_document_alone_has_a_place(X, kernel):
    assert np.linalg.norm(KernelRLPI(kernel=kernel).fit_transform(X[:1])) > 1e-6


def test_degree_and_coef0_matter(X):
    made = [KernelRLPI(2, kernel="polynomial", **options).fit_transform(X) for options in ({}, {"degree": 2}, {"coef0": 0.0})]
    assert error(made[1], made[0]) > 1e-4
    assert error(made[2], made[0]) > 1e-4


def test_alpha_that_is_zero_gives_the_responses_where_the_kernel_can(X):
    model = KernelRLPI(3, kernel="rbf", alpha=0.0, n_neighbors=5).fit(X)
    assert error(model.transform(X), dual_responses(model)) < 1e-8


def dual_responses(model):
    from vicinal.spectrum import solve

    return solve(model.graph_, 3).vectors


# landmarks


def test_more_documents_than_can_be_factored_are_refused_with_a_way_out(X, monkeypatch):
    monkeypatch.setattr(kernel_ridge, "LARGEST", 59)
    with pytest.raises(BadParameter, match=r"all pairs of 60 documents.*up to 59 are taken.*Give n_landmarks"):
        KernelRLPI(3).fit(X)
    assert KernelRLPI(3, n_landmarks=30).fit(X).dual_coef_.shape == (30, 3)


def test_landmarks_are_documents_in_their_order_drawn_by_the_seed(X):
    one, same, other = (KernelRLPI(3, n_landmarks=20, random_state=seed).fit(X) for seed in (0, 0, 1))
    assert np.array_equal(one.landmarks_, same.landmarks_)
    assert np.array_equal(one.dual_coef_, same.dual_coef_)
    assert not np.array_equal(one.landmarks_, other.landmarks_)
    assert np.all(np.diff(one.landmarks_) > 0)


def test_landmarks_are_drawn_from_documents_that_take_part(X):
    with_empty = sp.csr_array(sp.vstack([sp.csr_array((30, 90)), X]))
    with pytest.warns(UnembeddedDocuments):
        model = KernelRLPI(3, n_landmarks=40).fit(with_empty)
    assert model.landmarks_.min() >= 30
    with pytest.warns(UnembeddedDocuments):
        assert np.array_equal(KernelRLPI(3).fit(with_empty).landmarks_, np.arange(30, 90))


def test_fewer_landmarks_than_dimensions_give_fewer_dimensions(X):
    with pytest.warns(FewerComponents, match="asked for 8 components but there are 5"):
        assert KernelRLPI(8, n_landmarks=5).fit(X).dual_coef_.shape == (5, 5)


def test_more_landmarks_come_closer_to_the_exact_map(X):
    exact = KernelRLPI(3, kernel="rbf").fit_transform(X)
    off = [np.linalg.norm(KernelRLPI(3, kernel="rbf", n_landmarks=m).fit_transform(X) - exact) for m in (5, 20, 50, 60)]
    assert off == sorted(off, reverse=True)


# placing


@EVERY
@LANDMARKS
def test_a_document_is_embedded_by_itself_whatever_the_batch_and_the_threads(X, kernel, n_landmarks):
    X = documents(n=150)
    model = KernelRLPI(4, kernel=kernel, n_landmarks=n_landmarks, n_jobs=2).fit(X)
    batch = model.transform(X)
    assert np.array_equal(np.vstack([model.transform(X[[row]]) for row in range(150)]), batch)
    assert np.array_equal(model.transform(X[::-1]), batch[::-1])
    assert np.array_equal(model.transform(X.toarray()), batch)
    assert np.array_equal(model.set_params(n_jobs=1).transform(X), batch)


@EVERY
def test_copies_get_the_same_place_to_the_last_bit(X, kernel):
    copies = sp.csr_array(sp.vstack([X, X[[3, 3, 20]]]))
    embeddings = KernelRLPI(4, kernel=kernel).fit_transform(copies)
    assert np.array_equal(embeddings[60:], embeddings[[3, 3, 20]])


@EVERY
@LANDMARKS
def test_a_document_without_words_lands_on_zero(X, kernel, n_landmarks):
    model = KernelRLPI(4, kernel=kernel, n_landmarks=n_landmarks).fit(X)
    assert not model.transform(sp.csr_array((2, 90))).any()
    assert not model.transform(np.zeros((2, 90))).any()


@EVERY
def test_later_changes_of_the_documents_change_no_place(X, kernel):
    kept = X.copy()
    model = KernelRLPI(4, kernel=kernel).fit(X)
    before = model.transform(kept)
    X.data[:] = 7.0
    assert np.array_equal(model.transform(kept), before)


@EVERY
def test_float32_documents_are_embedded_in_double_precision(X, kernel):
    wide, narrow = X, X.astype(np.float32)
    assert error(KernelRLPI(4, kernel=kernel).fit_transform(narrow), KernelRLPI(4, kernel=kernel).fit_transform(wide)) < 1e-5
    model = KernelRLPI(4, kernel=kernel).fit(narrow)
    assert np.array_equal(model.transform(narrow), model.transform(narrow.astype(np.float64)))


def test_a_document_too_long_for_a_polynomial_is_refused(X):
    model = KernelRLPI(4, kernel="polynomial", degree=9).fit(X)
    with np.errstate(all="ignore"), pytest.raises(BadData, match="polynomial kernel of document 1 is too large"):
        model.transform(sp.csr_array(sp.vstack([X[[0]], X[[1]] * 1e90])))


def test_an_overwhelming_penalty_gives_a_zero_map_that_is_said_where_fit_was_called(X):
    with pytest.warns(ZeroEmbeddings, match=r"alpha=1e\+300") as seen:
        embeddings = KernelRLPI(3, alpha=1e300).fit_transform(X)
    assert np.abs(embeddings).max() < 1e-200
    assert len(seen) == 1


# manners


def test_a_pipeline_learns_from_labels_and_survives_a_pickle(X):
    y = topics()
    pipeline = make_pipeline(KernelRLPI(kernel="rbf"), CentroidClassifier()).fit(X, y)
    new = documents(n=40, seed=3)
    assert pipeline.score(new, topics(40)) >= 0.9
    assert np.array_equal(pickle.loads(pickle.dumps(pipeline)).predict(new), pipeline.predict(new))


def test_frames_go_in_with_their_names_and_come_out_with_ours(X):
    table = pd.DataFrame(X.toarray(), columns=[f"word {t}" for t in range(90)])
    embeddings = KernelRLPI(3).set_output(transform="pandas").fit_transform(table)
    assert list(embeddings.columns) == ["kernelrlpi0", "kernelrlpi1", "kernelrlpi2"]
    with pytest.raises(ValueError, match="feature names"):
        KernelRLPI(3).fit(table).transform(table[table.columns[::-1]])


def test_a_model_that_has_learnt_nothing_says_so(X):
    with pytest.raises(NotFittedError, match="This KernelRLPI instance is not fitted yet"):
        KernelRLPI().transform(X)


def test_another_number_of_terms_is_refused(X):
    with pytest.raises(ValueError, match="X has 40 features, but KernelRLPI is expecting 90"):
        KernelRLPI(3).fit(X).transform(X[:, :40])
