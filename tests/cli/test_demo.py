"""``vicinal demo``: all its facts in JSON, the same on every run, every score the sum of its parts."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import asdict, replace

import numpy as np
import pytest
from typer.testing import CliRunner

from vicinal import RLPI
from vicinal.cli.app import app
from vicinal.cli.demonstration.facts import Settings
from vicinal.cli.demonstration.run import learn
from vicinal.corpus.document import Document
from vicinal.errors import UnplacedDocuments

ARGUMENTS = ["demo", "--documents", "600", "--json", "--ask", "fourier transform of a real signal", "--ask", "zeppelin"]


@pytest.fixture(scope="module")
def outside():
    """What a program gets that runs the command in a shell."""
    code = "from vicinal.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *ARGUMENTS], capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def said(outside):
    assert outside.returncode == 0, outside.stderr
    return json.loads(outside.stdout)


def without_times(facts):
    return {**facts, "stages": [{**stage, "seconds": None} for stage in facts["stages"]]}


def test_json_has_all_the_facts(said):
    assert said["documents"] == 600
    assert said["labels"] > 5
    assert said["words"] > 500
    assert said["settings"]["clusters"] == len(said["topics"]) == 36
    assert [stage["name"] for stage in said["stages"]] == [
        *("read", "load", "words", "neighbours", "spectrum", "projection", "topics", "questions")
    ]
    assert all(stage["seconds"] >= 0 and stage["outcome"] for stage in said["stages"])


def test_every_topic_has_words_modules_and_examples(said):
    assert sum(topic["documents"] for topic in said["topics"]) > 590
    for topic in said["topics"]:
        assert len({part["word"] for part in topic["words"]}) == len(topic["words"]) >= 3
        assert topic["examples"]
        assert 1 <= topic["labels"][0]["documents"] <= topic["documents"]


def test_agreement_says_what_was_compared_and_what_chance_gives(said):
    agreement = said["agreement"]
    assert agreement["clusters"] == 36
    assert agreement["at_least"] == 50
    assert agreement["labels"] * 50 <= agreement["documents"] <= 600
    assert 0 <= agreement["chance_nmi"] < agreement["nmi"] <= 1
    assert 0 <= agreement["chance_accuracy"] < agreement["accuracy"] <= 1


def test_scores_equal_the_sum_of_their_parts(said):
    found = said["answers"][0]["found"]
    assert len(found) == 4
    for each in found:
        assert math.fsum(part["part"] for part in each["why"]) == each["score"]
        assert math.fsum(part["part"] for part in each["through"]) == pytest.approx(each["score"], abs=1e-9)
        assert {part["word"] for part in each["why"]} == {"fourier", "transform", "real", "signal"}


def test_a_question_finds_what_it_is_about(said):
    assert {each["label"] for each in said["answers"][0]["found"]} <= {"scipy.fft", "scipy.fftpack", "numpy.fft"}


def test_a_question_without_a_known_word_finds_nothing_and_says_so(said):
    assert said["answers"][1] == {"question": "zeppelin", "known": [], "unknown": ["zeppelin"], "found": []}


def test_progress_goes_to_standard_error_as_plain_lines(outside):
    lines = outside.stderr.splitlines()
    assert len(lines) == 8
    assert lines[0].startswith("read: 600 documents from ")
    assert "\x1b" not in outside.stderr


def test_two_runs_say_the_same_but_for_the_times(said):
    again = CliRunner().invoke(app, ARGUMENTS)
    assert without_times(json.loads(again.stdout)) == without_times(said)


def test_another_seed_is_another_start(run, documents, facts):
    same, other = run(documents), run(documents, seed=7)
    assert same.topics == facts.topics
    assert other.agreement.chance_nmi != facts.agreement.chance_nmi


def test_the_steps_are_those_of_rlpi(documents, quiet):
    settings = Settings(dimensions=20)
    with pytest.warns(UnplacedDocuments), quiet() as stages:
        library = learn(documents, settings, stages)
    with pytest.warns(UnplacedDocuments):
        method = RLPI(20, n_neighbors=settings.neighbors, alpha=settings.alpha, tol=settings.tol).fit(library.X)
    assert np.array_equal(method.projection_.weights, library.projection.weights)


def test_words_that_the_document_lacks_are_told_apart(run, documents):
    answer = run(documents, ["read bytes from a stream"]).answers[0]
    for found in answer.found:
        document = next(
            document for document in documents if document.title == found.title and document.text.startswith(found.text)
        )
        words = set(document.text.lower().replace(".", " ").replace(",", " ").split())
        for part in found.why:
            assert part.in_document or part.word not in words
        assert all(part.in_document for part in found.through)


def test_rank_by_words_is_none_where_no_word_is_shared(run, documents):
    found = [each for answer in run(documents, ["bytes", "axis", "estimator", "operand"]).answers for each in answer.found]
    for each in found:
        assert (each.rank_by_words is None) == (not any(part.in_document for part in each.why))


def test_documents_that_could_not_be_placed_are_noted(run, documents):
    facts = run([*documents, Document("silent", "…", "a silence", "none")])
    assert any("unplaced" in note for note in facts.notes)


def test_too_few_documents_of_a_module_leave_the_agreement_open(run, documents):
    scattered = [replace(document, label=f"module {i % 50}") for i, document in enumerate(documents)]
    assert run(scattered).agreement is None


def test_facts_are_plain_values(facts):
    assert json.loads(json.dumps(asdict(facts), allow_nan=False))["documents"] == facts.documents
