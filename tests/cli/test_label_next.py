"""``vicinal label x.vic --next N``: which documents to label next, before the first label, after some, and when all have one."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import vicinal
from tests.index.small import documents, fitted
from vicinal.cli._app import app

SUBJECTS = ("cars", "garden", "kitchen")
FEW = {f"{subject}-{number}": subject for subject in SUBJECTS for number in range(2)}
N_DOCUMENTS = 24


def invoke(*arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments], env={"COLUMNS": "100"})


@pytest.fixture(name="path")
def unlabelled_index(tmp_path):
    """Eight documents on each of three subjects, none with a label."""
    with vicinal.open(tmp_path / "notes.vic", create=True) as index:
        index.add(documents(range(N_DOCUMENTS // 3)))
        fitted(index)
    return tmp_path / "notes.vic"


def label(path, labels):
    with vicinal.open(path) as index:
        index.label(labels)


def asked(path, n):
    done = invoke("label", path, "--next", n, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)["documents"]


def test_before_the_first_label_documents_of_all_clusters_are_listed_without_a_class(path):
    done = invoke("label", path, "--next", 3)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert {line.partition("-")[0] for line in lines[::2]} == set(SUBJECTS)
    found = asked(path, 3)
    assert [each["id"] for each in found] == lines[::2]
    texts = {each.id: each for each in documents(range(N_DOCUMENTS // 3))}
    for each, line in zip(found, lines[1::2], strict=True):
        document = texts[each["id"]]
        assert (each["title"], each["snippet"]) == (document.title, document.text[:200])
        assert line.strip().startswith(f"{document.title}: {document.text[:40]}")
    assert {each["label"] for each in found} == {""}


def test_with_labels_each_line_has_the_class_of_now_and_no_labelled_document_is_listed(path):
    label(path, FEW)
    found = asked(path, 5)
    assert len({each["id"] for each in found}) == 5
    assert not {each["id"] for each in found} & set(FEW)
    assert all(each["label"] in SUBJECTS and 0 < each["probability"] <= 1 and each["others"] for each in found)
    lines = invoke("label", path, "--next", 5).stdout.splitlines()
    assert len(lines) == 10
    assert all(each["id"] in line and each["label"] in line for each, line in zip(found, lines[::2], strict=True))


def test_one_class_is_not_enough_to_have_a_class_and_its_documents_are_left_out_all_the_same(path):
    label(path, {"cars-0": "cars"})
    found = asked(path, N_DOCUMENTS)
    assert len(found) == N_DOCUMENTS - 1
    assert "cars-0" not in {each["id"] for each in found}
    assert {each["label"] for each in found} == {""}


def test_more_than_are_left_are_all_that_are_left(path):
    label(path, FEW)
    found = asked(path, 1000)
    assert len(found) == N_DOCUMENTS - len(FEW)


def test_nothing_is_changed_and_the_same_question_has_the_same_answer(path):
    label(path, FEW)
    before = asked(path, 4)
    assert asked(path, 4) == before
    with vicinal.open(path) as index:
        assert index.label().n_labelled == len(FEW)


def test_every_document_labelled_is_nothing_found(path):
    with vicinal.open(path) as index:
        index.label(column="subject")
    done = invoke("label", path, "--next", 3)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "Every document with known terms has a label." in done.stderr
    as_json = invoke("label", path, "--next", 3, "--json")
    assert as_json.exit_code == 1
    assert json.loads(as_json.stdout)["documents"] == []


@pytest.mark.parametrize("n", ["0", "-3", "many"])
def test_a_number_that_is_no_count_is_a_usage_error(path, n):
    done = invoke("label", path, "--next", n)
    assert done.exit_code == 2
    assert "--next" in done.stderr


@pytest.mark.parametrize("option", ["--column", "--file"])
def test_asking_and_labelling_at_once_is_refused(path, option):
    done = invoke("label", path, "--next", 3, option, "subject")
    assert done.exit_code == 2
    assert "--next" in done.stderr
    with vicinal.open(path) as index:
        assert {each.label for each in index.ask(2)} == {""}  # nothing was labelled


def test_an_index_that_was_never_fitted_says_what_to_do(tmp_path):
    with vicinal.open(tmp_path / "raw.vic", create=True) as index:
        index.add(documents(range(3)))
    done = invoke("label", tmp_path / "raw.vic", "--next", 3)
    assert done.exit_code in (2, 3)
    assert "fit" in done.stderr.lower()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("id,label\ncars-0,cars\ncars-0,garden\n", "gives 'cars-0' two labels, 'cars' and 'garden'"),
        ("doc,class\ncars-0,cars\n", "label: there is no column 'id'; the columns are 'doc', 'class'"),
    ],
)
def test_a_table_of_labels_that_cannot_be_meant_is_refused(path, tmp_path, table, said):
    (tmp_path / "labels.csv").write_text(table, encoding="utf-8")
    done = invoke("label", path, "--file", tmp_path / "labels.csv")
    assert (done.exit_code, said in done.stderr, "(2)" in done.stderr) == (2, True, False), done.stderr


def test_a_label_that_is_given_twice_alike_counts_once(path, tmp_path):
    (tmp_path / "labels.csv").write_text("id,label\ncars-0,cars\ncars-0,cars\ngarden-0,garden\n", encoding="utf-8")
    done = invoke("label", path, "--file", tmp_path / "labels.csv", "--json")
    assert json.loads(done.stdout)["classes"] == {"cars": 1, "garden": 1}


def test_info_shows_the_options_of_the_last_fit(path):
    done = invoke("info", path)
    assert "--clusters 3 --components 4 --neighbors 4" in " ".join(done.stdout.split())
    assert json.loads(invoke("info", path, "--json").stdout)["options"]["encoder"] == "none"
