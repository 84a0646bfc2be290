"""A fit that fails changes nothing: what was learnt before is still there, to the last attribute."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal import LSI, Topics
from vicinal.errors import NoVariation, UnembeddedDocuments, VicinalError, VicinalWarning
from vicinal.methods import METHODS, SELECTORS, SUPERVISED

LEARNERS = (*METHODS, *SUPERVISED, *SELECTORS, Topics)


def all_proportional(X):
    """Refused early, when the number of columns has been noted already."""
    return np.ones((X.shape[0], X.shape[1] - 5))


def one_empty(X):
    """Where warnings are errors, refused late: a document without words."""
    return sp.csr_array(sp.vstack([X[:-1, :-5], sp.csr_array((1, X.shape[1] - 5))]))


def failed(model, X, y, kind):
    """What a model knows before and after a fit that must fail."""
    before = dict(vars(model))
    with warnings.catch_warnings():
        warnings.simplefilter("error", VicinalWarning)
        with pytest.raises(kind):
            model.fit(X, y)
    return before, vars(model)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: each.__name__)
@pytest.mark.parametrize(
    ("other", "kind"), [(all_proportional, VicinalError), (one_empty, UnembeddedDocuments)], ids=["refused early", "refused late"]
)
def test_a_fit_that_fails_leaves_every_attribute_as_it_was(learner, other, kind, X, y):
    labels = y if learner in SUPERVISED else None
    model = learner(2).fit(X, labels)
    before, after = failed(model, other(X), labels, kind)
    assert list(after) == list(before)
    assert all(after[name] is before[name] for name in before)
    assert model.n_features_in_ == X.shape[1]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: each.__name__)
def test_a_first_fit_that_fails_leaves_nothing(learner, X, y):
    model = learner(2)
    before, after = failed(model, one_empty(X), y if learner in SUPERVISED else None, UnembeddedDocuments)
    assert after == before


def test_a_fit_without_this_care_is_caught(X):
    class Careless(LSI):
        def fit(self, X, y=None):
            self._check_documents(X, "fit")
            raise NoVariation("for the sake of the test")

    model = Careless(3)
    LSI.fit(model, X)
    before, after = failed(model, all_proportional(X), None, NoVariation)
    assert after != before
