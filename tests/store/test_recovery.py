"""Repair: what is made from the documents is made again in place, and every readable document is saved from any other damage."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from tests.store.samples import contents, documents, made, raw
from tests.store.test_damage import PAGE, sql
from vicinal._store import Arrays, Documents, Labels, Lost, Settings, Store, check, copy_index, match, rebuild_derived, salvage
from vicinal._store.file_check import REPAIR, SALVAGE
from vicinal.corpus import Document
from vicinal.errors import BadIndex, BadParameter, DamagedIndex, DiskFull

pytestmark = pytest.mark.damages


@pytest.fixture
def path(tmp_path, sound):
    path = tmp_path / "hurt.vic"
    path.write_bytes(sound)
    return path


def repaired(path):
    with Store.open_unchecked(path) as store:
        return rebuild_derived(store)


def salvaged(path):
    with Store.open_unchecked(path) as store:
        return salvage(store, path.with_name("new.vic"), ("recipe",))


def held(path):
    """Documents by id, after a check that the index is sound."""
    assert check(path) == []
    with Store.open(path) as store:
        return {stored.document.id: stored.document for chunk in Documents(store).chunks() for stored in chunk}


WORDS = [
    "DELETE FROM words_data",
    "DELETE FROM words_config",
    "DELETE FROM words_docsize",
    "UPDATE words_config SET v = 99",
    "UPDATE words_data SET block = zeroblob(40)",
    "DROP TABLE words",
    "DROP TABLE words_data",
    "DROP TABLE words_config",
    "INSERT INTO words (words, rowid, title, text) VALUES ('delete', 3, 'Title 2', 'another text')",
]


@pytest.mark.parametrize("damage", WORDS)
def test_the_full_text_is_rebuilt_and_nothing_else_changes(path, damage):
    with Store.open(path) as store:
        before = contents(store)
    sql(path, damage)
    assert {each.do for each in check(path)} == {REPAIR}
    assert repaired(path)
    assert check(path) == []
    with Store.open(path) as store:
        assert contents(store) == before
        Documents(store).add([Document("new", "a zebra")])
        assert match(store, "zebra")[0].tolist() == [31]


MODEL = [
    "UPDATE blocks SET bytes = zeroblob(length(bytes)) WHERE name = 'vectors'",
    "DELETE FROM blocks WHERE name = 'terms'",
    "DELETE FROM arrays",
    "UPDATE arrays SET shape = '[1]'",
    "DROP TABLE blocks",
    "DROP TABLE arrays",
    "ALTER TABLE blocks ADD COLUMN more TEXT",
    "UPDATE settings SET value = '9' WHERE name = 'seed'",
    "DELETE FROM settings WHERE name = 'seed'",
    "DELETE FROM tallies WHERE name = 'settings'",
    "DELETE FROM tallies WHERE name = 'commits'",
    "UPDATE tallies SET total = total + 1 WHERE name = 'blocks'",
]


@pytest.mark.parametrize("damage", MODEL)
def test_damaged_arrays_and_settings_are_dropped_and_documents_and_labels_stay(path, damage):
    documents_before = held(path)
    with Store.open(path) as store:
        Documents(store).set_generation([1, 2], 4)
        labels = Labels(store).get()
        commits = store.commits()
    sql(path, damage)
    assert {each.do for each in check(path)} == {REPAIR}
    assert repaired(path)
    assert held(path) == documents_before
    with Store.open(path) as store:
        assert Arrays(store).names() == []
        assert Settings(store).get("recipe") == {"alpha": 0.1, "names": ["a", "b"]}
        assert Documents(store).where([("generation", "=", 0)]).size == 30
        assert Labels(store).get() == labels
        assert store.commits() > (0 if "commits" in damage else commits)
        Arrays(store).put("vectors", np.ones(3))
        Settings(store).set("seed", 1)
    assert check(path) == []


def test_a_dropped_table_of_settings_is_made_again_empty(path):
    sql(path, "DROP TABLE settings")
    repaired(path)
    with Store.open(path) as store:
        assert Settings(store).names() == []
    assert check(path) == []


def test_a_sound_index_is_left_as_it_is(path, sound):
    assert repaired(path) == []
    assert path.read_bytes() == sound


BEYOND = {
    "a document": "UPDATE documents SET source = 'x' WHERE number = 7",
    "a label": "UPDATE labels SET label = 'x'",
    "a document that is gone": "DELETE FROM documents WHERE number = 7",
    "the last number": "UPDATE sqlite_sequence SET seq = 3",
    "a table of others": "CREATE TABLE more (x)",
    "a tally": "DELETE FROM tallies WHERE name = 'documents'",
}


@pytest.mark.parametrize("what", BEYOND)
def test_more_damage_is_not_repaired_in_place_and_a_salvage_gives_a_sound_index(path, what):
    before = held(path)
    sql(path, BEYOND[what], "DELETE FROM words_docsize WHERE id = 20")
    damaged = path.read_bytes()
    assert SALVAGE in {each.do for each in check(path)}
    with pytest.raises(DamagedIndex, match=r"cannot be repaired in place: .*--salvage NEW"):
        repaired(path)
    assert path.read_bytes() == damaged
    result = salvaged(path)
    lost = {"doc-6"} if what.startswith("a document") else set()
    assert held(path.with_name("new.vic")) == {id: document for id, document in before.items() if id not in lost}
    assert {each.id for each in result.lost} == ({""} if "gone" in what else lost)
    assert result.n_documents == 30 - len(lost)
    assert path.read_bytes() == damaged


def test_a_salvage_keeps_labels_and_the_settings_asked_for(path):
    sql(path, "UPDATE labels SET label = 'x' WHERE document = 2", "UPDATE documents SET source = 'x' WHERE number = 7")
    result = salvaged(path)
    assert (result.n_documents, result.n_labels, result.n_unknown) == (29, 1, 0)
    with Store.open(path.with_name("new.vic")) as store:
        assert Labels(store).get()[1].label == "farms"
        assert Labels(store).get()[1].origin == "user"
        assert 2 not in Labels(store).get()
        assert Settings(store).names() == ["recipe"]


def test_a_label_of_a_document_that_is_lost_is_lost_with_it(path):
    sql(path, "UPDATE documents SET source = 'x' WHERE number = 1", "DELETE FROM documents WHERE number = 2")
    result = salvaged(path)
    assert result.n_labels == 0
    assert result.lost == (Lost(1, "doc-0"), Lost(2, ""))


def test_a_lost_document_is_named_by_its_number_where_its_id_is_not_known(path):
    sql(path, "DELETE FROM documents WHERE number = 7")
    [lost] = salvaged(path).lost
    assert (lost.number, str(lost)) == (7, "number 7, id not known")


def test_documents_of_which_nothing_is_left_are_counted(path):
    sql(path, "DELETE FROM documents WHERE number > 25", "DELETE FROM words_docsize WHERE id > 25")
    result = salvaged(path)
    assert (result.n_documents, result.lost, result.n_unknown) == (25, (), 5)


def test_a_copy_and_a_salvage_into_a_folder_that_is_not_there_name_the_path_that_was_given(path):
    for make in (copy_index, salvage):
        with Store.open(path) as store, pytest.raises(BadIndex, match=r"none/new\.vic cannot be made: No such file or directory"):
            make(store, path.parent / "none" / "new.vic")


@pytest.mark.parametrize("error", [KeyboardInterrupt, DiskFull])
def test_a_salvage_that_ends_early_leaves_nothing_and_can_be_done_again(path, monkeypatch, error):
    with monkeypatch.context() as patched:
        patched.setattr(Labels, "give", mock.Mock(side_effect=error))
        with pytest.raises(error):
            salvaged(path)
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    assert salvaged(path).n_documents == 30


def test_a_salvage_replaces_no_file(path):
    path.with_name("new.vic").write_text("precious")
    with pytest.raises(BadParameter, match="there already"):
        salvaged(path)
    assert path.with_name("new.vic").read_text() == "precious"


def test_removed_documents_are_not_lost_ones(tmp_path):
    path = made(tmp_path / "hurt.vic")
    with Store.open(path) as store:
        Documents(store).remove(["doc-3", "doc-4"])
    sql(path, "UPDATE documents SET source = 'x' WHERE number = 7")
    assert [lost.id for lost in salvaged(path).lost] == ["doc-6"]


def test_a_number_beyond_reason_is_tried_alone(path):
    sql(path, f"UPDATE documents SET number = {1 << 50} WHERE number = 30")
    assert [lost.id for lost in salvaged(path).lost] == ["", "doc-29"]


def leaf_of(data, text):
    """The page that a text is on."""
    start = data.index(text) // PAGE * PAGE
    return start, start + PAGE


def test_a_destroyed_page_loses_its_documents_alone(tmp_path):
    path = made(tmp_path / "hurt.vic", 200)
    data = path.read_bytes()
    start, stop = leaf_of(data, b"number100 ")
    path.write_bytes(data[:start] + bytes(PAGE) + data[stop:])
    with pytest.raises(BadIndex):
        repaired(path)
    result = salvaged(path)
    lost = {each.id for each in result.lost}
    assert "doc-100" in lost
    assert 1 <= len(lost) <= PAGE // 60
    assert result.n_documents == 200 - len(lost)
    assert set(held(path.with_name("new.vic"))) == {document.id for document in documents(200)} - lost


def test_two_destroyed_pages_and_a_destroyed_index_of_ids_still_lose_their_documents_alone(tmp_path):
    path = made(tmp_path / "hurt.vic", 400)
    sql(path, "DELETE FROM words_docsize")  # so that no table but the damaged one knows the numbers between the pages
    data = path.read_bytes()
    for text in (b"number100 ", b"number300 "):
        start, stop = leaf_of(data, text)
        data = data[:start] + np.random.default_rng(0).bytes(PAGE) + data[stop:]
    path.write_bytes(data)
    connection = raw(path)
    [[root]] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_documents_1'").fetchall()
    connection.close()
    path.write_bytes(data[: (root - 1) * PAGE] + bytes(PAGE) + data[root * PAGE :])
    result = salvaged(path)
    assert result.n_documents + len(result.lost) == 400
    assert len(result.lost) < 100
    assert len(held(path.with_name("new.vic"))) == result.n_documents


def test_ids_of_lost_documents_are_read_from_both_ends_of_the_index_of_ids(tmp_path):
    path = made(tmp_path / "hurt.vic", 2000)
    data = path.read_bytes()
    [leaf] = [at for at in range(0, len(data), PAGE) if data[at] == 10 and b"doc-1500" in data[at : at + PAGE]]
    for start in (leaf, leaf_of(data, b"number999 ")[0], leaf_of(data, b"number1 ")[0]):
        data = data[:start] + bytes(PAGE) + data[start + PAGE :]
    path.write_bytes(data)
    assert {"doc-1", "doc-999"} <= {lost.id for lost in salvaged(path).lost}
