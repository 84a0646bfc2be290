"""The journal: what was acknowledged is in the index or in the journal beside it, and a journal that is lost is noticed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.samples import contents, documents, made
from vicinal._store import Documents, Settings, Store, check, commit_note, rebuild_derived, store
from vicinal._store.copying import copy_index
from vicinal._store.journal import cut_behind_last_page
from vicinal.errors import BadIndex, BadParameter, DamagedIndex, DamagedPart

pytestmark = pytest.mark.damages

ROOT = Path(__file__).parents[2]
KILLED = """
import os, sys
from tests.store.samples import documents
from vicinal._store import Documents, Store
store = Store.open(sys.argv[1])
for number in range(3):
    Documents(store).add(documents(1, 100 + number))
os._exit(0)
"""


@pytest.fixture(name="path")
def left_by_a_writer_that_was_killed(tmp_path):
    """An index of 30 documents, and three more in the journal."""
    path = made(tmp_path / "news.vic")
    subprocess.run([sys.executable, "-c", KILLED, path], cwd=ROOT, check=True)
    assert {each.name for each in tmp_path.iterdir()} >= {"news.vic", "news.vic-wal", "news.vic-commits"}
    (tmp_path / "news.vic-shm").unlink(missing_ok=True)
    return path


def opened_with_a_warning(path):
    with pytest.warns(DamagedPart, match=r"its last 3 changes were acknowledged .* news\.vic-wal"):
        return Store.open(path)


def test_a_journal_that_was_left_is_applied_and_the_note_goes_when_the_index_is_closed(path):
    with Store.open(path) as opened:
        assert Documents(opened).count() == 33
        Settings(opened).set("seed", 1)
    assert check(path) == []
    assert [each.name for each in path.parent.iterdir()] == ["news.vic"]


def flip(journal):
    data = bytearray(journal.read_bytes())
    data[100] ^= 4
    journal.write_bytes(bytes(data))


@pytest.mark.parametrize("lose", [Path.unlink, flip], ids=["deleted", "flipped"])
def test_a_lost_journal_is_noticed_and_nothing_is_written_until_the_loss_is_accepted(path, lose):
    lose(path.with_name("news.vic-wal"))
    assert [(each.table, each.where) for each in check(path)] == [("journal", "news.vic-wal")]
    with opened_with_a_warning(path) as opened:
        assert Documents(opened).count() == 30
        with pytest.raises(DamagedIndex, match="vicinal repair"):
            Settings(opened).set("seed", 1)
    with Store.open_unchecked(path) as opened:
        assert [each.table for each in rebuild_derived(opened)] == ["journal"]
    assert check(path) == []
    with Store.open(path) as opened:
        assert Documents(opened).count() == 30
        assert opened.commits() >= 4
        Settings(opened).set("seed", 1)
    assert [each.name for each in path.parent.iterdir()] == ["news.vic"]


def test_a_journal_that_is_put_back_is_applied(path):
    journal = path.with_name("news.vic-wal")
    kept = journal.read_bytes()
    journal.unlink()
    with opened_with_a_warning(path) as opened:
        assert Documents(opened).count() == 30
    journal.write_bytes(kept)
    with Store.open(path) as opened:
        assert Documents(opened).count() == 33


def test_without_the_note_a_lost_journal_would_not_be_seen(path, monkeypatch):
    monkeypatch.setattr(store, "noted_commits", lambda path: 0)
    path.with_name("news.vic-wal").unlink()
    assert check(path) == []


def test_a_note_that_cannot_be_read_or_written_is_done_without(tmp_path):
    path = tmp_path / "news.vic"
    note = commit_note.commits_path(path)
    for text in (b"", b"x", b"00000000000000000007 00000000", os.urandom(40)):
        note.write_bytes(text)
        assert commit_note.noted_commits(path) == 0
    note.unlink()
    note.mkdir()
    commit_note.note_commits(path, 3)
    commit_note.forget_commits(path)
    assert commit_note.noted_commits(path) == 0
    with Store.open(path, create=True) as opened:
        fill = Documents(opened).add(documents(2))
    assert fill.added == 2


def test_a_new_index_does_not_begin_with_the_note_of_another(path):
    for end in ("", "-wal"):
        path.with_name(path.name + end).unlink()
    with Store.open(path, create=True) as opened:
        assert opened.lost_commits == 0
        Documents(opened).add(documents(1))
    assert check(path) == []


def test_closing_leaves_no_journal_though_another_reads_and_the_note_stays_while_it_must(tmp_path):
    path = made(tmp_path / "news.vic")
    with Store.open(path) as reader:
        with reader.reading():
            reader.commits()
            with Store.open(path) as writer:
                Settings(writer).set("seed", 3)
            assert path.with_name("news.vic-wal").stat().st_size
            assert commit_note.commits_path(path).exists()
        with Store.open(path) as writer:
            Settings(writer).set("seed", 4)
        assert path.with_name("news.vic-wal").stat().st_size == 0
        assert not commit_note.commits_path(path).exists()
        assert Settings(reader).get("seed") == 4


def test_bytes_behind_the_last_page_are_found_and_a_repair_takes_them_away(tmp_path):
    path = made(tmp_path / "news.vic")
    size = path.stat().st_size
    for junk in (b"x", bytes(4096), os.urandom(10_000)):
        with path.open("ab") as file:
            file.write(junk)
        assert [(each.table, each.where) for each in check(path, 1)] == [("end", "behind its last page")]
        with Store.open_unchecked(path) as opened:
            before = contents(opened)
            rebuild_derived(opened)
            assert contents(opened) == before
        assert path.stat().st_size == size
        assert check(path) == []


def test_nothing_is_cut_while_the_journal_is_needed(tmp_path):
    path = made(tmp_path / "news.vic")
    with Store.open(path) as reader, reader.reading():
        with Store.open(path) as writer:
            Settings(writer).set("seed", 3)
            with path.open("ab") as file:
                file.write(b"x")
            size = path.stat().st_size
            cut_behind_last_page(writer)
        assert path.stat().st_size == size
        assert check(path) == []  # the journal may know of more pages than the file has
    assert path.stat().st_size == size - 1  # the copy of the journal into the file has cut it
    assert check(path) == []


def test_a_link_to_an_index_is_followed_to_the_file_that_has_the_journal(path, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.vic"
    link.symlink_to(path)
    with Store.open(link) as opened:
        assert opened.path == path
        assert Documents(opened).count() == 33
    assert [each.name for each in link.parent.iterdir()] == ["link.vic"]


def test_a_file_of_two_names_is_refused_with_a_line(tmp_path):
    path = made(tmp_path / "news.vic")
    os.link(path, tmp_path / "other.vic")
    for each in (path, tmp_path / "other.vic"):
        with pytest.raises(BadIndex, match=r"has 2 names \(hard links\)"):
            Store.open(each)
    (tmp_path / "other.vic").unlink()
    Store.open(path).close()


class TestCopy:
    def test_a_copy_of_an_index_that_is_written_is_one_state_of_it(self, path, tmp_path):
        with Store.open(path) as opened, Store.open(path) as other:
            before = contents(opened)
            with other.writing():
                Documents(other).add(documents(1, 500))
                assert copy_index(opened, tmp_path / "copy.vic") == 33
            assert contents(opened) != before
        assert check(tmp_path / "copy.vic") == []
        assert before == signature(tmp_path / "copy.vic")
        assert not [each.name for each in tmp_path.iterdir() if "part" in each.name or "copy.vic-" in each.name]

    def test_nothing_is_replaced_and_nothing_is_left_of_a_copy_that_failed(self, tmp_path, monkeypatch):
        path = made(tmp_path / "news.vic")
        (tmp_path / "there").write_text("precious")
        with Store.open(path) as opened:
            with pytest.raises(BadParameter, match="there already"):
                copy_index(opened, tmp_path / "there")
            monkeypatch.setattr(Store, "copy_to", lambda self, connection: (tmp_path / "quicker.vic").write_text("quick"))
            with pytest.raises(BadParameter, match="there already"):
                copy_index(opened, tmp_path / "quicker.vic")
        assert sorted(each.name for each in tmp_path.iterdir()) == ["news.vic", "quicker.vic", "there"]
        assert ((tmp_path / "there").read_text(), (tmp_path / "quicker.vic").read_text()) == ("precious", "quick")

    def test_where_there_are_no_hard_links_a_copy_is_renamed(self, tmp_path, monkeypatch):
        path = made(tmp_path / "news.vic")

        def refuse(*_):
            raise PermissionError("no links here")

        monkeypatch.setattr(os, "link", refuse)
        with Store.open(path) as opened:
            assert copy_index(opened, tmp_path / "copy.vic") == 30
        assert check(tmp_path / "copy.vic") == []


def signature(path):
    with Store.open(path) as opened:
        return contents(opened)
