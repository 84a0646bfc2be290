"""Probabilities from scores: softmax, entropy and log loss by their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from vicinal._probabilities import best_scaled, log_loss, log_softmax, normalized_entropy, wilson_interval

SCORES = np.array([[0.0, 1.0, 2.0], [5.0, 5.0, 5.0], [1000.0, 0.0, -1000.0]])


def test_probabilities_are_proportional_to_the_exponentials_and_sum_to_one():
    p = np.exp(log_softmax(SCORES))
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(p[0], np.exp([0, 1, 2]) / np.exp([0, 1, 2]).sum())
    assert log_softmax(SCORES)[2].tolist() == [0.0, -1000.0, -2000.0]  # no overflow


def test_entropy_is_zero_for_certainty_one_for_equal_odds_and_between_otherwise():
    certain, equal = normalized_entropy(log_softmax(SCORES))[[2, 1]]
    assert certain == 0.0
    assert equal == pytest.approx(1.0)
    assert normalized_entropy(np.log([[0.75, 0.25]]))[0] == pytest.approx(-(0.75 * np.log2(0.75) + 0.25 * np.log2(0.25)))


def test_an_impossible_column_and_a_single_column_leave_no_nan():
    with np.errstate(divide="ignore"):
        impossible = np.log([[1.0, 0.0], [0.5, 0.5]])
    with np.errstate(invalid="ignore"):
        assert normalized_entropy(impossible).tolist() == [0.0, 1.0]
    assert normalized_entropy(np.zeros((3, 1))).tolist() == [0.0, 0.0, 0.0]
    assert not np.signbit(normalized_entropy(np.array([[0.0, -1000.0]]))).any()


def test_rounding_never_leads_outside_zero_and_one():
    tiny = np.array([[1e-16, -40.0], [np.log(0.5), np.log(0.5) + 1e-15]])
    found = normalized_entropy(tiny)
    assert found.min() >= 0
    assert found.max() <= 1


def test_log_loss_is_the_mean_surprise_of_the_right_labels():
    p = np.exp(log_softmax(SCORES))
    assert log_loss(SCORES[:2], np.array([2, 0])) == pytest.approx(-np.log([p[0, 2], p[1, 0]]).mean())
    assert log_loss(np.zeros((0, 3)), np.zeros(0, dtype=np.int64)) == 0.0


def test_the_scale_with_the_lowest_loss_is_found_and_the_first_of_equals():
    """Scores that are wrong one time in four deserve a scale at which the odds are three to one."""
    scores, labels = np.tile([0.0, 1.0], (40, 1)), np.arange(40) % 4 // 3  # label 1 in one of four
    scales = np.array([-4.0, -np.log(3.0), -0.2, 0.5])
    assert best_scaled((scale * scores for scale in scales), labels) == 1
    assert best_scaled((scores, scores), labels) == 0


def test_an_interval_of_a_share_is_that_of_scipy_and_narrow_where_much_was_seen():
    for right, n in ((9, 10), (0, 5), (5, 5), (640, 800)):
        theirs = binomtest(right, n).proportion_ci(method="wilson")
        assert wilson_interval(right / n, n) == pytest.approx((theirs.low, theirs.high), abs=1e-6)
    assert wilson_interval(0.0, 0) == (0.0, 1.0)
