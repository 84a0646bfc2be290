"""Categories: labels are learnt from, kept, and every decision is told by its words."""

from __future__ import annotations

import math

import pytest

import vicinal
from vicinal.errors import BadLabels, BadParameter, OneClass, TooFewDocuments

FEW = {f"{subject}-{number}": subject for subject in ("cars", "garden", "kitchen") for number in range(3)}


def test_a_column_of_metadata_teaches_all(index):
    done = index.label(column="subject")
    assert done.labelled == 60
    assert done.classes == (("cars", 20), ("garden", 20), ("kitchen", 20))
    assert done.accuracy == 1.0


def test_three_labels_of_each_sort_the_rest(index, documents):
    assert index.label(FEW).labelled == 9
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
    index.fit(dimensions=4)
    assert index.classify(["a car with an engine"])[0].label == "cars"


def test_labels_can_be_taken_away_again(index):
    index.label(FEW)
    assert index.label({"cars-0": ""}).labelled == 8


def test_what_cannot_be_learnt_is_said_and_changes_nothing(index, tmp_path):
    with pytest.raises(BadLabels, match="has learnt no classes yet"):
        index.classify(["car"])
    with pytest.raises(OneClass):
        index.label({"cars-1": "cars", "cars-2": "cars"})
    with pytest.raises(BadLabels, match="learnt no classes"):
        index.classify(["car"])
    with pytest.raises(BadLabels, match="column 'colour'"):
        index.label(column="colour")
    with pytest.raises(BadParameter, match="not in"):
        index.label({"nobody": "x"})
    with pytest.raises(BadParameter, match="one of the two"):
        index.label()
    with vicinal.open(tmp_path / "new.vic", create=True) as empty, pytest.raises(TooFewDocuments, match="to label"):
        empty.label({})


def test_nothing_to_sort_gives_nothing(index):
    index.label(FEW)
    assert index.classify() == []


def test_a_sorted_index_is_sound(index):
    index.label(column="subject")
    assert index.check() == []
