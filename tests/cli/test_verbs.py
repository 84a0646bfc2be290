"""The verbs of the command line: from files to answers, with exit codes that mean what they say."""

from __future__ import annotations

import csv
import inspect
import io
import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from typer.main import get_command
from typer.testing import CliRunner

import vicinal
from vicinal._query import And, parse_condition
from vicinal._store import Store
from vicinal.cli._app import app
from vicinal.cli._terminal.arguments import parse_clusters, parse_where
from vicinal.cli._terminal.exit_codes import (
    CLOSED_PIPE,
    DAMAGED,
    DATA,
    NOTHING_FOUND,
    SIGNALLED,
    USAGE,
    exit_code,
    print_to_stderr,
    reporting_errors,
)
from vicinal.cli._terminal.info_lines import advice, info_rows
from vicinal.cli._terminal.progress_display import ProgressDisplay
from vicinal.cli._terminal.text import duration, human_bytes
from vicinal.errors import (
    BadIndex,
    BadLabels,
    BadParameter,
    DamagedIndex,
    DiskFull,
    EmptyCorpus,
    IndexLocked,
    NewerIndex,
    NotAnIndex,
    VicinalError,
    VicinalWarning,
)
from vicinal.index import Info
from vicinal.index._drift.drift import drift_of

DOCS = Path(__file__).parents[2] / "docs" / "cli.md"
SUBJECTS = {
    "cars": "car engine wheel road driver brake motor speed fuel garage",
    "garden": "rose tulip garden flower soil spring water leaf root bloom",
    "kitchen": "bread oven flour salt butter recipe bake dough sugar cook",
}
SHARED = ["people", "time", "day", "house", "work", "good"]
HOSTILE = "\x1b]0;pwned\x07\x1b[2J[bold red]axle[/bold red] \u202eevil"


def invoke(*arguments, **options):
    return CliRunner().invoke(app, [str(each) for each in arguments], env={"COLUMNS": "100"}, **options)


