"""Figures of the papers, from made-up results and from a small real run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from papers import aaai08, aistats12, cikm07, icml05, sigir05
from papers.catalogue import PROCEDURES
from papers.curves import CURVES, RATES
from papers.journal import Job, Result
from papers.means import NOTHING
from papers.plan import Figure
from papers.procedures import NEIGHBORS, SWEPT, SWEPT_WORDS
from papers.samples import Sample
from papers.scores import Values

pytest.importorskip("matplotlib")

FIGURES: dict[str, Callable[[], Figure]] = {
    f"{module.__name__.split('.')[-1]} {name}": getattr(module, name)
    for module in (sigir05, icml05, aistats12, aaai08, cikm07)
    for name in ("figure1", "figure2", "figure3", "figure4")
    if hasattr(module, name)
}
LARGEST = 80_000  # bytes
NUMBERED: Mapping[str, tuple[int, ...]] = {
    "pca": SWEPT,
    "lpp-15": SWEPT,
    "lpp p": NEIGHBORS,
    "spca words": SWEPT_WORDS,
    "spg-7 words": SWEPT_WORDS,
    **dict.fromkeys(("lsi dimensions", "lpi-7 dimensions", "olpi-7 dimensions"), tuple(range(1, 21))),
    **dict.fromkeys(("ls-5", "slpi-5", "ls+lpi-5", "fssl-5", "lpfl-5"), (1000, 3000)),
}


def made_up(procedure: str, random: np.random.RandomState) -> Values:
    """Values as the procedure has them, at random."""

    def score() -> dict[str, float]:
        return dict(zip(("accuracy", "nmi", "sparsity", "train", "test"), random.uniform(0.1, 1.0, 5).tolist(), strict=True))

    if procedure == "lpfl history":
        return {name: {str(step): random.uniform() for step in range(1, 51)} for name in ("objective", "gap")}
    if procedure == "in turn":
        timed = ("kmeans", "lsi", "plsi", "lpi-7", "rlpi-7", "nmf-ncw")
        return {name: {part: random.uniform(0.1, 9.0) for part in ("reduction", "clustering")} for name in timed}
    if procedure == "subset":
        return made_up_subset(random)
    names = [str(each) for each in NUMBERED.get(procedure, ())] or ["", "k-means", "c", "c-1", "NC", "kNN 1", "kNN 10", "SVM 1"]
    values = {f"{name}{best}".strip(): score() for name in names for best in ("", " best")}
    return values | {"seconds": {part: random.uniform(0.1, 9.0) for part in ("reduction", "clustering")}}


def made_up_subset(random: np.random.RandomState) -> Values:
    spaces = ("lsi", "lpi", "olpi", "lpi without", "olpi without")
    judged = {f"{name} {rate:g}": {m: random.uniform() for m in ("precision", "neighbours")} for name in spaces for rate in RATES}
    values = {f"{name} values": {str(i): i / 100 for i in range(20)} for name in ("lpi", "olpi")}
    size = {"documents": float(random.randint(256, 805)), "classes": 6.0, "rank": 250.0}
    return {**judged, **values, "sample": size, "claim": {"excess": 0.0}, "baseline": {"precision": 0.5, "neighbours": 0.5}}


def results_of(figure: Figure, tests: int = 3) -> dict[Job, Result]:
    random = np.random.RandomState(0)
    return {job: Result(*job, made_up(job[1], random), 1.0, "x") for job in dict.fromkeys(figure.jobs(tests))}


@pytest.fixture(params=FIGURES)
def figure(request: pytest.FixtureRequest) -> Figure:
    return FIGURES[request.param]()


def test_there_are_as_many_figures_as_in_the_papers() -> None:
    assert len(FIGURES) == 14


def test_figure_is_drawn_the_same_each_time_in_a_small_file(figure: Figure, tmp_path: Path) -> None:
    results = results_of(figure)
    sentence = figure.draw(results, tmp_path / "one.png")
    again = figure.draw(results, tmp_path / "two.png")
    drawn = (tmp_path / "one.png").read_bytes()
    assert drawn.startswith(b"\x89PNG")
    assert len(drawn) < LARGEST
    assert drawn == (tmp_path / "two.png").read_bytes()
    assert sentence == again
    assert sentence != NOTHING
    assert "nan" not in sentence


def test_figure_without_results_says_so_and_draws_nothing(figure: Figure, tmp_path: Path) -> None:
    assert figure.draw({}, tmp_path / "none.png") == NOTHING
    assert not (tmp_path / "none.png").exists()


def test_figure_copes_with_a_test_that_one_method_has_not_done(figure: Figure, tmp_path: Path) -> None:
    results = results_of(figure, 2)
    del results[list(results)[-1]]
    assert figure.draw(results, tmp_path / "part.png") != NOTHING or not results


def test_figure_with_a_method_that_has_done_nothing_is_not_drawn(figure: Figure, tmp_path: Path) -> None:
    last = figure.work[0][0]
    results = {job: result for job, result in results_of(figure).items() if job[1] != last}
    assert figure.draw(results, tmp_path / "part.png") == NOTHING


def test_what_figures_need_can_be_done(figure: Figure) -> None:
    assert {name for name, _ in figure.work} <= set(PROCEDURES)


def test_rows_with_different_numbers_of_tests_are_said(tmp_path: Path) -> None:
    figure = aaai08.figure1()
    results = {job: result for job, result in results_of(figure, 4).items() if job[0] not in ("tdt2/7/3", "tdt2/7/2")}
    assert figure.draw(results, tmp_path / "a.png") != NOTHING
    only = {job: result for job, result in results.items() if job[0].startswith("tdt2/7")}
    assert "c = 7" in figure.draw(only, tmp_path / "b.png")
    assert "c = 4" not in figure.draw(only, tmp_path / "b.png")


def test_eigenvalues_above_are_called_unlike_the_paper(tmp_path: Path) -> None:
    figure = sigir05.figure1()
    results = results_of(figure)
    assert "as the paper says" in figure.draw(results, tmp_path / "a.png")
    for result in results.values():
        result.values["claim"]["excess"] = 0.1
    assert "unlike the paper" in figure.draw(results, tmp_path / "a.png")


@pytest.fixture(scope="module")
def small() -> Sample:
    """Sixty documents of three classes, each with words of its own and words of all."""
    random = np.random.RandomState(0)
    y = np.repeat(np.arange(3), 20)
    rates = np.full((60, 90), 0.3)
    for each in range(3):
        rates[y == each, 30 * each : 30 * (each + 1)] = 1.5
    return Sample("word/0", sp.csr_array(random.poisson(rates).astype(float)), y, np.arange(60))


def test_subset_is_measured(small: Sample, tmp_path: Path) -> None:
    values = CURVES["subset"](small)
    assert values["claim"]["excess"] < 1e-9
    assert values["sample"] == {"documents": 60, "classes": 3, "rank": 60}
    for metric in ("precision", "neighbours"):
        assert values["lsi 100"][metric] == pytest.approx(values["baseline"][metric], abs=1e-3)
        assert values["olpi 100"][metric] == pytest.approx(values["baseline"][metric], abs=1e-3)
        assert values["olpi without 5"][metric] > values["baseline"][metric]
    results = {("word/0", "subset"): Result("word/0", "subset", values, 1.0, "x")}
    for make in (sigir05.figure1, sigir05.figure2, sigir05.figure3):
        assert make().draw(results, tmp_path / "real.png") != NOTHING


def test_history_rises_and_settles(small: Sample, tmp_path: Path) -> None:
    values = CURVES["lpfl history"](small)
    objective = list(values["objective"].values())
    assert objective[0] < objective[-1]
    assert values["gap"]["200"] < 1e-6 * values["gap"]["1"]
    results = {(aistats12.OBSERVED, "lpfl history"): Result(aistats12.OBSERVED, "lpfl history", values, 1.0, "x")}
    assert "rises" in aistats12.figure1().draw(results, tmp_path / "real.png")
