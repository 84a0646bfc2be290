"""The bench of numbers of clusters: the number a fit would choose, runs that go on where they stopped, the section of the page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from bench.quality import numbers
from bench.quality.draws import parse
from bench.quality.material import Material
from vicinal import Topics

DRAWS = [parse("tdt2", "tuning"), parse("arxiv_titles:8:500:102", "held")]
KNOWN = numbers.Number("tdt2", 0, 30, 9_394, 27, 20, 29, 14, 1.5, "0123456789")


def made_up():
    """Thirty documents on each of three subjects."""
    classes = np.repeat(np.arange(3), 30)
    rates = np.where(np.arange(60) // 20 == classes[:, None], 0.4, 0.1)
    return Material(sp.csr_array(np.random.RandomState(0).poisson(rates).astype(np.float64)), classes)


def test_the_number_is_that_of_a_fit():
    material = made_up()
    found, evidence = numbers.measure("made up", material, 3), Topics(random_state=3).fit(material.counts).n_clusters_evidence_
    assert (found.found, found.low, found.high) == (evidence.chosen, evidence.low, evidence.high)
    assert found.low <= found.at_one <= found.found
    assert (found.seed, found.classes, found.documents) == (3, 3, 90)


def test_a_run_goes_on_where_the_last_one_stopped(tmp_path, monkeypatch):
    file, asked = tmp_path / "numbers.jsonl", []
    monkeypatch.setattr(numbers, "prepare", lambda draw: draw)
    monkeypatch.setattr(numbers, "measure", lambda name, _, seed, code: asked.append((name, seed)) or _of(name, seed, code))
    numbers.run(DRAWS[:1], 1, file)
    numbers.run(DRAWS, 2, file)
    assert asked == [(DRAWS[0].name, 0), (DRAWS[1].name, 0), (DRAWS[0].name, 1), (DRAWS[1].name, 1)]
    assert len(numbers.read(file)[0]) == 4


def _of(name, seed, code):
    return replace(KNOWN, corpus=name, seed=seed, code=code)


def test_numbers_of_two_states_of_the_library_are_not_mixed(tmp_path):
    file = tmp_path / "numbers.jsonl"
    for each in (KNOWN, replace(KNOWN, seed=1, code="9876543210")):
        numbers.append_line(numbers.asdict(each), file)
    assert [each.seed for each in numbers.read(file)[0].values()] == [1]


def test_what_peers_found_is_taken_from_the_leaderboard(tmp_path):
    file, line = (
        tmp_path / "leaderboard.jsonl",
        {"contest": "clusters", "task": "smart", "outcome": "done", "figures": {"found": 62}},
    )
    for each in (
        {"who": "bertopic"},
        {"who": "lda"},
        {"who": "bertopic-auto", "outcome": "failed"},
        {"who": "bertopic", "contest": "search"},
    ):
        numbers.append_line(line | each, file)
    assert numbers.found_by_peers(file) == {("smart", "bertopic"): 62}


def test_the_section_counts_draws_by_their_worst_seed():
    held = replace(KNOWN, corpus=DRAWS[1].name, classes=8, found=16, at_one=7)
    known = {(each.corpus, each.seed): each for each in (KNOWN, replace(KNOWN, seed=1, at_one=16), held)}
    text = numbers.section(DRAWS, known)
    assert "within a factor of two, tuning: chosen 1 of 1, mean |log2 factor| 0.15; at resolution 1 0 of 1" in text
    assert "within a factor of two, held back: chosen 1 of 1, mean |log2 factor| 1.00; at resolution 1 1 of 1" in text
    assert "| 27, 27 | 20 to 29 | 1.11 | 14, 16 | **2.14** |" in text
    assert numbers.section(DRAWS, {}) == ""
