"""Clusters are opened on the command line: parts, parts of parts, their documents; what cannot be opened is said in one line."""

from __future__ import annotations

import json
import random

import pytest
from typer.testing import CliRunner

import vicinal
from vicinal.cli._app import app
from vicinal.cli._terminal.progress_display import notice_if_slow
from vicinal.corpus import Document

COMMON = {"sea": "wave salt tide foam", "town": "street house square tower"}
KINDS = {"whale": "whale calf fin song dive", "ship": "ship sail mast deck crew", "tram": "tram rail wire stop fare"}
HOSTILE = "\x1b]0;pwned\x07 whale"


def invoke(*arguments):
    return CliRunner().invoke(app, ["clusters", *map(str, arguments)], env={"COLUMNS": "100"})


def answered(*arguments):
    done = invoke(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def mixed(subject, kind, n_documents):
    for number in range(n_documents):
        words = random.Random(f"{kind} {number}").choices(KINDS[kind].split(), k=8)
        yield Document(
            f"{kind}-{number}", f"{COMMON[subject]} {' '.join(words)}", HOSTILE if kind == "whale" else f"{kind} {number}"
        )


@pytest.fixture(scope="module", name="file")
def two_subjects(tmp_path_factory):
    """The sea, which is number 0 and falls into whales and ships, with a document that shares no word; and a town of trams."""
    path = tmp_path_factory.mktemp("open") / "news.vic"
    with vicinal.open(path, create=True) as index:
        odd = Document("odd", "quokka")
        index.add([*mixed("sea", "whale", 12), *mixed("sea", "ship", 9), *mixed("town", "tram", 12), odd])
        index.fit(n_clusters=2, n_components=3, n_neighbors=5)
    return path


class TestParts:
    def test_programs_get_them_with_their_paths_and_what_is_in_none(self, file):
        assert [each["path"] for each in answered(file)["clusters"]] == ["0", "1"]
        said = answered(file, "--open", "0", "--limit", "2")
        assert (said["open"], said["outside"]) == ("0", 1)
        assert [(each["path"], each["number"], each["size"]) for each in said["clusters"]] == [("0.0", 0, 12), ("0.1", 1, 9)]
        for each, kind in zip(said["clusters"], ("whale", "ship"), strict=True):
            assert len(each["terms"]) == 2
            assert {word for word, _ in each["terms"]} <= set(KINDS[kind].split())
            assert each["exemplars"][0]["id"].startswith(kind)

    def test_people_see_a_line_for_each_and_a_note(self, file):
        done = invoke(file, "--open", "0")
        assert done.exit_code == 0
        heads, whales, ships = done.stdout.splitlines()
        assert heads.split()[:4] == ["no.", "docs", "share", "uncertainty"]
        assert whales.split()[:2] == ["0.0", "12"]
        assert ships.split()[:2] == ["0.1", "9"]
        assert r"\x1b]0;pwned\x07" in whales
        assert done.stderr == "note: 1 document of cluster 0 in no part: no term in common with another.\n"

    def test_a_number_of_parts_is_in_their_names_which_can_be_opened(self, file):
        parts = answered(file, "--open", "0", "--clusters", "2")["clusters"]
        assert [each["path"] for each in parts] == ["0:2.0", "0:2.1"]
        hits = answered(file, "--open", "0:2.1", "--documents", "20")["hits"]
        assert len(hits) == parts[1]["size"]
        assert {hit["id"].partition("-")[0] for hit in hits} == {"ship"}
        assert invoke(file, "--open", "0", "--clusters", "2").stdout.splitlines()[1].startswith("0:2.0  ")

    def test_fewer_parts_than_were_asked_for_are_a_line_on_standard_error(self, file):
        done = invoke(file, "--open", "0", "--clusters", "5")
        assert done.exit_code == 0
        assert "vicinal clusters: warning: asked for 5 parts of cluster 0 but there are " in done.stderr

    def test_documents_are_listed_most_typical_first(self, file):
        said = answered(file, "--open", "0.1", "--documents", "4")
        scores = [hit["score"] for hit in said["hits"]]
        assert len(scores) == 4
        assert scores == pytest.approx(sorted(scores, reverse=True))
        assert {hit["id"].partition("-")[0] for hit in said["hits"]} == {"ship"}
        shown = invoke(file, "--open", "0.1", "--documents", "4").stdout
        assert all(hit["id"] in shown for hit in said["hits"])
        assert "\x1b" not in invoke(file, "--open", "0.0", "--documents", "4").stdout

    def test_the_help_teaches_with_examples(self):
        shown = " ".join(invoke("--help").stdout.split())
        assert "vicinal clusters news.vic --open 3" in shown
        assert "--open 3.1 --documents 20" in shown


class TestWhatCannotBe:
    @pytest.mark.parametrize("options", [[], ["--json"]])
    def test_a_cluster_that_cannot_be_opened_further_exits_with_1_and_one_line(self, tmp_path, options):
        path = tmp_path / "copies.vic"
        with vicinal.open(path, create=True) as index:
            index.add([*mixed("sea", "ship", 9), *(Document(f"tram-{number}", "tram rail wire stop fare") for number in range(12))])
            index.fit(n_clusters=2, n_components=3, n_neighbors=5)
            trams = next(hit.cluster for hit in index.search("tram"))
        done = invoke(path, "--open", trams, *options)
        assert done.exit_code == 1
        [line] = done.stderr.splitlines()
        assert line.startswith(f"Cluster {trams} has no further parts")
        assert (json.loads(done.stdout)["clusters"] == []) if options else (done.stdout == "")

    def test_before_the_first_fit_all_exit_with_1(self, tmp_path):
        with vicinal.open(tmp_path / "new.vic", create=True) as index:
            index.add(mixed("sea", "ship", 9))
        for options in ([], ["--documents", "3"]):
            done = invoke(tmp_path / "new.vic", "--open", "0", *options)
            assert done.exit_code == 1
            assert "not fitted yet" in done.stderr

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            (["--open", "99"], "There are: 0, 1."),
            (["--open", "0.99"], "has the parts 0.0, 0.1."),
            (["--open", "0..1"], 'a path such as "3.1"'),
            (["--open", "0.99", "--documents", "3"], "has the parts 0.0, 0.1."),
            (["--open", "0", "--clusters", "1"], "clusters"),
            (["--open", "0", "--documents", "0"], "--documents"),
            (["--clusters", "3", "--documents", "3"], "--open"),
            (["--documents", "3"], "--open"),
            (["--open", "0", "--clusters", "3", "--documents", "3"], "--clusters"),
        ],
    )
    def test_what_is_not_understood_exits_with_2(self, file, options, said):
        done = invoke(file, *options)
        assert done.exit_code == 2, done.output
        assert said in done.stderr
        assert done.stdout == ""

    def test_more_parts_than_documents_exit_with_3(self, file):
        done = invoke(file, "--open", "1", "--clusters", "13")
        assert done.exit_code == 3
        assert done.stderr.startswith("vicinal clusters: cluster 1 cannot be opened in 13 parts: of its 12 documents 12 have")


class TestNotices:
    def test_who_waits_is_told_what_for(self, capsys):
        with notice_if_slow("open: learning\x1b ...", seconds=0.0) as timer:
            timer.join()
        assert capsys.readouterr().err == "open: learning\\x1b ...\n"

    def test_who_does_not_wait_is_told_nothing_even_after_an_error(self, capsys):
        with pytest.raises(ValueError, match="in the middle"), notice_if_slow("open: learning ...", seconds=600.0) as timer:
            raise ValueError("in the middle")
        timer.join()
        assert capsys.readouterr().err == ""
