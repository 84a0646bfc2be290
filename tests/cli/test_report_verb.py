"""``vicinal report``: a page, never over a file that is there unless somebody said so."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from tests.index.small import made
from vicinal.cli._app import app

run = CliRunner().invoke


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "small.vic"
    made(path)
    return path


def test_a_report_is_written_and_kept_unless_told_otherwise(index, tmp_path):
    page = tmp_path / "report.html"
    done = run(app, ["report", str(index), "-o", str(page), "--title", "Mine", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {"index": str(index), "documents": json.loads(done.stdout)["documents"], "html": str(page)}
    assert "<h1>Mine</h1>" in page.read_text(encoding="utf-8")
    page.write_text("mine")
    assert run(app, ["report", str(index), "-o", str(page)]).exit_code != 0
    assert page.read_text() == "mine"
    done = run(app, ["report", str(index), "-o", str(page), "--yes"])
    assert done.exit_code == 0
    assert done.stdout.startswith("Report on ")
    assert page.read_text() != "mine"


def test_a_column_that_is_not_there_is_an_error(index, tmp_path):
    done = run(app, ["report", str(index), "-o", str(tmp_path / "r.html"), "--column", "colour"])
    assert done.exit_code == 2
    assert "no document has a column 'colour'" in done.stderr
    assert not (tmp_path / "r.html").exists()
