"""Topics: planted ones are found, in texts, counts and weights; labels are kept; what cannot be sorted is refused in words."""

from __future__ import annotations

import pickle
import re
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from tests.laws.subjects import SUBJECTS, counted, planted, same_groups
from vicinal import Topics, Vectorizer
from vicinal.errors import (
    BadData,
    BadLabels,
    BadParameter,
    ClusterCount,
    EmptyCorpus,
    NoNeighbors,
    NoVariation,
    TooFewDocuments,
    TooFewTerms,
    UnembeddedDocuments,
    VicinalError,
)
from vicinal.metrics import normalized_mutual_info

TEXTS, SUBJECT = planted()
COUNTS, TOPIC = counted()


@pytest.fixture(scope="module")
def topics():
    return Topics(n_clusters=4).fit(TEXTS)


@pytest.fixture(scope="module")
def of_counts():
    return Topics(n_clusters=5).fit(COUNTS)


def bits(model, documents):
    """Everything that was learnt and everything that is answered, as bytes."""
    learnt = (
        model.labels_,
        model.uncertainty_,
        model.sizes_,
        model.typicality_,
        model.projection_.weights,
        model.rule_.scores.weights,
    )
    answers = (model.predict(documents), model.predict_proba(documents), model.transform(documents))
    return b"".join(np.ascontiguousarray(each).tobytes() for each in (*learnt, *answers))


# What is found


def test_planted_topics_of_unequal_size_are_found_and_numbered_by_size(topics):
    assert np.array_equal(topics.labels_, SUBJECT)  # planted larger ones first
    assert topics.sizes_.tolist() == [24, 18, 12, 9]
    assert topics.n_clusters_ == 4
    assert topics.n_clusters_evidence_ is None
    assert topics.classes_ is None


@pytest.mark.parametrize(("sizes", "seed"), [((20, 20, 20, 20), 1), ((40, 10, 25), 2), ((30, 30), 3)])
def test_the_number_of_topics_is_found_with_evidence(sizes, seed):
    texts, subject = planted(sizes, seed=seed)
    found = Topics().fit(texts)
    assert len(sizes) / 2 <= found.n_clusters_ <= 2 * len(sizes)
    assert normalized_mutual_info(subject, found.labels_) > 0.6
    evidence = found.n_clusters_evidence_
    assert evidence.chosen == found.n_clusters_
    assert evidence.low <= evidence.chosen <= evidence.high
    assert len(evidence.scores) == len(evidence.candidates) > 2
    assert "n_clusters" in str(evidence)


