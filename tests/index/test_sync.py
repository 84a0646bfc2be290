"""An index in step with a folder: what is new, changed, moved and gone, and what must not be touched."""

from __future__ import annotations

import io
import random
import shutil

import pytest

import vicinal
from vicinal.cli._app import app
from vicinal.corpus import Document, read
from vicinal.errors import BadParameter, EmptyCorpus, NoSuchSource

WORDS = {"farm": "wheat corn barley harvest field tractor", "sport": "match goal won team ball player"}


def written(subject, number):
    chance = random.Random(f"{subject} {number}")
    return " ".join(chance.choices(WORDS[subject].split(), k=12))


@pytest.fixture(name="folder", autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for subject in WORDS:
        (tmp_path / "notes" / subject).mkdir(parents=True)
        for number in range(6):
            (tmp_path / "notes" / subject / f"{number}.txt").write_text(written(subject, number), encoding="utf-8")
    return tmp_path / "notes"


@pytest.fixture(name="index")
def in_step(folder):
    with vicinal.open("x.vic", create=True) as index:
        index.sync(folder)
        yield index
        assert index.check() == []


def counts(done):
    return done.added, done.changed, done.unchanged, len(done.moved), len(done.gone), done.removed


def test_parts_stay_parts(folder):
    with vicinal.open("parts.vic", create=True) as index:
        index.add(vicinal.read(folder, split="words:5"))
        ids = list(index)
        assert len(ids) == 36
        done = index.sync(folder)
        assert (done.added, done.gone, done.unchanged) == (0, (), len(ids))
        again = index.add(folder)
        assert (again.added, again.unchanged, list(index)) == (0, len(ids), ids)
        assert index.update(folder).absent == ()


def test_nothing_new_changes_nothing(index, folder):
    before = index._store.commits()
    assert counts(index.sync(folder)) == (0, 0, 12, 0, 0, 0)
    assert index._store.commits() == before


def test_new_changed_and_gone_documents(index, folder):
    (folder / "late.txt").write_text("barley and a ball", encoding="utf-8")
    (folder / "farm" / "0.txt").write_text("no more wheat", encoding="utf-8")
    (folder / "sport" / "0.txt").unlink()
    done = index.sync(folder)
    assert counts(done) == (1, 1, 10, 0, 1, 0)
    assert done.gone == ("notes/sport/0.txt",)
    assert "notes/sport/0.txt" in index
    done = index.sync(folder, remove=True)
    assert (done.gone, done.removed) == (("notes/sport/0.txt",), 1)
    assert "notes/sport/0.txt" not in index
    assert index["notes/farm/0.txt"].text == "no more wheat"


class TestMoved:
    @pytest.fixture(name="fitted")
    def with_labels(self, index):
        index.fit(n_clusters=2)
        index.label(
            {"notes/farm/0.txt": "farm", "notes/farm/1.txt": "farm", "notes/sport/0.txt": "sport", "notes/sport/1.txt": "sport"}
        )
        return index

    def test_a_renamed_file_keeps_label_cluster_and_model(self, fitted, folder):
        before = fitted.show("notes/farm/0.txt")
        (folder / "farm" / "0.txt").rename(folder / "farm" / "wheat.txt")
        done = fitted.sync(folder, remove=True)
        assert counts(done) == (0, 0, 11, 1, 0, 0)
        assert done.moved == {"notes/farm/0.txt": "notes/farm/wheat.txt"}
        after = fitted.show("notes/farm/wheat.txt")
        assert (after.label, after.cluster, after.uncertainty) == (before.label, before.cluster, before.uncertainty)
        assert (after.title, after.metadata) == ("wheat", {"folder": "farm"})
        assert (done.embedded, fitted.needs_fit(), "notes/farm/0.txt" in fitted) == (0, False, False)

    def test_a_moved_folder_and_the_labels_of_its_documents(self, fitted, folder):
        (folder / "farm").rename(folder / "land")
        done = fitted.sync(folder)
        assert done.moved == {f"notes/farm/{n}.txt": f"notes/land/{n}.txt" for n in range(6)}
        assert fitted.show("land/1.txt").label == "farm"
        assert fitted["land/1.txt"].metadata["folder"] == "land"
        assert counts(fitted.sync(folder)) == (0, 0, 12, 0, 0, 0)

    def test_a_copy_is_new_and_not_moved(self, index, folder):
        shutil.copy(folder / "farm" / "0.txt", folder / "copy.txt")
        done = index.sync(folder)
        assert (done.added, done.moved) == (1, {})

    def test_of_two_with_one_text_the_one_of_that_name_is_moved(self, index, folder):
        (folder / "a").mkdir()
        for name in ("one", "two"):
            (folder / f"{name}.txt").write_text("the same text", encoding="utf-8")
        index.sync(folder)
        for name in ("two", "one"):
            (folder / f"{name}.txt").rename(folder / "a" / f"{name}.txt")
        assert index.sync(folder).moved == {f"notes/{name}.txt": f"notes/a/{name}.txt" for name in ("one", "two")}

    def test_a_file_that_was_moved_and_changed_is_new(self, index, folder):
        (folder / "farm" / "0.txt").unlink()
        (folder / "farm" / "wheat.txt").write_text("something else", encoding="utf-8")
        done = index.sync(folder)
        assert (done.added, done.moved, done.gone) == (1, {}, ("notes/farm/0.txt",))


class TestWhatStays:
    def test_documents_of_other_sources(self, index, folder, tmp_path):
        index.add([Document("by hand", "wheat")])
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "a.txt").write_text("corn", encoding="utf-8")
        index.add("other")
        index.add(read(io.BytesIO(b"a stream\n")))
        assert counts(index.sync(folder, remove=True)) == (0, 0, 12, 0, 0, 0)
        assert len(index) == 15

    def test_one_folder_of_several(self, index, folder):
        (folder / "farm" / "0.txt").unlink()
        (folder / "sport" / "0.txt").unlink()
        assert index.sync(folder / "farm", remove=True).gone == ("notes/farm/0.txt",)
        assert "notes/sport/0.txt" in index

    def test_a_file_that_cannot_be_read_any_more(self, index, folder):
        (folder / "farm" / "0.txt").write_bytes(b"\0\1\2" * 100)
        done = index.sync(folder, remove=True)
        assert (done.gone, done.unread) == ((), ("notes/farm/0.txt",))
        assert [each.reason for each in done.skipped] == ["binary, not text"]
        assert "notes/farm/0.txt" in index

    def test_a_folder_that_is_empty_or_missing_removes_nothing(self, index, folder):
        shutil.rmtree(folder)
        with pytest.raises(NoSuchSource):
            index.sync(folder, remove=True)
        folder.mkdir()
        with pytest.raises(EmptyCorpus, match="perhaps it is not mounted"):
            index.sync(folder, remove=True)
        assert len(index) == 12

    def test_a_stream_has_no_files(self, index):
        with pytest.raises(BadParameter, match="got a stream"):
            index.sync(read(io.BytesIO(b"a line\n")))


