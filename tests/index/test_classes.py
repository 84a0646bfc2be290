"""Categories: labels are learnt from, kept, and every decision is told by its words."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import vicinal
from vicinal._content_keys import content_order
from vicinal.errors import BadLabels, BadParameter, TooFewDocuments
from vicinal.index._labels.classes import load_classes
from vicinal.uses._classifier.classifier_fit import fit_rule
from vicinal.uses._classifier.few_labels import clustering_of

FEW = {f"{subject}-{number}": subject for subject in ("cars", "garden", "kitchen") for number in range(3)}


def test_a_column_of_metadata_teaches_all(index):
    done = index.label(column="subject")
    assert done.n_labelled == 60
    assert done.classes == (("cars", 20), ("garden", 20), ("kitchen", 20))
    assert done.accuracy == 1.0


def test_three_labels_of_each_sort_the_rest(index, documents):
    assert index.label(FEW).n_labelled == 9
    rest = [document.id for document in documents if document.id not in FEW]
    found = index.classify(ids=rest)
    assert [category.label for category in found] == [id.partition("-")[0] for id in rest]
    assert [category.id for category in found] == rest


def test_probabilities_are_shares_and_words_add_up(index):
    index.label(FEW)
    [category] = index.classify(["bread and butter from the oven"])
    assert category.label == "kitchen"
    assert 1 / 3 < category.probability <= 1
    assert category.probability + sum(p for _, p in category.others) == pytest.approx(1.0)
    assert math.fsum(category.why.parts) == pytest.approx(category.why.total)
    assert category.why.total > 0
    assert {"bread", "oven", "butter"} & {word for word, _ in category.why.top(3)}


def test_a_text_without_known_words_has_no_class(index):
    index.label(FEW)
    [category] = index.classify(["zzz"])
    assert (category.label, category.probability, category.others) == ("", 0.0, ())


def test_classes_last_and_are_learnt_again_after_a_fit(index):
    index.label(FEW)
    before = index.classify(["a car with an engine"])[0]
    with vicinal.open(index.path) as again:
        after = again.classify(["a car with an engine"])[0]
        assert (after.label, after.probability) == (before.label, before.probability)
    index.fit(n_components=4)
    assert index.classify(["a car with an engine"])[0].label == "cars"


def test_labels_that_documents_were_read_with_are_learnt_from(index, documents):
    index.update([replace(document, label=FEW.get(document.id, "")) for document in documents])
    assert index.label().classes == (("cars", 3), ("garden", 3), ("kitchen", 3))
    assert index.classify(ids=["garden-9"])[0].label == "garden"


def test_labels_can_be_taken_away_again(index):
    index.label(FEW)
    assert index.label({"cars-0": ""}).n_labelled == 8


def test_labels_of_one_class_are_kept_until_there_is_another(index):
    assert vars(index.label({"cars-1": "cars", "cars-2": "cars"})) == {"n_labelled": 2, "classes": (("cars", 2),), "accuracy": None}
    with pytest.raises(BadLabels, match="has no classes"):
        index.classify(["car"])
    assert index.label({"garden-1": "garden", "garden-2": "garden"}).n_labelled == 4
    assert index.classify(ids=["garden-9"])[0].label == "garden"
    index.label({"garden-1": "", "garden-2": ""})  # and a class that is taken away is no longer sorted into
    with pytest.raises(BadLabels, match="has no classes"):
        index.classify(["car"])


def test_what_cannot_be_learnt_is_said_and_changes_nothing(index, tmp_path):
    with pytest.raises(BadLabels, match="has no classes yet"):
        index.classify(["car"])
    with pytest.raises(BadLabels, match=r"column 'colour'.*subject, year"):
        index.label(column="colour")
    with pytest.raises(BadParameter, match="not in"):
        index.label({"nobody": "x"})
    with pytest.raises(BadParameter, match="not both"):
        index.label(FEW, column="subject")
    with pytest.raises(BadLabels, match="has known terms has a label"):
        index.label()
    with vicinal.open(tmp_path / "new.vic", create=True) as empty, pytest.raises(TooFewDocuments, match="to label"):
        empty.label({})


def test_nothing_to_sort_gives_nothing(index):
    index.label(FEW)
    assert index.classify() == []


def test_a_sorted_index_is_sound(index):
    index.label(column="subject")
    assert index.check() == []


def test_pairs_drawn_by_chance_are_not_found_again_when_held_back(index, documents):
    """A document is near its pair by chance alone; a rule that knew its label would find itself, in four cases of ten."""
    drawn = random.Random(0).sample(documents, len(documents))
    done = index.label({document.id: f"pair {number // 2}" for number, document in enumerate(drawn)})
    assert done.accuracy < 0.2


def test_probabilities_are_as_sure_as_the_rule_is_right(index, documents):
    ids = [document.id for document in documents]
    truth = [id.partition("-")[0] for id in ids]
    chance = random.Random(0)
    noisy = [chance.choice(["cars", "garden", "kitchen"]) if number % 2 else label for number, label in enumerate(truth)]
    for labels, margin in ((truth, 0.05), (noisy, 0.1)):
        done = index.label(dict(zip(ids, labels, strict=True)))
        sure = [category.probability for category in index.classify(ids=ids)]
        assert sum(sure) / len(sure) == pytest.approx(done.accuracy, abs=margin)


def test_the_documents_to_label_next_have_no_label_and_lie_in_all_clusters(index):
    first = index.ask(3)
    assert {found.id.partition("-")[0] for found in first} == {"cars", "garden", "kitchen"}
    assert {found.label for found in first} == {""}
    index.label(FEW)
    more = index.ask(10)
    assert len({found.id for found in more}) == 10
    assert not {found.id for found in more} & set(FEW)
    assert all(found.label for found in more)


def test_every_document_labelled_leaves_nothing_to_ask(index):
    index.label(column="subject")
    assert index.ask(5) == []
    with pytest.raises(BadParameter, match="n must"):
        index.ask(0)


def test_an_index_and_the_classifier_have_the_same_rule(index, documents):
    """The rule of the index is that of `vicinal.Classifier` on the terms of the index, in single precision, clusters included."""
    index.label(FEW)
    with index._reading() as snapshot:
        loaded, model, rows = load_classes(snapshot), snapshot.model, snapshot.rows
        X, labels = model.vocabulary.weighted(rows.counts), learnable(snapshot)
    counts, order = rows.counts[:, model.vocabulary.columns], content_order(X, labels)
    clusters = partial(clustering_of, counts[order], labels[order], 3, 0, None)
    fitted = fit_rule(X[order], labels[order], 3, model.projection, clustering=clusters)
    found = loaded.rule.log_probabilities(X)
    assert loaded.names == ("cars", "garden", "kitchen")
    np.testing.assert_allclose(found, fitted.log_probabilities(X), atol=1e-5)
    by_labels = fit_rule(X, labels, 3, model.projection)  # clusters know more than three labels of each class do
    assert not np.allclose(found, by_labels.log_probabilities(X), atol=1e-2)


def learnable(snapshot):
    """The class of each row, -1 for none."""
    ids = {stored.number: stored.document.id for stored in snapshot.documents.at(snapshot.rows.numbers.tolist())}
    names = ("cars", "garden", "kitchen")
    return np.array([names.index(FEW[ids[each]]) if ids[each] in FEW else -1 for each in snapshot.rows.numbers.tolist()])


@pytest.mark.parametrize("nothing", ["", None, -1, np.int64(-1), "-1", float("nan")])
def test_what_is_no_label_removes_one_and_makes_no_class(index, nothing):
    index.label(FEW)
    done = index.label({"cars-0": nothing, "garden-0": nothing})
    assert done.classes == (("cars", 2), ("garden", 2), ("kitchen", 3))
    assert index.label({"cars-5": nothing}).n_labelled == 7


@pytest.mark.parametrize("nothing", [-1, "-1"])
def test_no_label_in_a_column_makes_no_class(tmp_path, nothing):
    index = vicinal.open(tmp_path / "column.vic", create=True)
    texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
    values = ["farm", "farm", nothing, "sport", "sport", nothing]
    given = enumerate(zip(texts, values, strict=True))
    index.add(vicinal.Document(f"d{i}", text, metadata={"of": value}) for i, (text, value) in given)
    index.fit(n_clusters=2)
    assert index.label(column="of").classes == (("farm", 2), ("sport", 2))


def test_a_fit_that_drops_the_classes_says_so_and_classify_says_why(index):
    index.label({"cars-0": "cars", "cars-1": "cars", "garden-0": "garden"})
    index.remove(["garden-0"])
    notes = index.fit().notes
    assert any("the classes of the index are dropped" in note and "'cars' is the only class that is left" in note for note in notes)
    with pytest.raises(BadLabels, match="are all 'cars', and a classifier needs two classes"):
        index.classify(["a car"])
    assert not any("classes" in note for note in index.fit().notes)


def test_a_fit_after_the_last_labelled_document_is_removed_says_so(index):
    index.label({"cars-0": "cars", "garden-0": "garden"})
    index.remove(["cars-0", "garden-0"])
    assert any("no labelled document with terms is left" in note for note in index.fit().notes)
    with pytest.raises(BadLabels, match="has no classes yet"):
        index.classify(["a car"])


def test_labels_that_were_read_and_not_learnt_are_told_from_none(tmp_path, documents):
    with vicinal.open(tmp_path / "read.vic", create=True) as index:
        index.add(replace(each, label=each.metadata["subject"]) for each in documents)
        index.fit(n_clusters=3, n_components=5, n_neighbors=5)
        with pytest.raises(BadLabels, match=r"are not learnt yet. Learn from them first: label\(\)"):
            index.classify(["a car"])
