"""Two checkouts compared, and growth with copies: what the tables say of times and answers."""

from __future__ import annotations

import numpy as np

from bench.copies import exponents, texts
from bench.speed import JOBS, difference


def test_answers_that_differ_in_the_sign_of_a_component_are_the_same():
    before = np.random.default_rng(0).normal(size=(20, 3))
    assert difference(before, before * [1.0, -1.0, 1.0]) == "error 0.0e+00"
    assert difference(before, before * [1.0, 1.0, 1.01]) == "error 1.0e-02"


def test_labels_are_compared_whatever_their_numbers():
    before = np.array([0, 0, 1, 1, 2, 2])
    assert difference(before, np.array([2, 2, 0, 0, 1, 1])) == "adjusted Rand index 1.0000"
    assert difference(before, np.array([0, 1, 0, 1, 0, 1])) != "adjusted Rand index 1.0000"


def test_jobs_have_names_of_their_own():
    assert len({name for name, _, _ in JOBS.values()}) == len(JOBS)


def test_growth_is_told_from_the_smallest_to_the_largest_size():
    rows = [{"fit": "RLPI", "copies": n, "CPU s": s} for n, s in ((100, 1.0), (200, 5.0), (400, 16.0))]
    assert exponents(rows) == ["RLPI: exponent 2.00 from 100 to 400 copies"]
    assert exponents(rows[:1]) == []


def test_copies_are_copies_and_the_others_are_not():
    made = texts(50)
    assert len(made) == 350
    assert len(set(made[:50])) == 1
    assert len(set(made)) > 290
