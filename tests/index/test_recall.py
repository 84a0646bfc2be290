"""A fit of an index to a target recall: it is kept, and what the search has found is said."""

from __future__ import annotations

import numpy as np
import pytest

import vicinal
from vicinal.errors import BadParameter
from vicinal.graph import _pruned_neighbors as pruned

WORDS = [[f"w{topic}x{i}" for i in range(30)] for topic in range(4)]


@pytest.fixture(name="index")
def index_of_notes(tmp_path):
    rng = np.random.default_rng(0)
    texts = (" ".join(rng.choice(WORDS[i % 4], 12)) for i in range(200))
    with vicinal.open(tmp_path / "notes.vic", create=True) as index:
        index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        yield index


def test_a_fit_by_a_pruned_search_says_what_share_of_the_neighbours_it_found(index, monkeypatch):
    for name, value in {"PER_ENTRY": 0.0, "PER_TERM": 0.0, "SAMPLE": 20, "SMALLEST_BUDGET": 20}.items():
        monkeypatch.setattr(pruned, name, value)
    fitted = index.fit(n_clusters=4, n_components=5, n_neighbors=5, layout=False, recall=0.8)
    assert fitted.chosen["recall"].startswith("the search for neighbours found ")
    assert fitted.chosen["recall"].endswith("on a sample; 80.0% was enough")
    assert index.info().options["recall"] == 0.8


def test_an_exact_fit_says_nothing_of_it_and_small_indexes_are_fitted_exactly(index):
    assert "recall" not in index.fit(n_clusters=4, n_components=5, n_neighbors=5, layout=False, recall=0.8).chosen


def test_a_recall_that_is_no_share_is_refused_and_the_recipe_stays(index):
    with pytest.raises(BadParameter, match=r"recall must be at most 1, got 1\.5"):
        index.fit(recall=1.5)
    assert index.info().options == {}