class TestTables:
    @pytest.fixture(name="table")
    def rows(self, tmp_path):
        path = tmp_path / "table.csv"
        path.write_text("number,body,note\nk1,wheat fell,x\nk2,corn rose,y\n", encoding="utf-8")
        return path

    def test_rows_come_change_and_go_with_the_columns_of_the_first_time(self, index, table):
        index.add(read(table, text="note", id="number", metadata="body"))
        table.write_text("number,body,note\nk2,corn fell,y\nk3,oats,z\n", encoding="utf-8")
        done = index.sync(table, remove=True)
        assert counts(done) == (1, 1, 0, 0, 1, 1)
        assert (done.gone, index["k2"].text, index["k2"].metadata) == (("k1",), "y", {"body": "corn fell"})

    def test_a_moved_table_keeps_its_rows(self, index, table, folder):
        shutil.move(table, folder / "table.csv")
        index.sync(folder)
        numbers = [index._store.rows("SELECT number FROM documents WHERE id = ?", (f"notes/table.csv#{n}",)) for n in (2, 3)]
        (folder / "table.csv").rename(folder / "rows.csv")
        done = index.sync(folder)
        assert done.moved == {f"notes/table.csv#{n}": f"notes/rows.csv#{n}" for n in (2, 3)}
        assert numbers == [index._store.rows("SELECT number FROM documents WHERE id = ?", (f"notes/rows.csv#{n}",)) for n in (2, 3)]


