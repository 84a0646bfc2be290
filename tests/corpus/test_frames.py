"""Documents from data frames, tables, datasets, dicts and pairs: ids, texts and metadata of plain values."""

from __future__ import annotations

import collections
import contextlib
import datetime
import sqlite3

import numpy as np
import pytest

import vicinal
from vicinal.corpus._frames import TableColumns, as_documents, plain
from vicinal.errors import BadData, BadParameter

COLUMNS = {"key": ["a", "b"], "body": ["red roses", "white wine"], "year": [1987, 1988], "tag": ["x", None]}
DAY = datetime.datetime(2021, 3, 4, 5, 6)


def found(source, **given):
    return [(each.id, each.text, dict(each.metadata)) for each in as_documents(source, TableColumns(**given))]


def frames():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
    return {
        "pandas": pandas.DataFrame(COLUMNS),
        "polars": polars.DataFrame(COLUMNS),
        "lazy": polars.LazyFrame(COLUMNS),
        "pyarrow": pyarrow.table(COLUMNS),
        "index": pandas.DataFrame(COLUMNS).set_index("key"),
        "batch": pyarrow.record_batch(COLUMNS),
        "batches": pyarrow.table(COLUMNS).to_reader(),
        "relation": pytest.importorskip("duckdb").from_arrow(pyarrow.table(COLUMNS)),
        "dicts": rows,
        "generator": (row for row in rows),
        "columns": COLUMNS,
        "dataset": Dataset(rows),
    }


class Dataset:
    """What is used of a dataset of Hugging Face."""

    features, column_names = {}, list(COLUMNS)

    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "pyarrow", "dicts", "generator", "columns", "dataset"])
def test_a_table_of_any_library_gives_the_same_documents(kind):
    expected = [("a", "red roses", {"year": 1987, "tag": "x"}), ("b", "white wine", {"year": 1988, "tag": None})]
    assert found(frames()[kind], text="body", id="key") == expected
    assert found(frames()[kind], text="body", id="key", metadata="year")[0][2] == {"year": 1987}


def test_an_index_takes_a_data_frame_with_timestamps_and_missing_values(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "id": [7, 8],
            "text": ["red roses", "white wine"],
            "when": [pandas.Timestamp(DAY), pandas.NaT],
            "score": [np.float64(0.5), np.nan],
            "seen": pandas.array([True, pandas.NA], dtype="boolean"),
            "kind": pandas.Categorical(["flower", "drink"]),
        }
    )
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        assert index.add(frame, text="text", id="id").added == 2
        assert index.add(frame, text="text", id="id").unchanged == 2
        [rose], [wine] = (index.search(word) for word in ("roses", "wine"))
    assert (rose.id, dict(rose.metadata)) == ("7", {"when": "2021-03-04T05:06:00", "score": 0.5, "seen": True, "kind": "flower"})
    assert dict(wine.metadata) == {"when": None, "score": None, "seen": None, "kind": "drink"}


def test_texts_with_ids_are_documents():
    assert found({"a": "red roses", "b": "white wine"}) == [("a", "red roses", {}), ("b", "white wine", {})]
    assert found([("a", "red roses")]) == [("a", "red roses", {})]
    document = vicinal.Document("a", "red roses")
    assert list(as_documents(document, TableColumns())) == list(as_documents([document], TableColumns())) == [document]
    assert list(as_documents([], TableColumns())) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.int32(3), 3),
        (np.float32(0.5), 0.5),
        (np.float64("nan"), None),
        (np.bool_(True), True),
        (np.str_("x"), "x"),
        (np.datetime64("2021-03-04"), "2021-03-04"),
        (np.datetime64("NaT"), None),
        (np.array(["a", "b"]), ["a", "b"]),
        (DAY, "2021-03-04T05:06:00"),
        (None, None),
    ],
)
def test_values_of_other_libraries_become_plain(value, expected):
    assert plain(value) == expected


@pytest.mark.parametrize(
    ("source", "given", "error", "said"),
    [
        ("notes.txt", {}, BadParameter, "vicinal.read"),
        (7, {}, BadParameter, "int"),
        (["a text", "another"], {}, BadData, "ids"),
        ([{"body": "x"}], {"text": "nobody"}, BadParameter, "nobody"),
        ([{"text": "words"}, {"text": ""}], {}, BadData, "row 2"),
        ([{"year": 7}], {}, BadData, "text="),
        ({"a": ["x"], "b": ["y", "z"]}, {}, BadData, "equal length"),
    ],
)
def test_what_holds_no_documents_is_refused_and_nothing_is_left_out(source, given, error, said):
    with pytest.raises(error, match=said):
        list(as_documents(source, TableColumns(**given)))


