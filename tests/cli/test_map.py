"""``vicinal map``: a page or a picture, never over a file that is there unless somebody said so."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from tests.index.small import made
from vicinal.cli._app import app

run = CliRunner().invoke


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    path = tmp_path_factory.mktemp("map") / "small.vic"
    made(path)
    return path


def test_a_page_is_written_and_kept_unless_told_otherwise(index, tmp_path):
    page = tmp_path / "map.html"
    done = run(app, ["map", str(index), "-o", str(page), "--title", "Mine", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["documents"] > 10
    assert '"title":"Mine"' in page.read_text(encoding="utf-8")
    page.write_text("mine")
    assert run(app, ["map", str(index), "-o", str(page)]).exit_code != 0
    assert page.read_text() == "mine"
    assert run(app, ["map", str(index), "-o", str(page), "--titles-only", "--yes"]).exit_code == 0
    assert page.read_text() != "mine"


def test_pictures_are_written(index, tmp_path):
    done = run(app, ["map", str(index), "--png", str(tmp_path / "a.png"), "--svg", str(tmp_path / "a.svg"), "--dark"])
    assert done.exit_code == 0
    assert "on the map" in done.stdout
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert "<svg" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_nothing_to_write_is_an_error_that_says_what_to_do(index):
    done = run(app, ["map", str(index)])
    assert done.exit_code == 3 or done.exit_code == 2
    assert "-o map.html" in done.stderr


def test_a_fit_without_a_map_says_so_in_its_options(index, tmp_path):
    assert run(app, ["fit", str(index), "--no-map"]).exit_code == 0
    assert json.loads(run(app, ["info", str(index), "--json"]).stdout)["options"]["layout"] is False
    assert run(app, ["map", str(index), "-o", str(tmp_path / "map.html")]).exit_code == 0  # computed when it is asked for
    assert run(app, ["fit", str(index), "--map"]).exit_code == 0
    assert run(app, ["export", str(index), "-o", str(tmp_path / "layout.csv"), "--what", "layout"]).exit_code == 0
