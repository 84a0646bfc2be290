from __future__ import annotations

from typing import Any, Self

import numpy as np
import pytest
import scipy.sparse as sp

from papers import categorise
from papers.categorise import CATEGORISATION, COSTS, NEIGHBORS, WordsPLSI, categorised, classified, nearest, products
from papers.samples import Sample
from papers.scores import Values

CLASSES, TERMS = 4, 40


def made(noise: float = 0.6) -> Sample:
    """Twenty documents each of four classes; a class prefers ten words of its own. Eight of each are to learn from."""
    random = np.random.RandomState(0)
    y = np.repeat(np.arange(CLASSES), 20)
    rates = np.where(np.arange(TERMS) // 10 == y[:, None], 1.0, noise)
    train = np.flatnonzero(np.arange(len(y)) % 20 < 8)
    return Sample("made/40/3", sp.csr_array(random.poisson(rates).astype(float)), y, train)


def accuracies(values: Values) -> dict[str, float]:
    return {name: each["accuracy"] for name, each in values.items() if "accuracy" in each}


@pytest.mark.parametrize("name", CATEGORISATION)
def test_every_procedure_gives_every_classifier_with_its_seconds(name: str) -> None:
    values = CATEGORISATION[name](made())
    expected = {"NC", *(f"kNN {k}" for k in NEIGHBORS), *(f"SVM {C}" for C in COSTS)}
    assert set(accuracies(values)) == expected
    assert all(set(values[each]) == {"accuracy", "train", "test"} for each in expected)
    assert set(values) - expected == (set() if name == "news baseline" else {"seconds"})


def test_classes_that_words_tell_apart_are_found() -> None:
    found = accuracies(CATEGORISATION["news rlpi"](made(noise=0.05)))
    del found["kNN 20"]  # a class has eight documents to learn from
    assert min(found.values()) > 0.9


def test_labels_of_test_documents_are_not_learnt_from() -> None:
    sample = made(noise=0.2)
    other = sample.y.copy()
    other[sample.test] = (other[sample.test] + 1) % CLASSES
    truth, moved = (
        accuracies(CATEGORISATION["news rlpi"](Sample(sample.name, sample.counts, y, sample.train))) for y in (sample.y, other)
    )
    assert truth["NC"] > 0.5
    assert all(truth[name] + moved[name] <= 1.0 for name in truth)  # a document's answer is right for one of them at most


def test_nothing_is_learnt_from_test_documents() -> None:
    sample, method = made(), Observed()
    categorised(lambda _: method)(sample)
    assert method.seen.shape == (len(sample.train), TERMS)
    assert (method.seen != sample.tf[sample.train]).nnz == 0
    assert np.array_equal(method.labels, sample.y[sample.train])


class Observed:
    """A reduction that keeps what it is given, and reduces nothing."""

    def fit(self, X: Any, y: Any) -> Self:
        self.seen, self.labels = X, y
        return self

    def transform(self, X: Any) -> Any:
        return X


def test_nearest_are_the_largest_in_order() -> None:
    S = np.random.RandomState(1).rand(7, 12)
    assert np.array_equal(nearest(S, 5), np.argsort(-S, axis=1)[:, :5])


def test_neighbours_vote_with_their_cosines_for_each_k() -> None:
    sample = made()
    S = products(sample.tf[sample.test], sample.tf[sample.train])
    order = np.argsort(-S, axis=1, kind="stable")
    known = sample.y[sample.train]
    found = accuracies(classified(sample.tf, sample))
    for k in NEIGHBORS:
        voted = [np.bincount(known[row[:k]], S[i, row[:k]], CLASSES).argmax() for i, row in enumerate(order)]
        assert found[f"kNN {k}"] == pytest.approx(
            np.mean(voted == sample.y[sample.test]), abs=0.03
        )  # equal cosines in either order


def test_mean_of_words_is_the_first_step_of_folding_in() -> None:
    sample = made()
    model = WordsPLSI(CLASSES).fit(sample.counts)
    P = model.model.components_
    equal = np.full(CLASSES, 1 / CLASSES)
    expected = sample.counts.toarray() @ (P * equal[:, None] / (equal @ P)).T
    assert np.allclose(model.transform(sample.counts), expected)
    assert not model.transform(sp.csr_array((1, TERMS))).any()


def test_products_in_blocks_are_the_products(monkeypatch: pytest.MonkeyPatch) -> None:
    X = made().tf
    whole = X.toarray() @ X.toarray().T
    monkeypatch.setattr(categorise, "BLOCK", 7)
    assert np.allclose(products(X, X), whole)
    assert np.allclose(products(X.toarray(), X.toarray()), whole)


def test_length_of_documents_plays_no_part() -> None:
    sample = made()
    long = sample.tf.toarray() * np.linspace(1, 9, len(sample.y))[:, None]
    assert accuracies(classified(long, sample)) == accuracies(classified(sample.tf.toarray(), sample))


def test_random_starts_of_plsi_differ_between_splits() -> None:
    sample = made()
    twin = Sample("made/40/4", sample.counts, sample.y, sample.train)
    assert accuracies(CATEGORISATION["news plsi random"](sample)) == accuracies(CATEGORISATION["news plsi random"](made()))
    assert accuracies(CATEGORISATION["news plsi random"](sample)) != accuracies(CATEGORISATION["news plsi random"](twin))
