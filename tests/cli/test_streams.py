"""Standard output that is full, closed or left by its reader: no traceback, and a code that says it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.index.small import made
from vicinal.cli._app import app
from vicinal.cli._terminal.exit_codes import CLOSED_PIPE, DATA

RUN = [sys.executable, "-c", "import sys; sys.argv[0] = 'vicinal'; from vicinal.cli import main; main()"]
VERBS = {
    "help": ["--help"],
    "facts": ["info", "FILE"],
    "json": ["info", "FILE", "--json"],
    "hits": ["search", "FILE", "bread", "oven"],
}
FULL = Path("/dev/full")

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")


@pytest.fixture(scope="session", name="file")
def small_file(tmp_path_factory):
    return made(tmp_path_factory.mktemp("streams") / "small.vic", added=0)


def run(arguments, file, buffered=True, **streams):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment |= {} if buffered else {"PYTHONUNBUFFERED": "1"}
    command = [*RUN, *(each.replace("FILE", str(file)) for each in arguments)]
    return subprocess.run(command, env=environment, text=True, timeout=120, check=False, **streams)


@pytest.mark.parametrize("verb", VERBS)
def test_an_answer_that_cannot_be_written_is_one_line_and_exits_with_3(file, verb):
    for buffered in (True, False) if verb in ("facts", "json") else (True,):
        with FULL.open("w") as full:
            done = run(VERBS[verb], file, buffered, stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == DATA == 3
        assert done.stderr.splitlines() == [
            "vicinal: the output cannot be written: No space left on device. Free some space, or write it elsewhere."
        ]


@pytest.mark.parametrize("verb", VERBS)
def test_a_reader_that_has_left_ends_the_command_quietly(file, verb):
    for buffered in (True, False) if verb in ("facts", "json") else (True,):
        ours, theirs = os.pipe()
        os.close(ours)  # as head does when it has seen enough
        done = run(VERBS[verb], file, buffered, stdout=theirs, stderr=subprocess.PIPE)
        os.close(theirs)
        assert done.stderr == ""
        assert done.returncode == CLOSED_PIPE == 141


def test_a_reader_of_one_line_gets_it(file):
    line = "import sys; print(sys.stdin.readline(), end='')"
    with subprocess.Popen([*RUN, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        head = subprocess.run([sys.executable, "-c", line], stdin=running.stdout, capture_output=True, text=True, check=True)
        running.stdout.close()
        said = running.stderr.read()
    assert head.stdout.strip() == "" or "vicinal" in head.stdout
    assert said == b""
    assert running.returncode in (0, CLOSED_PIPE)


@pytest.mark.parametrize("closed", ["1", "2", "0", "1 2", "0 1 2"])
def test_closed_streams_are_no_reason_to_fail_and_no_file_takes_their_place(file, closed):
    before = file.read_bytes()
    away = " ".join(f"{descriptor}{'<' if descriptor == '0' else '>'}&-" for descriptor in closed.split())
    shell = f'"$@" {away}'
    done = subprocess.run(
        ["sh", "-c", shell, "sh", *RUN, "info", str(file)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert ("documents" in done.stdout) == ("1" not in closed)
    assert file.read_bytes() == before


def test_what_cannot_be_said_on_standard_error_changes_nothing(file):
    with FULL.open("w") as full:
        done = run(["search", "FILE", "zeppelin", "--json"], file, stdout=subprocess.PIPE, stderr=full)
    assert done.returncode == 1
    assert '"hits": []' in done.stdout
    with FULL.open("w") as full:
        assert run(["info", "FILE.none"], file, stdout=full, stderr=full).returncode == 3


def test_a_file_that_cannot_be_exported_is_one_line_and_exits_with_3(file, tmp_path):
    for where in ("/dev/full/news.csv", str(tmp_path / "no folder" / "news.csv")):
        done = CliRunner().invoke(app, ["export", str(file), "-o", where])
        assert done.exit_code == 3
        assert len(done.stderr.splitlines()) == 1
        assert done.stderr.startswith(f"vicinal export: {where}")


def test_without_the_guard_there_would_be_a_traceback(file):
    unguarded = [sys.executable, "-c", "import sys; sys.argv[0] = 'vicinal'; from vicinal.cli._app import app; app()"]
    with FULL.open("w") as full:
        done = subprocess.run([*unguarded, "info", str(file)], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert "OSError" in done.stderr