class TestRemove:
    def test_patterns_and_conditions(self, index):
        assert index.remove(pattern="notes/farm/[01].txt") == 2
        assert index.remove(["notes/sport/0.txt", "notes/farm/2.txt"], where={"folder": "sport"}) == 1
        assert index.remove(pattern="*/3.txt", where=[("folder", "=", "farm")]) == 1
        assert index.remove(where={"folder": "farm"}) == 3
        assert index.remove(["nobody"], where={"folder": "sport"}) == 0
        assert list(index) == [f"notes/sport/{n}.txt" for n in range(1, 6)]


class TestByName:
    def test_an_index_is_read_like_a_mapping(self, index):
        assert len(list(index)) == len(index) == 12
        assert all(id in index and index[id].id == id for id in index)
        assert "nobody" not in index
        assert 7 not in index

    def test_a_path_may_be_an_object(self, index, folder):
        path = folder / "farm" / "3.txt"
        assert index[path].id == index.show(path).id == "notes/farm/3.txt"
        assert path in index
        assert folder / "farm" / "9.txt" not in index

    def test_the_end_of_an_id_and_a_path_are_enough(self, index, folder, monkeypatch):
        assert index["farm/3.txt"].id == "notes/farm/3.txt"
        assert index[str(folder / "farm" / "3.txt")].id == "notes/farm/3.txt"
        monkeypatch.chdir(folder / "farm")
        assert index["3.txt"].id == "notes/farm/3.txt"
        assert "sport/3.txt" in index
        monkeypatch.chdir(folder.parent)
        with pytest.raises(
            BadParameter, match=r"'3.txt' may be any of 2 documents .*: 'notes/farm/3.txt', 'notes/sport/3.txt'\. Use"
        ):
            index["3.txt"]
        assert "3.txt" not in index

    def test_an_id_that_is_misspelt_is_suggested(self, index):
        for call in (index.near, index.show, index.__getitem__):
            with pytest.raises(BadParameter, match=r"'notes/fram/3.txt' is not in .*Did you mean .*'notes/farm/3.txt'"):
                call("notes/fram/3.txt")
        with pytest.raises(BadParameter, match=r"is not in .*\. Check the spelling\."):
            index.show("zzzzzz")

    def test_what_is_no_id_is_refused(self, index):
        with pytest.raises(BadParameter, match="found by id, got 3"):
            index[3]

    def test_a_document_is_shown_with_what_is_known_of_it(self, index):
        index.add([Document("a", "Exports of [wheat] fell.", title="Wheat exports", label="farm", metadata={"year": 1987})])
        shown = index.show("a", "export fell")
        assert (shown.marked, shown.marked_title) == ("[Exports] of [wheat] [fell].", "Wheat [exports]")
        assert (shown.label, shown.label_origin, shown.cluster, shown.uncertainty) == ("farm", "document", -1, None)
        assert index.show("a").marked == shown.text == "Exports of [wheat] fell."
        index.fit(n_clusters=2)
        shown = index.show("farm/0.txt")
        assert shown.cluster in {each.number for each in index.clusters()}
        assert shown.cluster_name
        assert 0 <= shown.uncertainty <= 1


def test_a_folder_that_was_moved_keeps_its_documents_and_their_ids(index, folder, tmp_path):
    ids = list(index)
    (tmp_path / "archive").mkdir()
    moved = folder.rename(tmp_path / "archive" / "old notes")
    (moved / "farm" / "0.txt").write_text("corn, corrected")
    (moved / "farm" / "1.txt").unlink()
    (moved / "sport" / "new.txt").write_text("a goal")
    done = index.sync(moved, remove=True)
    assert counts(done) == (1, 1, 10, 0, 1, 1)
    assert done.relocated == {str(folder): str(moved)}
    assert set(index) == {*ids, "notes/sport/new.txt"} - {"notes/farm/1.txt"}
    assert counts(index.sync(moved)) == (0, 0, 12, 0, 0, 0)


