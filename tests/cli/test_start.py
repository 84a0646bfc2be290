"""Starting: help, and what an index holds, come without the libraries that learning needs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.index.small import made

HEAVY = ("sklearn", "numba", "scipy", "pandas", "pyarrow", "matplotlib", "threadpoolctl")
LIGHT = ("numpy",)  # which the counts of an index need


@pytest.fixture(scope="session", name="file")
def small_file(tmp_path_factory):
    return made(tmp_path_factory.mktemp("start") / "small.vic")


def loaded(*arguments):
    """Which of the heavy libraries a command has loaded when it ends."""
    code = (
        f"import atexit, json, sys; sys.argv = ['vicinal', *{[str(each) for each in arguments]!r}]\n"
        f"names = {(*HEAVY, *LIGHT)!r}\n"
        "atexit.register(lambda: print(json.dumps([name for name in names if name in sys.modules]), file=sys.stderr))\n"
        "from vicinal.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    return json.loads(done.stderr.splitlines()[-1])


@pytest.mark.parametrize("arguments", [["--help"], ["search", "--help"], ["info", "--help"], ["--version"]])
def test_help_loads_nothing_that_learning_needs(arguments):
    assert loaded(*arguments) == []


def test_what_an_index_holds_is_said_without_what_learning_needs(file):
    assert loaded("info", file) == list(LIGHT)
    assert loaded("info", file, "--json") == list(LIGHT)


def test_a_search_needs_nothing_that_learning_needs_and_similar_documents_are_seen_to(file):
    assert not {"sklearn", "scipy"} & set(loaded("search", file, "bread"))
    assert "scipy" in loaded("near", file, "cars-1")
