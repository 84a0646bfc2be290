"""Crafted files: no statement of a file is run, no number of it is believed, and every verb ends with a line and exit code 4."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.attacks.crafted import NUMBERS, SCHEMAS, changed
from tests.cli.commands import READING
from tests.cli.test_damaged import COMMANDS, invoke
from tests.index.small import made
from vicinal._store import Store, connections, schema, store
from vicinal.errors import BadIndex, DamagedIndex
from vicinal.index import check

pytestmark = pytest.mark.damages

#: Verbs that read every array between them.
ASKED = ("search", "show", "near", "clusters --tree", "classify", "export")


@pytest.fixture(scope="module", name="whole")
def sound_file(tmp_path_factory):
    return made(tmp_path_factory.mktemp("whole") / "small.vic", 5, added=1)


@pytest.fixture(name="path")
def own_copy(whole, tmp_path):
    return Path(shutil.copy(whole, tmp_path / "crafted.vic"))


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_file_with_statements_of_its_own_is_refused_before_anything_is_read(path, name):
    changed(path, *SCHEMAS[name])
    with pytest.raises(BadIndex):
        Store.open(path)
    found = check(path)
    assert found
    assert all("its statement" in each.where or each.table == "file" for each in found)
    for verb in ("search", "info", "export"):
        done = invoke(READING[verb], path)
        assert done.exit_code == 4, (verb, done.output)
    for arguments in (["repair", "FILE"], ["repair", "FILE", "--salvage", "FILE.new"], ["fit", "FILE"], ["check", "FILE"]):
        done = invoke(arguments, path)
        assert done.exit_code in (0, 4), (arguments, done.output)
        assert done.exception is None or isinstance(done.exception, SystemExit)


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_that_cannot_be_are_found_though_every_checksum_is_right(path, name):
    NUMBERS[name](path)
    assert check(path), "check is silent"
    codes = {}
    for verb in ASKED:
        arguments = COMMANDS[verb]
        done = invoke(arguments, path)
        assert done.exception is None or isinstance(done.exception, SystemExit), (verb, done.exception)
        assert "nan" not in done.stdout.lower(), verb
        codes[verb] = done.exit_code
    assert set(codes.values()) <= {0, 1, 2, 4}, codes
    assert 4 in codes.values(), codes


def test_a_view_in_place_of_a_table_would_be_read_without_the_comparison_and_the_authoriser(path, monkeypatch):
    changed(path, *SCHEMAS["settings are an endless view"])
    monkeypatch.setattr(schema, "differences", lambda connection: {})
    with Store.open(path) as opened, pytest.raises(DamagedIndex, match=r"prohibited|not authorized|statements of its own"):
        opened.rows("SELECT name FROM settings LIMIT 1")
    monkeypatch.setattr(connections, "_authorize", lambda *_: sqlite3.SQLITE_OK)
    with Store.open(path) as opened:
        assert opened.rows("SELECT name FROM settings LIMIT 1") == [("model",)]


def test_no_value_is_longer_than_the_file(path, monkeypatch):
    statement = "SELECT length(zeroblob(100000000) || '')"
    with Store.open(path) as opened:
        with pytest.raises(BadIndex, match="too big"):
            opened.rows(statement)
        monkeypatch.setattr(store, "longest_value", lambda path: 1_000_000_000)
        assert opened.rows(statement)


def test_statistics_that_somebody_let_sqlite_make_are_no_damage(path):
    changed(path, "ANALYZE")
    assert check(path) == []
    with Store.open(path) as opened:
        assert opened.rows("SELECT count(*) FROM sqlite_schema WHERE name GLOB 'sqlite_stat[0-9]'")[0][0]