def test_a_copy_of_an_index_is_brought_in_step_with_a_copy_of_the_folder_on_another_computer(folder, tmp_path):
    (tmp_path / "laptop").mkdir()
    with vicinal.open("there.vic", create=True) as there:
        there.add(folder)
    shutil.copy("there.vic", tmp_path / "laptop" / "x.vic")
    folder.rename(tmp_path / "laptop" / "elsewhere")
    with vicinal.open(tmp_path / "laptop" / "x.vic") as copy:
        assert counts(copy.sync(tmp_path / "laptop" / "elsewhere")) == (0, 0, 12, 0, 0, 0)


def test_a_folder_that_was_moved_is_read_in_parts_again(folder, tmp_path):
    with vicinal.open("parts.vic", create=True) as index:
        index.add(vicinal.read(folder, split="words:5"))
        moved = folder.rename(tmp_path / "elsewhere")
        assert counts(index.sync(moved)) == (0, 0, 36, 0, 0, 0)


def test_a_folder_with_the_same_names_and_other_documents_is_another_one(index, folder, tmp_path):
    shutil.move(folder, tmp_path / "unplugged")
    (tmp_path / "2024" / "notes" / "farm").mkdir(parents=True)
    for number in range(6):
        (tmp_path / "2024" / "notes" / "farm" / f"{number}.txt").write_text(f"harvest of the year, field {number}")
    done = index.sync(tmp_path / "2024" / "notes", remove=True)
    assert counts(done) == (6, 0, 0, 0, 0, 0)
    assert (len(index), done.relocated) == (18, {})


