"""Folders and exports that change, on the command line: nothing is lost or dropped in silence, and what is gone is listed first."""

from __future__ import annotations

import io
import json
import shutil
import sys
import zipfile

import pytest
from typer.testing import CliRunner

import vicinal
from vicinal._store import Store
from vicinal.cli._app import app
from vicinal.cli._terminal.watching import Watch

WORDS = {"farm": "wheat corn barley harvest field tractor", "sport": "match goal won team ball player"}


def invoke(*arguments, **options):
    return CliRunner().invoke(app, [str(each) for each in arguments], env={"COLUMNS": "100"}, **options)


def answered(*arguments, **options):
    done = invoke(*arguments, "--json", **options)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(name="folder", autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for subject, words in WORDS.items():
        (tmp_path / "news" / subject).mkdir(parents=True)
        for number in range(4):
            text = " ".join(words.split()[number:] + words.split()[: number + 1])
            (tmp_path / "news" / subject / f"{number}.txt").write_text(text, encoding="utf-8")
    for month, text in (("jan", "wheat fell"), ("feb", "barley fell")):
        (tmp_path / month).mkdir()
        (tmp_path / month / "export.csv").write_text(f"text,year\n{text},2023\n", encoding="utf-8")
    return tmp_path / "news"


@pytest.fixture(name="made")
def index_of_the_folder(folder):
    assert invoke("index", "news", "-o", "x.vic", "--clusters", "2").exit_code == 0
    return "x.vic"


class TestMonthsOfExports:
    def test_both_are_kept_and_the_second_name_is_said(self):
        invoke("index", "jan/export.csv", "-o", "m.vic", "--no-fit")
        done = invoke("add", "m.vic", "feb/export.csv")
        assert done.stdout == "m.vic: 1 added, 0 changed, 0 unchanged.\n"
        assert "note: export.csv is from another source here, so this one is called feb/export.csv\n" in done.stderr
        assert "note: nothing was overwritten; --update replaces" in done.stderr
        said = answered("add", "m.vic", "jan/export.csv", "feb/export.csv")
        assert (said["added"], said["changed"], said["unchanged"], said["renamed"]) == (0, 0, 2, {})
        with vicinal.open("m.vic") as index:
            assert list(index) == ["export.csv#2", "feb/export.csv#2"]

    def test_it_is_said_in_json(self):
        invoke("index", "jan/export.csv", "-o", "m.vic", "--no-fit")
        assert answered("add", "m.vic", "feb/export.csv")["renamed"] == {"export.csv": "feb/export.csv"}

    @pytest.mark.parametrize("verb", [["add", "m.vic", "feb/export.csv"], ["index", "feb/export.csv", "-o", "m.vic", "--no-fit"]])
    def test_update_replaces_and_says_which(self, verb):
        invoke("index", "jan/export.csv", "-o", "m.vic", "--no-fit")
        done = invoke(*verb, "--update")
        assert "m.vic: 0 added, 1 changed, 0 unchanged." in done.stdout
        assert "replaced: export.csv#2, which came from another source\n" in done.stderr

    def test_two_pipes_are_two_sources(self):
        invoke("index", "-", "-o", "s.vic", "--no-fit", input="one\ntwo\n")
        assert answered("add", "s.vic", "-", input="three\n")["renamed"] == {"stdin": "stdin-2"}
        with vicinal.open("s.vic") as index:
            assert [index[id].text for id in index] == ["one", "two", "three"]

    def test_a_folder_inside_adds_no_copies(self, made):
        said = answered("add", made, "news/farm")
        assert (said["added"], said["changed"], said["unchanged"]) == (0, 0, 4)


class TestSync:
    def test_what_is_gone_is_listed_and_stays_where_nobody_can_be_asked(self, made, folder):
        (folder / "farm" / "0.txt").unlink()
        (folder / "farm" / "1.txt").rename(folder / "farm" / "one.txt")
        done = invoke("sync", made, "news")
        assert done.stdout == "x.vic: 0 added, 0 changed, 1 moved, 0 removed, 1 gone and kept, 6 unchanged.\n"
        assert "gone: news/farm/0.txt\n" in done.stderr
        assert "--yes removes what is gone" in done.stderr
        said = answered("sync", made, "news", "--yes")
        assert (said["gone"], said["removed"], said["unchanged"]) == (["news/farm/0.txt"], 1, 7)

    @pytest.mark.parametrize(("answer", "left"), [("y\n", 7), ("n\n", 8)])
    def test_on_a_terminal_it_asks(self, made, folder, monkeypatch, answer, left):
        (folder / "farm" / "0.txt").unlink()
        monkeypatch.setattr("vicinal.cli._terminal.confirm.on_terminal", lambda: True)
        done = invoke("sync", made, "news", input=answer)
        assert "Remove 1 document from the index?" in done.stderr
        with vicinal.open(made) as index:
            assert len(index) == left

    def test_it_uses_the_columns_of_the_first_time(self):
        rows = "key,body,remark\n{},{},same\n"
        with open("t.csv", "w", encoding="utf-8") as file:
            file.write(rows.format("k1", "wheat"))
        invoke("index", "t.csv", "-o", "t.vic", "--no-fit", "--text", "remark", "--id", "key")
        with open("t.csv", "w", encoding="utf-8") as file:
            file.write(rows.format("k1", "corn"))
        said = answered("sync", "t.vic", "t.csv")
        assert (said["added"], said["changed"], said["gone"]) == (0, 1, [])

    def test_an_empty_folder_removes_nothing_and_exits_with_3(self, made, folder):
        shutil.rmtree(folder)
        folder.mkdir()
        done = invoke("sync", made, "news", "--yes")
        assert done.exit_code == 3
        assert "perhaps it is not mounted" in done.stderr


class TestWatch:
    def test_each_change_is_reported_once_and_nothing_else(self, made, folder):
        (folder / "late.txt").write_text("a late match", encoding="utf-8")
        done = invoke("watch", made, "news", "--rounds", "3", "--every", "0.01", "--json")
        assert done.exit_code == 0, done.stderr
        [said] = [json.loads(line) for line in done.stdout.splitlines()]
        assert (said["added"], said["unchanged"]) == (1, 8)

    def test_files_that_change_between_two_looks(self, made, folder, capsys):
        changes = [
            lambda: (folder / "a.txt").write_text("barley", encoding="utf-8"),
            lambda: None,
            lambda: (folder / "a.txt").rename(folder / "b.txt"),
            lambda: (folder / "b.txt").unlink(),
        ]
        with vicinal.open(made) as index:
            Watch(index, "news.vic", ["news"], remove=True, as_json=True).run(1.0, 5, sleep=lambda _: changes.pop(0)())
            assert len(index) == 8
        said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [(each["added"], each["moved"], each["removed"]) for each in said] == [
            (0, {}, 0),
            (1, {}, 0),
            (0, {"news/a.txt": "news/b.txt"}, 0),
            (0, {}, 1),
        ]

    def test_another_writer_and_a_missing_folder_are_waited_for(self, made, folder, capsys):
        writer = Store.open(made)
        block = writer.writing()
        (folder / "a.txt").write_text("barley", encoding="utf-8")
        steps = [
            lambda: None,
            lambda: block.__exit__(None, None, None),
            lambda: shutil.move("news", "away"),
            lambda: None,
            lambda: shutil.move("away", "news"),
            lambda: (folder / "b.txt").write_text("wheat", encoding="utf-8"),
        ]
        block.__enter__()
        with vicinal.open(made) as index:
            Watch(index, "news.vic", ["news"], remove=True, as_json=False).run(1.0, 7, sleep=lambda _: steps.pop(0)())
            assert len(index) == 10
        writer.close()
        said = capsys.readouterr()
        assert said.err.count("vicinal watch: ") == 2  # each is said once, however often it is met
        assert "nothing to read at 'news'" in said.err
        assert [line.partition(": ")[2][:7] for line in said.out.splitlines()] == ["1 added", "1 added"]

    def test_a_wrong_path_ends_it_at_once(self, made):
        done = invoke("watch", made, "nowhere", "--rounds", "2")
        assert done.exit_code == 3
        assert "nothing to read at 'nowhere'" in done.stderr


class TestClassify:
    def test_what_cannot_be_read_is_named_and_counted(self, made, tmp_path):
        invoke("label", made, "--column", "folder")
        inbox = tmp_path / "inbox"
        inbox.mkdir()
        (inbox / "a.txt").write_text("wheat and corn", encoding="utf-8")
        (inbox / "empty.txt").write_text("", encoding="utf-8")
        (inbox / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0\1\2" * 50)
        said = answered("classify", made, "inbox")
        assert [each["id"] for each in said["documents"]] == ["inbox/a.txt"]
        assert {each["source"]: each["reason"] for each in said["skipped"]} == {
            "inbox/empty.txt": "empty",
            "inbox/picture.png": "binary, not text",
        }
        assert said["read"] == "1 document from 1 file, 2 skipped"
        done = invoke("classify", made, "inbox")
        assert "skipped: inbox/empty.txt: empty\n" in done.stderr
        assert "read: 1 document from 1 file, 2 skipped\n" in done.stderr

    def test_an_archive_is_read_or_named(self, made, tmp_path):
        invoke("label", made, "--column", "folder")
        with zipfile.ZipFile(tmp_path / "pack.zip", "w") as archive:
            archive.writestr("a.txt", "wheat and corn")
        done = invoke("classify", made, "pack.zip", "--json")
        said = json.loads(done.stdout)
        assert len(said["documents"]) + len(said["skipped"]) == 1


class TestShowAndRemove:
    def test_a_document_is_shown_with_words_marked(self, made):
        invoke("label", made, "--column", "folder")
        done = invoke("show", made, "farm/0.txt", "--query", "wheat harvest")
        head, _, text = done.stdout.partition("\n\n")
        assert text == "[wheat] corn barley [harvest] field tractor [wheat]\n"
        rows = dict(line.split(None, 1) for line in head.splitlines())
        assert rows["id"] == "news/farm/0.txt"
        assert rows["label"] == "farm (from folder)"
        assert rows["cluster"].startswith(("0 (", "1 ("))
        said = answered("show", made, "news/farm/0.txt")
        assert (said["text"], said["metadata"]) == ("wheat corn barley harvest field tractor wheat", {"folder": "farm"})

    def test_an_unknown_id_suggests_others(self, made):
        for verb in ("show", "near"):
            done = invoke(verb, made, "news/fram/0.txt")
            assert done.exit_code == 2
            assert "Did you mean" in done.stderr
            assert "news/farm/0.txt" in done.stderr

    def test_the_end_of_an_id_or_the_path_of_its_file_is_removed_and_an_ambiguous_end_is_not(self, made):
        done = invoke("remove", made, "farm/0.txt", "./news/farm/1.txt", "nobody")
        assert (done.stdout, done.exit_code) == ("2 documents removed.\n", 0)
        assert "note: farm/0.txt is news/farm/0.txt" in done.stderr
        done = invoke("remove", made, "2.txt")
        assert done.exit_code == 2
        assert "may be any of 2 documents" in done.stderr
        done = invoke("remove", made, "news/farn/2.txt")
        assert done.exit_code == 1
        assert "Did you mean news/farm/2.txt" in done.stderr

    def test_an_id_that_is_not_there_removes_nothing_whatever_the_condition(self, made):
        assert invoke("remove", made, "nobody", "--where", "folder=sport").exit_code == 1
        assert "news/sport/2.txt" in invoke("remove", made, "--where", "folder=sport", "--dry-run").stdout

    def test_documents_are_removed_by_pattern_and_by_condition(self, made):
        assert invoke("remove", made, "news/farm/[01].txt", "--dry-run").stdout == "news/farm/0.txt\nnews/farm/1.txt\n"
        assert invoke("remove", made, "news/farm/[01].txt").stdout == "2 documents removed.\n"
        assert invoke("remove", made, "farm/*", "--dry-run").stdout == "news/farm/2.txt\nnews/farm/3.txt\n"
        said = answered("remove", made, "*/2.txt", "--where", "folder=sport")
        assert (said["found"], said["removed"]) == (["news/sport/2.txt"], 1)
        assert invoke("remove", made, "--where", "folder=sport").stdout == "3 documents removed.\n"
        assert invoke("remove", made, "--where", "folder=sport").exit_code in (1, 2)
        assert invoke("remove", made).exit_code == 2
        with vicinal.open(made) as index:
            assert list(index) == ["news/farm/2.txt", "news/farm/3.txt"]

    def test_an_id_with_the_characters_of_a_pattern_is_that_document(self, made, folder):
        (folder / "[01].txt").write_text("corn", encoding="utf-8")
        invoke("add", made, "news")
        assert invoke("remove", made, "news/[01].txt").exit_code == 0
        with vicinal.open(made) as index:
            assert len(index) == 8

    def test_update_changes_what_is_there_and_names_the_rest(self, made, folder):
        (folder / "farm" / "0.txt").write_text("no wheat", encoding="utf-8")
        (folder / "new.txt").write_text("new", encoding="utf-8")
        done = invoke("update", made, "news")
        assert "0 added, 1 changed, 7 unchanged. 1 document was left out, not being in the index." in done.stdout
        assert "not in the index: news/new.txt\n" in done.stderr
        done = invoke("update", made, "news/new.txt")
        assert done.exit_code == 1
        assert "vicinal add adds them" in done.stderr


class TestExport:
    def test_a_file_that_is_there_is_not_replaced_without_yes(self, made, tmp_path):
        (tmp_path / "out.csv").write_text("mine", encoding="utf-8")
        done = invoke("export", made, "-o", "out.csv")
        assert done.exit_code == 2
        assert "out.csv is there already" in done.stderr
        assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "mine"
        assert invoke("export", made, "-o", "out.csv", "--yes").exit_code == 0
        assert (tmp_path / "out.csv").read_text(encoding="utf-8").startswith("id,title")

    @pytest.mark.parametrize(("answer", "replaced"), [("y\n", True), ("n\n", False)])
    def test_on_a_terminal_it_asks(self, made, tmp_path, monkeypatch, answer, replaced):
        (tmp_path / "out.csv").write_text("mine", encoding="utf-8")
        monkeypatch.setattr("vicinal.cli._terminal.confirm.on_terminal", lambda: True)
        done = invoke("export", made, "-o", "out.csv", input=answer)
        assert "out.csv is there already. Replace it?" in done.stderr
        assert ((tmp_path / "out.csv").read_text(encoding="utf-8") != "mine") == replaced


def test_a_pipe_is_no_terminal(monkeypatch):
    from vicinal.cli._terminal.confirm import on_terminal

    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert not on_terminal()


def test_a_file_beyond_a_limit_is_said_with_the_option_that_lifts_it(tmp_path):
    (tmp_path / "large.txt").write_text("word " * 10_400_000, encoding="utf-8")
    done = invoke("index", "large.txt", "jan", "-o", "m.vic", "--no-fit")
    assert "skipped: large.txt: too large: 52,000,000 bytes where 50,000,000 are allowed; --max-size 52 allows it\n" in done.stderr
    assert invoke("classify", "m.vic", "large.txt").exit_code != 0
    (tmp_path / "large.txt").write_text("word " * 300_000, encoding="utf-8")
    assert "1 skipped" in invoke("add", "m.vic", "large.txt", "feb", "--max-size", "1").stderr
    assert answered("add", "m.vic", "large.txt", "--max-size", "2")["added"] == 1
    assert answered("sync", "m.vic", "large.txt", "jan", "--max-size", "1", "--yes")["unread"] == ["large.txt"]
    assert answered("watch", "m.vic", "large.txt", "jan", "--max-size", "1", "--rounds", "1")["unread"] == ["large.txt"]
    assert "--max-size 2 allows it" in invoke("classify", "m.vic", "large.txt", "--max-size", "1").stderr
    assert "allows it" not in invoke("classify", "m.vic", "large.txt", "--max-size", "2").stderr