def test_classes_that_overrule_the_number_found_do_so_in_the_evidence():
    texts, _ = planted((30, 30), seed=3)
    alone = Topics().fit(texts).n_clusters_evidence_
    n_classes = int(alone.candidates[-1]) + 2
    y = np.where(np.arange(60) < 2 * n_classes, np.arange(60) // 2, -1)
    found = Topics().fit(texts, y)
    evidence = found.n_clusters_evidence_
    assert evidence.chosen == found.n_clusters_ == len(found.classes_) == n_classes
    assert f"n_clusters={n_classes}, since each class of y is a cluster. By score alone: n_clusters=" in evidence.why
    assert evidence.best < n_classes
    few = Topics().fit(texts, [0, *[-1] * 58, 1])
    assert "each class of y" not in few.n_clusters_evidence_.why  # the words speak for as many at least


def test_words_are_those_of_the_subject_and_weigh_less_and_less(topics):
    for topic, name in enumerate(SUBJECTS):
        words = topics.top_terms(topic, limit=6)
        assert {word for word, _ in words} <= set(SUBJECTS[name])
        weights = [weight for _, weight in words]
        assert weights == sorted(weights, reverse=True)
        assert weights[-1] > 0


def test_exemplars_are_members_and_typical_ones_come_first(topics):
    for topic in range(4):
        found = topics.exemplars(topic, limit=4)
        assert len(set(found.tolist())) == 4
        assert (topics.labels_[found] == topic).all()
        assert (np.diff(topics.typicality_[found]) <= 0).all()
        assert topics.typicality_[found[0]] == topics.typicality_[topics.labels_ == topic].max()
    assert len(topics.exemplars(3, limit=100)) == 9


def test_a_new_text_is_sorted_by_its_words_and_the_explanation_names_them(topics):
    assert topics.predict(["a loaf of bread with butter", "the captain and the anchor"]).tolist() == [1, 3]
    why = topics.explain("bread butter rose", 1)
    assert {*why.terms} >= {"bread", "butter", "rose"}
    parts = dict(zip(why.terms, why.parts, strict=True))
    assert parts["bread"] > 0 > parts["rose"]
    assert why.total == why.parts.cumsum()[-1]


def test_a_text_between_two_subjects_is_less_sure_than_one_in_the_middle_of_its_own(topics):
    mixed, plain = topics.predict_proba(["bread oven ship sail", "bread oven flour dough"])
    assert mixed.max() < plain.max()
    assert np.argmax(plain) == 1


def test_documents_of_words_astray_are_less_sure_than_others():
    texts, _ = planted(own=6, astray=2)
    astray, _ = planted((3, 2, 2, 1), own=0, astray=8, seed=9)
    found = Topics(n_clusters=4).fit([*texts, *astray])
    assert found.uncertainty_[-8:].mean() > 1.5 * found.uncertainty_[:-8].mean()
    assert found.uncertainty_.min() >= 0
    assert found.uncertainty_.max() <= 1


def test_views_say_what_they_were_and_what_they_counted(topics):
    assert max(view.share for view in topics.views_) == 1.0
    assert all(0 <= view.share <= 1 and len(view.labels) == len(TEXTS) for view in topics.views_)
    assert topics.qualities_


# Texts, counts, weights


def test_texts_and_their_counts_give_the_same_answer(topics):
    counts = Vectorizer("tf", unit=False).fit_transform(TEXTS)
    found = Topics(n_clusters=4).fit(counts)
    assert np.array_equal(found.labels_, topics.labels_)
    assert np.array_equal(found.predict_proba(counts), topics.predict_proba(TEXTS))
    assert np.array_equal(found.transform(counts), topics.transform(TEXTS))
    assert found.top_terms(0, 1)[0][0].startswith("term ")


@pytest.mark.parametrize("wrap", [tuple, iter, np.array, pd.Series, lambda texts: pd.Series(texts, index=range(7, 70))])
def test_any_series_of_texts_will_do(topics, wrap):
    assert np.array_equal(Topics(n_clusters=4).fit_predict(wrap(TEXTS)), topics.labels_)


def test_dense_and_sparse_counts_give_the_same_answer(of_counts):
    dense = Topics(n_clusters=5).fit(COUNTS.toarray())
    assert same_groups(of_counts.labels_, TOPIC)
    assert np.array_equal(dense.labels_, of_counts.labels_)
    np.testing.assert_allclose(dense.predict_proba(COUNTS.toarray()), of_counts.predict_proba(COUNTS), atol=1e-9)


def test_weights_are_taken_as_they_are():
    weights = sp.csr_array(COUNTS * 0.37)
    found = Topics(n_clusters=5).fit(weights)
    assert found._reader.weighting is None
    assert same_groups(found.labels_, TOPIC)
    assert np.array_equal(found.predict(weights), found.labels_)


def test_rows_with_negative_numbers_are_sorted_by_the_nearest_centroid():
    rng = np.random.default_rng(0)
    rows = 4 * np.eye(5)[np.arange(60) % 3] + rng.normal(size=(60, 5))
    found = Topics(n_clusters=3).fit(rows)
    assert same_groups(found.labels_, np.arange(60) % 3)
    assert np.array_equal(found.predict(rows), found.labels_)
    np.testing.assert_allclose(found.predict_proba(rows).sum(axis=1), 1)
    assert found.explain(rows[:1], 0).total == pytest.approx(found.rule_.scores.transform(found._reader.weights(rows[:1]))[0, 0])


def test_names_of_columns_are_names_of_words():
    frame = pd.DataFrame(COUNTS.toarray(), columns=[f"word {i}" for i in range(60)])
    found = Topics(n_clusters=5).fit(frame)
    assert all(word.startswith("word ") for word, _ in found.top_terms(0))
    assert "word " in found.explain(frame.iloc[[0]], 0).terms[0]


def test_a_vectorizer_of_ones_own_is_used_and_left_alone():
    vectorizer = Vectorizer(stop_words=["rose", "bread"], min_df=1)
    found = Topics(n_clusters=4, vectorizer=vectorizer).fit(TEXTS)
    assert not {"rose", "bread"} & set(found.terms_)
    assert not hasattr(vectorizer, "terms_")
    assert vectorizer.weight == "bm25"


def test_fit_transform_is_transform_of_what_was_fitted(topics):
    Z = Topics(n_clusters=4).fit_transform(iter(TEXTS))
    assert np.array_equal(Z, topics.transform(TEXTS))
    assert Z.shape == (len(TEXTS), len(topics.get_feature_names_out()))


# The same every time


def test_two_runs_and_one_or_two_threads_give_the_same_bits(of_counts):
    expected = bits(of_counts, COUNTS)
    for n_jobs in (None, 1, 2):
        assert bits(Topics(n_clusters=5, n_jobs=n_jobs).fit(COUNTS), COUNTS) == expected


def test_a_clone_and_a_copy_know_the_same(topics):
    assert clone(topics).get_params()["n_clusters"] == 4
    assert bits(pickle.loads(pickle.dumps(topics)), TEXTS) == bits(topics, TEXTS)


def test_what_was_given_is_left_as_it_was():
    X, y = COUNTS.copy(), np.where(np.arange(120) < 10, TOPIC, -1)
    before = X.data.tobytes() + X.indices.tobytes() + y.tobytes()
    Topics(n_clusters=5).fit(X, y).predict(X)
    assert X.data.tobytes() + X.indices.tobytes() + y.tobytes() == before


def test_verbose_tells_the_stages_and_silence_is_the_default(capsys):
    Topics(n_clusters=4).fit(TEXTS)
    assert capsys.readouterr() == ("", "")
    Topics(n_clusters=4, verbose=True).fit(TEXTS)
    said = capsys.readouterr().err
    assert re.search(r"^\[ +\d+\.\d s\] number of clusters$", said, re.MULTILINE)
    assert re.search(r"^\[ +\d+\.\d s\] done$", said, re.MULTILINE)


# Labels


def test_labelled_documents_keep_their_class_and_classes_their_order():
    names = np.array(["sea", "kitchen", "garden", "railway"])[[2, 1, 3, 0]][SUBJECT]
    y = np.full(len(TEXTS), -1, dtype=object)
    y[:20] = names[:20]
    found = Topics(n_clusters=4).fit(TEXTS, y)
    assert found.classes_.tolist() == ["garden", "kitchen", "railway", "sea"]
    assert (found.classes_[found.labels_[:20]] == names[:20]).all()
    assert (found.classes_[found.labels_] == names).mean() > 0.95


def test_a_label_against_the_words_is_kept_for_its_document_and_predict_goes_by_words():
    y = np.full(len(TEXTS), -1)
    y[:30] = SUBJECT[:30]
    y[0] = (SUBJECT[0] + 1) % 4
    found = Topics(n_clusters=4).fit(TEXTS, y)
    assert found.labels_[0] == y[0]
    assert found.predict(TEXTS[:1])[0] == SUBJECT[0]


def test_topics_beyond_the_classes_come_after_them():
    y = np.where((SUBJECT == 3) & (np.arange(len(TEXTS)) < 40), 7, -1)
    y[np.flatnonzero(SUBJECT == 1)[:4]] = 5
    found = Topics(n_clusters=4).fit(TEXTS, y)
    assert found.classes_.tolist() == [5, 7]
    assert (found.labels_[SUBJECT == 1] == 0).mean() > 0.9
    assert (found.labels_[SUBJECT == 3] == 1).mean() > 0.9
    assert same_groups(found.labels_, SUBJECT)


def test_one_class_alone_is_no_hindrance():
    found = Topics(n_clusters=4).fit(TEXTS, np.where((SUBJECT == 2) & (np.arange(len(TEXTS)) < 30), 1, -1))
    assert (found.labels_[SUBJECT == 2] == 0).mean() > 0.9


def test_labels_that_say_nothing_are_no_labels(topics):
    found = Topics(n_clusters=4).fit(TEXTS, np.full(len(TEXTS), -1))
    assert found.classes_ is None
    assert np.array_equal(found.labels_, topics.labels_)


def test_more_classes_than_topics_are_all_kept_and_said():
    y = np.where(np.arange(len(TEXTS)) < 20, SUBJECT, -1)
    with pytest.warns(ClusterCount, match="asked for 2 clusters but there are 4: each class of y is a cluster"):
        assert Topics(n_clusters=2).fit(TEXTS, y).n_clusters_ == 4


def test_auto_has_no_fewer_topics_than_classes():
    y = np.where(np.arange(len(TEXTS)) < 40, 2 * SUBJECT + np.arange(len(TEXTS)) % 2, -1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ClusterCount)  # nothing was asked for
        assert Topics().fit(TEXTS, y).n_clusters_ >= 8


# Documents without words


def test_documents_without_words_have_no_topic_and_are_said():
    with pytest.warns(UnembeddedDocuments, match="2 of 65 documents have no terms .* The first is document 0"):
        found = Topics(n_clusters=4).fit(["", *TEXTS, "zzz"])
    assert found.labels_[[0, -1]].tolist() == [-1, -1]
    assert np.array_equal(found.labels_[1:-1], SUBJECT)
    assert found.sizes_.sum() == 63
    assert not found.transform([""]).any()


def test_a_new_document_without_known_words_gets_shares_and_no_topic(topics):
    assert topics.predict(["", "zzz yyy"]).tolist() == [-1, -1]
    np.testing.assert_allclose(topics.predict_proba(["zzz"])[0], topics.sizes_ / topics.sizes_.sum())
    assert not topics.transform(["zzz"]).any()
    assert topics.explain("zzz", 0).total == 0.0


def test_a_label_of_a_document_without_words_speaks_for_nobody():
    y = np.full(len(TEXTS) + 1, -1)
    y[0] = 3
    with pytest.warns(UnembeddedDocuments):
        found = Topics(n_clusters=4).fit(["", *TEXTS], y)
    assert found.classes_ is None
    assert found.labels_[0] == -1


# Numbers at the edge


def test_one_topic_holds_everybody():
    found = Topics(n_clusters=1).fit(TEXTS)
    assert found.sizes_.tolist() == [63]
    assert not found.uncertainty_.any()
    assert (found.predict_proba(TEXTS) == 1).all()


def test_as_many_topics_as_documents_are_each_for_itself():
    found = Topics(n_clusters=8).fit(np.eye(8, 9) + np.eye(8, 9, 1) + 0.1 * np.eye(8, 9, 2))
    assert found.n_clusters_ <= 8
    assert found.sizes_.sum() == 8


def test_copies_give_fewer_topics_than_asked_for_and_it_is_said():
    with pytest.warns(
        ClusterCount, match=r"asked for 6 clusters but there are \d: the documents do not form more different clusters"
    ):
        found = Topics(n_clusters=6).fit(np.repeat([[3.0, 1.0, 0.0], [0.0, 1.0, 2.0], [1.0, 0.0, 1.0]], 5, axis=0))
    assert found.n_clusters_ <= 3
    assert found.labels_.reshape(3, 5).std(axis=1).max() == 0  # copies stay together


@pytest.mark.parametrize("n", [2, 3, 5, 9])
@pytest.mark.parametrize("n_clusters", ["auto", 2])
def test_a_handful_of_documents_will_do(n, n_clusters):
    X = sp.csr_array(np.random.default_rng(n).poisson(1.0, (n, 6)) + np.eye(n, 6))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClusterCount)
        found = Topics(n_clusters=n_clusters).fit(X)
    assert np.array_equal(found.predict(X), found.labels_)
    assert 1 <= found.n_clusters_ <= n


