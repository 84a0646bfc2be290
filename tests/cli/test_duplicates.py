"""``vicinal duplicates``: copies for people, for programs and for ``vicinal remove``."""

from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import vicinal
from vicinal.cli._app import app
from vicinal.cli._terminal.rendering import _rounded_down
from vicinal.corpus import Document

HOSTILE = "\x1b]0;pwned\x07\x1b[2J[bold red]axle[/bold red] \u202eevil"
WORDS = {subject: [f"{subject}{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(150)] for subject in ("car", "garden")}


def invoke(*arguments, **options):
    return CliRunner().invoke(app, [str(each) for each in arguments], env={"COLUMNS": "100"}, **options)


def written(subject, number):
    return " ".join(random.Random(f"{subject} {number}").choices(WORDS[subject], k=60))


def corpus():
    """Twenty documents; of the first there are two copies more, with hostile names and titles, and of the second an edited one."""
    plain = [Document(f"{subject}-{n}", written(subject, n), "a title") for n in range(10) for subject in WORDS]
    plain[0] = Document("car-0", plain[0].text, HOSTILE)
    again = [Document("again", plain[0].text, HOSTILE), Document(HOSTILE, plain[0].text, HOSTILE)]
    return [*plain, *again, Document("edited", f"{plain[1].text} gardenaa", plain[1].title)]


@pytest.fixture(scope="session", name="built")
def built_once(tmp_path_factory):
    path = tmp_path_factory.mktemp("copies") / "news.vic"
    with vicinal.open(path, create=True) as index:
        index.add(corpus())
        index.fit(n_clusters=2, n_components=3, n_neighbors=4)
    return path


@pytest.fixture(name="file")
def own_copy(built, tmp_path):
    return Path(shutil.copy(built, tmp_path / "news.vic"))


@pytest.fixture(name="unlearnt")
def words_alone(tmp_path):
    path = tmp_path / "plain.vic"
    with vicinal.open(path, create=True) as index:
        index.add(corpus())
    return path


class TestForPeople:
    def test_groups_stand_in_a_table_with_the_one_to_keep_first(self, built):
        done = invoke("duplicates", built)
        assert done.exit_code == 0, done.stderr
        head, *rows, last = done.stdout.splitlines()
        assert head.split() == ["group", "similarity", "id", "title"]
        assert [row.split()[:2] for row in rows[:2]] == [["1", "keep"], ["1.00", "again"]]
        assert [row.split()[:3] for row in rows[3:4]] == [["2", "keep", "garden-0"]]
        assert re.search(r"^ +0\.9\d  edited +a title$", rows[4])
        assert last == "2 groups; 3 removable documents, listed by --ids."
        assert done.stderr == ""

    def test_escapes_in_names_and_titles_are_shown_and_not_obeyed(self, built):
        for options in ((), ("--json",)):
            text = invoke("duplicates", built, *options).stdout
            assert "pwned" in text
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
        assert r"\x1b]0;pwned\x07" in invoke("duplicates", built).stdout

    def test_none_are_one_line_and_exit_with_1(self, file):
        names = invoke("duplicates", file, "--ids").stdout
        invoke("remove", file, "-", input=names)
        done = invoke("duplicates", file)
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr == "No two documents have a similarity of 0.9 or more.\n"

    def test_before_a_fit_the_same_texts_are_found_and_it_is_said_what_is_missing(self, unlearnt, tmp_path):
        done = invoke("duplicates", unlearnt)
        assert done.exit_code == 0
        assert "again" in done.stdout
        assert "edited" not in done.stdout
        assert f"vicinal fit {unlearnt}" in done.stderr
        with vicinal.open(tmp_path / "one.vic", create=True) as index:
            index.add([Document("one", "a text")])
        alone = invoke("duplicates", tmp_path / "one.vic")
        assert alone.exit_code == 1
        assert "No two texts are identical. The index is not fitted yet" in alone.stderr
        assert len(alone.stderr.splitlines()) == 1

    @pytest.mark.parametrize(
        ("similarity", "shown"), [(1.0, "1.00"), (0.9999, "0.99"), (0.57, "0.57"), (0.899999, "0.89"), (0.0, "0.00")]
    )
    def test_what_is_less_than_the_same_is_not_shown_as_the_same(self, similarity, shown):
        assert _rounded_down(similarity) == shown

    def test_who_waits_is_told_on_standard_error(self, built, monkeypatch):
        real = vicinal.Index.duplicates

        def slow(self, *given):
            import time

            time.sleep(0.2)
            return real(self, *given)

        monkeypatch.setattr("vicinal.cli._terminal.progress_display.notice_if_slow.__wrapped__.__defaults__", (0.01,))
        monkeypatch.setattr(vicinal.Index, "duplicates", slow)
        done = invoke("duplicates", built, "--json")
        assert done.stderr == "duplicates: comparing documents ...\n"
        assert json.loads(done.stdout)["groups"]


class TestForPrograms:
    def test_json_has_groups_and_the_names_besides_those_to_keep(self, built):
        said = json.loads(invoke("duplicates", built, "--json").stdout)
        assert said["threshold"] == 0.9
        first, second = said["groups"]
        assert (first["kept"], first["removable"]) == ("car-0", ["again", HOSTILE])
        assert [each["similarity"] for each in first["documents"][:2]] == [1.0, 1.0]
        assert set(second["documents"][1]) == {"id", "title", "source", "similarity"}
        assert len(json.loads(invoke("duplicates", built, "--limit", "1", "--json").stdout)["groups"]) == 1

    def test_none_are_still_json(self, tmp_path):
        vicinal.open(tmp_path / "new.vic", create=True).close()
        done = invoke("duplicates", tmp_path / "new.vic", "--json")
        assert done.exit_code == 1
        assert json.loads(done.stdout)["groups"] == []

    def test_names_go_into_remove_and_the_first_of_each_group_stays(self, file):
        names = invoke("duplicates", file, "--ids")
        assert (names.exit_code, names.stdout.split("\n")) == (0, ["again", HOSTILE, "edited", ""])
        assert invoke("remove", file, "-", input=names.stdout).stdout == "3 of 3 documents removed.\n"
        with vicinal.open(file) as index:
            assert len(index) == 20

    def test_a_name_of_several_lines_is_left_out_and_said(self, tmp_path):
        path = tmp_path / "new.vic"
        with vicinal.open(path, create=True) as index:
            index.add([Document(name, "a text") for name in ("one", "two\nlines", "three")])
        done = invoke("duplicates", path, "--ids")
        assert done.stdout == "three\n"
        assert "skipped: the id 'two\\nlines' has a line break" in done.stderr

    def test_remove_takes_names_from_both_and_passes_over_empty_lines(self, file):
        assert invoke("remove", file, "car-1", "-", input="car-2\r\n\ncar-1\n").stdout == "2 of 2 documents removed.\n"
        assert invoke("remove", file, "-", input=b"car-3 \xff\n").exit_code == 1
        done = invoke("remove", file, "-", input="\n")
        assert (done.exit_code, done.stderr) == (1, "Standard input has no ids, so nothing was removed.\n")


@pytest.mark.parametrize(
    "options", [["--threshold", "0"], ["--threshold", "1.5"], ["--threshold", "most"], ["--limit", "0"], ["--ids", "--json"]]
)
def test_a_command_that_is_not_understood_exits_with_2(built, options):
    done = invoke("duplicates", built, *options)
    assert (done.exit_code, done.stdout) == (2, "")


def test_an_index_that_is_not_there_exits_with_3(tmp_path):
    assert invoke("duplicates", tmp_path / "none.vic").exit_code == 3


def test_a_damaged_index_exits_with_4(file):
    content = file.read_bytes()
    place = content.find(b"gardenab")
    file.write_bytes(content[:place] + b"gardneab" + content[place + 8 :])
    done = invoke("duplicates", file)
    assert done.exit_code == 4
    assert "Traceback" not in done.output
