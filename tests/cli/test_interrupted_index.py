"""A `vicinal index` that was interrupted or killed and is run again gives the index of one run, bit for bit."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

SUBJECTS = ("car engine wheel road brake", "rose tulip garden flower soil", "bread oven flour salt dough")
#: The command, with batches of five documents; after so many documents it says so and waits to be ended.
INDEX = """
import sys, time
from vicinal._store import Documents
from vicinal.cli import main
stop = int(sys.argv.pop())
real = Documents.add
def add(self, documents, **options):
    options["batch_size"] = 5
    def slow():
        for number, document in enumerate(documents):
            if number == stop:
                print("here", flush=True)
                time.sleep(60)
            yield document
    return real(self, slow(), **options)
Documents.add = add
main()
"""
#: Everything in the file but the count of commits.
TABLES = {
    "documents": "SELECT * FROM documents ORDER BY number",
    "arrays": "SELECT * FROM arrays ORDER BY name",
    "blocks": "SELECT name, part, first_row, n_rows, dtype, shape, checksum, bytes FROM blocks ORDER BY name, part, first_row",
    "settings": "SELECT * FROM settings ORDER BY name",
    "origins": "SELECT * FROM origins ORDER BY document",
    "roots": "SELECT * FROM roots ORDER BY root",
}


@pytest.fixture(scope="module", name="folder")
def folder_of_files(tmp_path_factory):
    folder, chance = tmp_path_factory.mktemp("sources") / "notes", random.Random(0)
    folder.mkdir()
    for number in range(36):
        (folder / f"{number:02}.txt").write_text(" ".join([*chance.choices(SUBJECTS[number % 3].split(), k=9), "day"]))
    return folder


def started(folder, path, stop=-1):
    options = ["--clusters", "3"]
    command = [sys.executable, "-c", INDEX, "index", str(folder), "-o", str(path), *options, str(stop)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def whole(path):
    with closing(sqlite3.connect(path)) as connection:
        return {name: connection.execute(statement).fetchall() for name, statement in TABLES.items()}


@pytest.fixture(scope="module", name="uninterrupted")
def one_run(folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("index") / "news.vic"
    with started(folder, path) as running:
        _, said = running.communicate(timeout=300)
    assert running.returncode == 0, said
    return whole(path)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=["ctrl-c", "sigterm", "sigkill"])
def test_an_index_that_was_ended_and_run_again_is_that_of_one_run_bit_for_bit(folder, tmp_path, uninterrupted, how):
    path = tmp_path / "news.vic"
    with started(folder, path, stop=22) as running:
        assert running.stdout.readline() == "here\n"
        running.send_signal(how)
        running.communicate(timeout=120)
    assert running.returncode in (-how, 128 + how)
    assert len(whole(path)["documents"]) == 20  # at most one batch is done again
    with started(folder, path) as running:
        _, said = running.communicate(timeout=300)
    assert running.returncode == 0, said
    found = whole(path)
    assert [name for name in TABLES if found[name] != uninterrupted[name]] == []


def test_one_bit_would_be_seen(uninterrupted):
    name, part, first, n_rows, dtype, shape, checksum, data = uninterrupted["blocks"][0]
    other = [(name, part, first, n_rows, dtype, shape, checksum, bytes([data[0] ^ 1]) + data[1:]), *uninterrupted["blocks"][1:]]
    assert other != uninterrupted["blocks"]
    assert len(uninterrupted["documents"]) == 36
