"""``vicinal demo``: all its findings in JSON, the same on every run, scores the sums of their parts, the index kept."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import vicinal
from vicinal.cli._app import app
from vicinal.cli._demo.comparison import agree
from vicinal.cli._demo.demo_documents import read_documents
from vicinal.cli._demo.demo_report import _map_lines
from vicinal.cli._demo.findings import plain
from vicinal.cli._verbs.demo import _where_the_map_is

ARGUMENTS = ["demo", "--documents", "600", "--json", "--ask", "fourier transform of a real signal", "--ask", "zeppelin"]


@pytest.fixture(scope="module", name="kept")
def where_it_is_kept(tmp_path_factory):
    return tmp_path_factory.mktemp("demo") / "demo.vic"


@pytest.fixture(scope="module")
def outside(kept):
    """What a program gets that runs the command in a shell."""
    code = "from vicinal.cli import main; main()"
    command = [sys.executable, "-c", code, *ARGUMENTS, "--keep", str(kept)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def said(outside):
    assert outside.returncode == 0, outside.stderr
    return json.loads(outside.stdout)


def what_lasts(findings):
    """The findings without times and sizes in bytes, which depend on the machine, and without the name of the file."""
    steps = [step["name"] for step in findings["steps"]]
    steps = [name for name in steps if name != "map"]  # which is written where an index is kept
    return {**findings, "steps": steps, "bytes": None, "options": {**findings["options"], "keep": None, "map": None}}


def test_json_has_all_the_findings(said):
    assert said["documents"] == 600
    assert said["modules"] > 5
    assert said["fit"]["n_terms"] > 500
    assert said["options"]["clusters"] == len(said["clusters"]) == 36
    names = [step["name"] for step in said["steps"]]
    assert names[:3] == ["read", "load", "add"]
    assert names[-5:] == ["compare", "search", "label", "classify", "map"]
    assert all(step["seconds"] >= 0 and step["outcome"] for step in said["steps"])


def test_the_map_is_beside_the_index_that_is_kept(said, kept):
    assert said["options"]["map"] == str(kept.with_suffix(".html"))
    page = kept.with_suffix(".html").read_text(encoding="utf-8")
    assert "documents in 36 clusters" in page
    assert "default-src 'none'" in page


def test_a_map_that_is_there_is_left_alone_unless_it_is_named(tmp_path):
    keep = str(tmp_path / "demo.vic")
    assert _where_the_map_is(None, None) is None
    assert _where_the_map_is(None, keep) == str(tmp_path / "demo.html")
    (tmp_path / "demo.html").write_text("mine")
    assert _where_the_map_is(None, keep) is None
    assert _where_the_map_is("demo.html", keep) == "demo.html"


def test_the_report_says_how_to_open_the_map(monkeypatch):
    for platform, command in (("linux", "xdg-open"), ("darwin", "open"), ("win32", "start")):
        monkeypatch.setattr(sys, "platform", platform)
        lines = [text.plain for text in _map_lines("my map.html")]
        assert lines[1] == f"{command} 'my map.html'"
        assert lines[2].startswith("file://")
        assert lines[2].endswith("/my%20map.html")


def test_every_cluster_has_words_and_examples(said):
    assert sum(cluster["size"] for cluster in said["clusters"]) > 590
    for cluster in said["clusters"]:
        assert len({word for word, _ in cluster["terms"]}) == len(cluster["terms"]) >= 3
        assert cluster["exemplars"]


def test_agreement_says_what_was_compared_and_what_random_gives(said):
    agreement = said["agreement"]
    assert agreement["clusters"] == 36
    assert 0 <= agreement["pure"] <= 36
    assert agreement["at_least"] == 50
    assert agreement["modules"] * 50 <= agreement["documents"] <= 600
    assert 0 <= agreement["random_nmi"] < agreement["nmi"] <= 1
    assert 0 <= agreement["random_accuracy"] < agreement["accuracy"] <= 1


def test_clusters_that_are_the_modules_agree_with_them_fully(documents):
    modules = Counter(document.metadata["module"] for document in documents)
    number = {module: place for place, module in enumerate(modules)}
    found = agree({document.id: number[document.metadata["module"]] for document in documents}, documents, 0)
    assert (found.nmi, found.accuracy) == (pytest.approx(1), 1)
    assert found.pure == found.clusters == len(modules)
    assert agree(dict.fromkeys((document.id for document in documents), 0), documents, 0).pure == 0


def test_scores_equal_the_sum_of_their_parts(said):
    hits = said["answers"][0]["hits"]
    assert len(hits) == 2
    for hit in hits:
        assert math.fsum(part for _, part in hit["why"]) == pytest.approx(hit["score"], rel=1e-9)
        assert {word for word, _ in hit["why"]} <= {"fourier", "transform", "real", "signal", "(neighbours)", "(first answers)"}


def test_a_question_finds_what_it_is_about(said):
    assert {hit["metadata"]["module"] for hit in said["answers"][0]["hits"]} <= {"scipy.fft", "scipy.fftpack", "numpy.fft"}


def test_a_question_without_a_known_word_finds_nothing(said):
    assert said["answers"][1] == {"query": "zeppelin", "hits": []}


def test_it_is_taught_modules_and_sorts_a_new_text(said):
    lesson, modules = said["lesson"], said["agreement"]["modules"]
    assert len(lesson["classes"]) == modules
    assert lesson["n_labelled"] == sum(lesson["classes"].values())
    assert said["agreement"]["documents"] / 10 <= lesson["n_labelled"] <= said["agreement"]["documents"] / 10 + modules
    assert lesson["accuracy"] > 2 / modules
    assert lesson["prediction"]["label"] in lesson["classes"]
    assert 0 < lesson["prediction"]["probability"] <= 1
    assert {word for word, _ in lesson["prediction"]["why"]} <= {"(constant)", *lesson["text"].lower().split()}


def test_the_module_is_no_part_of_what_is_learnt_from(documents):
    for document in documents:
        assert document.id.startswith(document.metadata["module"])
        assert not document.full_text.startswith(document.metadata["module"])
        assert document.label == ""
    assert len({document.id for document in documents}) == len(documents)


def test_the_index_is_kept_where_that_was_asked_for(said, kept):
    with vicinal.open(kept) as index:
        assert len(index) == 600
        assert [hit.id for hit in index.search("fourier transform of a real signal", 2)] == [
            hit["id"] for hit in said["answers"][0]["hits"]
        ]
        assert index.classify([said["lesson"]["text"]])[0].label == said["lesson"]["prediction"]["label"]
    assert sorted(file.name for file in kept.parent.iterdir()) == ["demo.html", "demo.vic"]


def test_what_is_there_already_is_not_written_over(said, kept):
    before = kept.read_bytes()
    done = CliRunner().invoke(app, ["demo", "--documents", "100", "--clusters", "3", "-o", str(kept)])
    assert done.exit_code == 2
    assert kept.read_bytes() == before


def test_progress_goes_to_standard_error_as_plain_lines(outside, said):
    lines = outside.stderr.splitlines()
    assert len(lines) == len(said["steps"])
    assert lines[0].startswith("read: 600 documents from ")
    assert "\x1b" not in outside.stderr


def test_two_runs_say_the_same_but_for_the_times(said):
    again = CliRunner().invoke(app, ARGUMENTS)
    assert what_lasts(json.loads(again.stdout)) == what_lasts(said)


def test_another_seed_is_another_start(run, documents, findings):
    other = run(documents, seed=7)
    assert other.agreement.random_nmi != findings.agreement.random_nmi


def test_too_few_documents_of_a_module_leave_agreement_and_lesson_open(run, documents):
    scattered = [replace(document, metadata={"module": f"module {i % 50}"}) for i, document in enumerate(documents)]
    found = run(scattered)
    assert found.agreement is None
    assert found.lesson is None


def test_documents_are_taken_from_the_packages_in_turn(quiet):
    with quiet() as display:
        first = read_documents(8, display)
    tops = [document.id.split(".")[0] for document in first]
    assert tops.count("numpy") == tops.count("scipy") == tops.count("sklearn") == 2


def test_findings_are_plain_values(findings):
    assert json.loads(json.dumps(plain(findings), allow_nan=False, default=dict))["documents"] == findings.documents
