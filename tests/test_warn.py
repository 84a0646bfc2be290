"""Every warning names the line of the caller, directly, through scikit-learn, and through several layers of the library."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

import vicinal
from vicinal import LSI, RLPI, CentroidClassifier, Topics, cluster
from vicinal.errors import VicinalWarning
from vicinal.graph import knn

X = np.abs(np.random.RandomState(0).standard_normal((12, 6)))
TEXTS = [
    "ships sail the sea",
    "the sea is wide",
    "cats eat fish",
    "fish swim in the sea",
    "a cat and a ship",
    "wide ships sail",
] * 4


def lines_warned(call):
    """(file, line) of each warning of ours that ``call`` gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return {(each.filename, each.lineno) for each in caught if issubclass(each.category, VicinalWarning)}


def here():
    frame = inspect.currentframe().f_back
    return __file__, frame.f_lineno


def test_a_function_called_directly():
    place = None

    def call():
        nonlocal place
        place = here()[0], here()[1] + 1
        knn(X - 0.5, n_neighbors=11, weight="cosine")

    assert lines_warned(call) == {place}


@pytest.mark.parametrize(
    "call",
    [
        lambda: RLPI(n_components=50, n_neighbors=3).fit(X),
        lambda: RLPI(n_components=50, n_neighbors=3).fit_transform(X),
        lambda: LSI(n_components=50).fit(X),
        lambda: make_pipeline(Normalizer(), RLPI(n_components=50, n_neighbors=3)).fit(X),
        lambda: make_pipeline(Normalizer(), RLPI(n_components=50, n_neighbors=3)).fit_transform(X),
        lambda: cluster(np.vstack([X, np.zeros((1, 6))]), n_clusters=3, random_state=0),
        lambda: Topics(n_clusters=23, random_state=0).fit(TEXTS),
    ],
    ids=["fit", "fit_transform", "lsi", "pipeline fit", "pipeline fit_transform", "cluster", "Topics"],
)
def test_through_the_library_and_scikit_learn(call):
    assert {file for file, _ in lines_warned(call)} == {__file__}


def test_through_a_grid_search_over_a_pipeline():
    y = np.arange(12) % 2
    search = GridSearchCV(make_pipeline(RLPI(n_components=50), CentroidClassifier()), {"rlpi__alpha": [0.1, 1.0]}, cv=2)
    assert {file for file, _ in lines_warned(lambda: search.fit(X, y))} == {__file__}


@pytest.mark.parametrize("file", ["<ipython-input-1-0>", "<stdin>", str(Path(vicinal.__file__).parent) + "_web/views.py"])
def test_code_typed_at_a_prompt_or_of_a_package_with_a_similar_name_is_the_callers(file):
    typed = compile("def ask():\n    return knn(X - 0.5, n_neighbors=11, weight='cosine')\n\nask()\n", file, "exec")
    found = lines_warned(lambda: exec(typed, {"__name__": "__main__", "knn": knn, "X": X}))
    assert found == {(file, 2)}