def answered(*arguments):
    """The JSON that a command says, which must succeed."""
    done = invoke(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def written(subject, number):
    chance = random.Random(f"{subject} {number}")
    return " ".join([*chance.choices(SUBJECTS[subject].split(), k=12), *chance.choices(SHARED, k=4)])


@pytest.fixture(scope="session", name="sources")
def files_to_read(tmp_path_factory):
    """A folder of 18 texts, of which one is hostile, with two files that are no documents; and a table of 15 rows."""
    home = tmp_path_factory.mktemp("sources")
    folder = home / "notes"
    folder.mkdir()
    for subject in SUBJECTS:
        for number in range(6):
            (folder / f"{subject}-{number}.txt").write_text(written(subject, number), encoding="utf-8")
    (folder / "cars-0.txt").write_text(f"{HOSTILE} {written('cars', 0)}", encoding="utf-8")
    (folder / "empty.txt").write_text("", encoding="utf-8")
    (folder / "picture.bin").write_bytes(b"\0\1\2" * 100)
    with (home / "more.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "title", "body", "year", "kind", "zip"])
        for number in range(6, 11):
            for subject in SUBJECTS:
                row = [
                    f"{subject}-{number}",
                    f"{subject} no {number}",
                    written(subject, number),
                    1990 + number,
                    subject,
                    f"0{number}139",
                ]
                table.writerow(row)
    return home


@pytest.fixture(scope="session", name="built")
def built_once(sources, tmp_path_factory):
    """What the command that makes an index says, and the index."""
    path = tmp_path_factory.mktemp("built") / "news.vic"
    return invoke("index", sources / "notes", sources / "more.csv", "-o", path, "--clusters", "3", "--json"), path


@pytest.fixture(name="file")
def own_copy(built, tmp_path):
    return Path(shutil.copy(built[1], tmp_path / "news.vic"))


class TestIndex:
    def test_files_become_an_index_and_all_is_said(self, built):
        done, _ = built
        assert done.exit_code == 0, done.stderr
        said = json.loads(done.stdout)
        assert (said["added"], said["changed"], said["unchanged"]) == (33, 0, 0)
        assert [Path(each["source"]).name for each in said["skipped"]] == ["empty.txt", "picture.bin"]
        assert (said["fit"]["n_documents"], said["fit"]["n_clusters"]) == (33, 3)

    def test_skipped_files_guesses_and_rates_are_lines_on_standard_error(self, built):
        lines = built[0].stderr.splitlines()
        assert len([each for each in lines if each.startswith("skipped: ")]) == 2
        assert any(each.startswith('note: columns of more.csv: text from "body"') for each in lines)
        assert "read: 33 documents from 19 files, 2 skipped" in lines
        assert any(re.match(r"add: 33 documents, [\d,]+ a second \(", each) for each in lines)
        steps = [re.split(r"[ :]", each)[0] for each in lines if re.search(r" \(\d+\.\d s\)$", each)]
        assert steps[1:] == ["terms", "embedding", "clusters", "embed", "layout", "save"]

    def test_the_same_command_again_adds_nothing_and_learns_nothing(self, file, sources):
        said = answered("index", sources / "notes", sources / "more.csv", "-o", file)
        assert (said["added"], said["changed"], said["unchanged"], said["fit"]) == (0, 0, 33, None)
        assert answered("info", file)["generation"] == 1

    def test_the_same_command_after_a_removal_fits_again(self, file, sources):
        invoke("remove", file, "cars-7")
        said = answered("index", sources / "notes", "-o", file)
        assert (said["added"], said["unchanged"], said["fit"]["n_documents"]) == (0, 18, 32)

    def test_a_number_of_clusters_that_is_given_is_fitted_again(self, file, sources):
        said = answered("index", sources / "notes", "-o", file, "--clusters", "4")
        assert (said["added"], said["fit"]["n_documents"]) == (0, 33)
        assert answered("info", file)["generation"] == 2
        said = answered("index", sources / "notes", "-o", file, "--clusters", "4")
        assert (said["fit"], answered("info", file)["generation"]) == (None, 2)  # the number that it has already

    def test_without_fit_only_the_words_are_there(self, sources, tmp_path):
        path = tmp_path / "plain.vic"
        done = invoke("index", sources / "more.csv", "-o", path, "--no-fit", "--title", "kind", "--metadata", "year")
        assert done.exit_code == 0
        assert "15 added, 0 changed, 0 unchanged." in done.stdout
        assert "not fitted yet" in invoke("info", path).stdout
        hit = answered("search", path, "bread oven")["hits"][0]
        assert (hit["title"], set(hit["metadata"])) == ("kitchen", {"year"})
        assert invoke("near", path, "cars-7").exit_code == 1
        assert invoke("clusters", path).exit_code == 1

    def test_many_skipped_files_are_counted_after_twenty(self, tmp_path):
        folder = tmp_path / "folder"
        folder.mkdir()
        for number in range(25):
            (folder / f"{number:02}.bin").write_bytes(b"\0\1\2" * 50)
        (folder / "text.txt").write_text("a text", encoding="utf-8")
        lines = invoke("index", folder, "-o", tmp_path / "new.vic", "--no-fit").stderr.splitlines()
        skipped = [each for each in lines if each.startswith("skipped: ")]
        assert len(skipped) == 21
        assert skipped[-1] == "skipped: and 5 more; --json lists all"

    def test_standard_input_is_read(self, tmp_path):
        done = invoke("index", "-", "-o", tmp_path / "new.vic", "--no-fit", input="first text\nsecond text\n")
        assert "2 added" in done.stdout


class TestAddAndRemove:
    def test_new_documents_are_found_at_once_and_info_says_how_well_they_fit(self, file, tmp_path):
        (tmp_path / "late.txt").write_text("bread dough oven flour bake", encoding="utf-8")
        said = answered("add", file, tmp_path / "late.txt")
        assert (said["added"], said["embedded"]) == (1, 1)
        assert "late.txt" in [hit["id"] for hit in answered("search", file, "bread dough")["hits"]]
        assert "1 document was embedded since the last fit. The fit still describes the documents" in invoke("info", file).stdout

    def test_a_changed_document_is_changed(self, file, sources, tmp_path):
        notes = tmp_path / "notes"
        notes.mkdir()
        (notes / "cars-1.txt").write_text("bread dough oven", encoding="utf-8")
        assert f"{file}: 1 added, 0 changed, 0 unchanged." in invoke("add", file, notes).stdout
        (notes / "cars-1.txt").write_text("bread dough oven flour", encoding="utf-8")
        assert f"{file}: 0 added, 1 changed, 0 unchanged." in invoke("add", file, notes).stdout

    def test_removed_documents_are_gone(self, file):
        assert invoke("remove", file, "cars-7", "nobody").stdout == "1 of 2 documents removed.\n"
        assert "cars-7" not in [hit["id"] for hit in answered("search", file, "car engine road", "--limit", "33")["hits"]]
        assert answered("info", file)["documents"] == 32

    def test_nothing_to_remove_exits_with_1(self, file):
        done = invoke("remove", file, "nobody", "--json")
        assert done.exit_code == 1
        assert json.loads(done.stdout)["removed"] == 0


class TestFit:
    def test_choices_reach_the_index(self, file):
        chosen = ("--clusters", "4", "--components", "5", "--neighbors", "6", "--alpha", "2.5", "--stem", "none", "--seed", "3")
        said = answered("fit", file, *chosen)
        assert (said["n_documents"], said["n_components"], said["n_clusters"]) == (33, 5, 4)
        assert answered("info", file)["n_components"] == 5

    def test_a_recall_is_kept_for_the_next_fit(self, file):
        answered("fit", file, "--components", "5", "--recall", "0.9")
        answered("fit", file)
        assert answered("info", file)["options"]["recall"] == 0.9

    def test_a_recall_of_nothing_is_refused_with_its_option(self, file):
        done = invoke("fit", file, "--recall", "0")
        assert done.exit_code == 2
        assert "--recall must be a finite number greater than 0" in " ".join(done.stderr.split())

    def test_people_read_a_sentence(self, file):
        assert "Fitted to 33 documents: 3 clusters" in invoke("fit", file, "--components", "5").stdout

    def test_too_few_documents_exit_with_3_and_are_kept(self, tmp_path):
        (tmp_path / "one.txt").write_text("a single text", encoding="utf-8")
        done = invoke("index", tmp_path / "one.txt", "-o", tmp_path / "new.vic")
        assert done.exit_code == 3
        [said] = [each for each in done.stderr.splitlines() if each.startswith("vicinal index: ")]
        assert "got 1, which can be searched all the same" in said
        assert answered("info", tmp_path / "new.vic")["documents"] == 1
        assert answered("search", tmp_path / "new.vic", "single")["total"] == 1


class TestSearch:
    def test_the_best_are_about_the_question_and_parts_add_up(self, built):
        hits = answered("search", built[1], "bread in the oven", "--limit", "5")["hits"]
        assert len(hits) == 5
        assert all("kitchen" in hit["id"] for hit in hits)
        for hit in hits:
            assert sum(part for _, part in hit["why"]) == pytest.approx(hit["score"], rel=1e-6)

    def test_people_see_scores_names_snippets_and_reasons(self, built):
        text = invoke("search", built[1], "bread", "oven", "--limit", "3", "--why").stdout
        assert len(re.findall(r"^ +\d+%  ", text, re.MULTILINE)) == 3
        assert "[bread]" in text
        reasons = re.findall(r"^ +\d+\.\d\d = .*$", text, re.MULTILINE)
        assert len(reasons) == 3
        assert "= " not in invoke("search", built[1], "bread", "oven").stdout

    def test_contributions_fit_on_a_line_and_the_others_are_added_up(self, built):
        query = " ".join(SUBJECTS["kitchen"].split())
        wide, narrow = (
            CliRunner().invoke(app, ["search", str(built[1]), query, "--why", "--limit", "5"], env={"COLUMNS": str(width)}).stdout
            for width in (120, 60)
        )
        reasons = re.findall(r"^ +\d+\.\d\d = .*$", narrow, re.MULTILINE)
        assert len(reasons) == 5
        assert max(map(len, reasons)) <= 60
        assert len(re.findall(r" more \d", narrow)) == 5
        assert max(map(len, re.findall(r"^ +\d+\.\d\d = .*$", wide, re.MULTILINE))) > 60

    @pytest.mark.parametrize("by", ["both", "terms", "embedding"])
    def test_each_way_to_search_finds_the_subject(self, built, by):
        said = answered("search", built[1], "engine road", "--by", by, "--limit", "3")
        assert said["by"] == by
        assert all("cars" in hit["id"] for hit in said["hits"])

    @pytest.mark.parametrize(
        ("tests", "years"),
        [
            (["year>=1998"], {1998, 1999, 2000}),
            (["year > 1998", "year<2000"], {1999}),
            (["kind=kitchen", "year != 1998"], {1996, 1997, 1999, 2000}),
            (["title~no 7"], {1997}),
            (["zip=07139"], {1997}),
            (["zip='07139'"], {1997}),
        ],
    )
    def test_filters_let_only_those_through_that_pass(self, built, tests, years):
        options = [each for test in tests for each in ("--where", test)]
        hits = answered("search", built[1], "bread oven flour dough", "--limit", "33", *options)["hits"]
        assert {hit["metadata"]["year"] for hit in hits} == years

    def test_nothing_found_exits_with_1_and_is_still_json(self, built):
        done = invoke("search", built[1], "zeppelin", "--json")
        assert done.exit_code == 1
        assert json.loads(done.stdout)["hits"] == []
        assert "Nothing found" in done.stderr

    def test_escapes_in_a_document_are_shown_and_not_obeyed(self, built):
        for arguments in (("search", built[1], "axle"), ("near", built[1], "notes/cars-1.txt", "--limit", "33")):
            text = invoke(*arguments).stdout
            assert r"\x1b]0;pwned\x07\x1b[2J" in text
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", invoke(*arguments, "--json").stdout)


class TestQueryLanguage:
    def test_a_negation_and_a_phrase_differ_from_the_words(self, built):
        words, without = (
            {hit["id"] for hit in answered("search", built[1], query, "--limit", "33")["hits"]}
            for query in ("bread oven", "bread NOT oven")
        )
        assert words != without
        assert invoke("search", built[1], '"oven axle bread"').stderr.startswith("No document has the phrase")

    def test_a_syntax_error_exits_with_2_and_says_where(self, built):
        for arguments in (["bread OR"], ["bread", "--where", "year>=1998 AND"], ["", "--where", "(year=1998"]):
            done = invoke("search", built[1], *arguments)
            assert done.exit_code == 2
            assert re.search(r"vicinal search: the (query|condition) .* is wrong at character \d+", done.stderr)

    def test_an_empty_query_is_an_error_and_with_a_condition_a_list(self, built):
        done = invoke("search", built[1])
        assert done.exit_code == 2
        assert "the query is empty" in done.stderr
        said = answered("search", built[1], "--where", "year in (1998, 1999)", "--limit", "50")
        assert said["total"] == len(said["hits"]) > 0
        assert {hit["metadata"]["year"] for hit in said["hits"]} == {1998, 1999}
        assert "%" not in invoke("search", built[1], "--where", "year in (1998, 1999)").stdout

    def test_a_word_that_nobody_has_gets_a_suggestion(self, built):
        done = invoke("search", built[1], "motro", "--limit", "2")
        assert done.exit_code == 0
        assert done.stderr == 'No document has "motro"; did you mean "motor"?\nThese are hits for: motor\n'
        refused = invoke("search", built[1], "motro", "--no-correct")
        assert refused.exit_code == 1
        assert 'did you mean "motor"?' in refused.stderr

    def test_an_encoder_orders_the_first_documents_and_the_command_says_so(self, built, monkeypatch):
        class Backwards:
            def encode(self, texts):
                angles = np.linspace(2.0, 1.0, len(texts) - 1)
                return np.array([[1.0, 0.0], *zip(np.cos(angles), np.sin(angles), strict=True)])

        monkeypatch.setattr("vicinal.encoders.load_encoder", lambda name: Backwards() if name == "fake" else None)
        plain = answered("search", built[1], "bread", "--limit", "100")["hits"]
        said = answered("search", built[1], "bread", "--limit", "100", "--rerank", "fake")
        assert [hit["id"] for hit in said["hits"]] == [hit["id"] for hit in plain[::-1]]
        assert said["hits"][0]["reranked"] == pytest.approx(math.cos(1.0), abs=1e-6)
        assert "reranked" not in plain[0]
        assert "in the order of an encoder (Backwards)" in invoke("search", built[1], "bread", "--rerank", "fake").stderr

    def test_pages_ids_facets_and_many_queries(self, built, tmp_path):
        whole = invoke("search", built[1], "bread", "--ids", "--limit", "6").stdout.splitlines()
        page = invoke("search", built[1], "bread", "--ids", "--limit", "3", "--offset", "3").stdout.splitlines()
        assert page == whole[3:]
        beyond = invoke("search", built[1], "bread", "--offset", "1000")
        assert beyond.exit_code == 1
        assert re.search(r"Nothing more: \d+ found in all", beyond.stderr)
        said = answered("search", built[1], "bread", "--facet", "kind", "--facet", "cluster", "--limit", "1")
        assert list(said["facets"]) == ["kind", "cluster"]
        assert sum(said["facets"]["cluster"].values()) == said["total"] - said["near"]
        shown = invoke("search", built[1], "bread", "--facet", "kind").stdout
        assert f"{said['total'] - said['near']} found" in shown
        assert re.search(r"^kind  kitchen \d+", invoke("search", built[1], "bread", "--facet", "kind").stdout, re.MULTILINE)
        (tmp_path / "queries.txt").write_text("bread\n\nmotor engine\n", encoding="utf-8")
        many = answered("search", built[1], "--queries", tmp_path / "queries.txt", "--limit", "2")
        assert [each["query"] for each in many["queries"]] == ["bread", "motor engine"]
        lines = invoke("search", built[1], "--queries", tmp_path / "queries.txt", "--limit", "2", "--ids").stdout.splitlines()
        assert [line.split("\t")[0] for line in lines] == ["bread"] * 2 + ["motor engine"] * 2
        assert invoke("search", built[1], "bread", "--queries", tmp_path / "queries.txt").exit_code == 2
        assert invoke("search", built[1], "--queries", tmp_path / "none.txt").exit_code == 2

    def test_json_has_relevance_and_the_positions_of_the_words(self, built):
        for hit in answered("search", built[1], "bread", "--limit", "5")["hits"]:
            assert 0 < hit["relevance"] <= 1
            for start, end in hit["matches"]:
                assert (
                    hit["snippet"].replace("[", "").replace("]", "").lstrip("…")[start - hit["start"] : end - hit["start"]]
                    == "bread"
                )

    @pytest.mark.parametrize("width", [30, 40, 60, 80, 120])
    def test_a_word_of_the_query_is_inside_the_printed_width(self, tmp_path, width):
        with vicinal.open(tmp_path / "x.vic", create=True) as index:
            fill = [f"filler{i}" for i in range(28)]
            for place in range(0, 29, 4):
                index.add([vicinal.Document(f"d{place}", " ".join([*fill[:place], "zeppelin", *fill[place:]]))])
        text = CliRunner().invoke(app, ["search", str(tmp_path / "x.vic"), "zeppelin"], env={"COLUMNS": str(width)}).stdout
        passages = text.splitlines()[2::3]
        assert len(passages) == 8
        assert all("[zeppelin]" in line and len(line) <= width for line in passages)


class TestNearAndClusters:
    def test_eighty_columns_keep_the_examples(self, built):
        wide, narrow, narrowest = (
            CliRunner().invoke(app, ["clusters", str(built[1])], env={"COLUMNS": str(width)}).stdout for width in (100, 80, 79)
        )
        assert "for example" in wide
        assert "for example" in narrow
        assert "for example" not in narrowest
        assert max(map(len, narrow.splitlines())) <= 80

    def test_neighbours_are_of_the_same_subject(self, built):
        hits = answered("near", built[1], "garden-8", "--limit", "4")["hits"]
        assert len(hits) == 4
        assert all("garden" in hit["id"] and hit["id"] != "garden-8" for hit in hits)
        assert "(embedding)" in [word for word, _ in hits[0]["why"]]
        assert "(embedding) 0." in invoke("near", built[1], "garden-8", "--why").stdout

    def test_neighbours_that_do_not_pass_are_left_out(self, built):
        assert invoke("near", built[1], "garden-8", "--where", "year>2050").exit_code == 1
        hits = answered("near", built[1], "garden-8", "--where", "year>1998")["hits"]
        assert {hit["id"] for hit in hits if "garden" in hit["id"]} == {"garden-9", "garden-10"}
        assert all(hit["metadata"]["year"] > 1998 for hit in hits)

    def test_a_document_that_is_not_there_exits_with_2(self, built):
        done = invoke("near", built[1], "nobody")
        assert done.exit_code == 2
        assert "'nobody'" in done.stderr

    def test_clusters_are_the_subjects(self, built):
        said = answered("clusters", built[1], "--limit", "4")["clusters"]
        assert sum(each["size"] for each in said) == 33
        assert all(len(each["terms"]) <= 4 and each["exemplars"][0]["id"] for each in said)
        text = invoke("clusters", built[1]).stdout
        assert all(each["terms"][0][0] in text for each in said)
        assert len(text.splitlines()) == 1 + len(said)


class TestLabelAndClassify:
    def test_a_column_teaches_classes_and_files_are_sorted(self, file, tmp_path):
        done = answered("label", file, "--column", "kind")
        assert done["classes"] == {"cars": 5, "garden": 5, "kitchen": 5}
        assert done["accuracy"] > 0.8
        (tmp_path / "new.txt").write_text("bake bread dough in the oven", encoding="utf-8")
        [found] = answered("classify", file, tmp_path / "new.txt")["documents"]
        assert (found["id"], found["label"]) == ("new.txt", "kitchen")
        assert found["probability"] > max(found["others"].values())
        assert found["why"]

    def test_a_table_of_labels_does_too(self, file, tmp_path):
        (tmp_path / "labels.csv").write_text("id,label\ncars-6,car\ncars-7,car\ngarden-6,plant\ngarden-7,plant\n", encoding="utf-8")
        assert answered("label", file, "--file", tmp_path / "labels.csv")["n_labelled"] == 4
        [found] = answered("classify", file, "--id", "garden-9")["documents"]
        assert found["label"] == "plant"
        shown = invoke("classify", file, "--id", "garden-9", "--why")
        assert "plant" in shown.stdout
        assert "+" in shown.stdout

    def test_lines_for_people(self, file):
        said = invoke("label", file, "--column", "kind")
        assert "15 labelled documents in 3 classes; accuracy " in said.stdout

    def test_an_empty_label_of_a_table_takes_one_away_and_bad_rows_are_told(self, file, tmp_path):
        table = tmp_path / "labels.csv"
        table.write_text("id,label\ncars-6,car\ncars-7,car\ngarden-6,plant\ngarden-7,plant\n", encoding="utf-8")
        answered("label", file, "--file", table)
        table.write_text("id,label\ncars-6,\ngarden-7,-1\ngarden-6,plant,more\n", encoding="utf-8")
        said = invoke("label", file, "--file", table, "--json")
        assert json.loads(said.stdout)["classes"] == {"car": 1, "plant": 1}  # -1 says that there is none
        assert "skipped" in said.stderr
        table.write_text("id,label\n", encoding="utf-8")
        assert invoke("label", file, "--file", table).exit_code == 3

    def test_labels_that_documents_were_read_with_are_learnt_from(self, tmp_path):
        rows = [
            f"{'car engine wheel' if n % 2 else 'rose tulip soil'} number{n},{'cars' if n % 2 else 'plants'}" for n in range(12)
        ]
        (tmp_path / "notes.csv").write_text("\n".join(["body,section", *rows]), encoding="utf-8")
        read = invoke("index", tmp_path / "notes.csv", "-o", tmp_path / "notes.vic", "--label", "section", "--clusters", "2")
        assert read.exit_code == 0
        assert answered("label", tmp_path / "notes.vic")["classes"] == {"cars": 6, "plants": 6}

    def test_what_is_missing_is_said(self, file):
        assert invoke("label", file).exit_code == 2  # nothing has a label
        assert invoke("label", file, "--column", "kind", "--file", "labels.csv").exit_code == 2
        assert invoke("label", file, "--column", "colour").exit_code == 2
        assert invoke("classify", file).exit_code == 2
        assert invoke("classify", file, "--id", "cars-6").exit_code == 2  # nothing was labelled yet
        assert invoke("label", file, "--file", "nowhere.csv").exit_code == 3


class TestExplainAndExport:
    def test_documents_pairs_clusters_and_components_are_explained(self, file):
        one = answered("explain", file, "kitchen-6")
        assert sum(part for _, part in one["why"]) == pytest.approx(one["total"])
        assert (
            answered("explain", file, "kitchen-6", "kitchen-7")["total"] > answered("explain", file, "kitchen-6", "cars-7")["total"]
        )
        number = answered("clusters", file)["clusters"][0]["number"]
        assert answered("explain", file, "--cluster", number)["why"]
        assert "  total, with " in invoke("explain", file, "kitchen-6", "--limit", "2").stdout
        assert len(invoke("explain", file, "--component", "0", "--limit", "3").stdout.splitlines()) == 3

    def test_what_cannot_be_explained_is_usage(self, file):
        assert invoke("explain", file).exit_code == 2
        assert invoke("explain", file, "nobody").exit_code == 2
        assert invoke("explain", file, "--cluster", "99").exit_code == 2

    def test_a_projection_with_fewer_terms_than_the_index_says_why(self, file, tmp_path):
        invoke("add", file, "-", input="".join(f"everywhere and once{n} bread oven flour rose soil\n" for n in range(60)))
        invoke("fit", file)
        said, n_terms = (
            answered("export", file, "-o", tmp_path / "p.npz", "--what", "projection"),
            answered("info", file)["n_terms"],
        )
        assert said["rows"] < n_terms
        [note] = said["notes"]
        assert note.startswith(f"{said['rows']} of the {n_terms} terms")
        assert answered("export", file, "-o", tmp_path / "all.csv")["notes"] == []

    def test_files_are_written_in_the_format_of_their_names(self, file, tmp_path):
        assert answered("export", file, "-o", tmp_path / "all.csv")["rows"] == 33
        assert invoke("export", file, "-o", tmp_path / "v.npz", "--what", "embeddings").stdout.startswith("33 rows written to")
        assert invoke("export", file, "-o", tmp_path / "v.doc").exit_code == 2
        assert invoke("export", file, "-o", tmp_path / "v.npz", "--what", "all").exit_code == 2


class TestCheckAndInfo:
    @pytest.mark.parametrize("options", [[], ["--quick"]])
    def test_a_sound_index_is_sound(self, file, options):
        assert invoke("check", file, *options).stdout == f"{file}: no damage found.\n"
        assert answered("check", file, *options)["damages"] == []

    def test_damage_is_named_and_exits_with_4(self, file):
        content = bytearray(file.read_bytes())
        place = content.find(b"tulip")
        content[place : place + 5] = b"tulpi"
        file.write_bytes(content)
        done = invoke("check", file)
        assert done.exit_code == 4
        assert done.stdout
        said = invoke("check", file, "--json")
        assert said.exit_code == 4
        assert {"table", "where", "what", "do"} == set(json.loads(said.stdout)["damages"][0])

    def test_a_truncated_index_exits_with_4_and_no_traceback(self, file):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        for arguments in (("check", file), ("search", file, "bread"), ("info", file), ("clusters", file)):
            done = invoke(*arguments)
            assert done.exit_code == 4, (arguments, done.output)
            assert "Traceback" not in done.output

    def test_another_file_is_refused_and_left_as_it_is(self, tmp_path):
        path = tmp_path / "letter.vic"
        path.write_text("Dear reader,", encoding="utf-8")
        for arguments in (("search", path, "bread"), ("check", path), ("fit", path), ("index", __file__, "-o", path)):
            assert invoke(*arguments).exit_code == 4
        assert path.read_text(encoding="utf-8") == "Dear reader,"

    def test_info_says_what_the_index_holds(self, built):
        said = answered("info", built[1])
        assert (said["documents"], said["fitted"], said["embedded"], said["n_clusters"]) == (33, 33, 0, 3)
        text = invoke("info", built[1]).stdout
        assert re.search(r"^documents +33$", text, re.MULTILINE)
        assert "since the last fit" not in text

    @pytest.mark.parametrize(
        ("uncertainty", "said"),
        [
            (0.21, "The fit still describes the documents"),
            (0.90, "A fit pays: their clusters are less certain (uncertainty 0.90, 0.20 was expected)"),
        ],
    )
    def test_new_documents_are_compared_with_those_of_the_fit(self, uncertainty, said):
        drift = drift_of(np.tile([0.1, uncertainty, 0.5], (10, 1)), np.tile([0.1, 0.2, 0.5], (20, 1)), 4)
        about = Info("news.vic", 1000, 30, 20, 10, 0, 0.1, uncertainty, 50, 10, 3, 1, drift=drift)
        assert advice(about).startswith(f"10 documents were embedded since the last fit. {said}")
        assert advice(about).endswith("vicinal fit news.vic") == drift.fit_pays
        assert info_rows(about)["drift"] == f"unknown words 10% (10%), uncertainty {uncertainty:.2f} (0.20), closeness 0.50 (0.50)"

    def test_info_tells_the_drift_as_a_row_a_sentence_and_in_json(self, file):
        invoke("add", file, "-", input="a comet near the planet\n")
        text = invoke("info", file).stdout
        assert re.search(r"^drift +unknown words \d+% \(\d+%\), uncertainty ", text, re.MULTILINE)
        assert "since the last fit. The fit still describes the documents" in text
        drift = answered("info", file)["drift"]
        assert (drift["n_documents"], drift["fit_pays"]) == (1, False)
        assert drift["unknown_words"] > drift["expected_unknown_words"]

    @pytest.mark.parametrize(
        ("number", "size"), [(999, "999 bytes"), (1000, "1.0 kB"), (102_400, "102.4 kB"), (3 * 10**9, "3.0 GB")]
    )
    def test_sizes_are_said_as_people_say_them(self, number, size):
        assert human_bytes(number) == size


class TestExitCodes:
    @pytest.mark.parametrize(
        ("error", "code"),
        [
            (BadParameter, 2),
            (BadLabels, 2),
            (EmptyCorpus, 3),
            (BadIndex, 3),
            (IndexLocked, 3),
            (DiskFull, 3),
            (VicinalError, 3),
            (DamagedIndex, 4),
            (NotAnIndex, 4),
            (NewerIndex, 4),
        ],
    )
    def test_each_error_has_its_code(self, error, code):
        assert exit_code(error("what went wrong")) == code

    @pytest.mark.parametrize(
        "arguments",
        [
            ["search", "FILE"],
            ["search", "FILE", "bread", "--where", "year"],
            ["search", "FILE", "bread", "--where", ">=3"],
            ["search", "FILE", "bread", "--where", "nowhere=3"],
            ["search", "FILE", "bread", "--by", "magic"],
            ["search", "FILE", "bread", "--limit", "0"],
            ["fit", "FILE", "--clusters", "many"],
            ["fit", "FILE", "--clusters", "1"],
            ["fit", "FILE", "--stem", "klingon"],
            ["index", "SOURCES/more.csv"],
            ["index", "SOURCES/more.csv", "-o", "NEW", "--text", "nowhere"],
            ["index", "", "-o", "NEW"],
            ["clusters", "FILE", "--limit", "11"],
        ],
    )
    def test_a_command_that_is_not_understood_exits_with_2(self, built, sources, tmp_path, arguments):
        names = {"FILE": built[1], "SOURCES": sources, "NEW": tmp_path / "new.vic"}
        done = invoke(*(re.sub("|".join(names), lambda found: str(names[found[0]]), each) for each in arguments))
        assert done.exit_code == 2, done.output
        assert done.stdout == ""
        assert not (tmp_path / "new.vic").exists()

    @pytest.mark.parametrize(
        "arguments",
        [["index", "nowhere", "-o", "NEW"], ["index", "EMPTY", "-o", "NEW"], ["index", "FILES", "-o", "EMPTY/no/new.vic"]],
    )
    def test_data_that_would_not_do_exits_with_3_and_makes_nothing(self, sources, tmp_path, arguments):
        (tmp_path / "folder").mkdir()
        names = {"NEW": tmp_path / "new.vic", "EMPTY": tmp_path / "folder", "FILES": sources / "notes"}
        done = invoke(*(re.sub("|".join(names), lambda found: str(names[found[0]]), each) for each in arguments))
        assert done.exit_code == 3, done.output
        assert "vicinal index: " in done.stderr
        assert "Traceback" not in done.output
        assert not (tmp_path / "new.vic").exists()

    @pytest.mark.parametrize("verb", ["add", "remove", "fit", "search", "near", "clusters", "check", "info"])
    def test_an_index_that_is_not_there_exits_with_3_and_says_how_to_make_one(self, tmp_path, verb):
        more = [__file__] if verb in ("add", "remove", "search", "near") else []
        done = invoke(verb, tmp_path / "none.vic", *more)
        assert done.exit_code == 3
        assert "vicinal index FOLDER -o" in done.stderr
        assert list(tmp_path.iterdir()) == []

    def test_an_index_that_cannot_be_written_exits_with_3(self, file, monkeypatch):
        monkeypatch.setattr("vicinal._store.connections.may_write", lambda _: False)
        done = invoke("remove", file, "cars-7")
        assert done.exit_code == 3
        assert "read-only" in done.stderr

    def test_warnings_become_lines_each_once_and_those_of_others_stay(self, capsys):
        def warned():
            with reporting_errors("fit"):
                for message, kind in (
                    ("two islands\x1b[2J", VicinalWarning),
                    ("two islands\x1b[2J", VicinalWarning),
                    ("other", UserWarning),
                ):
                    warnings.warn(message, kind, stacklevel=1)

        with pytest.warns(UserWarning, match="other") as others:
            warned()
        assert capsys.readouterr().err == "vicinal fit: warning: two islands\\x1b[2J\n"
        assert len(others) == 1


def test_lines_stand_above_the_bars_and_not_inside_them():
    screen = Console(file=io.StringIO(), force_terminal=True, width=80)
    with ProgressDisplay(screen) as display:
        display("add", 3, 0)
        display._bars.refresh()
        print_to_stderr("skipped: a file")
    shown = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", screen.file.getvalue())
    assert "skipped: a file" in re.split(r"[\r\n]+", shown)
    assert re.search(r"add +3 documents, [\d,]+ a second", shown)


def test_a_long_run_says_how_far_it_is_where_there_is_no_terminal():
    screen = Console(file=io.StringIO(), width=80)
    with ProgressDisplay(screen, pause=0.0) as display:
        display("add", 0, 0)
        display("add", 2, 0)
    first, last = screen.file.getvalue().splitlines()
    assert re.fullmatch(r"add: 2 documents, [\d,]+ a second", first)
    assert re.fullmatch(r"add: 2 documents, [\d,]+ a second \(0\.0 s\)", last)


def test_a_long_run_says_how_long_the_rest_will_take():
    screen = Console(file=io.StringIO(), width=80)
    with ProgressDisplay(screen, pause=0.0) as display, display.step("embed") as step:
        step.started -= 100
        display("embed", 25, 100)
    assert "embed: 25 documents, 0 a second, about 5 min left" in screen.file.getvalue().splitlines()


def test_a_step_that_is_reported_ends_when_another_begins_and_steps_beside_it_are_not_listed():
    screen = Console(file=io.StringIO(), width=80)
    with ProgressDisplay(screen) as display:
        display("add", 0, 0)
        with display.beside("read"):
            display("read", 5, 10)
            display("add", 5, 0)
        display("embed", 5, 5)
        with display.step("search") as step:
            step.outcome = "3 queries"
    assert [(each.name, each.outcome.split(",")[0]) for each in display.finished] == [
        ("add", "5 documents"),
        ("embed", "5 documents"),
        ("search", "3 queries"),
    ]
    assert [line.split(":")[0] for line in screen.file.getvalue().splitlines()] == ["add", "embed", "search"]


def test_a_step_that_fails_is_not_listed_as_done():
    display = ProgressDisplay(Console(file=io.StringIO()))

    def fails():
        with display:
            display("terms", 1, 2)
            raise ValueError("in the middle")

    with pytest.raises(ValueError, match="in the middle"):
        fails()
    assert display.finished == []


@pytest.mark.parametrize(("seconds", "said"), [(0.4, "0 s"), (89, "89 s"), (150, "2 min"), (5399, "90 min"), (9000, "2.5 h")])
def test_times_are_said_in_the_unit_that_tells_most(seconds, said):
    assert duration(seconds) == said


def test_folders_are_classes_to_learn_and_to_filter_by(sources, tmp_path):
    for file in sorted((sources / "notes").rglob("*.txt")):
        subject = file.stem.split("-")[0]
        (tmp_path / "sorted" / subject).mkdir(parents=True, exist_ok=True)
        shutil.copy(file, tmp_path / "sorted" / subject)
    path = tmp_path / "sorted.vic"
    answered("index", tmp_path / "sorted", "-o", path, "--clusters", "2")
    classes = answered("label", path, "--column", "folder")["classes"]
    assert set(classes) >= {"cars", "garden"}
    assert {Path(hit["id"]).parts[-2] for hit in answered("search", path, "engine soil", "--where", "folder=cars")["hits"]} == {
        "cars"
    }


def test_an_index_inside_the_folder_is_no_document_of_it(sources, tmp_path):
    folder = Path(shutil.copytree(sources / "notes", tmp_path / "notes"))
    for added in (18, 0):
        assert answered("index", folder, "-o", folder / "news.vic", "--no-fit")["added"] == added


def test_a_second_writer_is_told_and_exits_with_3(file):
    with Store.open(file) as store, store.writing():
        done = invoke("remove", file, "cars-7")
    assert done.exit_code == 3
    assert "one writer at a time" in done.stderr
    assert answered("info", file)["documents"] == 33


SLOWLY = """
import sys, time
from vicinal.cli import main
from vicinal._store.documents import Documents
real = Documents.add
def add(self, documents, **options):
    options["batch_size"] = 5
    def slow():
        for number, document in enumerate(documents):
            if number == 12:
                print("twelve", flush=True)
                time.sleep(60)
            yield document
    return real(self, slow(), **options)
Documents.add = add
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another thing there")
def test_after_an_interrupt_what_was_added_is_kept_and_the_command_goes_on(sources, tmp_path):
    path = tmp_path / "new.vic"
    command = [sys.executable, "-c", SLOWLY, "index", str(sources / "notes"), "-o", str(path), "--no-fit"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "twelve\n"
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "vicinal index: interrupted; the documents added so far are kept, and the same command continues" in said
    assert "Traceback" not in said
    again = answered("index", sources / "notes", "-o", path, "--no-fit")
    assert (again["added"], again["unchanged"]) == (8, 10)


def test_conditions_that_are_repeated_must_all_hold():
    assert parse_where(["year>=1998", "kind=a OR kind=b"]) == And(
        (parse_condition("year>=1998"), parse_condition("kind=a OR kind=b"))
    )


def test_clusters_are_a_number_or_auto():
    assert (parse_clusters("12"), parse_clusters("auto")) == (12, "auto")


def verbs():
    return get_command(app).commands


@pytest.mark.parametrize("verb", list(verbs()))
def test_help_of_every_verb_has_an_example_that_can_be_typed_and_the_exit_codes(verb):
    done = invoke(verb, "--help")
    assert done.exit_code == 0
    assert f"• vicinal {verb}" in done.stdout
    assert "Exit codes: 0 " in done.stdout


@pytest.mark.parametrize("verb", ["index", "search", "info"])
def test_help_of_a_verb_imports_nothing_heavy(verb):
    code = (
        f"import atexit, sys; sys.argv = ['vicinal', {verb!r}, '--help']\n"
        "atexit.register(lambda: print([name for name in ('numpy', 'scipy', 'numba') if name in sys.modules], file=sys.stderr))\n"
        "from vicinal.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["fit", "FILE", "--stem", "klingon"],
            r"--stem must be a language that has a stemmer, got 'klingon'\. Use one of .*english",
        ),
        (["fit", "FILE", "--neighbors", "999"], r"--neighbors 999\b.*Use at most"),
        (["fit", "FILE", "--clusters", "999"], r"--clusters 999\b.*Use at most"),
        (["fit", "FILE", "--seed", "99999999999"], r"--seed must be at most 4294967295, got 99999999999\. Use --seed 0"),
        (["duplicates", "FILE", "--threshold", "2"], r"--threshold must be .*got 2\.0\. Use --threshold 1\.0"),
    ],
)
def test_errors_name_the_options_of_the_command_line(file, arguments, message):
    done = invoke(*[file if each == "FILE" else each for each in arguments])
    assert done.exit_code in (USAGE, DATA)
    assert re.search(message, done.stderr), done.stderr
    assert not re.search(r"n_\w+=|random_state|None", done.stderr)


def test_options_of_fit_are_the_parameters_of_the_library_one_to_one():
    parameters = [
        name for name in inspect.signature(vicinal.Index.fit).parameters if name not in ("self", "progress", "embeddings")
    ]
    named = {"random_state": "seed", "engine": "scheduler"}  # an engine of the command line is a cluster, by its address
    plain = [named.get(name, name.removeprefix("n_")).replace("_", "-") for name in parameters]
    options = [param.opts[0].removeprefix("--") for param in verbs()["fit"].params if param.param_type_name == "option"]
    assert options == [*plain, "shared-folder", "json"]


OLD_WORDS = ("chance", "doubt", "placed", "dimension", "topic", "categor", "alike", "meaning", "learnt from", "would not do")


@pytest.mark.parametrize("verb", ["", *verbs()])
def test_help_has_no_word_that_the_glossary_replaces(verb):
    text = invoke(*([verb] if verb else []), "--help").stdout.lower()
    assert re.findall(rf"\b(?:{'|'.join(OLD_WORDS)})\w*", text) == []


def test_the_exit_codes_of_the_page_are_those_of_the_code():
    rows = re.findall(r"^\| (\d+) \| ([a-z ]+)[:|]", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    codes = (0, NOTHING_FOUND, USAGE, DATA, DAMAGED, SIGNALLED + signal.SIGINT, CLOSED_PIPE, SIGNALLED + signal.SIGTERM)
    assert tuple(int(code) for code, _ in rows) == codes
    shown = " ".join(invoke("--help").stdout.split())
    assert all(f"{code} {meaning.strip()}" in shown for code, meaning in rows)


def undocumented(page):
    """Verbs, arguments and options that a page does not have in the section of their verb."""
    sections = dict(re.findall(r"^## vicinal (\w+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    missing = [name for param in get_command(app).params for name in param.opts if f"{name}`" not in page]
    for verb, command in verbs().items():
        names = [name for param in command.params for name in (*param.opts, *param.secondary_opts) if name.startswith("-")]
        names += [param.metavar for param in command.params if param.param_type_name == "argument"]
        missing += [f"{verb} {name}" for name in names if f"`{name}`" not in sections.get(verb, "")]
        if f"vicinal {verb}" not in re.sub(r"`[^`\n]*`", "", sections.get(verb, "")):
            missing.append(f"{verb}: an example")
    return missing


def test_every_verb_argument_and_option_is_documented():
    page = DOCS.read_text(encoding="utf-8")
    assert undocumented(page) == []
    assert "near: an example" in undocumented(page.replace("## vicinal near", "## vicinal far"))
    assert "search --why" in undocumented(page.replace("| `--why` | show the contribution", "| show the contribution"))
