"""Standard errors of held-out validation, by the jackknife over groups of documents."""

from __future__ import annotations

import numpy as np

from vicinal.projection._model_selection.validation_split import GROUPS, _jackknife


def test_the_jackknife_gives_the_squared_standard_error_of_the_difference_from_the_best():
    without = np.random.RandomState(0).standard_normal((3, GROUPS))
    whole = np.array([0.2, 0.9, 0.5])
    apart = without - without[1]
    deviations = ((apart - apart.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    np.testing.assert_allclose(_jackknife(without, whole), (GROUPS - 1) / GROUPS * deviations)


def test_a_candidate_without_a_score_has_no_error_and_neither_have_candidates_that_all_lack_one():
    without = np.vstack([np.full(GROUPS, np.nan), np.arange(GROUPS, dtype=float)])
    assert _jackknife(without, np.array([np.nan, 1.0])).tolist() == [0.0, 0.0]
    assert _jackknife(without, np.array([np.nan, np.nan])).tolist() == [0.0, 0.0]
