"""`Topics.partial_fit`: documents are assigned, words counted again, clusters keep their numbers; what fits nowhere shows."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.subjects import SUBJECTS, counted, planted, same_groups
from vicinal import Topics, Vectorizer
from vicinal.errors import BadData, BadLabels, EmptyCorpus, ForgottenDocuments

MORE = [
    "the rose and the spade near a greenhouse",
    "greenhouse soil and seed",
    "a greenhouse for the rose bed",
    "oven, flour and dough",
]


@pytest.fixture
def going():
    """Clusters of planted texts, and the subject of each."""
    texts, subjects = planted()
    return Topics(4, vectorizer=Vectorizer(min_df=1, max_df=1.0), random_state=0).partial_fit(texts), subjects


def test_the_first_call_is_a_fit(going):
    texts, subjects = planted()
    anew = Topics(4, vectorizer=Vectorizer(min_df=1, max_df=1.0), random_state=0).fit(texts)
    assert np.array_equal(going[0].labels_, anew.labels_)
    assert np.array_equal(going[0].transform(texts), anew.transform(texts))
    assert same_groups(anew.labels_, subjects)


def test_documents_are_assigned_and_clusters_keep_their_numbers(going):
    topics, subjects = going
    before = topics.labels_.copy()
    topics.partial_fit(MORE)
    garden, kitchen = (before[subjects == list(SUBJECTS).index(name)][0] for name in ("garden", "kitchen"))
    assert topics.labels_[-4:].tolist() == [garden, garden, garden, kitchen]
    assert np.array_equal(topics.labels_[: len(before)], before)
    assert topics.sizes_.sum() == len(before) + 4 == len(topics.uncertainty_) == len(topics.typicality_) == len(topics.unembedded_)


def test_new_words_are_known_from_then_on(going):
    topics, _ = going
    assert topics.predict(["greenhouse"]).tolist() == [-1]
    topics.partial_fit(MORE)
    assert topics.terms_[-1] != topics.terms_[0]
    assert "greenhouse" in topics.terms_
    assert topics.predict(["greenhouse"])[0] == topics.labels_[-4]
    assert np.linalg.norm(topics.transform(["greenhouse"])) > 0
    assert "greenhouse" in [term for term, _ in topics.top_terms(int(topics.labels_[-4]), limit=50)]


def test_what_is_predicted_is_what_was_assigned(going):
    topics, texts = going[0], planted()[0]
    topics.partial_fit(MORE)
    assert np.array_equal(topics.predict([*texts, *MORE]), topics.labels_)


def test_embeddings_of_old_documents_move_little(going):
    topics, texts = going[0], planted()[0]
    before = topics.transform(texts)
    after = topics.partial_fit(MORE).transform(texts)
    assert np.linalg.norm(after - before) < 0.1 * np.linalg.norm(before)


def test_clusters_of_a_later_subject_are_outgrown():
    texts, subjects = planted((24, 24, 24, 24))
    first = [text for text, subject in zip(texts, subjects, strict=True) if subject < 3]
    same, other = planted((20, 20, 20), seed=5)[0], [t for t, s in zip(texts, subjects, strict=True) if s == 3]
    topics = Topics(3, random_state=0).partial_fit(first)
    assert topics.outgrown_ == 0.0
    known = pickle.loads(pickle.dumps(topics)).partial_fit(same).outgrown_
    assert known < 0.05 < topics.partial_fit(other).outgrown_


@pytest.mark.parametrize("kind", [sp.csr_array, np.asarray], ids=["sparse", "dense"])
def test_counts_may_have_more_columns_at_the_end(kind):
    counts, subjects = counted()
    rows = counts.toarray()
    first, later = rows[:90].copy(), rows[90:]
    first[:, 50:] = 0
    topics = Topics(5, random_state=0).partial_fit(kind(first[:, :50])).partial_fit(kind(later))
    assert same_groups(topics.labels_, subjects)
    assert topics.n_features_in_ == 60
    with pytest.raises(BadData, match="expecting 60 features"):
        topics.partial_fit(kind(rows[:, :50]))


def test_rows_of_any_numbers_are_assigned_by_centroids():
    rng = np.random.RandomState(0)
    centres = rng.standard_normal((3, 20)) * 4
    rows = np.vstack([centres[i % 3] + rng.standard_normal(20) for i in range(90)])
    topics = Topics(3, random_state=0).partial_fit(rows[:60]).partial_fit(rows[60:])
    assert same_groups(topics.labels_, np.arange(90) % 3)
    assert np.array_equal(topics.predict(rows), topics.labels_)


def test_labels_of_known_classes_are_obeyed_and_others_refused(going):
    texts, subjects = planted()
    names = [list(SUBJECTS)[subject] for subject in subjects]
    topics = Topics(4, random_state=0).partial_fit(texts, names)
    sea = list(topics.classes_).index("sea")
    assert topics.partial_fit(MORE[:1], ["sea"]).labels_[-1] == sea
    with pytest.raises(BadLabels, match="got 'desert'"):
        topics.partial_fit(MORE[:1], ["desert"])
    with pytest.raises(BadLabels, match="got 'sea'"):
        going[0].partial_fit(MORE[:1], ["sea"])


def test_other_kinds_of_documents_and_none_are_refused_and_change_nothing(going):
    topics, _ = going
    terms, labels = topics.terms_, topics.labels_
    with pytest.raises(BadData, match="began with texts"):
        topics.partial_fit(np.ones((2, 3)))
    with pytest.raises(EmptyCorpus):
        topics.partial_fit([])
    assert topics.terms_ is terms
    assert topics.labels_ is labels
    with pytest.raises(BadData, match="began with rows of numbers"):
        Topics(5, random_state=0).partial_fit(counted()[0]).partial_fit(MORE)


def test_a_document_without_known_words_has_no_cluster(going):
    assert going[0].partial_fit([""]).labels_[-1] == -1


def test_after_a_fit_it_begins_anew_and_says_so():
    texts, _ = planted()
    topics = Topics(4, random_state=0).fit(texts)
    with pytest.warns(ForgottenDocuments, match="begins anew"):
        topics.partial_fit(texts)
    assert topics.fit(texts)._stream is None


def test_threads_change_no_bit():
    texts, _ = planted()
    one, two = (
        Topics(4, random_state=0, n_jobs=n_jobs).partial_fit(texts).partial_fit(MORE).projection_.weights for n_jobs in (1, 3)
    )
    assert np.array_equal(one, two)
