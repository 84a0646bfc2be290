"""Where documents come from, as the store alone tells it: files that move, streams that go on, ids of parts and of people."""

from __future__ import annotations

import io
import os

import pytest

from tests.store.samples import made, raw
from vicinal._store import Counts, Documents, Identities, Origins, Store, file_check
from vicinal._store.commit_note import note_commits, noted_commits
from vicinal._store.document_row import Lost
from vicinal._store.filters import has_column, values
from vicinal._store.fulltext import marked
from vicinal._store.journal import checkpoint
from vicinal._store.root_names import RootNames
from vicinal._store.unspaced import excerpt
from vicinal._store.verified import next_number
from vicinal.corpus import Document, read
from vicinal.errors import BadParameter, DamagedIndex, DiskError, DiskFull

pytestmark = pytest.mark.damages


@pytest.fixture(name="home", autouse=True)
def own_folder(tmp_path, monkeypatch):
    """An own folder, which is the present one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def add(store, given, **options):
    identities = Identities(store, **options)
    return Documents(store).add(given, identities=identities), identities


def texts(store):
    return {each.document.id: each.document.text for chunk in Documents(store).chunks() for each in chunk}


class TestFilesThatMove:
    def test_a_new_file_with_the_text_of_one_that_is_gone_is_that_document(self, store, home):
        write(home / "news/a.txt", "wheat fell")
        write(home / "news/b.txt", "wheat fell")
        add(store, read("news"))
        before = Documents(store).find(["news/a.txt", "news/b.txt"])
        (home / "news/b.txt").unlink()
        (home / "news/a.txt").rename(home / "news/c.txt")
        write(home / "news/old/b.txt", "wheat fell")
        identities = Identities(store)
        identities.expect(Origins(store).of(before.values()))
        assert Documents(store).add(read("news"), identities=identities) == Counts(moved=2)
        assert identities.moved == {"news/a.txt": "news/c.txt", "news/b.txt": "news/old/b.txt"}  # the name decides between two
        assert Documents(store).find(["news/c.txt"]) == {"news/c.txt": before["news/a.txt"]}

    def test_a_folder_that_was_moved_with_the_index_is_known_by_its_place_beside_it(self, home):
        write(home / "one/news/a.txt", "wheat")
        with Store.open(home / "one/x.vic", create=True) as store:
            add(store, read("one/news"))
        os.rename("one", "two")
        with Store.open(home / "two/x.vic") as store:
            counts, identities = add(store, read("two/news"))
            assert (counts, identities.naming.renamed) == (Counts(unchanged=1), {})
            assert [root.path for root in Origins(store).roots()] == [os.path.realpath(home / "two/news")]

    def test_replacing_leads_a_name_to_another_folder(self, store, home):
        write(home / "a/news/x.txt", "of a")
        write(home / "b/news/x.txt", "of b")
        add(store, read("a/news"))
        counts, identities = add(store, read("b/news"), replacing=True)
        assert (counts, identities.naming.replaced) == (Counts(changed=1), ["news/x.txt"])
        assert texts(store) == {"news/x.txt": "of b"}
        [root] = Origins(store).roots()
        assert root.path == os.path.realpath(home / "b/news")

    def test_a_document_is_of_what_was_named_and_keeps_how_that_was_read(self, store, home):
        write(home / "news/tech/x.txt", "bits")
        folder = os.path.realpath(home / "news")
        document = Document("x.txt", "bits", source=str(home / "news/tech/x.txt"))
        elsewhere = os.path.realpath(home / "elsewhere"), ("elsewhere", {})
        add(store, [document], named=dict([elsewhere, (folder, ("news", {"encoding": "latin-1"}))]))
        [root] = Origins(store).roots()
        assert (root.path, dict(root.options), list(texts(store))) == (folder, {"encoding": "latin-1"}, ["news/tech/x.txt"])
        add(store, [document], named={folder: ("news", {})})
        assert [dict(root.options) for root in Origins(store).roots()] == [{}]

    def test_what_came_from_a_folder_is_told_apart_from_what_lies_beside_it(self, store, home):
        write(home / "news/a.txt", "wheat")
        write(home / "more/b.txt", "corn")
        write(home / "more/sub/c.txt", "oats")
        add(store, [*read("news"), *read("more")])
        found = Origins(store).under(os.path.realpath(home / "more/sub"))
        assert [file for file, _ in found.values()] == [os.path.realpath(home / "more/sub/c.txt")]


class TestStreams:
    def test_a_stream_that_begins_as_one_before_goes_on_with_it_and_any_other_is_new(self, store):
        add(store, read(io.BytesIO(b"one\ntwo\n")))
        assert add(store, read(io.BytesIO(b"one\ntwo\nthree\n")))[0] == Counts(added=1, unchanged=2)
        counts, _ = add(store, read(io.BytesIO(b"another\n")))
        assert counts == Counts(added=1)
        assert len(Origins(store).roots()) == 2

    def test_names_of_streams_that_are_taken_get_a_number(self, store):
        with store.writing():
            names = RootNames(Origins(store))
            found = [names.register(f"<stream>:{n}", "stream", {}).name for n in (1, 2, 3)]
        assert found == ["stream", "stream-2", "stream-3"]
        assert names.renamed == {"stream": "stream-3"}


class TestIdsAndParts:
    def test_the_parts_of_a_document_name_it_as_the_store_does(self, store, home):
        add(store, [Document("long.txt", "by hand")])
        write(home / "a/long.txt", " ".join(f"word{i}" for i in range(40)))
        _, identities = add(store, read("a/long.txt", split="words:20"))
        parents = {each.document.metadata.get("parent") for chunk in Documents(store).chunks() for each in chunk} - {None}
        assert parents == {"a/long.txt"}
        assert identities.naming.renamed["long.txt"] == "a/long.txt"

    def test_the_folder_of_a_file_is_seen_from_its_root(self, store, home):
        write(home / "news/tech/x.txt", "bits")
        add(store, read("news"))
        [stored] = next(Documents(store).chunks())
        assert stored.document.metadata["folder"] == "tech"
        counts, _ = add(store, read("news/tech"))
        assert counts == Counts(unchanged=1)

    def test_a_folder_in_the_metadata_that_is_not_that_of_the_file_is_left_alone(self, store, home):
        write(home / "news/tech/x.txt", "bits")
        source = str(home / "news/tech/x.txt")
        given = [Document(f"x.txt#{name}", "bits", source=source, metadata={"folder": name}) for name in ("tech", "mine")]
        add(store, given, named={os.path.realpath(home / "news"): ("news", {})})
        folders = [each.document.metadata.get("folder") for chunk in Documents(store).chunks() for each in chunk]
        assert folders == ["tech", "mine"]

    def test_the_end_of_several_ids_names_them_all(self, store):
        Documents(store).add([Document("far/a.txt", "wheat"), Document("near/a.txt", "corn")])
        with pytest.raises(BadParameter, match=r"may be any of 2 documents .*'far/a\.txt', 'near/a\.txt'\. Use one of these ids"):
            Documents(store).numbers(["a.txt"])

    def test_an_id_that_another_of_the_batch_got_is_decided_in_the_next(self, store, home):
        write(home / "jan.csv", "id,text\n1,wheat\n")
        write(home / "feb.csv", "id,text\n1,barley\nfeb.csv#1,oats\n")
        add(store, read("jan.csv", id="id"))
        counts, identities = add(store, read("feb.csv", id="id"))
        assert counts == Counts(added=2)
        assert texts(store)["feb.csv#1"] == "barley"
        assert identities.naming.renamed["feb.csv#1"] not in ("1", "feb.csv#1")

    def test_origins_of_documents_that_were_added_by_hand_are_found_from_their_sources(self, store, home):
        write(home / "a.txt", "wheat")
        given = [Document("a.txt", "wheat", source="a.txt"), Document("gone.txt", "corn", source="gone.txt")]
        Documents(store).add([*given, Document("stream#1", "oats", source="stream")])
        counts, _ = add(store, read("a.txt"))
        assert (counts.added, len(texts(store))) == (0, 3)
        assert [root.name for root in Origins(store).roots()] == ["a.txt", "stream"]


def test_documents_that_are_not_there_are_counted_as_absent_where_none_may_be_added(store):
    Documents(store).add([Document("a", "wheat")])
    counts = Documents(store).add([Document("a", "corn"), Document("b", "oats")], insert=False)
    assert (counts.added, counts.changed, counts.absent) == (0, 1, ("b",))
    assert texts(store) == {"a": "corn"}


def hurt(path, number):
    connection = raw(path)
    connection.execute("UPDATE documents SET text = 'forged' WHERE number = ?", (number,))
    connection.close()


def test_a_damaged_document_is_collected_where_a_mapping_for_it_is_given(home):
    path = made(home / "x.vic", 5)
    hurt(path, 2)
    unreadable = {}
    with Store.open(path) as store:
        found = Documents(store, unreadable).at([1, 2, 3])
        with pytest.raises(DamagedIndex):
            Documents(store).at([2])
    assert [each.number for each in found] == [1, 2, 3]
    assert found[1].document.text == ""
    assert list(unreadable) == [2]
    assert isinstance(unreadable[2], Lost)


def test_to_remove_a_damaged_document_leaves_a_sound_full_text(home):
    path = made(home / "x.vic", 5)
    with Store.open(path) as store:
        id = Documents(store).ids([2])[0]
    hurt(path, 2)
    with Store.open(path) as store:
        assert Documents(store).remove([id]) == 1
        assert Documents(store).count() == 4
        assert store.rows("SELECT count(*) FROM words WHERE words MATCH 'forged'") == [(0,)]


def test_the_values_of_a_column_are_those_of_the_document_or_of_its_metadata(store):
    Documents(store).add([Document("a", "wheat", title="first", metadata={"year": 1987}), Document("b", "corn")])
    assert values(store, "title") == [(1, "first")]
    assert values(store, "year") == [(1, 1987)]
    assert [has_column(store, name) for name in ("title", "year", "nothing")] == [True, True, False]


def test_words_of_a_query_are_marked_in_the_whole_text(store):
    Documents(store).add([Document("a", "wheat and corn", title="corn")])
    assert marked(store, 1, "corn") == ("[corn]", "wheat and [corn]")
    assert marked(store, 1, "") == ("corn", "wheat and corn")
    assert marked(store, 1, "barley", ("<", ">")) == ("corn", "wheat and corn")


def test_parts_that_touch_are_one_place_of_an_excerpt():
    assert excerpt("abcd 漢字學 x", ["漢字", "字學"])[2] == ((5, 8),)
    assert excerpt("nothing", ["漢字"]) is None
    assert excerpt("nothing", []) is None


@pytest.mark.parametrize("error", [DiskError, DiskFull])
def test_a_disk_that_cannot_be_read_or_written_is_no_damage_of_what_it_holds(home, monkeypatch, error):
    path = made(home / "x.vic", 3)

    def fails(*_):
        raise error("the disk")

    with Store.open(path) as store:
        monkeypatch.setattr(file_check, "_SECOND", (("documents", fails),))
        with pytest.raises(error):
            file_check.check(store)
        monkeypatch.setattr(file_check, "_SECOND", ())
        monkeypatch.setattr(store, "execute", fails)
        with pytest.raises(error):
            file_check.check(store)


def test_the_note_of_commits_stays_while_it_counts_more_than_the_file_has(home, monkeypatch):
    path = made(home / "x.vic", 3)
    with Store.open(path) as store:
        Documents(store).add([Document("new", "text")])
        note_commits(store.path, 1000)
        checkpoint(store)
        assert noted_commits(store.path) == 1000
        note_commits(store.path, store.commits())
        checkpoint(store)
        assert noted_commits(store.path) == 0


def test_a_last_number_that_is_none_is_damage(home):
    path = made(home / "x.vic", 3)
    connection = raw(path)
    connection.execute("UPDATE sqlite_sequence SET seq = 'many' WHERE name = 'documents'")
    connection.close()
    with Store.open(path) as store, pytest.raises(DamagedIndex, match="the last number of a document is"):
        next_number(store)