# What is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be a whole number of at least 1, got 0"),
        ({"n_clusters": 2.5}, "n_clusters must be a whole number of at least 1, got 2.5"),
        ({"n_clusters": True}, "n_clusters must be a whole number of at least 1, got True"),
        ({"n_clusters": "many"}, "n_clusters must be a whole number or \"auto\", got 'many'"),
        ({"n_clusters": None}, "n_clusters must be a whole number"),
        ({"vectorizer": "bm25"}, "vectorizer must be None or a vicinal.Vectorizer, got 'bm25'"),
        ({"random_state": "seed"}, "random_state must be None, a whole number or a numpy RandomState, got 'seed'"),
        ({"n_jobs": 0}, "n_jobs must be a whole number other than 0"),
    ],
)
def test_bad_parameters_are_refused(options, message):
    with pytest.raises(BadParameter, match=message):
        Topics(**options).fit(TEXTS)


@pytest.mark.parametrize(
    ("documents", "kind", "message"),
    [
        ("one text", BadParameter, "got a single str, which would be read character by character. Pass a list"),
        (b"one text", BadParameter, "got a single bytes"),
        ([], EmptyCorpus, "no documents"),
        (np.zeros((0, 5)), EmptyCorpus, r"Topics\.fit has no documents"),
        (["a text", 3], BadData, "document 1 must be a str, got int"),
        (["some words", None], BadData, "document 1 must be a str, got NoneType"),
        ((None, "some words"), BadData, 'document 0 must be a str, got NoneType. Use "" for a missing text'),
        (np.array([None, "some words"], dtype=object), BadData, "document 0 must be a str, got NoneType"),
        (np.array(["some words", None], dtype=object), BadData, "document 1 must be a str, got NoneType"),
        ([None, None], BadData, "document 0 must be a str, got NoneType"),
        ([b"some words"] * 3, BadData, "document 0 must be a str, got bytes. Decode it first"),
        ((), EmptyCorpus, "no documents"),
        (np.array([]), EmptyCorpus, "no documents"),
        (np.array([], dtype=object), EmptyCorpus, "no documents"),
        (pd.Series([], dtype=object), EmptyCorpus, "no documents"),
        (["", "the", "of"], EmptyCorpus, "no terms"),
        (
            ["red rose", "stock price", "fresh bread"],
            EmptyCorpus,
            r"Use min_df=1.*settings of the vectorizer, such as Topics\(vectorizer=Vectorizer\(",
        ),
        (
            ["rose", "rose garden", "red rose"],
            TooFewTerms,
            r"at least two terms, got 1 from 3 documents: 'rose'.*vectorizer=Vectorizer\(",
        ),
        (None, BadData, "documents x terms must be a matrix of numbers"),
        (np.array([1.0, 2.0]), BadData, "Expected 2D array"),
        (np.array([[1.0, np.nan], [1.0, 2.0]]), BadData, "contains NaN in row 0, column 1"),
        (np.eye(4), NoNeighbors, "no two of the 4 documents"),
        (np.ones((5, 3)), NoVariation, "all 5 documents"),
        (np.ones((5, 1)), TooFewTerms, r"1 feature\(s\)"),
        (np.array([[1.0, 2.0], [2.0, 1.0]]), TooFewDocuments, "at least 3 documents with terms, got 2"),
        (np.array([[1.0, 2.0], [2.0, 1.0], [0.0, 0.0]]), TooFewDocuments, r"got 2 \(n_samples = 3\)"),
    ],
)
def test_what_cannot_be_sorted_is_refused_and_says_why(documents, kind, message):
    with pytest.raises(kind, match=message):
        Topics(n_clusters=3).fit(documents)


