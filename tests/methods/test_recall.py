"""A target recall reaches the search for neighbours of the methods that have it."""

from __future__ import annotations

import pytest

from tests.laws.toys import documents
from vicinal import RLPI, Topics
from vicinal.errors import BadParameter
from vicinal.graph import _pruned_neighbors as pruned


@pytest.fixture(name="asked")
def recalls_asked_for(monkeypatch):
    """The recalls that the search was asked for; it finds that the exact search is the cheaper one."""
    asked = []

    def recorded(U, n_neighbors, recall, exact, n_jobs):
        asked.append((U.shape[0], recall))

    monkeypatch.setattr(pruned, "find", recorded)
    return asked


def test_rlpi_searches_to_its_recall(asked):
    RLPI(3, recall=0.9).fit(documents())
    assert asked == [(60, 0.9)]


@pytest.mark.filterwarnings("ignore::vicinal.errors.DisconnectedGraph")
def test_rlpi_keeps_the_recall_of_its_graph(monkeypatch):
    for name, value in {"PER_ENTRY": 0.0, "PER_TERM": 0.0, "SAMPLE": 20, "SMALLEST_BUDGET": 40}.items():
        monkeypatch.setattr(pruned, name, value)
    model = RLPI(3, n_neighbors=5, recall=0.5).fit(documents(n=400))
    assert 0.5 <= model.graph_.recall < 1.0
    assert RLPI(3, n_neighbors=5).fit(documents(n=400)).graph_.recall == 1.0


def test_topics_search_to_their_recall_among_all_documents_and_in_a_sample(asked):
    Topics(4, recall=0.9).fit(documents())
    Topics(4, recall=0.8, max_documents=40).fit(documents())
    assert asked == [(60, 0.9), (40, 0.8)]


def test_without_a_recall_no_pruned_search_is_thought_of(asked):
    RLPI(3).fit(documents())
    Topics(4).fit(documents())
    assert asked == []


@pytest.mark.parametrize("method", [RLPI(3, recall=2.0), Topics(2, recall=0)])
def test_a_recall_that_is_no_share_is_refused_before_anything_is_learnt(method, asked):
    with pytest.raises(BadParameter, match="recall must be"):
        method.fit(documents())
    assert asked == []
