"""How search is judged."""

from __future__ import annotations

import numpy as np
import pytest

from bench.retrieval import measures


def test_average_precision_and_gain_of_a_known_order():
    precision, gain = measures(np.array([0.9, 0.1, 0.5, 0.7]), np.array([0, 2]))  # found at places 1 and 3
    assert precision == pytest.approx(100 * (1 / 1 + 2 / 3) / 2)
    assert gain == pytest.approx(100 * (1 + 1 / np.log2(4)) / (1 + 1 / np.log2(3)))


def test_equals_are_taken_in_document_order():
    assert measures(np.zeros(4), np.array([0]))[0] == 100.0
    assert measures(np.zeros(4), np.array([3]))[0] == 25.0


def test_what_comes_after_ten_has_no_gain():
    precision, gain = measures(-np.arange(20.0), np.array([12]))
    assert gain == 0.0
    assert precision == pytest.approx(100 / 13)
