"""SQLite databases: their rows are documents; an index, and what is not a database, is not taken for one."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import vicinal
from vicinal import read


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
