"""The price on weights."""

from __future__ import annotations

import numpy as np
import pytest

from vicinal.errors import BadParameter
from vicinal.projection import Penalty, Ridge

A = np.array([[1.0, -2.0], [0.0, 3.0]])


def test_ridge_costs_alpha_times_the_sum_of_squares():
    assert Ridge(0.5).value(A) == 7.0
    assert Ridge(0.0).value(A) == 0.0


def test_ridge_shrinks_every_weight_by_the_same_factor():
    np.testing.assert_allclose(Ridge(0.5).prox(A, 3.0), A / 4)
    np.testing.assert_array_equal(Ridge(0.0).prox(A, 3.0), A)


def test_ridge_is_a_penalty_of_a_tenth_unless_told_otherwise():
    assert isinstance(Ridge(), Penalty)
    assert Ridge() == Ridge(0.1) != Ridge(0.2)


@pytest.mark.parametrize("alpha", [-0.1, np.nan, np.inf, "strong", None, True])
def test_an_alpha_that_is_no_number_from_zero_up_is_refused(alpha):
    with pytest.raises(BadParameter, match="alpha must be a finite number of at least 0, got"):
        Ridge(alpha)


def test_a_ridge_cannot_be_changed_afterwards():
    with pytest.raises(AttributeError):
        Ridge(0.1).alpha = 0.2
