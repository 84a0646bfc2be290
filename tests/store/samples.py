"""Small indexes for the tests of the store, what can be read from them, and calls that must complain."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from vicinal._store import Arrays, Documents, Labels, Origins, Settings, Store, match
from vicinal._store.commit_note import note_commits
from vicinal._store.origins import Origin, Root
from vicinal._store.schema import FORMAT
from vicinal._store.sqlite_errors import in_our_words
from vicinal.corpus import Document

TOPICS = (
    "tax on small farms",
    "the café by the river",
    "a red rose and a white rose",
    "running dogs ran",
    "state-of-the-art engines",
)


def documents(n, start=0):
    return [
        Document(
            f"doc-{i}",
            f"{TOPICS[i % len(TOPICS)]}. number{i} " + f"word{i % 7} " * 5,
            title=f"Title {i}",
            label="even" if i % 2 == 0 else "",
            source=f"folder/{i}.txt",
            metadata={"year": 1990 + i, "section": "arts" if i % 3 else "sport", "good": i % 2 == 0, "note": None},
        )
        for i in range(start, start + n)
    ]


def fill(store, n=30):
    """Something in every table, in one transaction."""
    rng = np.random.default_rng(0)
    with store.writing():
        Documents(store).add(documents(n))
        arrays = Arrays(store)
        arrays.put("vectors", rng.normal(size=(n, 6)).astype(np.float32))
        arrays.append("vectors", rng.normal(size=(4, 6)).astype(np.float32))
        arrays.put("counts", sp.random(n, 40, 0.2, format="csr", random_state=1))
        arrays.append("counts", sp.random(5, 40, 0.2, format="csr", random_state=2))
        arrays.put("terms", [f"term{i}" for i in range(40)])
        arrays.append("terms", ["é", "", "漢字"])
        Settings(store).set("recipe", {"alpha": 0.1, "names": ["a", "b"]})
        Settings(store).set("seed", 7)
        Labels(store).give({1: "farms", 2: "rivers"}, "user")
        Origins(store).put_root(Root(1, "/home/folder", "../folder", "folder", {"text": "body"}))
        Origins(store).put_root(Root(2, "/home/more", "../more", "more"))
        Origins(store).put({number: Origin(1, f"{number}.txt", "#7") for number in range(1, n)})
    return store


def made(path, n=30):
    with Store.open(path, create=True) as store:
        fill(store, n)
    return Path(path)


def contents(store):
    """Everything that can be read, as one text: two indexes with the same text hold the same."""
    with store.reading():
        arrays = Arrays(store)
        held = {
            "documents": [repr(stored) for chunk in Documents(store).chunks(7) for stored in chunk],
            "arrays": {name: _numbers(arrays.get(name)) for name in arrays.names()},
            "settings": {name: Settings(store).get(name) for name in Settings(store).names()},
            "labels": repr(Labels(store).get()),
            "roots": repr(Origins(store).roots()),
            "origins": repr(Origins(store).every()),
            "found": [match(store, topic, 50)[0].tolist() for topic in TOPICS],
        }
    return json.dumps(held)


def _numbers(array):
    if isinstance(array, list):
        return array
    dense = array.toarray() if sp.issparse(array) else array
    return [str(dense.dtype), list(dense.shape), hashlib.sha256(np.ascontiguousarray(dense)).hexdigest()]


def raw(path):
    """The file as SQLite sees it, for those who want to do harm."""
    return sqlite3.connect(path, isolation_level=None)


def _somewhere(call):
    with tempfile.TemporaryDirectory() as folder:
        return call(Path(folder) / "news.vic")


def open_a_newer_one():
    def call(path):
        made(path, 2)
        raw(path).execute(f"PRAGMA user_version = {FORMAT + 8}").connection.close()
        Store.open(path)

    _somewhere(call)


def open_a_damaged_one():
    def call(path):
        made(path, 2)
        raw(path).execute("DROP TABLE settings").connection.close()
        Store.open(path)

    _somewhere(call)


def write_a_locked_one():
    def call(path):
        with Store.open(path, create=True) as first, Store.open(path) as second, first.writing(), second.writing():
            pass

    _somewhere(call)


def write_one_that_can_only_be_read():
    def call(path):
        made(path, 2)
        with Store(path, False, "mode=ro") as store, store.writing():
            pass

    _somewhere(call)


def write_to_a_disk_that_fails():
    def call(path):
        with Store.open(path, create=True), in_our_words(path):
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
            raise error

    _somewhere(call)


def open_one_that_lost_its_journal():
    def call(path):
        with Store.open(path, create=True) as store:
            note_commits(path, store.commits() + 1)
        Store.open(path).close()

    _somewhere(call)


def write_where_there_is_no_room():
    def call(path):
        with Store.open(path, create=True) as store, store.writing():
            store.rows("PRAGMA max_page_count = 40")
            Documents(store).add(documents(2000))

    _somewhere(call)
