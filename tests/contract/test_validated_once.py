"""Input is validated once, at the public boundary: ``check_terms`` runs once in every fit and once in every transform."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal import Topics, _validate
from vicinal.errors import VicinalWarning
from vicinal.graph import knn
from vicinal.methods import FSSL, LPFL, METHODS, PLSI, RLPI, SELECTORS, SLPI, SUPERVISED, KernelRLPI, Method
from vicinal.projection import regress
from vicinal.spectrum import solve

DOCUMENTS = sp.csr_array(np.random.default_rng(0).poisson(0.6, (60, 40)).astype(np.float64))
CLASSES = np.arange(60) % 3
TEXTS = ["cats chase mice", "cats and mice", "mice fear cats", "stocks fall hard", "stocks and bonds", "bonds fall too"]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The stages for which ``check_terms`` was called, in every module that has loaded it."""
    original, stages = _validate.check_terms, list[str]()

    def counted(X: Any, stage: str = "the matrix") -> Any:
        stages.append(stage)
        return original(X, stage)

    for module in [module for name, module in sys.modules.items() if name.startswith("vicinal")]:
        if getattr(module, "check_terms", None) is original:
            monkeypatch.setattr(module, "check_terms", counted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        yield stages


@pytest.mark.parametrize("method", [*METHODS, *SUPERVISED, *SELECTORS], ids=lambda method: method.__name__)
def test_each_method_validates_once_per_fit_and_once_per_transform(method: type[Method], calls: list[str]) -> None:
    fitted = method().fit(DOCUMENTS, CLASSES if method in SUPERVISED else None)
    assert calls == [f"{method.__name__}.fit"]
    if hasattr(fitted, "transform"):
        fitted.transform(DOCUMENTS)
        assert calls[1:] == [f"{method.__name__}.transform"]


@pytest.mark.parametrize("parameters", [{"alpha": "auto"}, {"n_components": "auto"}, {"graph": "consensus"}, {"graph": "complete"}])
def test_automatic_choices_and_other_graphs_validate_nothing_anew(parameters: dict[str, Any], calls: list[str]) -> None:
    RLPI(**parameters).fit(DOCUMENTS)
    assert calls == ["RLPI.fit"]


@pytest.mark.parametrize("method", [SLPI, FSSL, LPFL], ids=lambda method: method.__name__)
def test_a_number_of_terms_that_is_chosen_automatically_validates_nothing_anew(method: type[Method], calls: list[str]) -> None:
    method(n_terms="auto").fit(DOCUMENTS)
    assert calls == [f"{method.__name__}.fit"]


@pytest.mark.parametrize("method", [RLPI, PLSI, KernelRLPI], ids=lambda method: method.__name__)
def test_fit_transform_validates_once(method: type[Method], calls: list[str]) -> None:
    method().fit_transform(DOCUMENTS)
    assert calls == [f"{method.__name__}.fit"]


def test_topics_validate_a_matrix_once(calls: list[str]) -> None:
    topics = Topics(3).fit(DOCUMENTS)
    assert calls == ["Topics.fit"]
    topics.predict(DOCUMENTS)
    assert calls[1:] == ["Topics.predict"]


def test_topics_do_not_validate_counts_that_they_have_made_themselves(calls: list[str]) -> None:
    Topics(2).fit(TEXTS)
    assert calls == []


def test_functions_validate_when_they_are_called_from_outside(calls: list[str]) -> None:
    regress(DOCUMENTS, solve(knn(DOCUMENTS), 3)).transform(DOCUMENTS)
    assert calls == ["the neighbour graph", "the regression", "the documents to embed"]
