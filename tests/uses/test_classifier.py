"""Classifier: any number of labels, honest probabilities, explanations that add up, and the order of documents changes nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal import Classifier, Topics
from vicinal._content_keys import content_order
from vicinal._matrix import small_indices
from vicinal.errors import BadData, BadLabels, BadParameter, OneClass, UnembeddedDocuments
from vicinal.uses._classifier import classifier_fit
from vicinal.uses._classifier.ask import worth_labelling
from vicinal.uses._classifier.calibration import Calibration, SoftLabels, calibrate
from vicinal.uses._classifier.error_penalty import chosen_penalty
from vicinal.uses._classifier.few_labels import FEW, FEWEST_WITHOUT, are_few, are_preferred, clustering_of
from vicinal.uses._classifier.held_out_labels import VERY_MANY, HeldOut, held_out_parts, hold_out, parts_of_many
from vicinal.uses._classifier.joint_rows import joined
from vicinal.uses._classifier.leave_one_out import leave_one_out
from vicinal.uses._classifier.pseudo_labels import LARGEST_SHARE, ScaledRows, objects

SUBJECTS = ("cars", "garden", "kitchen")
OWN = 12


def corpus(n_documents=90, seed=0, n_own=4, terms=OWN, n_common=4):
    """Documents of three classes: a few of the twelve terms of the class, and some of thirty that all share."""
    random = np.random.default_rng(seed)
    texts, labels = [], []
    for i in range(n_documents):
        subject = SUBJECTS[i % 3]
        own = [f"{subject}{each}" for each in random.integers(0, terms, n_own)]
        texts.append(" ".join([*own, *(f"common{each}" for each in random.integers(0, 30, n_common))]))
        labels.append(subject)
    return texts, np.array(labels, dtype=object)


@pytest.fixture(scope="module")
def texts_and_labels():
    return corpus()


def few(labels, per_class=2):
    """Labels of the first of each class; None for the rest."""
    kept = np.full(len(labels), None, dtype=object)
    for subject in SUBJECTS:
        kept[np.flatnonzero(labels == subject)[:per_class]] = subject
    return kept


def test_unlabelled_documents_teach_what_terms_belong_together(texts_and_labels):
    texts, labels = texts_and_labels
    test, truth = corpus(60, seed=1)
    with_rest = Classifier().fit(texts, few(labels))
    alone = Classifier(share=0.0).fit(texts, few(labels))
    assert with_rest.share_ > 0
    assert with_rest.score(test, truth) > alone.score(test, truth) + 0.05


@pytest.mark.parametrize("per_class", [1, 2])
def test_very_few_labels_reach_all_documents_of_clear_classes(per_class):
    """A document without a label has its class from clusters that start from labels: machines of so few know too few terms."""
    texts, labels = corpus(180, seed=2)
    test, truth = corpus(120, seed=3)
    model = Classifier().fit(texts, few(labels, per_class))
    assert model.n_pseudo_labelled_ == 180 - 3 * per_class
    assert model.score(texts, labels) > 0.95
    assert model.score(test, truth) > 0.9
    p = model.predict_proba(test).max(axis=1)
    assert p.std() > 0.02
    assert p.mean() == pytest.approx(model.score(test, truth), abs=0.2)


@pytest.mark.parametrize(("per_class", "without_clusters"), [(1, 0.85), (2, 0.95)])
def test_clusters_that_start_from_few_labels_know_more_than_the_labels(per_class, without_clusters, monkeypatch):
    """Classes of forty terms, of which a labelled document has four: what else belongs to a class only the other documents tell."""
    texts, labels = corpus(180, seed=0, terms=40, n_common=8)
    known = few(labels, per_class)
    free = np.flatnonzero(known == None)  # noqa: E711

    def accuracy():
        return float(np.mean(Classifier().fit(texts, known).predict(texts)[free] == labels[free]))

    assert accuracy() > 0.97
    monkeypatch.setattr(classifier_fit, "are_few", lambda *_: False)
    assert accuracy() < without_clusters


def test_clusters_that_are_not_the_classes_are_overruled_by_documents_that_were_held_out():
    """Six subjects in three classes of two each, by labels that are enough to show it."""
    first, second = corpus(300, seed=4), corpus(300, seed=5)
    other = [text.replace("cars", "sea").replace("garden", "moon").replace("kitchen", "law") for text in second[0]]
    texts, labels = [*first[0], *other], np.concatenate([first[1], second[1]])
    known = np.full(600, None, dtype=object)
    for part in (0, 300):
        known[part : part + 24] = labels[part : part + 24]
    model = Classifier().fit(texts, known)
    assert model.score(texts, labels) > 0.9


def test_few_labels_are_few_per_class_beside_documents_enough_to_cluster():
    assert are_few(np.arange(4), 4, FEWEST_WITHOUT)
    assert not are_few(np.arange(4), 4, FEWEST_WITHOUT - 1)
    assert not are_few(np.arange(4 * FEW) % 4, 4, 1000)


def test_a_clustering_is_preferred_if_held_out_documents_gain_or_are_too_few_to_know():
    labels, noise = [0] * 10 + [1] * 10, 0.01 * np.arange(20)
    before = held(np.ones(20), labels)
    assert are_preferred(before, held(0.5 + noise, labels), 2)
    assert not are_preferred(before, held(1.5 + noise, labels), 2)
    assert not are_preferred(before, held(1.0 + np.tile([-1.0, 0.9], 10), labels), 2)  # by less than the error of the mean
    assert are_preferred(held([1.0, 1.0], [0, 1]), held([2.0, 2.0], [0, 1]), 2)


def test_there_is_no_clustering_where_a_class_has_no_document_with_terms():
    counts = np.random.default_rng(0).poisson(0.5, size=(80, 20))
    counts[0], counts[1, 0] = 0, 1
    assert clustering_of(counts, np.array([0, 1] + [-1] * 78), 2, 0, None) is None


def test_minus_one_and_none_are_no_labels(texts_and_labels):
    texts, labels = texts_and_labels
    codes = np.array([-1 if each is None else SUBJECTS.index(each) for each in few(labels)])
    by_number, by_name = Classifier().fit(texts, codes), Classifier().fit(texts, list(few(labels)))
    assert by_number.classes_.tolist() == [0, 1, 2]
    assert by_name.classes_.tolist() == list(SUBJECTS)
    assert by_number.n_labelled_ == by_name.n_labelled_ == 6
    assert by_number.predict_proba(texts).tobytes() == by_name.predict_proba(texts).tobytes()


def test_the_order_of_documents_changes_no_bit(texts_and_labels):
    texts, labels = texts_and_labels
    order = np.random.default_rng(3).permutation(len(texts))
    known = few(labels, 5)
    here = Classifier().fit(texts, known)
    there = Classifier().fit([texts[i] for i in order], known[order])
    assert here.predict_proba(texts).tobytes() == there.predict_proba(texts).tobytes()


def test_terms_add_up_to_the_difference_of_two_scores(texts_and_labels):
    texts, labels = texts_and_labels
    model = Classifier().fit(texts, few(labels, 5))
    for text in texts[:5]:
        scores = model.decision_function([text])[0]
        best, second = np.argsort(-scores)[:2]
        why = model.explain(text)
        assert math.fsum(why.parts) == pytest.approx(why.total, abs=1e-12)
        assert why.total == pytest.approx(scores[best] - scores[second], abs=1e-9)
        assert set(why.terms) <= {*text.split(), "(constant)"}
    one = model.explain(texts[0], label="garden", against="cars")
    assert one.total == pytest.approx(-model.explain(texts[0], label="cars", against="garden").total)


def test_a_class_is_described_by_its_own_terms(texts_and_labels):
    texts, labels = texts_and_labels
    model = Classifier().fit(texts, labels)
    assert all(term.startswith("garden") for term, _ in model.top_terms("garden", 5))
    with pytest.raises(BadParameter, match="no class 'sea'"):
        model.top_terms("sea")


def test_probabilities_are_as_sure_as_they_are_right():
    texts, labels = corpus(600, n_own=1)
    random = np.random.default_rng(0)
    noisy = np.where(random.random(600) < 0.3, random.permutation(labels), labels)
    model = Classifier().fit(texts[:300], noisy[:300])
    p = model.predict_proba(texts[300:])
    assert p.max(axis=1).mean() == pytest.approx(np.mean(model.predict(texts[300:]) == noisy[300:]), abs=0.08)
    assert model.accuracy_ == pytest.approx(np.mean(model.predict(texts[300:]) == noisy[300:]), abs=0.1)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


def test_an_uncertain_document_stays_unlabelled(texts_and_labels):
    texts, labels = texts_and_labels
    model = Classifier(abstain=0.9).fit(texts, few(labels, 5))
    sure, unsure = model.predict(["cars0 cars1 cars2 cars3 cars4"]), model.predict(["common1 common2"])
    assert (sure.tolist(), unsure.tolist()) == (["cars"], [None])
    codes = np.unique(labels.astype(str), return_inverse=True)[1]
    assert Classifier(abstain=0.99).fit(texts, codes).predict(["common1 common2"]).tolist() == [-1]


def test_a_text_without_known_terms_has_equal_probabilities(texts_and_labels):
    texts, labels = texts_and_labels
    np.testing.assert_allclose(Classifier().fit(texts, labels).predict_proba(["zzz"]), 1 / 3)


def test_the_choice_is_kept_with_its_evidence(texts_and_labels):
    texts, labels = texts_and_labels
    model = Classifier().fit(texts, few(labels, 5))
    assert model.share_evidence_.chosen == model.share_
    assert len(model.share_evidence_.scores) == 5
    assert Classifier(share=0.5).fit(texts, labels).share_evidence_ is None


def test_counts_and_texts_give_the_same(texts_and_labels):
    texts, labels = texts_and_labels
    model = Classifier().fit(texts, few(labels))
    counts = model._reader.vectorizer.transform(texts)
    np.testing.assert_allclose(Classifier().fit(counts, few(labels)).predict_proba(counts), model.predict_proba(texts), rtol=1e-6)


def test_what_cannot_be_learnt_is_said(texts_and_labels):
    texts, labels = texts_and_labels
    with pytest.raises(OneClass, match="no label"):
        Classifier().fit(texts, [None] * len(texts))
    with pytest.raises(OneClass, match="one class"):
        Classifier().fit(texts, ["a", *[None] * (len(texts) - 1)])
    with pytest.raises(BadLabels, match="one label per document"):
        Classifier().fit(texts, labels[:-1])
    with pytest.raises(BadParameter, match="share"):
        Classifier(share=2.0).fit(texts, labels)
    with pytest.raises(BadParameter, match="abstain"):
        Classifier(abstain=7).fit(texts, labels)
    with pytest.raises(BadParameter, match="vectorizer"):
        Classifier(vectorizer="english").fit(texts, labels)
    model = Classifier().fit(texts, labels)
    with pytest.raises(BadData, match="fitted to texts"):
        model.predict(np.eye(3))
    with pytest.raises(BadData, match="rows of numbers"):
        Classifier().fit(np.abs(np.random.default_rng(0).normal(size=(9, 4))), [0, 1, 2] * 3).predict(["a"])
    with pytest.raises(BadData, match="one document"):
        model.explain(texts[:2])


def test_leave_one_out_is_fitting_without_each_document():
    random = np.random.default_rng(0)
    X, y, penalty = random.normal(size=(12, 5)), np.arange(12) % 3, 0.3
    found = leave_one_out(X @ X.T, y, 3, penalty)
    wanted = np.eye(3)[y]
    mean = wanted.mean(axis=0)
    for i in range(12):
        rest = np.arange(12) != i
        A = np.linalg.solve(X[rest].T @ X[rest] + penalty * np.eye(5), X[rest].T @ (wanted[rest] - mean))
        np.testing.assert_allclose(found[i], X[i] @ A + mean, atol=1e-9)


def test_weights_of_joint_rows_are_weights_of_terms(texts_and_labels):
    texts, labels = texts_and_labels
    model = Classifier(share=0.5).fit(texts, labels)
    X = model._reader.weights(model._reader.counts(texts))
    joint = model._rule.joint
    rows, random = joint.of(X), np.random.default_rng(0)
    weights, intercepts = random.normal(size=(3, rows.shape[1])), random.normal(size=3)
    np.testing.assert_allclose(joint.to_terms(weights, intercepts, X.shape[1]).transform(X), rows @ weights.T + intercepts)
    np.testing.assert_allclose(joint.lengths(X), np.sqrt(rows.multiply(rows).sum(axis=1)))
    assert joined(None, X).of(X).shape == X.shape


def test_calibration_finds_the_slope_that_made_the_labels():
    random = np.random.default_rng(0)
    scores = random.normal(size=(4000, 3))
    p = np.exp(Calibration(4.0, 1.0).log_probabilities(scores))
    labels = np.array([random.choice(3, p=row) for row in p])
    found = calibrate(scores, labels)
    np.testing.assert_allclose(np.exp(found.log_probabilities(scores)), p, atol=0.05)
    assert calibrate(np.zeros((0, 3)), np.zeros(0, dtype=np.int64)) == Calibration()


def test_few_documents_leave_the_calibration_near_the_usual_one_and_soft_labels_counts():
    scores, labels, at = np.array([[-0.2, 0.2], [-0.2, 0.2]]), np.array([0, 1]), np.array([[0.5, -0.5]])  # one right of two
    few, many = (np.exp(calibrate(np.tile(scores, (n, 1)), np.tile(labels, n)).log_probabilities(at)).max() for n in (1, 100))
    assert few > 0.6
    assert many < few - 0.1
    sure, unsure = (SoftLabels(np.tile([[0.2, -0.2]], (9, 1)), np.tile([[q, 1 - q]], (9, 1)), 50.0) for q in (0.95, 0.6))
    nothing = np.zeros((0, 2)), np.zeros(0, dtype=np.int64)
    high, low = (np.exp(calibrate(*nothing, each).log_probabilities(each.scores))[0, 0] for each in (sure, unsure))
    assert high == pytest.approx(0.95, abs=0.06)
    assert low == pytest.approx(0.6, abs=0.12)


def test_documents_are_held_out_one_of_each_class_where_labels_are_few():
    """Else a class of two would have half as many to learn from as the others, and its documents would be missed."""
    y = np.array([0, 0, 1, 1, 2, 2])
    assert [sorted(y[held_out_parts(y) == part].tolist()) for part in (0, 1)] == [[0, 1, 2], [0, 1, 2]]


def test_probabilities_with_two_labels_per_class_say_something():
    texts, labels = corpus(45, seed=6)  # too few without a label to be clustered
    model = Classifier().fit(texts, few(labels, 2))
    p = model.predict_proba(texts).max(axis=1)
    assert p.max() > 0.5
    assert p.std() > 0.02
    assert model.accuracy_ > 0.2


def test_every_document_is_held_out_once_unless_it_is_alone_or_there_are_very_many():
    parts = held_out_parts(np.array([0] * 30 + [1] * 30 + [2]))
    assert (parts[:60] >= 0).all()
    assert parts[60] == -1
    many = held_out_parts(np.arange(3 * VERY_MANY) % 5)
    assert set(many.tolist()) == {0, -1}
    assert (held_out_parts(np.array([0, 1])) == -1).all()


def test_documents_worth_a_label_are_uncertain_typical_and_different():
    random = np.random.default_rng(0)
    centres = np.eye(6)
    embeddings = np.repeat(centres, 20, axis=0) + 0.05 * random.normal(size=(120, 6))
    sure = np.repeat([True, True, True, False, False, False], 20)
    logs = np.log(np.where(sure[:, None], [[0.98, 0.02]], [[0.5, 0.5]]))
    labelled, order = np.zeros(120, dtype=bool), content_order(embeddings)
    found = worth_labelling(embeddings, logs, 3, order=order, labelled=labelled)
    assert len(set(found.tolist())) == 3
    assert set((found // 20).tolist()) <= {3, 4, 5}
    labelled[60:80] = True
    assert not set(worth_labelling(embeddings, logs, 30, order=order, labelled=labelled).tolist()) & set(range(60, 80))
    assert sorted((worth_labelling(embeddings, None, 6, order=order) // 20).tolist()) == list(range(6))
    assert len(worth_labelling(np.zeros((4, 2)), None, 3, order=np.arange(4))) == 0


def test_asking_again_and_again_never_repeats_a_document(texts_and_labels):
    texts, labels = texts_and_labels
    model = Classifier().fit(texts, few(labels))
    found = model.ask(texts, 7)
    assert len(set(found.tolist())) == len(found) == 7
    assert len(model.ask(texts[:4], 7)) == 4


def test_documents_without_a_label_are_learnt_from_unless_a_share_is_given_or_there_are_none(texts_and_labels):
    texts, labels = texts_and_labels
    with pytest.warns(UnembeddedDocuments):
        taught = Classifier().fit([*texts, ""], [*few(labels, 5), None])
    assert taught.n_pseudo_labelled_ == len(texts) - 15  # nothing is learnt from a document without terms
    assert taught.share_ <= LARGEST_SHARE
    assert "without a label" in taught.share_evidence_.why
    assert Classifier(share=1.0).fit(texts, few(labels, 5)).n_pseudo_labelled_ == 0
    assert Classifier().fit(texts, labels).n_pseudo_labelled_ == 0


def test_pseudo_labels_give_weight_to_terms_that_no_labelled_document_has(texts_and_labels):
    texts, labels = texts_and_labels
    known = few(labels, 2)
    seen = {term for text, label in zip(texts, known, strict=True) if label is not None for term in text.split()}
    unseen = [f"garden{i}" for i in range(OWN) if f"garden{i}" not in seen]
    model, alone = Classifier().fit(texts, known), Classifier(share=0.0).fit(texts, known)
    place, column = {term: i for i, term in enumerate(model.terms_)}, list(model.classes_).index("garden")
    rows = [place[term] for term in unseen]
    assert len(rows) > 2
    assert (model.scores_.weights[rows].argmax(axis=1) == column).mean() > 0.9
    assert np.abs(alone.scores_.weights[rows]).max() == 0


def test_a_large_class_is_found_although_as_many_labels_of_a_small_one_are_given():
    """As many labels of each class say nothing of their sizes; documents without a label do."""
    random = np.random.default_rng(0)
    classes = np.where(np.arange(700) % 7 == 0, 1, 0)
    rates = np.where(np.arange(40) // 20 == classes[:, None], 0.25, 0.15)
    counts = random.poisson(rates)
    labels = np.full(350, -1)
    for each in (0, 1):
        labels[np.flatnonzero(classes[:350] == each)[:15]] = each
    model = Classifier().fit(counts[:350], labels)
    alone = Classifier(share=0.2).fit(counts[:350], labels)
    assert model.n_pseudo_labelled_ > 0
    assert model.score(counts[350:], classes[350:]) > alone.score(counts[350:], classes[350:]) + 0.02


def held(losses, labels):
    return HeldOut(Calibration(), np.array(labels), np.array(losses, dtype=float), 1.0)


def test_documents_that_were_held_out_object_if_they_lose_clearly_and_count_as_their_class_does():
    labels = [0] * 30 + [1] * 30
    before, noise = held(np.ones(60), labels), 0.01 * np.arange(60)
    half = np.array([0.5, 0.5])
    assert objects(before, held(2.0 + noise, labels), half)
    assert not objects(before, held(0.5 + noise, labels), half)
    assert not objects(before, held(1.0 + np.tile([-1.0, 1.1], 30), labels), half)  # by less than the error of the mean
    mixed = np.where(np.array(labels) == 0, 0.5, 2.5) + noise  # the first class gains, the second loses more
    assert not objects(before, held(mixed, labels), np.array([0.95, 0.05]))
    assert objects(before, held(mixed, labels), np.array([0.05, 0.95]))
    assert not objects(held(np.ones(20), labels[20:40]), held(2.0 + noise[:20], labels[20:40]), half)  # too few to know


def test_a_document_is_scored_by_a_rule_that_has_not_seen_it():
    y, asked = np.arange(30) % 3, []

    def scores_without(out):
        asked.append(np.flatnonzero(out))
        return np.eye(3)[y[out]]

    found = hold_out(y, 3, scores_without)
    assert sorted(np.concatenate(asked).tolist()) == list(range(30))
    assert (found.accuracy, len(found.losses)) == (1.0, 30)
    assert found.losses.max() < 0.2
    alone = hold_out(np.array([0, 1]), 2, scores_without)
    assert (alone.accuracy, len(alone.losses)) == (None, 0)


@pytest.mark.parametrize("n_labelled", [90, 300])
def test_labels_that_mean_nothing_are_not_predicted_when_held_out(n_labelled):
    """A rule that had seen the documents which are held out would be right far more often; with 300 there are no pseudo-labels."""
    texts, labels = corpus(300)
    meaningless = np.random.default_rng(0).permutation(labels)
    meaningless[n_labelled:] = None
    assert Classifier().fit(texts, meaningless).accuracy_ < 0.5


def test_accuracy_with_few_labels_is_of_labels_that_no_cluster_has_seen():
    """Two labels a class, dealt at random over three clear subjects: clusters that start from a label hold its document in it."""
    texts, labels = corpus(180, seed=2)
    found = []
    for seed in range(4):
        meaningless = np.full(180, None, dtype=object)
        chosen = np.random.default_rng(seed).permutation(180)[:6]
        meaningless[chosen] = np.repeat(np.array(SUBJECTS, dtype=object), 2)
        model = Classifier().fit(texts, meaningless)
        assert model.n_pseudo_labelled_ == 174
        found.append(model.accuracy_)
    assert np.mean(found) < 0.5
    honest = Classifier().fit(texts, few(labels, 3))
    assert honest.accuracy_ > 0.9
    assert 0.5 < honest.accuracy_interval_[0] < honest.accuracy_ <= honest.accuracy_interval_[1]
    assert Classifier().fit(texts, few(labels, 1)).accuracy_interval_ is None


def many_rows(noise, seed=0):
    """More labelled documents than the usual penalty is for: three terms a document, and a part of the labels wrong."""
    random = np.random.default_rng(seed)
    y = np.arange(VERY_MANY + 300) % 3
    terms = random.integers(0, 100, (len(y), 3)) + 100 * y[:, None]
    rows = sp.csr_array((np.full(terms.size, 0.5), (np.repeat(np.arange(len(y)), 3), terms.ravel())), shape=(len(y), 300))
    wrong = random.random(len(y)) < noise
    return ScaledRows(small_indices(rows), np.ones(len(y))), np.where(wrong, random.integers(0, 3, len(y)), y)


def test_errors_cost_less_where_many_labels_are_wrong_and_the_usual_where_labels_are_not_many():
    clean, noisy = many_rows(0.0), many_rows(0.6)
    assert chosen_penalty(*noisy, 3) < 1.0 <= chosen_penalty(*clean, 3)
    few_of_noisy = noisy[0][slice(VERY_MANY)], noisy[1][:VERY_MANY]
    assert chosen_penalty(*few_of_noisy, 3) == 1.0


def test_the_documents_that_choose_the_penalty_are_not_those_that_the_rule_is_judged_by():
    y = np.arange(2 * VERY_MANY) % 5
    chooses, judges = parts_of_many(y) == 1, held_out_parts(y) == 0
    assert chooses.any()
    assert judges.any()
    assert not (chooses & judges).any()


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint64, np.int8])
def test_a_classifier_that_abstains_says_minus_one_of_labels_that_cannot_hold_it(kind):
    X, y = (
        [[2, 0], [3, 1], [0, 2], [1, 3]],
        np.array([0, 0, 200 if kind != np.int8 else 100, 200 if kind != np.int8 else 100], kind),
    )
    found = Classifier(abstain=0.9).fit(X, y).predict([[1, 1], [0, 5]])
    assert found.tolist() == [-1, int(y[-1])]


def test_labels_of_a_nullable_series_may_be_missing():
    pandas = pytest.importorskip("pandas")
    X = [[2, 0], [3, 1], [0, 2], [1, 3]]
    for labels in (pandas.Series(["a", None, "b", None]), pandas.Series([4, None, 7, None], dtype="Int64")):
        model = Classifier().fit(X, labels)
        assert (model.n_labelled_, model.classes_.tolist()) == (2, [labels[0], labels[2]])
        assert model.predict([[0, 5]]).tolist() == [labels[2]]
        topics = Topics(2).fit(X, labels)
        assert topics.classes_[topics.labels_].tolist()[::2] == [labels[0], labels[2]]
