"""Seed words name clusters: the one named after a subject is that subject's; what cannot be looked up is refused in words."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from tests.laws.subjects import SUBJECTS, counted, planted, same_groups
from vicinal import Topics, Vectorizer
from vicinal._content_keys import keys_of_rows
from vicinal.errors import BadParameter, UnknownWords
from vicinal.uses._topics.topics_seeds import _suggest

TEXTS, SUBJECT = planted()
NAMES = np.array(list(SUBJECTS), dtype=object)
SEEDS = {name: SUBJECTS[name][:2] for name in SUBJECTS}


def right(found, names, documents=slice(None)):
    """Share of documents that are in the cluster named after their subject."""
    return np.mean(np.append(found.classes_, ["no class"] * 9)[found.labels_[documents]] == names[documents])


@pytest.fixture(scope="module")
def seeded():
    return Topics(n_clusters=4).fit(TEXTS, seed_words=SEEDS)


def test_a_cluster_with_the_name_of_a_subject_has_its_documents(seeded):
    assert seeded.classes_.tolist() == sorted(SEEDS)
    assert right(seeded, NAMES[SUBJECT]) > 0.95


def test_a_class_whose_words_are_rare_gets_its_documents():
    texts = [f"{text} lighthouse" if i in np.flatnonzero(SUBJECT == 3)[:2] else text for i, text in enumerate(TEXTS)]
    found = Topics(n_clusters=4).fit(texts, seed_words={"coast": ["lighthouse"], "rails": SUBJECTS["railway"][:3]})
    assert found.classes_.tolist() == ["coast", "rails"]
    assert np.mean(found.labels_[SUBJECT == 3] == 0) > 0.8
    assert np.mean(SUBJECT[found.labels_ == 0] == 3) > 0.8


def test_more_clusters_than_classes_hold_what_else_there_is():
    found = Topics(n_clusters=4).fit(TEXTS, seed_words={"sea": ["ship", "anchor"], "kitchen": ["bread", "oven"]})
    assert found.n_clusters_ == 4
    assert same_groups(found.labels_, SUBJECT)
    assert right(found, NAMES[SUBJECT], np.isin(SUBJECT, [1, 3])) == 1.0


def test_fewer_clusters_than_classes_are_as_many_as_the_classes():
    with pytest.warns(UserWarning, match="each class of y and seed_words is a cluster"):
        assert Topics(n_clusters=2).fit(TEXTS, seed_words=SEEDS).n_clusters_ == 4


def test_labels_are_kept_and_named_before_the_classes_of_seed_words():
    y = np.full(len(TEXTS), None, dtype=object)
    y[np.flatnonzero(SUBJECT == 3)[:2]] = "sea"
    y[np.flatnonzero(SUBJECT == 0)[0]] = "sea"  # wrong, and kept
    found = Topics(n_clusters=4).fit(TEXTS, y, seed_words={name: SEEDS[name] for name in ("garden", "sea", "railway")})
    assert found.classes_.tolist() == ["sea", "garden", "railway"]
    assert (found.labels_[y == "sea"] == 0).all()
    assert right(found, NAMES[SUBJECT], (SUBJECT != 1) & (y != "sea")) > 0.9


def test_a_document_that_seed_words_mislead_about_goes_where_its_terms_are():
    misled = "soil soil rose rose ship anchor sail harbour wave captain tide mast island storm ship sail"
    y = np.full(len(TEXTS) + 1, -1)
    y[-1] = 0
    assert Topics(n_clusters=4).fit([*TEXTS, misled], y).labels_[-1] == 0  # a label holds it
    found = Topics(n_clusters=4).fit([*TEXTS, misled], seed_words={"garden": ["rose", "soil"]})
    assert found.labels_[-1] == np.bincount(found.labels_[:-1][SUBJECT == 3]).argmax() != 0


def test_neither_the_order_of_documents_nor_that_of_classes_and_words_matters(seeded):
    order = np.random.default_rng(1).permutation(len(TEXTS))
    turned = {name: SEEDS[name][::-1] for name in reversed(SEEDS)}
    found = Topics(n_clusters=4).fit([TEXTS[i] for i in order], seed_words=turned)
    assert np.array_equal(found.labels_, seeded.labels_[order])
    assert np.array_equal(found.rule_.scores.weights, seeded.rule_.scores.weights)
    renamed = Topics(n_clusters=4).fit(TEXTS, seed_words={name[::-1]: SEEDS[name] for name in SEEDS})
    assert [renamed.classes_[i][::-1] for i in renamed.labels_] == [seeded.classes_[i] for i in seeded.labels_]


def test_which_documents_are_suggested_does_not_depend_on_their_order():
    counts = Vectorizer("tf", unit=False, max_df=1.0).fit_transform(TEXTS)
    keys, free = keys_of_rows(counts, None), np.ones(len(TEXTS), dtype=bool)
    order = np.random.default_rng(1).permutation(len(TEXTS))
    columns = [[0, 1, 2], [10, 11, 12]]
    suggested = _suggest(counts, columns, free, keys)
    assert np.array_equal(_suggest(counts[order], columns, free, keys[order]), suggested[order])
    assert np.bincount(suggested[suggested >= 0]).tolist() == [6, 6]  # a tenth of 63 documents each


def test_words_are_read_as_those_of_documents_are():
    pytest.importorskip("Stemmer")
    stemming = Topics(n_clusters=4, vectorizer=Vectorizer(stem="english", max_df=1.0))
    found = stemming.fit(TEXTS, seed_words={"sea": ["SHIPS", "Anchored"]})
    assert np.mean(SUBJECT[found.labels_ == 0] == 3) > 0.9


def test_the_columns_of_a_data_frame_are_looked_up_by_name():
    counts, topic = counted()
    frame = pd.DataFrame(counts.toarray(), columns=[f"t{i}" for i in range(60)])
    found = Topics(n_clusters=5).fit(frame, seed_words={"third": ["t2", "t7"]})
    assert np.mean(topic[found.labels_ == 0] == 2) > 0.9


def test_views_of_a_part_of_the_documents_know_the_classes_too():
    found = Topics(n_clusters=4, max_documents=40).fit(TEXTS, seed_words=SEEDS)
    assert right(found, NAMES[SUBJECT]) > 0.9


def test_an_unknown_word_among_others_is_named_in_a_warning():
    with pytest.warns(UnknownWords, match=r"seed_words\['sea'\] has 'submarine', but no document has it"):
        Topics(n_clusters=4).fit(TEXTS, seed_words={"sea": ["ship", "submarine"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Topics(n_clusters=4).fit(TEXTS, seed_words={"sea": ["ship", "Anchor"]})


@pytest.mark.parametrize(
    ("seed_words", "says"),
    [
        ([("sea", ["ship"])], "must be words by the name of their class"),
        ({}, "must be words by the name of their class"),
        ({"sea": []}, r"seed_words\['sea'\] must be a list of one or more words, got \[\]"),
        ({"sea": "ship"}, "must be a list of one or more words, got 'ship'"),
        ({"sea": [1]}, "must be a list of one or more words"),
        ({None: ["ship"]}, "cannot name a class None"),
        ({-1: ["ship"]}, "cannot name a class -1"),
        ({1: ["ship"], "1": ["rose"]}, "the class 1 is named twice, as '1' and 1"),
        ({"sea": ["submarine", "periscope"]}, "has no known word, got 'periscope', 'submarine'"),
        ({"sea": ["ship"], "boats": ["ship", "sail"]}, "have 'ship' for both 'boats' and 'sea'"),
    ],
)
def test_seed_words_that_cannot_be_used_are_refused(seed_words, says):
    with pytest.raises(BadParameter, match=says):
        Topics(n_clusters=4).fit(TEXTS, seed_words=seed_words)


def test_a_matrix_without_names_or_without_counts_is_refused():
    counts, _ = counted()
    with pytest.raises(BadParameter, match="a matrix without names of its columns"):
        Topics(n_clusters=5).fit(counts, seed_words={"a": ["t1"]})
    frame = pd.DataFrame(counts.toarray() - 0.5, columns=[f"t{i}" for i in range(60)])
    with pytest.raises(BadParameter, match="negative weights"):
        Topics(n_clusters=5).fit(frame, seed_words={"a": ["t1"]})


def test_a_class_whose_words_never_dominate_is_refused():
    texts = [f"{text} whale" if "ship" in text else text for text in TEXTS]
    with pytest.raises(BadParameter, match="no document can start the class 'whales'"):
        Topics(n_clusters=4).fit(texts, seed_words={"sea": ["ship", "anchor"], "whales": ["whale"]})


@pytest.mark.parametrize(
    "given",
    [
        {"seed_words": {"grain": ["wheat"], "games": ["goal"]}},
        {"must_link": [(0, 3)]},
        {"cannot_link": [(0, 1)]},
        {"views": [[0, 0, 0, 1, 1, 1]]},
        {"embeddings": [[1.0, 0.0]] * 3 + [[0.0, 1.0]] * 3},
    ],
    ids=lambda given: next(iter(given)),
)
def test_fitting_and_applying_in_one_call_takes_what_fit_takes(given):
    texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        fitted = Topics(2).fit(texts, **given)
        assert Topics(2).fit_predict(texts, **given).tolist() == fitted.labels_.tolist()
        assert np.array_equal(Topics(2).fit_transform(iter(texts), **given), fitted.transform(texts))
    with pytest.raises(TypeError, match="unknown"):
        Topics(2).fit_predict(texts, unknown=1)
