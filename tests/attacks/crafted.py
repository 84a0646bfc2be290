"""Index files that somebody crafted to do harm; each function turns a sound file into one, and nothing of it is a binary blob."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import numpy as np

from vicinal._store import Arrays, Store
from vicinal._store.blocks import Header, to_bytes, write_shape
from vicinal._store.checksums import checksum
from vicinal._store.document_row import row_checksum

ENDLESS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT "


def changed(path, *statements):
    """A file after some statements, run by SQLite without any of our checks; the schema may be written."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            connection.execute(statement)


def in_place_of(table, view):
    """Statements that put a view, or another table, in place of a table."""
    return [f"ALTER TABLE {table} RENAME TO hidden_{table}", view]


#: Files whose own statements would run for ever, or change what is written: schema text is compared before anything is read.
SCHEMAS = {
    "documents are an endless view": in_place_of(
        "documents",
        f"CREATE VIEW documents AS {ENDLESS} n AS number, 'x' AS id, x'00' AS digest, 0 AS generation, 0 AS checksum, '' AS label, "
        "'' AS source, '{}' AS metadata, '' AS title, '' AS text FROM t",
    ),
    "settings are an endless view": in_place_of(
        "settings", f"CREATE VIEW settings AS {ENDLESS} 'model' AS name, '1' AS value, 0 AS checksum FROM t"
    ),
    "tallies are an endless view": in_place_of(
        "tallies", f"CREATE VIEW tallies AS {ENDLESS} 'documents' AS name, n AS n_rows, 0 AS total FROM t"
    ),
    "labels have a column that is computed": [
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE labels (document INTEGER PRIMARY KEY, "
        "label TEXT AS (hex(zeroblob(100000000))), origin TEXT NOT NULL, checksum INTEGER NOT NULL)' WHERE name = 'labels'"
    ],
    "a trigger": ["CREATE TRIGGER evil AFTER INSERT ON settings BEGIN DELETE FROM documents; END"],
    "a view with a trigger in place of labels": [
        *in_place_of("labels", f"CREATE VIEW labels AS {ENDLESS} n AS document, '' AS label, '' AS origin, 0 AS checksum FROM t"),
        f"CREATE TRIGGER evil INSTEAD OF INSERT ON labels BEGIN SELECT 1 WHERE 0 IN ({ENDLESS} n FROM t); END",
    ],
    "an index over an expression": ["CREATE INDEX evil ON documents (hex(zeroblob(length(text))))"],
    "a part of the full text is another table": [
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE words_docsize (id INTEGER PRIMARY KEY, sz BLOB AS (zeroblob(100000000)))' "
        "WHERE name = 'words_docsize'"
    ],
    "a part of the full text is a view": [
        "UPDATE sqlite_schema SET type = 'view', rootpage = 0, sql = 'CREATE VIEW words_docsize AS SELECT 1 AS id, 2 AS sz' "
        "WHERE name = 'words_docsize'"
    ],
}


def _under_the_name_of(name, trigger):
    """Statements that put a trigger into the schema under a name that SQLite reserves, or that a later table has."""
    there = f"coalesce((SELECT rowid FROM sqlite_schema WHERE name = '{name}'), 99)"
    return [
        f"UPDATE sqlite_schema SET rowid = -rowid - 9 WHERE rowid >= {there}",
        f"INSERT INTO sqlite_schema SELECT 'trigger', '{name}', 'documents', 0, 'CREATE TRIGGER {name} {trigger}'",
        "UPDATE sqlite_schema SET rowid = -rowid WHERE rowid < 0",
    ]


SCHEMAS |= {
    "a trigger under the name of statistics": _under_the_name_of(
        "sqlite_stat1", "BEFORE DELETE ON documents BEGIN SELECT RAISE(IGNORE); END"
    ),
    "a trigger under the name of an index": _under_the_name_of(
        "sqlite_autoindex_tallies_1", "BEFORE DELETE ON documents BEGIN SELECT RAISE(IGNORE); END"
    ),
    "a view under the name of statistics": [
        "INSERT INTO sqlite_schema SELECT 'view', 'sqlite_stat1', 'sqlite_stat1', 0, "
        f"'CREATE VIEW sqlite_stat1 AS {ENDLESS} n FROM t'"
    ],
}


def forged_array(path, name, change):
    """Put another array under a name, as the store itself would write it: every checksum and count is right."""
    with Store.open(path) as store, store.writing():
        arrays = Arrays(store)
        arrays.put(name, change(arrays.get(name)))


def forged_setting(path, name, change):
    """Change a setting, with its checksum and count, to what the store itself would refuse to write."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        [[value, before]] = connection.execute("SELECT value, checksum FROM settings WHERE name = ?", (name,))
        written = change(json.loads(value))
        after = checksum(name, written)
        connection.execute("UPDATE settings SET value = ?, checksum = ? WHERE name = ?", (written, after, name))
        connection.execute("UPDATE tallies SET total = total + ? WHERE name = 'settings'", (after - before,))


def forged_rows(path, name, n_rows):
    """An array of many rows of no width: one header, and not a byte."""
    with Store.open(path) as store, store.writing():
        arrays = Arrays(store)
        arrays.put(name, np.zeros((0, 0), dtype=np.float32))
        header = Header(name, "rows", 0, n_rows, "float32", (n_rows, 0))
        arrays._write_block(header, to_bytes(header, np.zeros((0, 0), dtype=np.float32)))
        fields = (name, "dense", "float32", write_shape((n_rows, 0)))
        [[before]] = store.rows("SELECT checksum FROM arrays WHERE name = ?", (name,))
        store.execute("UPDATE arrays SET shape = ?, checksum = ? WHERE name = ?", (fields[3], checksum(*fields), name))
        store.execute("UPDATE tallies SET total = total + ? WHERE name = 'arrays'", (checksum(*fields) - before,))


def forged_number(path, number):
    """Give the last document another number, with its checksum and count."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        [row] = connection.execute("SELECT number, generation, digest, checksum FROM documents ORDER BY number DESC LIMIT 1")
        after = row_checksum(number, row[1], row[2])
        connection.execute("UPDATE documents SET number = ?, checksum = ? WHERE number = ?", (number, after, row[0]))
        connection.execute("UPDATE tallies SET total = total + ? WHERE name = 'documents'", (after - row[3],))
        connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'documents'", (number,))


def _with(value, place=0):
    def change(array):
        found = array.copy()
        (found.data if hasattr(found, "tocsr") else found.reshape(-1))[place] = value
        return found

    return change


def _cluster_with(**wrong):
    """A change of the table of clusters: values of its first cluster."""

    def change(table):
        table["clusters"][0] |= wrong
        return json.dumps(table)

    return change


#: Files whose checksums are right and whose numbers are not, by what is forged.
NUMBERS = {
    "clusters of -5": lambda path: forged_array(path, "rows/topics", _with(-5)),
    "clusters beyond the last": lambda path: forged_array(path, "rows/topics", _with(77)),
    "an embedding of NaN": lambda path: forged_array(path, "rows/places", _with(np.nan)),
    "an embedding beyond all bounds": lambda path: forged_array(path, "rows/places", _with(1e30)),
    "a weight of NaN": lambda path: forged_array(path, "space/weights", _with(np.nan)),
    "a weight of infinity": lambda path: forged_array(path, "topics/weights", _with(np.inf)),
    "a share of NaN": lambda path: forged_array(path, "topics/shares", _with(np.nan)),
    "negative counts": lambda path: forged_array(path, "rows/counts", _with(-3)),
    "a document of number 0": lambda path: forged_array(path, "rows/numbers", _with(0)),
    "a column that no vocabulary has": lambda path: forged_array(path, "words/columns", _with(1_000_000, -1)),
    "a frequency of -1": lambda path: forged_array(path, "words/frequencies", _with(-1)),
    "one form less than terms": lambda path: forged_array(path, "words/forms", lambda forms: forms[:-1]),
    "one share less than clusters": lambda path: forged_array(path, "topics/shares", lambda shares: shares[:-1]),
    "a vocabulary that is a list": lambda path: forged_setting(path, "words", lambda kept: "[]"),
    "leaves of a tree that are no whole numbers": lambda path: forged_array(
        path, "tree/leaves", lambda leaves: leaves.astype(float)
    ),
    "the number of a cluster of 50 digits": lambda path: forged_setting(path, "clusters", _cluster_with(number="9" * 50)),
    "the number of a cluster of -1": lambda path: forged_setting(path, "clusters", _cluster_with(number=-1)),
    "leaves of a tree of -9": lambda path: forged_array(path, "tree/leaves", _with(-9)),
    "a million million rows of no width": lambda path: forged_rows(path, "rows/places", 1 << 40),
    "a whole number of a thousand digits": lambda path: forged_setting(
        path, "model", lambda kept: json.dumps(kept).replace(f'"generation": {kept["generation"]}', '"generation": 1' + "0" * 1000)
    ),
    "a generation of 64 bits and one": lambda path: forged_setting(
        path, "model", lambda kept: json.dumps(kept | {"generation": 2**64})
    ),
    "a temperature of 0": lambda path: forged_setting(path, "model", lambda kept: json.dumps(kept | {"temperature": 0})),
    "a temperature of NaN": lambda path: forged_setting(
        path, "model", lambda kept: json.dumps(kept | {"temperature": float("nan")})
    ),
    "the largest number of SQLite": lambda path: forged_number(path, 2**63 - 1),
}