def test_labels_of_another_length_are_refused():
    with pytest.raises(BadLabels, match=r"expected shape \(63,\), got \(2,\)"):
        Topics(n_clusters=4).fit(TEXTS, [0, 1])


def test_numbers_after_texts_and_texts_after_numbers_are_refused(topics, of_counts):
    for ask in (topics.predict, topics.predict_proba, topics.transform):
        with pytest.raises(BadData, match=r"fitted to texts, got csr_array\. Pass a list of texts"):
            ask(COUNTS)
    with pytest.raises(BadData, match="fitted to texts, got ndarray"):
        topics.predict(np.ones((2, 3)))
    with pytest.raises(BadData, match="fitted to rows of numbers, got texts"):
        of_counts.predict(TEXTS)
    with pytest.raises(BadParameter, match="got a single str"):
        topics.predict("one text")
    for empty in ([], (), np.array([]), pd.Series([], dtype=object)):
        for fitted in (topics, of_counts):
            with pytest.raises(EmptyCorpus, match="there are no documents: got an empty"):
                fitted.predict(empty)


def test_other_columns_and_counts_below_zero_are_refused(of_counts):
    with pytest.raises(BadData, match="X has 7 features, but Topics is expecting 60"):
        of_counts.predict(COUNTS[:, :7])
    with pytest.raises(BadData, match="Negative values in data passed to Topics"):
        of_counts.predict(-COUNTS)


