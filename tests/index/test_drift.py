"""Drift: documents of the same subjects give no reason to fit, those of a new subject do, and a fit ends it."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

import vicinal
from tests.index.small import SHARED, SUBJECTS, document, documents, fitted
from vicinal._store import Arrays
from vicinal.index import _stored
from vicinal.index._drift.drift import drift_of
from vicinal.index._drift.drift_rows import held_out

MEASURED = ("unknown_words", "uncertainty", "closeness")


@pytest.fixture(name="index")
def fitted_index(tmp_path):
    with vicinal.open(tmp_path / "small.vic", create=True) as index:
        index.add(documents(range(20)))
        fitted(index)
        yield index


def about(words, numbers):
    """Documents of a subject of its own, in the words that all subjects share and in others."""
    chance = random.Random(words)
    texts = (" ".join([*chance.choices(words.split(), k=12), *chance.choices(SHARED, k=4)]) for _ in numbers)
    return [vicinal.Document(f"{words[:5]}-{number}", text) for number, text in zip(numbers, texts, strict=True)]


def test_nothing_new_is_no_drift_and_more_of_the_same_gives_no_reason_to_fit(index):
    assert index.info().drift is None
    index.add(documents(range(20, 30)))
    drift = index.info().drift
    assert (drift.n_documents, drift.share) == (30, pytest.approx(1 / 3))
    assert not drift.fit_pays
    assert drift.advice.startswith("The fit still describes the documents")
    assert index.needs_fit()  # a fit would change something, and would not pay


def test_documents_of_a_new_subject_make_a_fit_pay_and_after_it_there_is_no_drift(index):
    index.add(about("planet orbit comet telescope galaxy moon", range(10)))
    drift = index.info().drift
    assert drift.fit_pays
    assert drift.advice.startswith("A fit pays: ")
    assert f"{drift.unknown_words:.0%} of their words are unknown" in drift.advice
    assert drift.unknown_words == pytest.approx(0.75, abs=0.03)  # 12 of 16
    index.fit(n_clusters=4)
    assert index.info().drift is None


def test_a_new_mixture_of_known_words_is_drift_too(index):
    index.add(about(" ".join(SUBJECTS.values()), range(20)))
    drift = index.info().drift
    assert drift.unknown_words == 0
    assert drift.fit_pays
    assert "further from the clusters" in drift.advice


def test_fewer_documents_than_neighbours_and_a_mean_within_chance_give_no_reason(index):
    index.add(about("planet orbit comet telescope galaxy moon", range(3)))
    assert "too few" in index.info().drift.advice
    new, old = np.full((16, 3), 0.6), np.repeat([[0.0], [1.0]], 50, axis=0).repeat(3, axis=1)
    new[:, 2] = 0.4
    assert not drift_of(new, old, 15).fit_pays  # 0.2 deviations
    new[:, 1] = 1.0
    assert drift_of(new, old, 15).fit_pays
    assert not drift_of(new[:9], old, 15).fit_pays


def test_a_fit_pays_when_half_of_the_documents_are_new_to_it(index):
    index.add(documents(range(20, 40)))
    assert "50% of the documents came since" in index.info().drift.advice


def test_a_changed_document_is_new_and_a_removed_one_is_not(index):
    index.remove(["cars-0"])
    assert (index.needs_fit(), index.info().drift) == (True, None)
    index.update([replace(document("cars", 1), text="another text about a car and its engine")])
    assert index.info().drift.n_documents == 1


def test_words_expected_to_be_unknown_are_those_of_no_other_document(tmp_path):
    with vicinal.open(tmp_path / "own.vic", create=True) as index:
        index.add([replace(each, text=f"{each.text} only{place}", title="") for place, each in enumerate(documents(range(8)))])
        fitted(index)
        index.add([replace(each, title="") for each in documents(range(8, 10))])
        assert index.info().drift.expected_unknown_words == pytest.approx(1 / 17)


def test_what_is_expected_of_a_document_does_not_depend_on_itself(index):
    model, rows = index._cache.model(), index._cache.state().rows
    before = held_out(model, rows.counts, rows.clusters)
    moved = rows.clusters.copy()
    moved[0] = (moved[0] + 1) % model.n_clusters
    after = held_out(model, rows.counts, moved)
    fold = np.arange(len(moved)) % 10 == 0
    for one, other in zip(before, after, strict=True):
        assert np.array_equal(one[fold], other[fold])
    assert not np.array_equal(before[1], after[1])
    itself = model.rule.comparable(model.evidence(rows.counts)).max(axis=1)
    assert before[1].mean() < itself.mean()  # a model knows its own documents best


def test_the_expected_measures_follow_clusters_that_people_change(index):
    index.add(documents(range(20, 23)))
    before = index.info().drift
    first, second, *_ = [each.number for each in index.clusters()]
    index.merge_clusters([first, second])
    after = index.info().drift
    assert after.expected_unknown_words == before.expected_unknown_words
    assert after.expected_closeness != before.expected_closeness
    assert not after.fit_pays


def test_documents_without_words_are_counted_and_not_measured(index):
    index.add([vicinal.Document(f"empty-{each}", text) for each, text in enumerate(("", "!?", "the of and"))])
    drift = index.info().drift
    assert (drift.n_documents, *(getattr(drift, name) for name in MEASURED)) == (3, None, None, None)


@pytest.mark.parametrize("lost", ["fit", "rows of another"])
def test_a_fit_of_an_earlier_version_has_nothing_to_compare_with(index, lost):
    with index._store.writing():
        if lost == "fit":
            Arrays(index._store).drop(_stored.DRIFT_FIT)
            Arrays(index._store).drop(_stored.DRIFT)
        else:
            Arrays(index._store).append(_stored.DRIFT, np.zeros((1, 3), dtype=np.float32))
    index.add(documents(range(20, 23)))
    drift = index.info().drift
    assert (drift.n_documents, drift.uncertainty, drift.expected_uncertainty) == (9, None, None)
    assert not drift.fit_pays
    assert "earlier version" in drift.advice
    fitted(index)
    index.add(documents([23]))
    assert index.info().drift.expected_uncertainty is not None
