"""Input is validated once, at the public boundary: once in every call, matrices, labels and parameters alike.

Texts need no ``check_terms``: counts that the library makes of them are what they should be. An index validates the counts of its
file when it loads them, and not again until the file changes.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import vicinal
from vicinal import Classifier, Topics, Vectorizer, _validate
from vicinal._matrix import unit_rows
from vicinal.errors import BadData, BadParameter, VicinalWarning
from vicinal.graph import knn
from vicinal.methods import FSSL, LPFL, LSI, METHODS, PLSI, RLPI, SELECTORS, SLPI, SUPERVISED, KernelRLPI, Method, SparsePCA
from vicinal.projection import choose_alpha, choose_n_components, choose_n_shared_terms, choose_n_terms, pencil, regress
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

    _replace_everywhere(monkeypatch, original, counted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        yield stages


@pytest.fixture
def label_calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of documents for which ``check_labels`` was called, in every module that has loaded it."""
    original, checked = _validate.check_labels, list[int]()

    def counted(y: Any, n_documents: int) -> Any:
        checked.append(n_documents)
        return original(y, n_documents)

    _replace_everywhere(monkeypatch, original, counted)
    return checked


#: Values that nothing in the library has of itself: a check of one of them is a check of what was given.
GIVEN = {"n_components": 11, "n_neighbors": 13, "alpha": 0.377, "recall": 0.977, "tol": 3.7e-4, "random_state": 37_773}


