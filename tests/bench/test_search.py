"""Search beside other engines: everybody who is installed is asked the same, and the report says who is not."""

from __future__ import annotations

import numpy as np
import pytest

from bench import search
from bench.retrieval import Task
from tests.index.small import documents


@pytest.fixture(name="task", scope="module")
def small_task():
    texts = [each.text for each in documents(range(6))]
    questions = ["bread from the oven", "engine of the car"]
    relevant = [np.array([i for i, text in enumerate(texts) if word in text]) for word in ("bread", "engine")]
    return Task(texts, questions, relevant)


def test_every_engine_has_a_row_of_quality_and_of_speed(task):
    good, fast = search.report({"Small": task}, task.documents, task.questions, 10)
    assert [row["who"] for row in good.rows] == search.installed()
    assert [row["who"] for row in fast.rows] == [*search.installed(), search.BESIDE, "vicinal, all in one call"]
    assert {"vicinal", "SQLite FTS5"} <= set(search.installed())
    for row in good.rows:
        precision, gain = map(float, row["Small"].split(" / "))
        assert 50 < precision <= 100
        assert 50 < gain <= 100
    assert all(row["p50, ms"] > 0 for row in fast.rows[:-1])
    assert all(row["MB"] > 0 for row in fast.rows[:-2])
    assert fast.rows[0]["p50, times ours"] == 1


def test_a_peer_that_is_not_installed_is_left_out_and_said(task, monkeypatch):
    monkeypatch.setitem(search.ENGINES, "nobody", ("no_such_module_at_all", search.FullText))
    good, _ = search.report({"Small": task}, task.documents, task.questions, 10)
    assert "nobody" not in [row["who"] for row in good.rows]
    assert "nobody" in good.checks[0]


def test_an_index_that_exists_is_searched_and_not_changed(task, tmp_path):
    made = search.Ours(tmp_path, task.documents)
    made._index.close()
    before = made.path.read_bytes()
    rows = search.speed(task.documents, task.questions, 3, made.path)
    assert rows[0]["index, s"] == ""
    assert rows[0]["p50, ms"] > 0
    assert made.path.read_bytes() == before
