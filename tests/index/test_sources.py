"""Nothing is lost: a document is told by where it came from, and one from elsewhere never takes its place in silence."""

from __future__ import annotations

import io
import os
import shutil
import sys
from pathlib import Path

import pytest

import vicinal
from tests.data.make_format_1 import FILE
from vicinal._store import Origins, Store, salvage
from vicinal.corpus import Document, read
from vicinal.errors import BadData, NoSuchSource
from vicinal.index import Added


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(name="home", autouse=True)
def own_folder(tmp_path, monkeypatch):
    """An own folder, which is the present one; all paths below are relative."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "jan/export.csv", "text,year\nwheat fell,2023\ncorn rose,2023\n")
    write(tmp_path / "feb/export.csv", "text,year\nbarley fell,2024\noats rose,2024\n")
    for year, names in (("2023", "ab"), ("2024", "bc")):
        for name in names:
            write(tmp_path / year / "reports" / f"{name}.txt", f"report {name} of {year}")
    for folder in ("tech", "sport"):
        for number in range(3):
            write(tmp_path / "news" / folder / f"{number}.txt", f"{folder} number {number}")
    return tmp_path


@pytest.fixture(name="index")
def new_index(home):
    with vicinal.open("x.vic", create=True) as index:
        yield index
        assert index.check() == []


def texts(index):
    return {id: index[id].text for id in index}


class TestTwoSourcesOfOneName:
    def test_a_second_export_is_kept_beside_the_first(self, index):
        index.add("jan/export.csv")
        done = index.add("feb/export.csv")
        assert (done.added, done.changed, done.renamed) == (2, 0, {"export.csv": "feb/export.csv"})
        assert texts(index) == {
            "export.csv#2": "wheat fell",
            "export.csv#3": "corn rose",
            "feb/export.csv#2": "barley fell",
            "feb/export.csv#3": "oats rose",
        }

    def test_each_is_known_again_from_whatever_folder_it_is_named(self, index, home, monkeypatch):
        index.add("jan/export.csv")
        index.add("feb/export.csv")
        monkeypatch.chdir("feb")
        assert index.add("export.csv") == Added(0, 0, 2, 0)
        assert index.add("../jan/export.csv") == Added(0, 0, 2, 0)
        assert index.add(home / "feb" / "export.csv") == Added(0, 0, 2, 0)
        os.symlink(home / "feb", home / "link")
        assert index.add(home / "link" / "export.csv") == Added(0, 0, 2, 0)

    def test_a_row_of_a_file_that_comes_earlier_in_the_folder_is_another_document(self, index):
        write(Path("exports/feb.csv"), "id,text\n1,wheat\n")
        index.add(vicinal.read("exports", id="id"))
        write(Path("exports/early.csv"), "id,text\n1,barley\n")
        assert index.add(vicinal.read("exports", id="id")) == Added(1, 0, 1, 0, renamed={"1": "exports/early.csv#1"})
        assert sorted(texts(index).values()) == ["barley", "wheat"]

    def test_a_changed_row_of_the_same_file_is_replaced(self, index):
        index.add("jan/export.csv")
        index.add("feb/export.csv")
        write(Path("feb/export.csv"), "text,year\nbarley fell again,2024\noats rose,2024\n")
        assert index.add("feb/export.csv") == Added(0, 1, 1, 0)
        assert texts(index)["feb/export.csv#2"] == "barley fell again"
        assert texts(index)["export.csv#2"] == "wheat fell"

    def test_folders_of_one_name_are_kept_apart_in_two_calls_and_in_one(self, index):
        index.add("2023/reports")
        assert index.add("2024/reports").renamed == {"reports": "2024/reports"}
        names = ["reports/a.txt", "reports/b.txt", "2024/reports/b.txt", "2024/reports/c.txt"]
        assert list(index) == names
        with vicinal.open("both.vic", create=True) as both:
            reading = read("2023/reports", "2024/reports")
            assert both.add(reading).added == 4
            assert list(both) == names
            assert reading.notes == []
        assert "folder" not in index["2024/reports/b.txt"].metadata

    def test_update_lets_the_second_take_the_place_of_the_first_and_names_what_it_replaced(self, index):
        index.add("jan/export.csv")
        done = index.add("feb/export.csv", update=True)
        assert (done.added, done.changed, done.renamed) == (0, 2, {})
        assert done.replaced == ("export.csv#2", "export.csv#3")
        assert texts(index) == {"export.csv#2": "barley fell", "export.csv#3": "oats rose"}
        assert index.add("feb/export.csv") == Added(0, 0, 2, 0)

    def test_without_update_nothing_that_is_there_changes_and_it_is_counted(self, index):
        index.add("jan/export.csv")
        write(Path("jan/export.csv"), "text,year\nwheat fell,2023\ncorn fell,2023\n")
        assert index.add("jan/export.csv", update=False) == Added(0, 0, 1, 0, kept=1)
        assert texts(index)["export.csv#3"] == "corn rose"

    def test_names_grow_until_no_id_can_be_that_of_another(self, index, home):
        write(home / "a/2024/reports/b.txt", "another")
        index.add("2023/reports")
        index.add("2024/reports")
        write(home / "2024/late.txt", "late")
        index.add("2024/late.txt")
        done = index.add("a/2024")
        assert done.renamed == {"2024": "a/2024"}
        assert texts(index)["a/2024/reports/b.txt"] == "another"

    def test_a_name_inside_another_root_is_not_free(self, index, home):
        write(home / "x/tech/0.txt", "tech of x")
        write(home / "other/news/tech/0.txt", "tech of other")
        index.add("news")
        index.add("x/tech")
        assert index.add("other/news/tech").renamed == {"tech": "other/news/tech"}
        assert texts(index)["news/tech/0.txt"] == "tech number 0"
        assert texts(index)["other/news/tech/0.txt"] == "tech of other"


class TestIdsOfTheData:
    @pytest.fixture(autouse=True)
    def tables(self, home):
        write(home / "jan/key.csv", "id,text\n1,wheat fell\n2,corn rose\n")
        write(home / "feb/key.csv", "id,text\n2,corn rose\n1,barley fell\n3,oats\n")

    def test_a_key_that_another_table_has_is_not_overwritten(self, index):
        index.add("jan/key.csv")
        done = index.add("feb/key.csv")
        assert (done.added, done.changed, done.unchanged) == (2, 0, 1)
        assert done.renamed == {"key.csv": "feb/key.csv", "1": "feb/key.csv#1"}
        assert texts(index) == {"1": "wheat fell", "2": "corn rose", "feb/key.csv#1": "barley fell", "3": "oats"}
        assert index.add("feb/key.csv") == Added(0, 0, 3, 0)

    def test_update_overwrites_it_and_says_which(self, index):
        index.add("jan/key.csv")
        done = index.add("feb/key.csv", update=True)
        assert (done.added, done.changed, done.unchanged) == (1, 1, 1)
        assert texts(index)["1"] == "barley fell"
        assert (done.renamed, done.replaced) == ({}, ("1",))

    def test_both_in_one_reading(self, index):
        done = index.add(read("jan/key.csv", "feb/key.csv"))
        assert (done.added, done.unchanged) == (4, 1)
        assert texts(index)["feb/key.csv#1"] == "barley fell"

    def test_a_key_that_comes_twice_in_one_table_is_two_documents(self, index, home):
        write(home / "twice.csv", "id,text\n1,one\n2,two\n1,again\n")
        index.add(read("twice.csv", id="id"))
        assert texts(index) == {"1": "one", "2": "two", "1 (2)": "again"}
        assert index.add(read("twice.csv", id="id")) == Added(0, 0, 3, 0)

    def test_a_document_of_a_program_is_known_by_its_id(self, index):
        index.add([Document("a", "old")])
        assert index.add([Document("a", "new")]).changed == 1
        index.add("jan/export.csv")
        assert index.add([Document("export.csv#2", "by hand")]).changed == 1
        assert index.add("jan/export.csv").changed == 1  # it is the same row of the same file still

    def test_a_file_with_the_id_of_a_document_of_a_program_leaves_it(self, index):
        index.add([Document("a.txt", "by hand")])
        write(Path("a.txt"), "of a file")
        done = index.add("a.txt")
        assert texts(index)["a.txt"] == "by hand"
        assert "of a file" in texts(index).values()
        assert done.renamed


class TestPartsOfOneFolder:
    def test_a_folder_inside_adds_no_copies(self, index):
        index.add("news")
        for path in ("news/tech", "news/tech/1.txt", Path("news") / "sport", "./news", "."):
            done = index.add(path)
            assert (done.changed, done.renamed) == (0, {}), path
            assert done.added == 0 or path == ".", path
        assert index["news/tech/1.txt"].metadata["folder"] == "tech"

    def test_a_file_that_came_since_is_called_as_by_the_whole_folder(self, index, home):
        index.add("news")
        write(home / "news/tech/deep/9.txt", "tech number 9")
        assert index.add("news/tech").added == 1
        assert index["news/tech/deep/9.txt"].metadata["folder"] == "tech/deep"
        assert index.add("news") == Added(0, 0, 7, 0)

    def test_the_folder_around_adds_what_is_missing(self, index):
        index.add("news/tech")
        done = index.add("news")
        assert (done.added, done.changed, done.unchanged) == (3, 0, 3)
        assert list(index) == [*(f"tech/{n}.txt" for n in range(3)), *(f"news/sport/{n}.txt" for n in range(3))]

    def test_documents_that_were_listed_before_are_told_apart_too(self, index):
        index.add([*read("2023/reports"), *read("2024/reports")])
        assert len(index) == 4

    def test_folder_and_index_that_are_moved_together_stay_one(self, home):
        with vicinal.open("x.vic", create=True) as index:
            index.add("news")
        (home / "away").mkdir()
        for name in ("x.vic", "news"):
            shutil.move(home / name, home / "away" / name)
        with vicinal.open("away/x.vic") as index:
            assert index.add("away/news") == Added(0, 0, 6, 0)
            assert index.sync("away/news").gone == ()

    def test_a_folder_that_was_moved_alone_is_another_source_unless_update_says_otherwise(self, index, home):
        index.add("news")
        shutil.move(home / "news", home / "archive" / "news")
        assert index.add("archive/news", update=True) == Added(0, 0, 6, 0)
        assert index.add("archive/news") == Added(0, 0, 6, 0)


class TestStreams:
    def add(self, index, text):
        return index.add(read(io.BytesIO(text.encode())))

    def test_a_second_stream_is_new_and_its_equal_lines_too(self, index):
        self.add(index, "one\ntwo\n")
        done = self.add(index, "three\ntwo\n")
        assert (done.added, done.changed, done.unchanged) == (2, 0, 0)
        assert done.renamed == {"stream": "stream-2"}
        assert texts(index) == {"stream#1": "one", "stream#2": "two", "stream-2#1": "three", "stream-2#2": "two"}

    def test_a_stream_that_begins_as_one_before_goes_on_with_it(self, index):
        self.add(index, "one\ntwo\n")
        self.add(index, "three\n")
        assert self.add(index, "one\ntwo\nmore\n") == Added(1, 0, 2, 0)
        assert self.add(index, "three\nmore\n") == Added(1, 0, 1, 0)
        assert list(index) == ["stream#1", "stream#2", "stream-2#1", "stream#3", "stream-2#2"]

    def test_a_stream_of_a_file_is_that_file(self, index):
        for month in ("jan", "feb", "jan"):
            with open(f"{month}/export.csv", "rb") as stream:
                index.add(read(stream))
        assert {id.partition("#")[0] for id in index} == {"export.csv", "feb/export.csv"}

    def test_standard_input_twice(self, index, monkeypatch):
        for text in ("one\n", "two\n"):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
            index.add("-")
        assert texts(index) == {"stdin#1": "one", "stdin-2#1": "two"}


class TestPaths:
    def test_a_path_is_read_and_what_is_skipped_is_said(self, index, home):
        write(home / "news/empty.txt", "")
        done = index.add(Path("news"))
        assert done.added == 6
        assert [str(each) for each in done.skipped] == ["news/empty.txt: empty"]

    def test_no_such_path_and_what_is_no_document_are_refused(self, index):
        with pytest.raises(NoSuchSource, match="nothing to read at 'nowhere'"):
            index.add("nowhere")
        with pytest.raises(BadData, match="documents must have ids"):
            index.add(["a text"])


class TestOlderFiles:
    """Format 1 knows no origins: they are found out from the sources when documents are next added."""

    @pytest.fixture(name="old")
    def made_by_an_older_version(self, home):
        with vicinal.open("new.vic", create=True) as index:
            index.add("jan/export.csv")
            index.add("news")
            index.add(read(io.BytesIO(b"one\n")))
        with Store.open("new.vic") as store, store.writing():
            for table in ("origins", "roots"):
                store.execute(f"DELETE FROM {table}")
                store.rows(f"DROP TABLE {table}")
                store.execute("DELETE FROM tallies WHERE name = ?", (table,))
            store.rows("PRAGMA user_version = 1")
        return home / "new.vic"

    def test_it_is_sound_and_reading_changes_nothing(self, old):
        before = old.read_bytes()
        with vicinal.open(old) as index:
            assert index.check() == []
            assert index["news/tech/1.txt"].text == "tech number 1"
            assert index._store.format == 1
        assert old.read_bytes() == before

    def test_nothing_is_lost_and_nothing_is_copied(self, old):
        with vicinal.open(old) as index:
            assert index.add("feb/export.csv").renamed == {"export.csv": "feb/export.csv"}
            for path in ("jan/export.csv", "news", "news/tech"):
                done = index.add(path)
                assert (done.added, done.changed) == (0, 0), path
            assert index.add(read(io.BytesIO(b"two\n"))).renamed == {"stream": "stream-2"}
            assert (len(index), index._store.format, index.check()) == (12, 2, [])

    def test_from_another_folder_too(self, old, home, monkeypatch):
        monkeypatch.chdir(home / "feb")
        with vicinal.open(old) as index:
            done = index.add("../news/tech")
            assert (done.added, done.changed, done.unchanged) == (0, 0, 3)

    def test_where_the_files_are_gone_nothing_is_overwritten(self, old, home):
        shutil.rmtree(home / "jan")
        with vicinal.open(old) as index:
            done = index.add("feb/export.csv")
            assert (done.added, done.renamed) == (2, {"export.csv": "feb/export.csv"})

    def test_the_golden_file_of_format_1_gets_the_tables_of_today(self, home):
        path = shutil.copy(FILE, home / "old.vic")
        with vicinal.open(path) as index:
            index.add([Document("new", "a new boat", source="elsewhere")])
            assert (len(index), index._store.format, index.check()) == (13, 2, [])
            assert index.sync("news").added == 6
            assert index["river/0"].source == "notes/river-0.txt"


def test_a_salvaged_index_knows_where_its_documents_came_from(index, home):
    index.add("news")
    index.add("jan/export.csv")
    with Store.open_unchecked("x.vic") as store:
        salvage(store, "saved.vic")
        kept = Origins(store).every()
    with vicinal.open("saved.vic") as saved:
        assert [origin for _, origin in Origins(saved._store).every()] == [origin for _, origin in kept]
        assert saved.add("feb/export.csv").renamed
        assert saved.add("news/tech") == Added(0, 0, 3, 0)


def test_an_update_of_files_changes_those_that_are_there_and_lists_the_others(index, home):
    index.add("news")
    write(home / "news/tech/1.txt", "tech number one")
    write(home / "news/tech/9.txt", "tech number nine")
    done = index.update("news/tech")
    assert (done.added, done.changed, done.unchanged, done.absent) == (0, 1, 2, ("news/tech/9.txt",))
    assert len(index) == 6


def test_columns_of_a_path_are_those_that_are_given_and_then_those_of_the_last_time(index, home):
    write(home / "two.csv", "text,note\nshort,the note that is meant\n")
    index.add("two.csv", text="note")
    assert texts(index) == {"two.csv#2": "the note that is meant"}
    assert index.add(Path("two.csv")).unchanged == 1
    assert index.update("two.csv").unchanged == 1


class TestWhereABatchEndsMakesNoDifference:
    """A file of another source, which gets a longer name, and documents that a program makes with that very name."""

    def added(self, home, monkeypatch, documents, size, *, before=("jan/export.csv",)):
        monkeypatch.setattr("vicinal.index._fit.fit_index.BATCH", size)
        path = home / f"batch-{size}.vic"
        with vicinal.open(path, create=True) as index:
            for each in before:
                index.add(each)
            done = index.add(list(documents))
            assert index.check() == []
            return texts(index), {index[id].source for id in index}, done

    def same(self, home, monkeypatch, documents, **options):
        outcomes = [self.added(home, monkeypatch, documents, size, **options) for size in (1, 2, 3, 100)]
        assert all(outcome == outcomes[0] for outcome in outcomes)
        return outcomes[0]

    @pytest.fixture(name="february")
    def rows_of_february(self):
        return list(read("feb/export.csv"))

    def test_a_program_document_after_the_file_is_that_document(self, home, monkeypatch, february):
        made = Document("feb/export.csv#2", "by a program")
        found, _, done = self.same(home, monkeypatch, [*february, made])
        assert found["feb/export.csv#2"] == "by a program"
        assert (done.added, done.changed) == (2, 1)

    def test_a_program_document_before_the_file_keeps_its_id(self, home, monkeypatch, february):
        made = Document("feb/export.csv#2", "by a program")
        found, _, done = self.same(home, monkeypatch, [made, *february])
        assert found["feb/export.csv#2"] == "by a program"
        assert sorted(found.values()) == ["barley fell", "by a program", "corn rose", "oats rose", "wheat fell"]
        assert done.added == 3

    def test_kinds_that_alternate(self, home, monkeypatch, february):
        made = [Document(f"feb/export.csv#{row}", "by a program") for row in (2, 3)]
        found, _, done = self.same(home, monkeypatch, [february[0], made[1], february[1], made[0]])
        assert len(found) == 2 + done.added
        assert list(found.values()).count("by a program") == 2

    def test_a_key_that_is_the_name_another_row_gets(self, home, monkeypatch):
        write(home / "a/table.csv", "id,text\nk,first text\n")
        write(home / "b/table.csv", "id,text\nk,second text\nb/table.csv#k,third text\n")
        found, _, _ = self.same(home, monkeypatch, list(read("b/table.csv")), before=("a/table.csv",))
        assert sorted(found.values()) == ["first text", "second text", "third text"]

    def test_one_file_by_two_paths_is_one_document(self, home, monkeypatch):
        found, _, done = self.same(home, monkeypatch, [*read("news"), *read("news/tech")], before=())
        assert len(found) == 6
        assert (done.added, done.unchanged) == (6, 3)


def test_every_row_whose_id_another_source_has_is_named_in_the_report(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for month in ("jan", "feb", "mar"):
        Path(f"{month}.csv").write_text(f"id,text\n1,wheat in {month}\n2,corn in {month}\n", encoding="utf-8")
    with vicinal.open("x.vic", create=True) as index:
        done = index.add(vicinal.read("jan.csv", "feb.csv", "mar.csv"))
        assert done.added == 6
        assert done.renamed == {
            "1": "feb.csv#1",
            "2": "feb.csv#2",
            "1 (mar.csv)": "mar.csv#1",
            "2 (mar.csv)": "mar.csv#2",
        }