@pytest.mark.parametrize("ask", ["top_terms", "exemplars"])
def test_topics_and_limits_that_do_not_exist_are_refused(topics, ask):
    with pytest.raises(BadParameter, match=r"there is no cluster 4\. Clusters are numbered 0 to 3"):
        getattr(topics, ask)(4)
    with pytest.raises(BadParameter, match="cluster must be a whole number of at least 0, got -1"):
        getattr(topics, ask)(-1)
    with pytest.raises(BadParameter, match="limit must be a whole number of at least 1, got 0"):
        getattr(topics, ask)(0, limit=0)


def test_an_explanation_is_of_one_document_and_one_topic_that_exists(topics):
    with pytest.raises(BadData, match="an explanation is of one document, got 2"):
        topics.explain(TEXTS[:2], 0)
    with pytest.raises(BadParameter, match="there is no cluster 9"):
        topics.explain("bread", 9)


@pytest.mark.parametrize("ask", ["predict", "predict_proba", "transform", "top_terms", "exemplars"])
def test_nothing_is_answered_before_something_was_learnt(ask):
    with pytest.raises(NotFittedError):
        getattr(Topics(), ask)(TEXTS if ask in ("predict", "predict_proba", "transform") else 0)


# What a reviewer broke


ROSES = ["red rose garden", "white rose garden", "rose garden bloom", "rose garden red", "rose garden white", "rose garden soil"]
STOCKS = ["stock market", "market stock price", "price stock"]


