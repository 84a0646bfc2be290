"""The command line as a whole: it starts at once, teaches by example, and its exit codes mean what they say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import vicinal
from vicinal.cli._app import app
from vicinal.datasets._docstrings import load_docstrings
from vicinal.errors import VicinalWarning

RUN = "import sys; sys.argv[0] = 'vicinal'; from vicinal.cli import main; main()"


def invoke(*arguments):
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "80"})


def test_version_is_that_of_the_package():
    assert invoke("--version").stdout == f"vicinal {vicinal.__version__}\n"


@pytest.mark.parametrize(("arguments", "example"), [(["--help"], "vicinal demo"), (["demo", "--help"], 'vicinal demo --ask "')])
def test_help_has_an_example_that_can_be_typed(arguments, example):
    done = invoke(*arguments)
    assert done.exit_code == 0
    assert example in done.stdout


def test_help_names_every_verb_and_every_option():
    assert all(verb in invoke("--help").stdout for verb in ("demo", "info"))
    said = invoke("demo", "--help").stdout
    assert all(option in said for option in ("--clusters", "--ask", "--documents", "--seed", "--keep", "--json"))


@pytest.mark.parametrize("verb", [None, *get_command(app).commands])
def test_help_shows_no_type_of_python(verb):
    said = invoke(*([] if verb is None else [verb]), "--help").stdout
    assert "--help" in said
    assert re.findall(r"<bool>|<str>|<int>|<float>|list\[", said) == []


@pytest.mark.parametrize("arguments", [["--help"], ["demo", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments):
    heavy = ("numba", "sklearn", "scipy", "numpy", "threadpoolctl", "pandas")
    code = (
        f"import atexit, json, sys; sys.argv = ['vicinal', *{arguments!r}]; heavy = {heavy!r}\n"
        "atexit.register(lambda: print(json.dumps([name for name in heavy if name in sys.modules]), file=sys.stderr))\n"
        "from vicinal.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stderr) == []


def test_the_check_for_heavy_imports_can_fail():
    code = "import sys, vicinal.cli._demo.run; print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "True"


@pytest.mark.parametrize(
    "arguments",
    [
        ["demo", "--clusters", "1"],
        ["demo", "--documents", "99"],
        ["demo", "--clusters", "many"],
        ["demo", "--documents", "100", "--clusters", "101"],
        ["demo", "--seed", "-1"],
        ["demo", "--keep", ""],
        ["demo", "--keep", __file__],
        ["sing"],
        ["demo", "--nonsense"],
    ],
)
def test_a_command_that_is_not_understood_exits_with_2(arguments):
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""


def test_documents_that_would_not_do_exit_with_3(monkeypatch):
    monkeypatch.setattr("vicinal.cli._demo.demo_documents.load_docstrings", lambda *_, **__: iter(()))
    done = invoke("demo")
    assert done.exit_code == 3
    assert done.stdout == ""
    assert "vicinal demo: there are no documents" in done.stderr
    assert "Traceback" not in done.stderr


def test_files_that_could_not_be_read_are_said(monkeypatch):
    def partly(*_, **__):
        yield from load_docstrings("numpy")
        warnings.warn("1 of 9 source files could not be decoded", VicinalWarning, stacklevel=1)

    monkeypatch.setattr("vicinal.cli._demo.demo_documents.load_docstrings", partly)
    done = invoke("demo", "--json")
    assert "vicinal demo: warning: 1 of 9 source files could not be decoded" in done.stderr
    assert json.loads(done.stdout)["modules"] > 5


def test_info_says_what_runs_here():
    done = invoke("info", "--json")
    facts = json.loads(done.stdout)
    assert facts["vicinal"] == vicinal.__version__
    assert facts["python"] == ".".join(map(str, sys.version_info[:3]))
    assert {"numpy", "scipy", "scikit-learn", "numba", "threads", "compiled code"} <= set(facts)
    assert int(facts["threads"].split(",")[0]) >= 1
    plain = invoke("info").stdout
    assert all(f"{name} " in plain and fact in plain for name, fact in facts.items())


def test_a_terminal_without_the_letters_gets_escapes_and_no_traceback():
    done = subprocess.run(
        [sys.executable, "-c", RUN, "demo", "--documents", "100", "--clusters", "3", "--ask", "café résumé"],
        capture_output=True,
        timeout=120,
        env={"PYTHONIOENCODING": "ascii", "COLUMNS": "80", "PATH": ""},
    )
    assert done.returncode == 0, done.stderr.decode()
    assert rb"caf\xe9" in done.stdout
