"""The bench of uncertainty: clusters are matched with classes, wrong documents are counted, results are kept and shown."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from bench.quality.material import Material
from bench.uncertainty import __main__ as command
from bench.uncertainty import stability
from bench.uncertainty.measure import Honesty, found_among_uncertain, honesty, matched


def made_up(n=120):
    random = np.random.RandomState(0)
    classes = np.arange(n) % 3
    rates = np.where(np.arange(60) // 20 == classes[:, None], 0.5, 0.05)
    return Material(sp.csr_array(random.poisson(rates).astype(np.float64)), classes)


def test_clusters_are_matched_with_the_classes_that_fit_most_documents_each_class_once():
    labels, classes = np.array([2, 2, 2, 0, 0, 1, -1]), np.array([0, 0, 1, 1, 1, 1, 0])
    assert matched(labels, classes).tolist() == [True, True, False, True, True, False, False]


def test_wrong_documents_are_looked_for_among_the_most_uncertain_tenth():
    right = np.ones(20, dtype=bool)
    right[[3, 5, 9, 11]] = False
    assert found_among_uncertain(np.isin(np.arange(20), [3, 5]) * 1.0, right) == 0.5
    assert found_among_uncertain(np.zeros(20), np.ones(20, dtype=bool)) == 1.0


def test_clear_classes_are_certain_and_right():
    found = honesty(made_up(), "made up", 0)
    assert found.right > 0.95
    assert found.error < 0.2


def test_results_are_kept_and_a_second_run_adds_nothing(tmp_path, monkeypatch, capsys):
    calls = []

    def measured(draw, seed):
        calls.append(draw.name)
        return Honesty(draw.name, seed, 0.8, 0.9, 0.1, 0.4, "code")

    monkeypatch.setattr(command, "measure", measured)
    file, page = tmp_path / "r.jsonl", tmp_path / "page.md"
    for _ in range(2):
        assert command.main(["--corpus", "reuters:15:60:*"], file, page, tmp_path / "none.jsonl") == 0
    assert calls == ["reuters:15:60:5", "reuters:15:60:105"]
    text = page.read_text(encoding="utf-8")
    assert "| **mean of 1** |  | 0.800 | 0.900 | 0.100 | 0.40 |" in text
    assert "ECE at most 0.10 in 1 of 1; a third of the wrong ones found in 1." in text
    assert "Of these results: 2 from the library in state `code`." in text
    assert pytest.approx(0.1) == command._known(file)[0].error
    assert "reuters:15:60:5: ECE 0.100, found 0.40" in capsys.readouterr().err


def test_what_stability_tells_is_compared_with_what_another_seed_does():
    found = stability.agreement(made_up(), "made up")
    assert len(found.told) == len(found.happened) == 6
    assert found.overall_told > 0.9
    assert found.overall_happened > 0.9


def test_the_page_has_a_line_per_range_of_stability_and_is_kept(tmp_path, monkeypatch):
    calls = []

    def measured(draw):
        calls.append(draw.name)
        return stability.Agreement(draw.name, [0.2, 0.8, 1.0], [0.4, 0.6, 1.0], 0.7, 0.8, "code")

    monkeypatch.setattr(command.stability, "measure", measured)
    file, page = tmp_path / "s.jsonl", tmp_path / "page.md"
    for _ in range(2):
        assert command.main(["--stability", "--corpus", "reuters:15:60:*"], tmp_path / "none.jsonl", page, file) == 0
    assert calls == ["reuters:15:60:5", "reuters:15:60:105"]
    text = page.read_text(encoding="utf-8")
    assert "| 0.0 to 0.3 | 2 | 0.20 | 0.40 |" in text
    assert "| 0.9 to 1.0 | 2 | 1.00 | 1.00 |" in text
    assert "0.3 to 0.5" not in text
    assert (
        "2 draws, 6 clusters of both seeds. Rank correlation of clusters: 1.00. `overall_stability_`: 0.70 told, 0.80 happened"
        in text
    )
