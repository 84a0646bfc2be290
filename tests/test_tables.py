"""Tables of topics and of an index: whole, in the library that is asked for, and equal to what they are made from."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn

import vicinal
from vicinal import Topics
from vicinal._data_frame import data_frame
from vicinal._page_elements import Markup, element, joined, table, text_of
from vicinal._store import Documents
from vicinal.errors import BadData, BadParameter, MissingExtra, TooFewDocuments
from vicinal.index._tables.columns import values_of_rows

TEXTS = [
    "red rose garden", "white rose garden", "garden rose red", "rose white petals",
    "stock market price", "market price falls", "stock price", "price of stock falls", "",
]  # fmt: skip
YEARS = [1999, 1999, 2000, None, 2000, 2001, 2001, 2001, 2001]


@pytest.fixture(scope="module")
def topics():
    with pytest.warns(vicinal.errors.UnembeddedDocuments):
        return Topics(n_clusters=2).fit(TEXTS)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    with vicinal.open(tmp_path_factory.mktemp("tables") / "small.vic", create=True) as index:
        for i, text in enumerate(TEXTS[:-1]):
            said = {} if YEARS[i] is None else {"year": YEARS[i]}
            index.add([vicinal.Document(f"d{i}", text, label="home" if i < 4 else "work", metadata=said)])
        index.fit(n_clusters=2)
        yield index


def test_the_library_is_the_one_that_is_asked_for_configured_imported_or_installed(monkeypatch):
    assert isinstance(data_frame({"a": [1]}, "polars"), pl.DataFrame)
    assert isinstance(data_frame({"a": [1]}, "pandas"), pd.DataFrame)
    assert isinstance(data_frame({"a": [1]}), pd.DataFrame)
    with sklearn.config_context(transform_output="polars"):
        assert isinstance(data_frame({"a": [1]}), pl.DataFrame)
    monkeypatch.delitem(sys.modules, "pandas")
    assert isinstance(data_frame({"a": [1]}), pl.DataFrame)


def test_a_library_that_is_missing_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="pip install polars"):
        data_frame({"a": [1]}, "polars")
    monkeypatch.delitem(sys.modules, "pandas")
    monkeypatch.delitem(sys.modules, "polars")
    with pytest.raises(MissingExtra, match=r"vicinal\[table\]"):
        data_frame({"a": [1]})
    with pytest.raises(BadParameter, match="output"):
        data_frame({"a": [1]}, "arrow")


def test_whole_numbers_with_gaps_stay_whole():
    found = data_frame({"a": [1, None], "b": [True, None], "c": ["x", None]}, "pandas")
    assert found["a"].tolist() == [1, pd.NA]
    assert str(found["b"].dtype) == "boolean"


@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_the_table_of_clusters_is_what_topics_say_one_by_one(topics, output):
    found = topics.table(n_terms=2, n_exemplars=1, output=output)
    assert list(found.columns) == ["cluster", "name", "size", "share", "uncertainty", "stability", "terms", "exemplars"]
    assert list(found["size"]) == topics.sizes_.tolist()
    assert sum(found["share"]) == pytest.approx(1.0)
    assert [list(each) for each in found["terms"]] == [[term for term, _ in topics.top_terms(i, 2)] for i in range(2)]
    assert [list(each) for each in found["exemplars"]] == [topics.exemplars(i, 1).tolist() for i in range(2)]
    assert tuple(found["name"]) == topics.names()


def test_documents_have_their_clusters_and_texts(topics):
    found = topics.documents(TEXTS)
    assert found["cluster"].tolist() == topics.labels_.tolist()
    assert found["text"].tolist() == TEXTS
    assert found["name"].iloc[0] == topics.names()[topics.labels_[0]]
    assert pd.isna(found["name"].iloc[-1])  # a document without terms is in no cluster
    assert "text" not in topics.documents().columns
    with pytest.raises(BadData, match="9 documents of the fit, got 1"):
        topics.documents(["one"])


def test_periods_hold_every_dated_document_once(topics):
    found = topics.over(YEARS, TEXTS, n_terms=2)
    assert found["size"].sum() == 7  # one has no date, one no cluster
    assert found["period"].dt.year.unique().tolist() == [1999, 2000, 2001]
    flowers, money = topics.labels_[0], topics.labels_[4]
    sizes = found.set_index([found["period"].dt.year, "cluster"])["size"]
    assert sizes[1999, flowers] == 2
    assert sizes[2001, money] == 3
    shares = found.groupby("period")["share"].sum()
    assert shares.tolist() == pytest.approx([1, 1, 1])
    last = found[(found["period"].dt.year == 2001) & (found["cluster"] == money)].iloc[0]
    assert "price" in last["terms"]
    assert last["lift"] == pytest.approx(1.0 / (4 / 7))
    assert found["terms"].map(len).max() <= 2


def test_classes_of_several_types_are_counted_and_missing_ones_left_out(topics):
    found = topics.by(["a", 1, None, "a", "b", float("nan"), "", "b", "b"], output="polars")
    assert found["class"].unique(maintain_order=True).to_list() == ["1", "a", "b"]
    assert found["size"].sum() == 5
    marked = topics.by(pd.Series(["a", "b", pd.NA] * 3), output="polars")
    assert marked["class"].unique(maintain_order=True).to_list() == ["a", "b"]
    numbers = topics.by(np.array([2, 1, 2, 1, 2, 1, 2, 1, 2]))
    assert numbers["class"].tolist() == [1, 1, 2, 2]


def test_columns_of_another_length_are_refused(topics):
    with pytest.raises(BadData, match="dates must have one value per document, got 1 for 9"):
        topics.over([1999])
    with pytest.raises(BadData, match="classes must have one value per document"):
        topics.by(["a"])
    with pytest.raises(BadData, match="9 documents of the fit, got 1"):
        topics.by(["a"] * 9, ["one"])


def test_clusters_of_classes_are_named_by_them():
    topics = Topics(n_clusters=3).fit(TEXTS[:-1], y=["flowers", None, None, None, "money", None, None, None])
    assert topics.names()[:2] == ("flowers", "money")
    assert len(topics.names()) == topics.n_clusters_


def test_terms_without_names_are_numbered():
    X = np.array([[2, 1, 0, 0], [1, 2, 0, 0], [2, 2, 0, 0], [0, 0, 2, 1], [0, 0, 1, 2], [0, 0, 2, 2]])
    topics = Topics(n_clusters=2).fit(X)
    assert all(name.startswith("term ") for name in topics.names())
    assert set(topics.by(["a"] * 6, X)["terms"].iloc[0]) <= {f"term {i}" for i in range(4)}


@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_the_table_of_an_index_has_every_document(index, output):
    found = index.table(output=output)
    assert list(found["id"]) == list(index)
    assert "text" not in found.columns
    assert list(index.table(text=True, output=output)["text"]) == TEXTS[:-1]
    assert list(found["label"]) == ["home"] * 4 + ["work"] * 4
    assert set(found["cluster"]) == {each.number for each in index.clusters()}


def test_an_index_counts_clusters_by_a_column(index):
    over = index.over("year")
    assert over["size"].sum() == 7
    by = index.by("label")
    assert by["size"].tolist() == [4, 0, 0, 4] or by["size"].tolist() == [0, 4, 4, 0]
    with index.snapshot() as snapshot:
        assert snapshot.by("label").equals(by)
    with pytest.raises(BadParameter, match=r"no document has a column 'colour'\. Columns are label, year"):
        index.by("colour")
    with pytest.raises(BadData, match="dates must be dates"):
        index.over("label")


def test_a_column_is_read_without_the_texts_of_documents(index, monkeypatch):
    monkeypatch.setattr(Documents, "at", None)  # which reads texts
    with index._reading() as state:
        years = values_of_rows(state, "year")
    assert len(years) == len(index) > 0
    assert years.count(None) == 1


def test_truth_values_are_classes_of_their_own(tmp_path):
    with vicinal.open(tmp_path / "truth.vic", create=True) as index:
        flags = [True, False, 1, None, True, False, 0, True]
        index.add(vicinal.Document(f"d{i}", text, metadata={"old": flags[i]}) for i, text in enumerate(TEXTS[:-1]))
        index.fit(n_clusters=2)
        assert sorted(set(index.by("old")["class"])) == [False, True]
        assert index.by("old")["size"].sum() == 7


def test_an_index_without_a_fit_has_a_table_and_no_counts(tmp_path):
    with vicinal.open(tmp_path / "new.vic", create=True) as index:
        index.add([vicinal.Document("a", "wheat", metadata={"year": 1})])
        assert index.table()["cluster"].isna().all()
        with pytest.raises(TooFewDocuments, match="not fitted"):
            index.over("year")


def test_elements_escape_every_text_and_attribute():
    made = element("p", "<b>", element("i", '"&'), None, class_='"><script>', data_x=None)
    assert made == '<p class="&quot;&gt;&lt;script&gt;">&lt;b&gt;<i>&quot;&amp;</i></p>'
    assert element("meta", charset="utf-8") == '<meta charset="utf-8">'
    assert text_of("a\u202eb\x00") == "ab"
    assert joined(["<", Markup("<br>"), None]) == "&lt;<br>"
    assert table(("a", "b"), [("<", 1)], numbers=(1,)).count('class="n"') == 2
