"""Documents that must be in one cluster are, and those that cannot be are not; contradictions are named."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.laws.subjects import counted, planted
from vicinal import Topics
from vicinal.errors import BadParameter, UnembeddedDocuments
from vicinal.metrics import normalized_mutual_info

TEXTS, SUBJECT = planted()
RNG = np.random.default_rng(3)
MUST = [tuple(pair) for pair in RNG.choice(len(TEXTS), (8, 2), replace=False).tolist()]
FREE = np.setdiff1d(np.arange(len(TEXTS)), np.ravel(MUST))
CANNOT = [tuple(pair) for pair in RNG.choice(FREE, (8, 2), replace=False).tolist()]


def obeys(labels, must=(), cannot=()):
    return all(labels[i] == labels[j] for i, j in must) and all(labels[i] != labels[j] for i, j in cannot)


@pytest.fixture(scope="module")
def free():
    return Topics(n_clusters=4).fit(TEXTS)


@pytest.fixture(scope="module")
def linked():
    return Topics(n_clusters=4).fit(TEXTS, must_link=MUST, cannot_link=CANNOT)


def test_labels_obey_links_that_they_would_not_obey_otherwise(free, linked):
    assert not obeys(free.labels_, MUST)
    assert not obeys(free.labels_, cannot=CANNOT)
    assert obeys(linked.labels_, MUST, CANNOT)
    assert linked.n_clusters_ == 4
    assert linked.sizes_.tolist() == np.bincount(linked.labels_).tolist()
    assert np.array_equal(linked.cut().labels, linked.labels_)


def test_links_that_are_true_leave_the_subjects_as_they_are():
    pairs = list(itertools.combinations(range(0, len(TEXTS), 4), 2))
    must = [(i, j) for i, j in pairs if SUBJECT[i] == SUBJECT[j]]
    cannot = [(i, j) for i, j in pairs if SUBJECT[i] != SUBJECT[j]]
    found = Topics(n_clusters=4).fit(TEXTS, must_link=must, cannot_link=cannot)
    assert obeys(found.labels_, must, cannot)
    assert normalized_mutual_info(SUBJECT, found.labels_) > 0.95


def test_documents_are_joined_through_others():
    chain = np.flatnonzero(SUBJECT == 0)[:2].tolist() + np.flatnonzero(SUBJECT == 2)[:3].tolist()
    found = Topics(n_clusters=4).fit(TEXTS, must_link=np.array(list(itertools.pairwise(chain))))
    assert len(set(found.labels_[chain].tolist())) == 1


def test_a_linked_document_moves_and_those_without_a_link_stay(free):
    i, j = np.flatnonzero(SUBJECT == 0)[0], np.flatnonzero(SUBJECT == 3)[0]
    found = Topics(n_clusters=4).fit(TEXTS, must_link=[(i, j)])
    assert found.labels_[i] == found.labels_[j]
    assert 1 <= np.count_nonzero(found.labels_ != free.labels_) <= 3  # one, and by rounding a document between two clusters


def test_new_documents_are_assigned_by_terms_alone(linked):
    assert np.array_equal(linked.predict(TEXTS[:1] * 3), np.repeat(linked.predict(TEXTS[:1]), 3))


def test_the_order_of_documents_and_of_pairs_does_not_matter(linked):
    order = np.random.default_rng(5).permutation(len(TEXTS))
    place = np.argsort(order)
    must = [(int(place[j]), int(place[i])) for i, j in MUST[::-1]]
    cannot = [(int(place[j]), int(place[i])) for i, j in CANNOT[::-1]]
    found = Topics(n_clusters=4).fit([TEXTS[i] for i in order], must_link=must, cannot_link=cannot)
    assert np.array_equal(found.labels_, linked.labels_[order])
    assert np.array_equal(found.rule_.scores.weights, linked.rule_.scores.weights)


def test_duplicates_with_different_links_do_not_depend_on_their_order():
    texts = [*TEXTS, TEXTS[0], TEXTS[0]]
    far = int(np.flatnonzero(SUBJECT[0] != SUBJECT)[0])
    last = len(TEXTS)
    answers = []
    for duplicate in (0, last, last + 1):
        found = Topics(n_clusters=4).fit(texts, must_link=[(duplicate, far)])
        labels = found.labels_
        answers.append(
            (labels[1:last].tolist(), sorted(labels[[0, last, last + 1]].tolist()), found.rule_.scores.weights.tobytes())
        )
    assert answers[0] == answers[1] == answers[2]


def test_no_links_are_the_same_as_none(free):
    assert np.array_equal(Topics(n_clusters=4).fit(TEXTS, must_link=[], cannot_link=[]).labels_, free.labels_)


def test_as_many_documents_apart_as_clusters_are_one_in_each():
    garden = np.flatnonzero(SUBJECT == 0)[:4]
    found = Topics(n_clusters=4).fit(TEXTS, cannot_link=list(itertools.combinations(garden.tolist(), 2)))
    assert sorted(found.labels_[garden].tolist()) == [0, 1, 2, 3]


def test_a_number_found_automatically_is_large_enough_for_what_is_apart():
    many = np.flatnonzero(SUBJECT == 0)[:14]
    found = Topics().fit(TEXTS, cannot_link=list(itertools.combinations(many.tolist(), 2)))
    assert len(set(found.labels_[many].tolist())) == 14
    assert "cannot_link keeps so many documents apart" in found.n_clusters_evidence_.why


def test_a_document_that_must_be_with_a_labelled_one_has_its_class():
    y = np.full(len(TEXTS), None, dtype=object)
    y[:6] = [f"subject {each}" for each in SUBJECT[:6]]
    other = int(np.flatnonzero(SUBJECT[6:] != SUBJECT[0])[0]) + 6
    found = Topics(n_clusters=4).fit(TEXTS, y, must_link=[(other, 0)])
    assert found.classes_[found.labels_[other]] == y[0]


def test_seed_words_and_links_go_together():
    found = Topics(n_clusters=4).fit(TEXTS, seed_words={"sea": ["ship", "anchor"]}, must_link=MUST, cannot_link=CANNOT)
    assert obeys(found.labels_, MUST, CANNOT)
    assert np.mean(SUBJECT[found.labels_ == 0] == 3) > 0.5


def test_links_hold_with_views_of_a_part_of_the_documents_and_without_counts():
    assert obeys(Topics(4, max_documents=40).fit(TEXTS, must_link=MUST, cannot_link=CANNOT).labels_, MUST, CANNOT)
    counts, _ = counted()
    weights = counts.toarray() - 0.5
    assert obeys(Topics(5).fit(weights, must_link=MUST, cannot_link=CANNOT).labels_, MUST, CANNOT)


def test_a_document_without_terms_has_no_cluster_and_joins_others_all_the_same():
    with pytest.warns(UnembeddedDocuments):
        found = Topics(n_clusters=4).fit(["", *TEXTS], must_link=[(0, 5), (0, 9)], cannot_link=[(0, 1)])
    assert found.labels_[0] == -1
    assert found.labels_[5] == found.labels_[9] != found.labels_[1]


@pytest.mark.parametrize("name", ["must_link", "cannot_link"])
@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ("01", "must be pairs of numbers of documents, got '01'"),
        (3, "must be pairs of numbers of documents, got 3"),
        ({0: 1}, "must be pairs of numbers of documents"),
        ([0, 1], "must be pairs of whole numbers, those of two documents, got 0"),
        ([(0, 1, 2)], r"got \(0, 1, 2\)"),
        ([(0.0, 1.0)], r"got \(0.0, 1.0\)"),
        ([(True, 2)], r"got \(True, 2\)"),
        ([("0", "1")], "must be pairs of whole numbers"),
        ([(0, -1)], r"has \(0, -1\), but documents are numbered 0 to 62"),
        ([(0, 63)], r"has \(0, 63\), but documents are numbered 0 to 62"),
    ],
)
def test_what_is_no_pair_of_documents_is_refused(name, pairs, says):
    with pytest.raises(BadParameter, match=f"{name} .*{says}"):
        Topics(n_clusters=4).fit(TEXTS, **{name: pairs})


def test_contradictions_are_refused():
    y = np.full(len(TEXTS), -1)
    y[:4] = [0, 0, 1, 1]
    clique = list(itertools.combinations(range(5), 2))
    model = Topics(n_clusters=4)
    with pytest.raises(BadParameter, match=r"cannot_link has \(2, 2\), but a document is always in a cluster with itself"):
        model.fit(TEXTS, cannot_link=[(2, 2)])
    with pytest.raises(BadParameter, match="documents 0 and 2 are in cannot_link but must_link joins them"):
        model.fit(TEXTS, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)])
    with pytest.raises(BadParameter, match="must_link joins documents of two classes"):
        model.fit(TEXTS, y, must_link=[(0, 9), (9, 2)])
    with pytest.raises(BadParameter, match="cannot_link keeps documents apart that have one label, 0"):
        model.fit(TEXTS, y, cannot_link=[(0, 1)])
    with pytest.raises(BadParameter, match="keeps more documents apart than 4 clusters allow"):
        model.fit(TEXTS, cannot_link=clique)
    assert not hasattr(model, "labels_")
