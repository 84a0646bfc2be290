"""`RLPI.partial_fit`: what a batch may be, what is refused, what is kept."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from tests.laws.toys import documents, topics
from vicinal import RLPI, Vectorizer
from vicinal.errors import BadData, BadLabels, BadParameter, EmptyCorpus, ForgottenDocuments, NoVariation, UnembeddedDocuments

pytestmark = pytest.mark.filterwarnings("ignore::vicinal.errors.DisconnectedGraph")


def test_fewer_terms_are_refused_and_change_nothing():
    X = documents()
    model = RLPI(3).partial_fit(X[:40])
    before = model.components_
    with pytest.raises(BadData, match="X has 89 features, but RLPI is expecting 90 features as input, or more"):
        model.partial_fit(X[40:, :89])
    assert model.components_ is before
    assert model.partial_fit(X[40:]).graph_.n_documents == 60


def test_names_of_terms_are_checked_and_new_ones_follow():
    X = pd.DataFrame(documents().toarray()).rename(columns=str)
    model = RLPI(3).partial_fit(X.iloc[:40, :80])
    with pytest.raises(BadData, match="feature names should match"):
        model.partial_fit(X.iloc[40:, ::-1])
    with pytest.raises(BadData, match="names the new terms too"):
        model.partial_fit(X.iloc[40:].to_numpy())
    model.partial_fit(X.iloc[40:])
    assert list(model.feature_names_in_) == list(X.columns)
    assert model.projection_.top_terms(0)[0][0] in X.columns


def test_after_a_fit_it_begins_anew_and_says_so():
    X = documents()
    with pytest.warns(ForgottenDocuments, match="fit keeps no documents"):
        model = RLPI(3).fit(X[:40]).partial_fit(X[20:])
    assert np.array_equal(model.components_, RLPI(3).fit(X[20:]).components_)


def test_a_fit_forgets_the_batches_before_it():
    X = documents()
    model = RLPI(3).partial_fit(X[:40]).fit(X[20:])
    assert np.array_equal(model.components_, RLPI(3).fit(X[20:]).components_)
    assert model._stream is None


@pytest.mark.filterwarnings("ignore::vicinal.errors.UnembeddedDocuments")
def test_a_batch_may_be_one_document_a_copy_or_empty():
    X = documents()
    model = RLPI(3).partial_fit(X[:40]).partial_fit(X[40:41]).partial_fit(X[:5]).partial_fit(sp.csr_array((2, 90)))
    assert model.unembedded_.tolist() == [False] * 46 + [True] * 2
    anew = RLPI(3).fit(sp.vstack([X[:41], X[:5], sp.csr_array((2, 90))]))
    assert np.array_equal(model.transform(X), anew.transform(X))


def test_no_documents_and_a_first_batch_without_variation_are_refused():
    X = documents()
    with pytest.raises(EmptyCorpus):
        RLPI(3).partial_fit(X[:40]).partial_fit(X[:0])
    with pytest.raises(NoVariation):
        RLPI(3).partial_fit(X[[0, 0, 0]])


def test_an_empty_document_is_told_of():
    model = RLPI(3).partial_fit(documents()[:40])
    with pytest.warns(UnembeddedDocuments):
        model.partial_fit(sp.csr_array((1, 90)))


@pytest.mark.parametrize("given", [lambda y: y.tolist(), np.asarray, lambda y: [f"class {each}" for each in y]])
def test_labels_of_batches_count_as_those_of_one_fit(given):
    X, y = documents(), topics()
    model = RLPI().partial_fit(X[:30], given(y[:30])).partial_fit(X[30:], given(y[30:]))
    assert np.array_equal(model.transform(X), RLPI().fit(X, given(y)).transform(X))


def test_a_batch_without_labels_is_not_labelled():
    X, y = documents(), topics()
    model = RLPI(4).partial_fit(X[:30]).partial_fit(X[30:], y[30:])
    assert np.array_equal(model.transform(X), RLPI(4).fit(X, np.where(np.arange(60) < 30, -1, y)).transform(X))
    with pytest.raises(BadLabels, match="one label per document"):
        model.partial_fit(X, y[:3])


def test_what_was_given_is_neither_changed_nor_needed_any_more():
    X = documents()
    first = X[:40].copy()
    model = RLPI(3).partial_fit(first)
    first.data[:] = 1.0
    assert np.array_equal(model.partial_fit(X[40:]).components_, RLPI(3).fit(X).components_)


def test_a_pickled_estimator_goes_on_and_a_clone_begins_anew():
    X = documents()
    model = RLPI(3).partial_fit(X[:40])
    back = pickle.loads(pickle.dumps(model)).partial_fit(X[40:])
    assert np.array_equal(back.components_, model.partial_fit(X[40:]).components_)
    assert np.array_equal(clone(model).partial_fit(X).components_, RLPI(3).fit(X).components_)


def test_what_was_chosen_automatically_stays():
    X = documents()
    model = RLPI("auto", alpha="auto").partial_fit(X[:50])
    chosen = model.alpha_, model.n_components_evidence_
    assert (model.partial_fit(X[50:]).alpha_, model.n_components_evidence_) == chosen


def test_row_blocks_are_refused():
    with pytest.raises(BadParameter, match="partial_fit needs all of X in memory"):
        RLPI(3).partial_fit(iter([documents()]))


def test_dense_and_sparse_batches_can_follow_each_other():
    X = documents()
    for first, second in ((X[:40], X[40:].toarray()), (X[:40].toarray(), X[40:])):
        found = RLPI(3).partial_fit(first).partial_fit(second).transform(X)
        assert np.allclose(found, RLPI(3).fit(X).transform(X))


class TestVectorizer:
    """`Vectorizer.partial_fit`."""

    TEXTS = (
        "a red rose",
        "a white rose garden",
        "red wine and garden",
        "white wine",
        "garden wall",
        "pink wine",
        "pink tulip",
        "tulip rose",
    )

    def test_the_first_call_is_a_fit(self):
        one, other = Vectorizer().partial_fit(self.TEXTS), Vectorizer().fit(self.TEXTS)
        assert list(one.terms_) == list(other.terms_)
        assert (one.transform(self.TEXTS) - other.transform(self.TEXTS)).nnz == 0

    @pytest.mark.parametrize("weight", ["bm25", "tfidf", "log-tf", "ncw"])
    @pytest.mark.parametrize("min_df", [1, 2, 0.2])
    def test_statistics_of_batches_are_those_of_all_documents(self, weight, min_df):
        going = Vectorizer(weight, min_df=1, max_df=1.0).partial_fit(self.TEXTS[:3])
        going.set_params(min_df=min_df).partial_fit(self.TEXTS[3:6]).partial_fit(self.TEXTS[6:])
        anew = Vectorizer(weight, min_df=1, max_df=1.0).fit(self.TEXTS)
        for term in going.terms_:
            column, other = going.vocabulary_[term], anew.vocabulary_[term]
            assert going.weight_.document_frequencies_[column] == anew.weight_.document_frequencies_[other]
        assert going.weight_.n_documents_ == len(self.TEXTS)

    def test_columns_never_move_and_rare_terms_enter_when_they_are_frequent_enough(self):
        going = Vectorizer(min_df=2, max_df=1.0).partial_fit(self.TEXTS[:5])
        before = list(going.terms_)
        assert "pink" not in before
        assert list(going.partial_fit(self.TEXTS[5:6]).terms_) == before
        assert list(going.partial_fit(self.TEXTS[6:]).terms_) == [*before, "pink", "tulip"]

    def test_with_max_terms_no_more_enter(self):
        going = Vectorizer(min_df=1, max_terms=3).partial_fit(self.TEXTS[:4])
        assert len(going.partial_fit(self.TEXTS[4:]).terms_) == 3

    def test_nothing_is_refused_but_no_documents(self):
        going = Vectorizer(min_df=1).partial_fit(self.TEXTS)
        assert len(going.partial_fit(["", "und"]).terms_) >= 1
        with pytest.raises(EmptyCorpus, match="empty iterable"):
            going.partial_fit([])
