"""The soak of `make soak`, in its small form: it runs, and what grows is seen."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest

from tools.soak import FEWEST, Figures, misses, soak

STEADY = [Figures(10, 10**8, 10**6, 0.002)] * FEWEST


def test_an_index_is_used_and_measured(tmp_path, capsys):
    gc.collect()  # what tests before this one left open is closed now and not between two rounds
    figures = soak(tmp_path, 0.0)
    assert len(figures) == 3
    assert all(each.size > 0 and each.memory > 0 and each.latency > 0 for each in figures)
    assert figures[2].handles <= figures[1].handles
    assert "round 1: handles" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "factor"),
    [("handles", 1.1), ("memory", 1.03), ("latency", 1.2), ("size", 2.1)],
    ids=["handles", "memory", "latency", "size"],
)
def test_what_grows_beyond_its_target_is_seen(name, factor):
    grown = [replace(each, **{name: getattr(each, name) * factor}) for each in STEADY[: FEWEST // 3]]
    assert misses(STEADY) == []
    assert [line.partition(":")[0] for line in misses(STEADY[: 2 * FEWEST // 3] + grown)] == [name]
    assert misses(STEADY[:10] + grown[:10]) == []