def test_a_table_of_the_next_month_without_ids_takes_the_place_of_nothing(tmp_path):
    months = [[{"text": f"{what} of {month}"} for what in ("roof", "gutter")] for month in ("January", "February")]
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add(months[0])
        done = index.add(months[1])
        assert (done.added, done.changed, done.renamed) == (2, 0, {"table": "table-2"})
        assert [index[id].text for id in index] == [row["text"] for month in months for row in month]
        again = index.add([*months[0], {"text": "a third of January"}])
        assert (again.added, again.unchanged, len(index)) == (1, 2, 5)
        assert index.add([{"id": "own", "text": "one"}]).renamed == {}


def test_a_table_without_ids_beside_one_of_an_earlier_version_takes_the_place_of_nothing(tmp_path):
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add([vicinal.Document("table#1", "kept by an earlier version")])
        assert index.add([{"text": "new"}]).added == 1
        assert len(index) == 2


def test_rows_with_one_id_are_all_kept(tmp_path):
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        done = index.add([{"key": "a", "text": "one"}, {"key": "a", "text": "two"}], id="key")
        assert (done.added, done.changed, list(index)) == (2, 0, ["a", "a (2)"])


@pytest.mark.parametrize(
    "one",
    [{"id": "a", "text": "red roses"}, {"id": "a", "text": "red roses", "year": np.int64(3)}, {"title": "Roses", "text": "red"}],
)
def test_one_document_as_a_dict_is_not_taken_for_texts_with_ids(one):
    with pytest.raises(BadData, match=r"a dict with the keys .*'text'.* is one document.*Put it into a list"):
        as_documents(one, TableColumns())
    assert [each.text for each in as_documents([one], TableColumns())] == [one["text"]]


def test_a_mapping_to_what_is_neither_text_nor_list_is_refused():
    with pytest.raises(BadData, match="a mapping must hold a text for each id"):
        as_documents({"a": 3, "b": 4}, TableColumns())


class ClassLabel:
    """What is used of the feature of that name of Hugging Face."""

    names = ("farm", "sport")

    def int2str(self, number):
        return self.names[number]


def test_classes_of_a_dataset_are_called_by_their_names():
    dataset = Dataset([{"text": "wheat", "kind": 0}, {"text": "goal", "kind": 1}, {"text": "rain", "kind": -1}])
    dataset.features = {"text": None, "kind": ClassLabel()}
    assert [each.label for each in as_documents(dataset, TableColumns("text", label="kind"))] == ["farm", "sport", ""]


def test_the_datasets_of_the_library_itself():
    datasets = pytest.importorskip("datasets")
    features = datasets.Features({"text": datasets.Value("string"), "kind": datasets.ClassLabel(names=["farm", "sport"])})
    dataset = datasets.Dataset.from_dict({"text": ["wheat", "goal"], "kind": [1, -1]}, features=features)
    for each in (dataset, dataset.to_iterable_dataset()):
        assert [document.label for document in as_documents(each, TableColumns("text", label="kind"))] == ["sport", ""]


@pytest.mark.parametrize("kind", ["pandas", "dataset"])
def test_several_tables_at_once_are_refused(kind):
    with pytest.raises(BadData, match=r"a mapping of 2 tables .* Add one of them: data\['train'\]"):
        as_documents({"train": frames()[kind], "test": frames()[kind]}, TableColumns())


def test_metadata_of_documents_may_be_scalars_of_other_libraries(tmp_path):
    values = {"n": np.int64(3), "x": np.float32(0.5), "yes": np.bool_(True), "day": DAY, "when": np.datetime64("2021-03-04")}
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add([vicinal.Document("a", "red roses", metadata={**values, "plain": 7})])
        assert index["a"].metadata == {
            "n": 3,
            "x": 0.5,
            "yes": True,
            "day": "2021-03-04T05:06:00",
            "when": "2021-03-04",
            "plain": 7,
        }
        assert index.update([vicinal.Document("a", "red roses", metadata={"n": np.int64(4)})]).changed == 1
        with pytest.raises(BadData, match="metadata 'n' of document 'b' must be text, a number"):
            index.add([vicinal.Document("b", "x", metadata={"n": object()})])


def test_rows_of_databases_and_tuples_with_names_are_documents():
    engine = pytest.importorskip("sqlalchemy").create_engine("sqlite://")
    rows = "SELECT 'a' AS id, 'red roses' AS text, 7 AS year"
    expected = [("a", "red roses", {"year": 7})]
    with engine.connect() as connection:
        assert found(connection.exec_driver_sql(rows)) == expected
    with contextlib.closing(sqlite3.connect(":memory:")) as plain_connection:
        plain_connection.row_factory = sqlite3.Row
        assert found(plain_connection.execute(rows)) == expected
    assert found([collections.namedtuple("Row", "id text year")("a", "red roses", 7)]) == expected


def test_a_series_is_texts_by_its_index_where_somebody_made_one():
    pandas = pytest.importorskip("pandas")
    assert found(pandas.Series(["red roses", "white wine"], index=["a", 7])) == [("a", "red roses", {}), ("7", "white wine", {})]
    with pytest.raises(BadData, match="must have ids"):
        found(pandas.Series(["red roses"]))
