"""A query is split into words once per search, and each phrase and prefix of it is looked up once in the texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import vicinal
from vicinal._query import parser
from vicinal._store import Documents
from vicinal.index import Index
from vicinal.index._search import requirements
from vicinal.index._search.search_state import _MOST_FILTERS
from vicinal.terms import Tokenizer

TEXTS = [
    "dark matter forms a halo around every galaxy",
    "the expansion of space is driven by dark energy",
    "neuroscience studies neurons and grey matter",
    "neural networks learn to see in dark rooms",
    "bake the bread in a hot oven",
    "an oven bakes bread and cake",
    "a cake of flour and butter",
    "a galaxy is a system of stars",
]


@pytest.fixture(scope="module", params=[True, False], ids=["fitted", "before a fit"])
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    with vicinal.open(tmp_path_factory.mktemp("once") / "x.vic", create=True) as made:
        made.add({str(i): text for i, text in enumerate(TEXTS)})
        if request.param:
            made.fit(n_clusters=2, n_components=2, n_neighbors=3)
        made.search("warm up", correct=False)
        yield made


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, ...]]:
    """What was split into words, parsed and looked up, and how often each."""
    found: Counter[tuple[str, ...]] = Counter()

    def counted(name: str, original: Callable[..., Any], of: int) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            found[(name, *(str(each) for each in arguments[of:] if each is not None))] += 1
            return original(*arguments)

        return call

    monkeypatch.setattr(Tokenizer, "__call__", counted("split", Tokenizer.__call__, 1))
    monkeypatch.setattr(parser, "tokens", counted("parsed", lambda text, syntax: list(_lexed(text, syntax)), 2))
    for name in ("containing", "containing_prefix"):
        monkeypatch.setattr(requirements, name, counted(name, getattr(requirements, name), 1))
    return found


_lexed = parser.tokens


@pytest.mark.parametrize(
    ("query", "looked_up"),
    [
        ("dark galaxy", []),
        ('"dark matter" halo', [("containing", "dark matter")]),
        ('"dark matter" AND "dark matter"', [("containing", "dark matter")]),
        ("neur* dark", [("containing_prefix", "neur")]),
        ("Neur* OR neur*", [("containing_prefix", "neur")]),
        ("+bread -cake", [("containing", "bread"), ("containing", "cake")]),
        ("title:dark matter", [("containing", "dark", "title")]),
        ('"no such phrase" dark', [("containing", "no such phrase")]),
    ],
)
def test_a_query_is_split_once_and_what_it_marks_is_looked_up_once(
    index: Index, calls: Counter[tuple[str, ...]], query: str, looked_up: list[tuple[str, ...]]
) -> None:
    index.search(query, correct=False)
    split = {call: times for call, times in calls.items() if call[0] == "split"}
    assert len(split) <= 1, split
    assert set(calls.values()) == {1}, calls
    assert sorted(call for call in calls if call[0].startswith("containing")) == sorted(looked_up)


def test_an_index_that_is_fitted_splits_a_query_once_for_ranking_reasons_and_passages(
    index: Index, calls: Counter[tuple[str, ...]]
) -> None:
    hits = index.search("dark galaxy", facets=["source"])
    assert hits
    assert hits[0].why.terms
    assert "[" in hits[0].snippet
    assert calls == {("split", "dark galaxy"): 1, ("parsed",): 1}


def test_near_splits_no_text(index: Index, calls: Counter[tuple[str, ...]]) -> None:
    index.near("0")
    assert not calls


def test_many_queries_are_each_split_and_parsed_once(index, calls):
    queries = ["dark galaxy", "bread oven", "hot cake"]
    index.search_many(queries)
    assert [calls[("parsed", query)] for query in queries] == [calls[("parsed", queries[0])]] * 3
    if index.info().fitted:
        assert [calls[("split", query)] for query in queries] == [1, 1, 1]
        assert sum(number for (what, *_), number in calls.items() if what == "split") == 3


def test_documents_that_pass_a_filter_are_looked_up_once_in_each_state_of_the_file(index: Index, calls: Counter[tuple[str, ...]]):
    del calls
    looked_up = Counter[str]()
    original = Documents.where

    def where(self: Documents, filters: Any, *others: Any, **named: Any) -> Any:
        looked_up[str(filters)] += 1
        return original(self, filters, *others, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Documents, "where", where)
        first = [index.search("dark", where='id>="3"') for _ in range(3)]
        index.search_many(["bread", "cake"], where=[("id", ">=", "3")])
        assert looked_up == {'id>="3"': 1, "[('id', '>=', '3')]": 1}
        assert [hit.id for hit in first[0]] == [hit.id for hit in first[2]]
        index.add({"new": "a dark and new text"})
        assert "new" in {hit.id for hit in index.search("dark", where='id>="3"')}
        assert looked_up['id>="3"'] == 2
        for number in range(30):
            index.search("dark", where=f'id>="{number}"')
        with index._searching() as state:
            assert len(state._passing) <= _MOST_FILTERS
    index.remove(["new"])
