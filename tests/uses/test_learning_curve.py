"""How accuracy grows with the labels: on the same documents, by few rules, and never by the documents that are held out."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal.uses._classifier import learning_curve
from vicinal.uses._classifier.held_out_labels import FEW, held_out_parts
from vicinal.uses._classifier.learning_curve import accuracies
from vicinal.uses._classifier.support_vectors import PENALTY, support_vectors

SHARES = (0.25, 0.5, 1.0)


def labelled(n_documents, n_classes=8, noise=0.6):
    """Rows around the corners of a simplex, with their classes."""
    random = np.random.default_rng(3)
    y = np.arange(n_documents) % n_classes
    return sp.csr_array(np.eye(n_classes)[y] + noise * random.standard_normal((n_documents, n_classes))), y


def test_accuracy_with_all_labels_is_that_of_rules_without_the_documents_held_out():
    rows, y = labelled(160)
    parts, right = held_out_parts(y), 0
    for part in range(parts.max() + 1):
        kept, out = np.flatnonzero(parts != part), np.flatnonzero(parts == part)
        machines = support_vectors(rows[kept], y[kept], 8, PENALTY)
        right += (machines.of(rows[out]).argmax(axis=1) == y[out]).sum()
    found = accuracies(rows, y, 8, SHARES)
    assert found[-1] == pytest.approx(right / 160)
    assert 0.2 < found[0] < found[-1] < 1  # a quarter of the labels knows less


@pytest.mark.parametrize("n_classes", [2, 20])
def test_many_labels_cost_one_rule_for_each_share(monkeypatch, n_classes):
    rows, y = labelled(FEW, n_classes)
    fits = []
    monkeypatch.setattr(learning_curve, "support_vectors", lambda *given: fits.append(given) or support_vectors(*given))
    assert np.isfinite(accuracies(rows, y, n_classes, SHARES)).all()
    assert len(fits) == len(SHARES)


def test_no_document_can_be_held_out_where_each_class_has_one():
    rows, y = labelled(8)
    assert np.isnan(accuracies(rows, y, 8, SHARES)).all()
