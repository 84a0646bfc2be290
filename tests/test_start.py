"""docs/start.md is played from top to bottom in an empty folder; what it shows below a command must be what the command prints.

After a change that is meant to be seen, write the outputs anew, and read the difference before it is committed:

    UPDATE=1 python -m pytest tests/test_start.py
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from vicinal.cli._app import app

PAGE = Path(__file__).parents[1] / "docs" / "start.md"
#: Width of the window that the page speaks of.
WIDTH = "100"
FENCE = re.compile(r"^```(?P<language>sh|console)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
#: What differs from one computer to the next, shown as "…": the size of an index, and by rounding how stable its clusters are.
VARIES = ((re.compile(r"^(size +|stability +).*$", re.MULTILINE), r"\1…"),)
#: Of lines, that the rounding of another processor may change: in a corpus so small it decides which of two clusters is the first.
ROUNDED = 0.1

needs_shell = pytest.mark.skipif(shutil.which("sh") is None, reason="the page is for a shell")


def commands(body: str) -> Iterator[str]:
    """The commands of a console block, without what is shown below them."""
    return (line.removeprefix("$ ") for line in body.splitlines() if line.startswith("$ "))


def play(command: str, folder: Path) -> str:
    """What a command prints on standard output; "vicinal" runs in this process, all else in a shell."""
    before, pipe, ours = command.rpartition("| vicinal ") if "| vicinal " in command else ("", "", command)
    given = shell(before, folder) if pipe else None
    if not pipe and not command.startswith("vicinal "):
        return shell(command, folder)
    words = split(ours.removeprefix("vicinal "))
    done = CliRunner().invoke(app, words, input=given, env={"COLUMNS": WIDTH}, prog_name="vicinal")
    assert done.exit_code == 0, f"{command}\n{done.output}"
    return done.stdout


def split(arguments: str) -> list[str]:
    """Arguments as a shell takes them apart."""
    done = subprocess.run(["sh", "-c", f"printf '%s\\0' {arguments}"], capture_output=True, text=True, check=True)
    return done.stdout.split("\0")[:-1]


def shell(script: str, folder: Path) -> str:
    return subprocess.run(["sh", "-ec", script], cwd=folder, capture_output=True, text=True, check=True).stdout


def masked(output: str) -> str:
    for pattern, shown in VARIES:
        output = pattern.sub(shown, output)
    return output


def played(page: str, folder: Path) -> str:
    """The page with the outputs that its commands have now."""

    def block(fence: re.Match[str]) -> str:
        if fence["language"] == "sh":
            shell(fence["body"], folder)
            return fence[0]
        outputs = [f"$ {command}\n{masked(play(command, folder))}" for command in commands(fence["body"])]
        return f"```console\n{''.join(outputs)}```"

    return FENCE.sub(block, page)


@needs_shell
def test_the_page_shows_what_its_commands_print(tmp_path, monkeypatch):
    pytest.importorskip("Stemmer")
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    now = played(page, tmp_path)
    if os.environ.get("UPDATE"):
        PAGE.write_text(now, encoding="utf-8")
    else:
        assert len(page.splitlines()) == len(now.splitlines())
        differing = [(shown, said) for shown, said in zip(page.splitlines(), now.splitlines(), strict=True) if shown != said]
        assert len(differing) <= ROUNDED * len(now.splitlines()), differing


def test_the_page_plays_every_verb_but_a_few():
    page = PAGE.read_text(encoding="utf-8")
    used = {
        verb for fence in FENCE.finditer(page) for line in commands(fence["body"]) for verb in re.findall(r"vicinal (\w+) ", line)
    }
    assert used == set(get_command(app).commands) - {"compact", "copy", "demo", "duplicates", "map", "plan", "report", "serve"}


SMALL = "Text.\n\n```sh\nprintf 'one\\n' > file\n```\n\n```console\n$ cat file\n{}```\n"


@needs_shell
def test_an_output_that_is_no_longer_true_is_noticed(tmp_path):
    assert played(SMALL.format("one\n"), tmp_path) == SMALL.format("one\n")
    assert played(SMALL.format("two\n"), tmp_path) == SMALL.format("one\n")


@needs_shell
def test_a_command_that_fails_is_noticed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError, match="there is no index at"):
        played("```console\n$ vicinal info none.vic\n```\n", tmp_path)


@needs_shell
def test_pipes_and_quotes_are_those_of_the_shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = play('echo "first text" | vicinal index - -o "my notes.vic" --no-fit', tmp_path)
    assert said == "my notes.vic: 1 added, 0 changed, 0 unchanged.\n"


def test_only_sizes_are_masked():
    assert masked("index  a.vic\nsize   1.2 kB\ndocuments  3\n") == "index  a.vic\nsize   …\ndocuments  3\n"