def test_the_words_of_the_largest_topic_are_not_too_common():
    assert Topics(2).fit(ROSES + STOCKS).labels_.tolist() == [0] * 6 + [1] * 3


def test_a_fit_that_fails_leaves_what_was_learnt():
    model = Topics(2).fit(ROSES + STOCKS)
    for documents, y in ((np.ones((8, 3)), None), (["moon sun"] * 4 + ["sun star"] * 4, [0])):
        with pytest.raises(VicinalError):
            model.fit(documents, y)
        assert model.predict(ROSES + STOCKS).tolist() == [0] * 6 + [1] * 3


def test_a_class_of_documents_without_words_is_no_topic():
    y = ["flowers", *[-1] * 5, "money", -1, -1, "weather", -1]
    with pytest.warns(UnembeddedDocuments):
        model = Topics(2).fit([*ROSES, *STOCKS, "", ""], y)
    assert model.classes_.tolist() == ["flowers", "money"]
    assert model.labels_.tolist() == [0] * 6 + [1] * 3 + [-1] * 2


def test_documents_without_an_order_and_labels_of_several_parts_are_refused():
    with pytest.raises(BadData, match="order"):
        Topics(2).fit(dict(enumerate(ROSES)))
    with pytest.raises(BadLabels, match="nested labels"):
        Topics(2).fit(ROSES + STOCKS, [[1], [1, 2]] * 4 + [[1]])


def test_numbers_below_zero_are_refused_where_words_were_weighed():
    weights = Vectorizer(max_df=1.0).fit_transform(ROSES + STOCKS)
    with pytest.raises(BadData, match="Negative"):
        Topics(2).fit(weights).predict(-weights)


@pytest.mark.filterwarnings("ignore::vicinal.errors.UnstableClusters")
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_documents_in_another_order_have_the_same_clusters_to_the_bit(labelled, seed):
    """Clusters of an unclear corpus, which a chance start would change."""
    rng = np.random.default_rng(seed)
    subject = np.arange(150) % 4
    counts = sp.csr_array(rng.poisson(0.2 + 0.3 * (subject[:, None] == np.arange(60) % 4)).astype(float))
    y = np.where(np.arange(150) < 12, subject, -1) if labelled else None
    mixed = rng.permutation(150)
    one = Topics(4).fit(counts, y)
    other = Topics(4).fit(counts[mixed], None if y is None else y[mixed])
    assert np.array_equal(one.labels_[mixed], other.labels_)
    assert np.array_equal(one.uncertainty_[mixed], other.uncertainty_)
    assert np.array_equal(one.typicality_[mixed], other.typicality_)
    assert np.array_equal(one.views_[0].labels[mixed], other.views_[0].labels)
    assert np.array_equal(one.projection_.weights, other.projection_.weights)


@pytest.mark.filterwarnings("ignore::vicinal.errors.UnstableClusters")
def test_a_sample_of_documents_in_another_order_is_of_the_same_documents():
    counts = sp.csr_array(np.random.default_rng(0).poisson(0.4, (120, 40)).astype(float))
    mixed = np.random.default_rng(1).permutation(120)
    one, other = (Topics(3, max_documents=60).fit(each) for each in (counts, counts[mixed]))
    assert np.array_equal(np.sort(mixed[other.sample_]), one.sample_)
    assert np.array_equal(one.labels_[mixed], other.labels_)


def test_fewer_different_documents_than_clusters_are_said_once_and_in_our_words():
    texts = [f"apple pear fruit tree {i % 3}" for i in range(12)] + [f"engine wheel car road {i % 3}" for i in range(12)]
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        Topics(20).fit(texts)
    assert [each.category for each in given] == [ClusterCount]
