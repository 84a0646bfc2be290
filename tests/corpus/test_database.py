"""SQLite databases: their rows are documents; an index, and what is not a database, is not taken for one."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing, suppress

import pytest

import vicinal
from vicinal import read
from vicinal.errors import BadParameter, MissingExtra


def made(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


def test_each_row_of_each_table_is_a_document(tmp_path):
    path = made(
        tmp_path / "a.sqlite",
        "CREATE TABLE news (id TEXT, body TEXT, year INTEGER)",
        "INSERT INTO news VALUES ('n1', 'red roses', 1987), ('n2', 'white wine', 1988), ('n3', '', 1989)",
        "CREATE TABLE 'odd \"name' (text TEXT)",
        "INSERT INTO 'odd \"name' VALUES ('rye bread')",
        "CREATE TABLE numbers (n INTEGER)",
        "INSERT INTO numbers VALUES (7)",
        "CREATE VIRTUAL TABLE search USING fts5 (body)",
        "INSERT INTO search VALUES ('red roses')",
    )
    before = path.read_bytes()
    reading = read(path)
    assert [(each.id, each.text, dict(each.metadata)) for each in reading] == [
        ("n1", "red roses", {"year": 1987}),
        ("n2", "white wine", {"year": 1988}),
        ('a.sqlite/odd "name#1', "rye bread", {}),
    ]
    assert [each.reason for each in reading.skipped] == ["row 3: no text", "no column holds text"]
    assert path.read_bytes() == before


def test_columns_can_be_named_and_a_database_in_a_folder_is_read(tmp_path):
    made(tmp_path / "a.db", "CREATE TABLE t (k TEXT, one TEXT, two TEXT)", "INSERT INTO t VALUES ('x', 'red roses', 'white wine')")
    [document] = read(tmp_path, text="one", id="k", metadata=[])
    assert (document.id, document.text) == ("x", "red roses")


def test_an_index_and_files_that_only_have_the_ending_are_reported(tmp_path):
    with vicinal.open(tmp_path / "index.db", create=True) as index:
        index.add({"a": "red roses"})
        reading = read(tmp_path)
        assert list(reading) == []
        assert any("an SQLite file, such as an index" in each.reason for each in reading.skipped)
        assert index.search("roses")
    (tmp_path / "b.db").write_bytes(b"\0\1\2\3" * 300)
    (tmp_path / "c.db").write_text("plain words\n")
    reading = read(tmp_path / "b.db", tmp_path / "c.db")
    assert [each.text for each in reading] == ["plain words\n"]
    assert [each.reason for each in reading.skipped] == ["binary, not text"]


def test_an_empty_or_damaged_database_is_reported(tmp_path):
    path = made(tmp_path / "a.db", "CREATE TABLE t (text TEXT)", "DROP TABLE t")
    assert [each.reason for each in read_all(path).skipped] == ["a database without tables"]
    path = made(tmp_path / "b.db", "CREATE TABLE t (text TEXT)", *["INSERT INTO t VALUES ('" + "red roses " * 300 + "')"] * 20)
    path.write_bytes(path.read_bytes()[:8192] + b"\xff" * (path.stat().st_size - 8192))
    [skipped] = read_all(path).skipped
    assert "cannot be read" in skipped.reason


def read_all(path):
    reading = read(path)
    list(reading)
    return reading


def shop(path):
    return made(
        path,
        "CREATE TABLE reviews (key TEXT, review TEXT, stars INTEGER)",
        "INSERT INTO reviews VALUES ('r1', 'red roses', 5), ('r2', 'dry bread', 1)",
        "CREATE TABLE other (text TEXT)",
        "INSERT INTO other VALUES ('not asked for')",
    )


class TestQueries:
    QUERY = "SELECT key AS id, review AS text, stars FROM reviews WHERE stars > 2"

    @pytest.fixture(name="source", params=["file", "address", "duckdb"])
    def any_source(self, request, tmp_path):
        if request.param == "duckdb":
            duckdb = pytest.importorskip("duckdb")
            with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
                connection.execute("CREATE TABLE reviews (key TEXT, review TEXT, stars INTEGER, day DATE)")
                connection.execute("INSERT INTO reviews VALUES ('r1', 'red roses', 5, '2024-01-31'), ('r2', 'dry bread', 1, NULL)")
            return tmp_path / "a.duckdb"
        path = shop(tmp_path / "a.db")
        if request.param == "address":
            pytest.importorskip("sqlalchemy")
            return f"sqlite:///{path}"
        return path

    def test_rows_of_a_query_are_documents(self, source):
        [document] = read(source, query=self.QUERY)
        assert (document.id, document.text, dict(document.metadata)) == ("r1", "red roses", {"stars": 5})

    def test_rows_of_another_query_are_other_documents_and_the_same_ones_stay(self, source, tmp_path):
        with vicinal.open(tmp_path / "x.vic", create=True) as index:
            index.add(read(source, query="SELECT review AS text FROM reviews WHERE stars = 5"))
            index.add(read(source, query="SELECT review AS text FROM reviews WHERE stars = 1"))
            assert sorted(index[id].text for id in index) == ["dry bread", "red roses"]
            again = index.add(read(source, query="SELECT review AS text FROM reviews  WHERE stars = 1"))
            assert (again.added, again.unchanged) == (0, 1)

    @pytest.mark.parametrize("query", ["SELECT nothing FROM nowhere", "SELEC"])
    def test_a_query_that_fails_is_said(self, source, query):
        with pytest.raises(BadParameter, match="query: the database"):
            list(read(source, query=query))

    @pytest.mark.parametrize(
        "change",
        [
            "DELETE FROM reviews",
            "DROP TABLE reviews",
            "-- SELECT\nDROP TABLE reviews",
            "/* SELECT */ drop table reviews",
            "CREATE TABLE more (a TEXT)",
            "WITH all_of AS (SELECT 1) DELETE FROM reviews",
            "ALTER TABLE reviews RENAME TO gone",
        ],
    )
    def test_nothing_is_written(self, source, change):
        with suppress(BadParameter):
            assert list(read(source, query=change)) == []
        assert len(list(read(source, query="SELECT review AS text FROM reviews"))) == 2

    def test_a_statement_that_does_not_read_is_refused_at_an_address(self, tmp_path):
        pytest.importorskip("sqlalchemy")
        shop(tmp_path / "a.db")
        with pytest.raises(BadParameter, match="says: it is only read, by a statement that begins with SELECT"):
            list(read(f"sqlite:///{tmp_path / 'a.db'}", query="DROP TABLE reviews"))
        commented = read(f"sqlite:///{tmp_path / 'a.db'}", query=f"-- what is good\n{self.QUERY}")
        assert [each.id for each in commented] == ["r1"]

    def test_no_file_is_made_of_an_address_that_is_wrong(self, tmp_path):
        pytest.importorskip("sqlalchemy")
        with pytest.raises(BadParameter, match="says: there is no such file"):
            list(read(f"sqlite:///{tmp_path / 'typo.db'}", query="SELECT 1 AS text"))
        assert list(tmp_path.iterdir()) == []

    def test_sync_remembers_the_query(self, tmp_path):
        shop(tmp_path / "a.db")
        with vicinal.open(tmp_path / "x.vic", create=True) as index:
            index.add(read(tmp_path / "a.db", query=self.QUERY))
            made(tmp_path / "a.db", "UPDATE reviews SET review = 'white roses'")
            done = index.sync(tmp_path / "a.db")
            assert (done.added, done.changed, done.gone) == (0, 1, ())
            assert index["r1"].text == "white roses"


def test_tables_of_duckdb_are_read_and_what_is_none_is_skipped(tmp_path, monkeypatch, in_this_process):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute(
            "CREATE TABLE news AS SELECT 'n' || i AS id, 'words ' || i AS text, DATE '2024-01-31' AS day FROM range(600) t(i)"
        )
    (tmp_path / "b.duckdb").write_bytes(b"no database at all " * 100)
    reading = read(tmp_path)
    documents = list(reading)
    assert len(documents) == 600
    assert (documents[599].id, dict(documents[599].metadata)) == ("n599", {"folder": "a.duckdb", "day": "2024-01-31"})
    assert [each.source.endswith("b.duckdb") for each in reading.skipped] == [True]
    monkeypatch.setitem(sys.modules, "duckdb", None)
    without = read(tmp_path / "a.duckdb")
    assert list(without) == []
    assert "pip install vicinal[sql]" in without.skipped[0].reason


def test_an_address_needs_a_query_and_its_packages_and_its_password_is_never_said(monkeypatch):
    with pytest.raises(BadParameter, match=r"query: postgresql://me:\*\*\*@host/name is the address of a database"):
        read("postgresql://me:secret@host/name")
    with pytest.raises(BadParameter, match="is no address of a database"):
        list(read("nosuch://me:secret@host/name", query="SELECT 1"))
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(MissingExtra, match=r"needs SQLAlchemy, which is not installed. Run pip install vicinal\[sql\]") as raised:
        list(read("postgresql://me:secret@host/name", query="SELECT 1"))
    assert "secret" not in str(raised.value)


def test_a_query_of_a_file_that_is_no_database_is_said(tmp_path):
    (tmp_path / "a.txt").write_text("words", encoding="utf-8")
    reading = read(tmp_path, query="SELECT 1")
    assert list(reading) == []
    assert reading.skipped[0].reason == "no database, so that no query can be asked of it"
