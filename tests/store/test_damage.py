"""Damage: wherever the file is hurt, check finds and names it, and reading gives the truth or an error of ours."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tests.store.samples import contents, made, raw
from vicinal._store import Arrays, Documents, Store, blocks, check
from vicinal._store.checksums import checksum
from vicinal._store.schema import TABLES
from vicinal.errors import BadIndex, DamagedIndex, NotAnIndex

pytestmark = pytest.mark.damages

PAGE = 4096


@pytest.fixture
def path(tmp_path, sound):
    path = tmp_path / "hurt.vic"
    path.write_bytes(sound)
    return path


@pytest.fixture(scope="module")
def truth(tmp_path_factory, sound):
    path = tmp_path_factory.mktemp("truth") / "sound.vic"
    path.write_bytes(sound)
    with Store.open(path) as store:
        return contents(store)


def read(path):
    """What a reader gets: everything, or the error of ours that it was given."""
    try:
        with Store.open(path) as store:
            return contents(store)
    except BadIndex as error:
        return error


def hurt(path, damaged, truth):
    """Whether check found the damage. Nothing may be wrong without being found, and no error may be another than ours."""
    path.write_bytes(damaged)
    found = check(path)
    for damage in found:
        assert damage.table
        assert damage.where
        assert damage.what
        assert damage.do
    path.write_bytes(damaged)
    got = read(path)
    assert found or got == truth, "wrong, and check is silent"
    return bool(found)


def test_a_sound_index_has_no_damage(path, truth):
    assert check(path) == check(path, 1) == []
    assert read(path) == truth


def test_a_check_changes_nothing(path, sound):
    check(path)
    assert path.read_bytes() == sound


def test_flipped_bits_are_found_or_do_no_harm(path, sound, truth):
    rng = np.random.default_rng(5)
    used = np.flatnonzero(np.frombuffer(sound, np.uint8))  # much of a small file is room that is not used
    places = [*range(16, 100, 7), *rng.choice(used, 200, replace=False).tolist()]
    found = 0
    for place in places:
        damaged = bytearray(sound)
        damaged[place] ^= 1 << int(rng.integers(8))
        found += hurt(path, bytes(damaged), truth)
    assert found > len(places) / 2


def test_every_flipped_bit_of_a_text_is_found(path, sound, truth):
    start = sound.index(b"tax on small farms. number0")
    for place in range(start, start + 20):
        damaged = bytearray(sound)
        damaged[place] ^= 1
        assert hurt(path, bytes(damaged), truth)


def test_zeroed_and_garbled_pages_are_found(path, sound, truth):
    rng = np.random.default_rng(6)
    for start in range(0, len(sound), PAGE):
        assert hurt(path, sound[:start] + bytes(PAGE) + sound[start + PAGE :], truth), start
        assert hurt(path, sound[:start] + rng.bytes(PAGE) + sound[start + PAGE :], truth), start


def test_a_file_cut_short_anywhere_is_found(path, sound, truth):
    for length in np.linspace(0, len(sound) - 1, 20).astype(int):
        assert hurt(path, sound[:length], truth)
        assert isinstance(read(path), DamagedIndex | NotAnIndex)


def test_two_pages_that_changed_places_are_found(path, sound, truth):
    pages = [sound[start : start + PAGE] for start in range(0, len(sound), PAGE)]
    for k in range(1, len(pages) - 1):
        swapped = [*pages[:k], pages[k + 1], pages[k], *pages[k + 2 :]]
        assert hurt(path, b"".join(swapped), truth), k


def listed(path):
    """Ids and numbers as a reader gets them without the texts, each by itself; None for an error of ours."""
    found = {}
    for name, read in (
        ("count", lambda documents: documents.count()),
        ("numbers", lambda documents: documents.numbers().tolist()),
        ("ids", lambda documents: documents.ids(range(1, 31))),
    ):
        try:
            with Store.open(path) as store:
                found[name] = read(Documents(store))
        except BadIndex:
            found[name] = None
    return found


def test_a_page_in_another_place_and_two_flips_give_the_truth_or_an_error_without_the_texts(path, sound):
    truth, chance = listed(path), np.random.default_rng(8)
    pages, refused = len(sound) // PAGE, 0
    used = np.flatnonzero(np.frombuffer(sound, np.uint8))
    for _ in range(60):
        damaged = bytearray(sound)
        one, other = (int(each) * PAGE for each in chance.choice(np.arange(1, pages), 2, replace=False))
        damaged[one : one + PAGE] = sound[other : other + PAGE]
        if chance.random() < 0.5:
            damaged[other : other + PAGE] = sound[one : one + PAGE]
        if chance.random() < 0.3:
            damaged = bytearray(sound)
            for place in chance.choice(used[used > 100], 2, replace=False):
                damaged[place] ^= 1 << int(chance.integers(8))
        path.write_bytes(bytes(damaged))
        found = listed(path)
        assert [name for name, each in found.items() if each not in (None, truth[name])] == [], (one, other)
        refused += None in found.values()
    assert refused > 5


def test_an_id_that_the_index_of_ids_does_not_have_is_damage(path):
    sql(path, "UPDATE documents SET id = 'doc-x' WHERE number = 7")
    with Store.open(path) as store:
        assert Documents(store).ids([7]) == ["doc-x"]  # as SQLite wrote it, in both places
    data = path.read_bytes()
    place = data.index(b"doc-5")
    path.write_bytes(data[:place] + b"doc-y" + data[place + 5 :])
    with Store.open(path) as store, pytest.raises(DamagedIndex, match="id of document 6"):
        Documents(store).ids([6])


def test_documents_that_are_not_counted_are_damage(path):
    sql(path, "DELETE FROM tallies WHERE name = 'documents'")
    with Store.open(path) as store, pytest.raises(DamagedIndex, match="an unknown number were written"):
        Documents(store).count()


def sql(path, *statements):
    connection = raw(path)
    connection.execute("PRAGMA foreign_keys = OFF")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def tables_of(path, level=2):
    return {damage.table for damage in check(path, level)}


COLUMNS = {
    "documents": ["id", "digest", "generation", "checksum", "label", "source", "metadata", "title", "text", "number"],
    "labels": ["label", "origin", "checksum", "document"],
    "roots": ["path", "beside", "name", "options", "checksum", "root"],
    "origins": ["path", "part", "checksum", "root", "document"],
    "arrays": ["name", "kind", "dtype", "shape", "checksum"],
    "blocks": ["name", "part", "first_row", "n_rows", "dtype", "shape", "checksum", "bytes"],
    "settings": ["name", "value", "checksum"],
    "tallies": ["n_rows", "total"],
}
NUMBERS = {"generation", "root", "checksum", "number", "document", "first_row", "n_rows", "total"}


@pytest.mark.parametrize(("table", "column"), [(table, column) for table, columns in COLUMNS.items() for column in columns])
def test_a_changed_value_of_any_column_is_found_and_its_table_named(path, table, column):
    change = f"{column} + 1000" if column in NUMBERS else "zeroblob(9)" if column in ("digest", "bytes") else f"{column} || 'x'"
    sql(path, f"UPDATE {table} SET {column} = {change} WHERE rowid = (SELECT min(rowid) FROM {table})")
    named = tables_of(path)
    beside = {"arrays": {"blocks"}, "blocks": {"arrays"}, "tallies": set(COLUMNS)}.get(table, set())
    assert named & ({table} | beside), named
    assert isinstance(read(path), BadIndex | str)


@pytest.mark.parametrize("table", [table for table in COLUMNS if table != "tallies"])
def test_a_deleted_row_is_found_at_level_one_and_its_table_named(path, table):
    sql(path, f"DELETE FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})")
    assert table in tables_of(path, 1)
    assert table in tables_of(path)


@pytest.mark.parametrize("table", COLUMNS)
def test_an_emptied_table_is_found(path, table):
    sql(path, f"DELETE FROM {table}")
    assert table in tables_of(path, 1)


@pytest.mark.parametrize("table", TABLES)
def test_a_dropped_table_is_found_on_opening_and_named(path, table):
    sql(path, f"DROP TABLE {table}")
    with pytest.raises(DamagedIndex, match=f"{table} is missing"):
        Store.open(path)
    assert table in tables_of(path, 1)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (x)",
        "CREATE TRIGGER evil AFTER INSERT ON documents BEGIN DELETE FROM settings; END",
        "CREATE VIEW evil AS SELECT * FROM documents",
        "CREATE INDEX evil ON documents (title)",
        "ALTER TABLE documents ADD COLUMN more TEXT",
        "ALTER TABLE settings RENAME COLUMN value TO valve",
    ],
)
def test_what_an_index_does_not_have_is_found_on_opening(path, statement):
    sql(path, statement)
    with pytest.raises(DamagedIndex, match=r"is not part of an index|is not defined as in an index"):
        Store.open(path)
    assert tables_of(path, 1) <= {"more", "evil", "documents", "settings"} != set()


@pytest.mark.parametrize("table", ["words_data", "words_docsize", "words_config"])
def test_damage_to_the_full_text_is_found_and_named(path, table):
    sql(path, f"DELETE FROM {table}")
    assert "words" in tables_of(path)
    assert isinstance(read(path), BadIndex | str)


def test_a_lost_way_to_some_terms_is_found(tmp_path):
    path = made(tmp_path / "larger.vic", 1500)
    assert check(path) == []
    [[pages]] = raw(path).execute("SELECT count(*) FROM words_idx").fetchall()
    assert pages > 3
    sql(path, "DELETE FROM words_idx WHERE term = (SELECT max(term) FROM words_idx)")
    assert "words" in tables_of(path)


def test_blocks_that_changed_places_are_found(path):
    sql(
        path,
        "UPDATE blocks SET first_row = first_row + 1000 WHERE name = 'vectors'",
        "UPDATE blocks SET first_row = 1030 - first_row WHERE name = 'vectors' AND first_row >= 1000",
    )
    assert "arrays" in tables_of(path, 1)
    with Store.open(path) as store, pytest.raises(DamagedIndex):
        Arrays(store).get("vectors")


def test_a_row_of_another_index_is_found_though_its_own_checksum_is_right(path):
    """A whole row replaced by a whole row: only the sum of all can tell."""
    sql(
        path,
        "UPDATE settings SET value = '8', checksum = " + str(checksum("seed", "8")) + " WHERE name = 'seed'",
    )
    assert tables_of(path) == {"settings"}


def test_one_damaged_document_does_not_hide_the_others(path):
    sql(path, "UPDATE documents SET source = 'x' WHERE number = 7")
    assert [damage.where for damage in check(path) if damage.table == "documents"] == ["number 7"]
    with Store.open(path) as store:
        assert Documents(store).get(["doc-5", "doc-7"])[1].id == "doc-7"
        with pytest.raises(DamagedIndex, match="document 7"):
            Documents(store).get(["doc-6"])


#: What only one step of the check can see, and that step.
ONLY = {
    "_documents": "UPDATE documents SET source = 'x' WHERE number = 7",
    "_array_blocks": "UPDATE blocks SET bytes = zeroblob(length(bytes)) WHERE name = 'terms' AND part = 'letters'",
    "_settings": "UPDATE settings SET value = '9' WHERE name = 'seed'",
    "_labels": "UPDATE labels SET label = 'x'",
    "_totals": f"UPDATE settings SET value = '8', checksum = {checksum('seed', '8')} WHERE name = 'seed'",
    "_tables": "CREATE TABLE more (x)",
    "_numbering": "UPDATE sqlite_sequence SET seq = 3",
}


@pytest.mark.parametrize("step", ONLY)
def test_without_one_of_its_steps_the_check_would_be_silent(path, step, monkeypatch):
    module = sys.modules["vicinal._store.file_check"]
    sql(path, ONLY[step])
    assert check(path) != []
    for name in ("_OUTLINE", "_FIRST", "_SECOND"):
        monkeypatch.setattr(module, name, tuple(each for each in getattr(module, name) if each[1].__name__ != step))
    assert check(path) == []


def test_without_checksums_a_reader_would_be_deceived(path, monkeypatch):
    sql(path, "UPDATE blocks SET bytes = zeroblob(length(bytes)) WHERE name = 'vectors'")
    with Store.open(path) as store:
        with pytest.raises(DamagedIndex, match="array 'vectors', rows, rows 0 to 30"):
            Arrays(store).get("vectors")
        stored = iter([row[0] for row in store.rows("SELECT checksum FROM blocks WHERE name = 'vectors' ORDER BY first_row")])
        monkeypatch.setattr(blocks.Header, "checksum", lambda self, data: next(stored))
        assert not Arrays(store).get("vectors").any()


def test_a_damaged_file_beside_its_journal_is_no_harm(path, truth):
    path.with_name(path.name + "-wal").write_bytes(b"junk" * 1000)
    assert read(path) == truth
    path.with_name(path.name + "-wal").write_bytes(b"")
    path.with_name(path.name + "-shm").write_bytes(b"junk" * 10_000)
    assert read(path) == truth
    assert check(path) == []


def test_a_missing_index_is_damage_of_the_file(tmp_path):
    assert [damage.table for damage in check(tmp_path / "none.vic")] == ["file"]
    assert "no index at" in str(check(tmp_path / "none.vic")[0])
