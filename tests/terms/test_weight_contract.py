"""scikit-learn's own checks over every scheme of Weighting."""

from __future__ import annotations

from sklearn.utils.estimator_checks import parametrize_with_checks

from vicinal.terms import Weighting
from vicinal.terms._schemes import SCHEMES


@parametrize_with_checks([Weighting(scheme, unit=unit) for scheme in SCHEMES for unit in (True, False)])
def test_weighting_is_a_scikit_learn_citizen(estimator, check):
    check(estimator)