def test_a_copy_of_a_folder_that_is_still_there_is_another_one(index, folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy" / "notes")
    assert counts(index.sync(tmp_path / "copy" / "notes")) == (12, 0, 0, 0, 0, 0)
    assert index.sync(folder).relocated == {}


def test_a_file_of_the_next_month_does_not_take_the_place_of_one_that_was_deleted(tmp_path):
    for month, rows in (("jan", ("roof", "gutter")), ("feb", ("door", "window"))):
        (tmp_path / month).mkdir()
        (tmp_path / month / "export.csv").write_text("text\n" + "".join(f"the {row} was paid\n" for row in rows))
    with vicinal.open("months.vic", create=True) as index:
        index.sync(tmp_path / "jan" / "export.csv")
        (tmp_path / "jan" / "export.csv").unlink()
        assert counts(index.sync(tmp_path / "feb" / "export.csv", remove=True)) == (2, 0, 0, 0, 0, 0)
        assert len(index) == 4


def test_parts_name_their_parent_as_the_index_calls_it(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "2024" / "notes")
    with vicinal.open("parts.vic", create=True) as index:
        for each in (folder, tmp_path / "2024" / "notes"):
            index.add(vicinal.read(each, split="words:5"))
        parents = {document.id: document.metadata["parent"] for document in map(index.__getitem__, index)}
    assert len(parents) == 72
    assert all(id.startswith(f"{parent}#w") for id, parent in parents.items())


class TestEachFileAsBefore:
    """Files that an index knows are read as they were read before, also where a folder around them, or several, are named."""

    @pytest.fixture(name="mixed")
    def a_folder_with_a_long_note_and_two_tables(self, tmp_path):
        folder = tmp_path / "mixed"
        folder.mkdir()
        (folder / "long.txt").write_text("one two three four five six", encoding="utf-8")
        (folder / "a.csv").write_text("key,said,note\nk1,wheat fell,x\nk2,corn rose,y\n", encoding="utf-8")
        (folder / "b.csv").write_text("nr,body,more\nm1,oats,z\nm2,rye,v\n", encoding="utf-8")
        return folder

    @pytest.fixture(name="known")
    def an_index_that_has_each_by_itself(self, mixed, tmp_path):
        with vicinal.open(tmp_path / "known.vic", create=True) as index:
            index.add(read(mixed / "long.txt", split="words:2"))
            index.add(read(mixed / "a.csv", text="note", id="key", metadata=()))
            index.add(read(mixed / "b.csv", text="more", id="nr", metadata=()))
            yield index

    def test_a_folder_around_them_is_brought_in_step(self, known, mixed):
        before = list(known)
        (mixed / "new.txt").write_text("another note", encoding="utf-8")
        assert counts(known.sync(mixed, remove=True)) == (1, 0, 7, 0, 0, 0)
        assert list(known) == [*before, "mixed/new.txt"]
        assert known.reading_options(mixed / "long.txt") == {"split": "words:2"}
        assert known.reading_options(mixed / "new.txt") == {}

    def test_a_folder_around_them_is_added(self, known, mixed):
        assert (known.add(mixed).added, len(known)) == (0, 7)

    def test_what_is_said_now_counts_more(self, known, mixed):
        known.add(mixed / "a.csv", text="said")
        assert (known["k1"].text, known.reading_options(mixed / "a.csv")["text"]) == ("wheat fell", "said")

    def test_two_tables_with_other_columns_are_brought_in_step_by_one_command(self, known, mixed, capsys):
        path = known.path
        known.close()
        for verb in (
            ["sync", path, "mixed/a.csv", "mixed/b.csv", "--yes"],
            ["add", path, "mixed"],
            ["index", "mixed", "-o", path, "--no-fit"],
        ):
            app(verb, standalone_mode=False)
            assert ": 0 added, 0 changed, " in capsys.readouterr().out


class TestShiftedRows:
    """Rows without an id are known by their number; a label that was given to one goes with its text."""

    TEXTS = ("oats and rye", "wheat fell", "corn rose", "the match was lost")

    @pytest.fixture(name="table")
    def rows_without_ids(self, tmp_path):
        path = tmp_path / "table.csv"
        self.write(path, *self.TEXTS)
        return path

    @staticmethod
    def write(path, *texts):
        path.write_text("\n".join(["text", *texts, ""]), encoding="utf-8")

    @staticmethod
    def labelled(index):
        return {index[id].text: label.label for id, label in index.labels().items()}

    @pytest.fixture(name="known")
    def with_labels(self, table, tmp_path):
        with vicinal.open(tmp_path / "known.vic", create=True) as index:
            index.add(table)
            index.label({"table.csv#3": "wheat", "table.csv#4": "corn"}, learn=False)
            yield index
            assert index.check() == []

    @pytest.mark.parametrize("verb", ["sync", "add", "update"])
    def test_a_row_in_front_shifts_no_label(self, known, table, verb):
        self.write(table, "news of today", *self.TEXTS)
        reading = read(table)
        getattr(known, verb)(reading)
        assert self.labelled(known) == {"wheat fell": "wheat", "corn rose": "corn"}
        assert [note for note in reading.notes if "2 labels went with the text" in note]

    def test_a_row_that_goes_takes_its_label_along(self, known, table):
        self.write(table, *(text for text in self.TEXTS if text != "wheat fell"))
        known.sync(table, remove=True)
        assert self.labelled(known) == {"corn rose": "corn"}

    def test_an_edited_row_keeps_its_label(self, known, table):
        self.write(table, "oats and rye", "wheat fell again", "corn rose", "the match was lost")
        known.sync(table)
        assert self.labelled(known) == {"wheat fell again": "wheat", "corn rose": "corn"}

    def test_rows_in_another_order(self, known, table):
        self.write(table, *reversed(self.TEXTS))
        known.sync(table)
        assert self.labelled(known) == {"wheat fell": "wheat", "corn rose": "corn"}

    def test_the_last_row_goes_and_comes_further_up(self, known, table):
        known.label({"table.csv#5": "sport"}, learn=False)
        self.write(table, *self.TEXTS[1:])
        known.sync(table, remove=True)
        assert self.labelled(known) == {"wheat fell": "wheat", "corn rose": "corn", "the match was lost": "sport"}