@pytest.fixture
def value_calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often each value of ``GIVEN`` was checked, by name."""
    checked = Counter[str]()

    def count(original: Any, position: int) -> Any:
        def counted(*args: Any, **options: Any) -> Any:
            value = args[position]
            checked.update(name for name, given in GIVEN.items() if type(value) is type(given) and value == given)
            return original(*args, **options)

        return counted

    for name, position in (("check_count", 1), ("check_number", 1), ("check_seed", 0)):
        original = getattr(_validate, name)
        _replace_everywhere(monkeypatch, original, count(original, position))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        yield checked


def _replace_everywhere(monkeypatch: pytest.MonkeyPatch, original: Any, counted: Any) -> None:
    for module in [module for name, module in sys.modules.items() if name.startswith("vicinal")]:
        if getattr(module, original.__name__, None) is original:
            monkeypatch.setattr(module, original.__name__, counted)


@pytest.mark.parametrize("method", [*METHODS, *SUPERVISED, *SELECTORS], ids=lambda method: method.__name__)
def test_each_method_validates_once_per_fit_and_once_per_transform(
    method: type[Method], calls: list[str], label_calls: list[int]
) -> None:
    fitted = method().fit(DOCUMENTS, CLASSES if method in SUPERVISED else None)
    assert calls == [f"{method.__name__}.fit"]
    assert len(label_calls) == (method in SUPERVISED)
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


@pytest.mark.parametrize("known", [CLASSES, np.where(np.arange(60) % 2, CLASSES, -1)], ids=["all", "some"])
def test_labels_of_rlpi_and_topics_are_validated_once(known: Any, calls: list[str], label_calls: list[int]) -> None:
    RLPI().fit(DOCUMENTS, known)
    assert (calls, label_calls) == (["RLPI.fit"], [60])
    topics = Topics(3).fit(DOCUMENTS, known)
    assert (calls[1:], label_calls[1:]) == (["Topics.fit"], [60])
    topics.explain(DOCUMENTS[[0]], 0)
    assert (calls[2:], label_calls[2:]) == (["Topics.predict"], [])


def test_clusters_that_views_agree_on_are_no_labels_from_outside(label_calls: list[int]) -> None:
    Topics(3).fit(DOCUMENTS)
    RLPI(graph="consensus").fit(DOCUMENTS)
    assert label_calls == []


@pytest.mark.parametrize("n_labels", [60, 6], ids=["many", "few"])
def test_a_classifier_validates_once_per_fit_and_once_per_prediction(
    n_labels: int, calls: list[str], label_calls: list[int]
) -> None:
    classifier = Classifier().fit(DOCUMENTS, np.where(np.arange(60) < n_labels, CLASSES, -1))
    assert (calls, label_calls) == (["Classifier.fit"], [60])
    for predict in (classifier.predict, classifier.predict_proba, classifier.decision_function, classifier.ask):
        predict(DOCUMENTS)
    classifier.explain(DOCUMENTS[[0]])
    assert calls[1:] == ["Classifier.predict"] * 5


def test_a_classifier_does_not_validate_counts_that_it_has_made_itself(calls: list[str], label_calls: list[int]) -> None:
    classifier = Classifier(vectorizer=Vectorizer(min_df=1)).fit(TEXTS, [0, 0, -1, 1, 1, -1])
    classifier.predict(TEXTS)
    classifier.explain(TEXTS[0])
    assert (calls, label_calls) == ([], [6])


def test_an_index_validates_what_it_loads_from_its_file_and_nothing_that_it_has_made(
    tmp_path: Path, calls: list[str], label_calls: list[int]
) -> None:
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add({f"{i}": f"{text} number {i % 7}" for i, text in enumerate(TEXTS * 4)})
        index.fit()
        assert calls == []
        index.search("cats")
        index.search("mice -stocks", by="terms")
        assert calls == []  # a search reads the lists of its terms alone
        index.near("0")  # loads the counts
        assert calls == ["the matrix of counts"]
        index.members(index.clusters()[0].number)
        index.explain("0", other="1")
        index.duplicates()
        assert calls[1:] == []
        index.label({"0": "animals", "1": "animals", "3": "money", "4": "money"})
        del calls[:]
        index.classify(["cats and bonds"])  # the file has changed
        index.classify(["stocks"], ids=["2"])
        index.ask(2)
        assert calls == []  # only the rows that changed are read again
        index.fit()
        assert calls == []  # the classes are fitted to rows that are there
        assert label_calls == []


def test_a_search_in_arrays_validates_the_query_and_the_documents_once(calls: list[str]) -> None:
    X = unit_rows(DOCUMENTS)
    projection = RLPI(3).fit(X).projection_
    Z = unit_rows(projection.transform(X))
    del calls[:]
    assert len(vicinal.search(X[[0]], X, Z, projection)) == 10
    assert calls == ["the query", "the documents"]


def test_functions_validate_when_they_are_called_from_outside(calls: list[str]) -> None:
    regress(DOCUMENTS, solve(knn(DOCUMENTS), 3)).transform(DOCUMENTS)
    assert calls == ["the neighbour graph", "the regression", "the documents to embed"]


#: A penalty is a value of its own, which refuses an alpha that is none whenever it is made: before any work is done, and for it.
PENALISED = {"RLPI", "SRDA", "SLPI", "FSSL", "SparsePCA"}


def _given_to(estimator: type) -> dict[str, Any]:
    return {name: value for name, value in GIVEN.items() if name in inspect.signature(estimator).parameters}


@pytest.mark.parametrize("method", [*METHODS, *SUPERVISED, *SELECTORS], ids=lambda method: method.__name__)
def test_each_parameter_of_a_method_is_checked_once_per_fit(method: type[Method], value_calls: Counter[str]) -> None:
    given = _given_to(method)
    method(**given).fit(DOCUMENTS, CLASSES if method in SUPERVISED else None)
    assert value_calls == {name: 1 + (name == "alpha" and method.__name__ in PENALISED) for name in given}


def test_each_parameter_of_topics_a_classifier_and_clusters_is_checked_once(value_calls: Counter[str]) -> None:
    Topics(3, **_given_to(Topics)).fit(DOCUMENTS)
    assert value_calls == dict.fromkeys(_given_to(Topics), 1)
    value_calls.clear()
    Classifier(**_given_to(Classifier)).fit(DOCUMENTS, CLASSES)
    assert value_calls == {name: 1 + (name == "alpha") for name in _given_to(Classifier)}
    value_calls.clear()
    vicinal.cluster(DOCUMENTS, 4, random_state=GIVEN["random_state"])
    vicinal.layout(DOCUMENTS, n_neighbors=13)
    assert value_calls == {"random_state": 1, "n_neighbors": 1}


def test_each_parameter_of_a_fit_of_an_index_is_checked_once(tmp_path: Path, value_calls: Counter[str]) -> None:
    given = {name: value for name, value in GIVEN.items() if name not in ("tol", "recall")}
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add({f"{i}": f"{text} number {i % 7}" for i, text in enumerate(TEXTS * 4)})
        index.fit(**given, recall=GIVEN["recall"])
    assert {name: value_calls[name] for name in given} == {name: 1 + (name == "alpha") for name in given}
    assert value_calls["recall"] == 1


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda bad: knn(DOCUMENTS, bad), "n_neighbors"),
        (lambda bad: knn(DOCUMENTS, recall=bad), "recall"),
        (lambda bad: solve(knn(DOCUMENTS, 5), bad), "n_components"),
        (lambda bad: solve(knn(DOCUMENTS, 5), 3, tol=bad), "tol"),
        (lambda bad: solve(knn(DOCUMENTS, 5), 3, max_iter=bad), "max_iter"),
        (lambda bad: pencil(DOCUMENTS, knn(DOCUMENTS, 5), bad), "n_components"),
        (lambda bad: pencil(DOCUMENTS, knn(DOCUMENTS, 5), 3, alpha=bad), "alpha"),
        (lambda bad: regress(DOCUMENTS, solve(knn(DOCUMENTS, 5), 3), tol=bad), "tol"),
        (lambda bad: vicinal.cluster(DOCUMENTS, 3, random_state=bad), "random_state"),
        (lambda bad: SparsePCA(random_state=bad).fit(DOCUMENTS), "random_state"),
        (lambda bad: PLSI(random_state=bad).fit(DOCUMENTS), "random_state"),
        (lambda bad: LSI(bad).fit(DOCUMENTS), "n_components"),
        (lambda bad: Classifier(n_jobs=bad).fit(DOCUMENTS, CLASSES), "n_jobs"),
    ],
)
def test_functions_refuse_a_parameter_when_they_are_called_from_outside(call: Any, name: str) -> None:
    with pytest.raises(BadParameter, match=name):
        call(-1.5)


@pytest.mark.parametrize(
    "choose", [choose_alpha, choose_n_components, choose_n_shared_terms, choose_n_terms], ids=lambda each: each.__name__
)
def test_a_choice_by_itself_validates_the_matrix_once(choose: Any, calls: list[str]) -> None:
    choose(DOCUMENTS, knn(DOCUMENTS, 5), 2)
    assert calls[1:] == [f"the choice of {'n_terms' if 'terms' in choose.__name__ else choose.__name__.removeprefix('choose_')}"]


@pytest.mark.parametrize(
    "choose", [choose_alpha, choose_n_components, choose_n_shared_terms, choose_n_terms], ids=lambda each: each.__name__
)
def test_a_choice_refuses_what_is_no_matrix_no_count_and_no_graph_of_its_documents(choose: Any) -> None:
    graph, dense = knn(DOCUMENTS, 5), DOCUMENTS.toarray()
    holes = np.where(np.arange(dense.size).reshape(dense.shape) == 7, np.nan, dense)
    with pytest.raises(BadData, match="NaN"):
        choose(holes, graph, 2)
    with pytest.raises(BadParameter, match="the graph has 60 documents but X has 59"):
        choose(DOCUMENTS[:59], graph, 2)
    for count in (0, -4, 2.5):
        with pytest.raises(BadParameter, match="must be"):
            choose(DOCUMENTS, graph, count)
    with pytest.raises(BadData, match="square matrix"):
        choose(DOCUMENTS, "knn", 2)
    assert choose(dense.tolist(), graph.weights, 2).chosen == choose(DOCUMENTS, graph, 2).chosen
