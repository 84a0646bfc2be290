"""``vicinal search news.vic grain -wheat``: excluded words need no quotes, and options stay options."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

import vicinal
from vicinal.cli._app import app
from vicinal.cli._terminal.query_command import excluded_words_last

TEXTS = {"a": "grain and wheat were sold", "b": "grain and barley were sold", "c": "the team won the game"}


@pytest.fixture(scope="module", name="file")
def of_three_documents(tmp_path_factory):
    path = tmp_path_factory.mktemp("excluded") / "three.vic"
    with vicinal.open(path, create=True) as index:
        index.add([{"id": id, "text": text} for id, text in TEXTS.items()])
    return path


def found(file, *arguments):
    result = CliRunner().invoke(app, ["search", str(file), "--ids", *arguments], env={"COLUMNS": "100"})
    return result.exit_code, result.output.split()


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        (["grain", "-wheat"], ["b"]),
        (["-wheat", "grain"], ["b"]),
        (["-wheat", "--limit", "5", "sold"], ["b"]),
        (["grain -wheat"], ["b"]),
        (["--", "grain", "-wheat"], ["b"]),
        (["grain", "-wheat", "-barley"], []),
        (["words", "grain", "path", "-wheat"], ["b"]),
        (["-grain"], ["c"]),
    ],
)
def test_words_with_a_dash_are_excluded_wherever_they_stand(file, arguments, ids):
    code, printed = found(file, *arguments)
    assert (code, printed[: len(ids)]) == (0 if ids else 1, ids)


@pytest.mark.parametrize("arguments", [["grain", "-w"], ["grain", "--wheat"], ["grain", "--limit", "-wheat"]])
def test_what_may_be_a_mistyped_option_is_refused(file, arguments):
    assert found(file, *arguments)[0] == 2


def test_help_is_no_word(file):
    assert "Find documents for a query" in CliRunner().invoke(app, ["search", str(file), "-h"]).output


def test_values_of_options_stay_where_they_are():
    arguments = ["FILE", "--where", "-year", "-wheat", "--json", "--", "-corn"]
    assert excluded_words_last(arguments, {"--where"}) == ["FILE", "--where", "-year", "--json", "--", "-wheat", "-corn"]
    assert excluded_words_last(["FILE", "grain", "--where"], {"--where"}) == ["FILE", "grain", "--where"]
