"""Examples in the docstrings of public names run and print what they say; the checker of docstrings sees what is missing."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import Any

import pytest

from tools import docstrings

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PUBLIC = [(name, value) for module in docstrings.public_modules() for name, value in docstrings.public_objects(module)]


def examples_of(name: str, value: Any) -> list[doctest.DocTest]:
    found = doctest.DocTestFinder(exclude_empty=True).find(value, name, module=False, globs={name.rpartition(".")[2]: value})
    return [test for test in found if test.examples]


@pytest.mark.parametrize(("name", "value"), PUBLIC, ids=[name for name, _ in PUBLIC])
def test_examples_run_without_warnings_and_print_what_they_say(
    name: str, value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runner, said = doctest.DocTestRunner(optionflags=FLAGS), []
    for test in examples_of(name, value):
        runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_public_names_of_all_packages_are_found() -> None:
    names = {name for name, _ in PUBLIC}
    assert {"vicinal.methods.RLPI", "vicinal.graph.knn", "vicinal.metrics.locality", "vicinal.Choice"} <= names


def test_a_wrong_example_is_seen() -> None:
    def broken() -> None:
        """
        >>> 1 + 1
        3
        """

    runner = doctest.DocTestRunner()
    runner.run(examples_of("broken", broken)[0], out=lambda text: None)
    assert runner.failures == 1


class Learner:
    """Learn something.

    Attributes
    ----------
    told_ : int
        One.
    """

    def get_params(self) -> dict[str, Any]:
        return {}

    def fit(self) -> None:
        self.told_, self.untold_ = 1, 2


def test_an_attribute_that_fit_sets_and_no_docstring_names_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docstrings, "ROOT", Learner.__module__)
    assert docstrings._promised(Learner) - docstrings._documented(Learner) == {"untold_"}
