"""The map by matplotlib: every document a point, names that do not overlap, and files that are complete."""

from __future__ import annotations

import itertools
import sys

import pytest

import vicinal
from vicinal.errors import BadParameter, MissingExtra
from vicinal.plot import plot_map
from vicinal.plot._colors import colors_of
from vicinal.plot._map_plot import save_map


def test_every_document_is_a_point_and_names_do_not_overlap(fitted):
    with vicinal.open(fitted) as index:
        ax = plot_map(index)
        assert len(ax.collections[0].get_offsets()) == 60
        assert len(ax.texts) == 3
        ax.figure.canvas.draw()
        frames = [text.get_window_extent() for text in ax.texts]
        assert not any(one.overlaps(other) for one, other in itertools.combinations(frames, 2))
        assert len(plot_map(index, n_names=1, theme="dark").texts) == 1


def test_axes_that_are_given_are_drawn_on(fitted):
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    with vicinal.open(fitted) as index:
        assert plot_map(index, ax) is ax


def test_names_with_dollar_signs_are_no_formulas(hostile, tmp_path):
    with vicinal.open(hostile) as index:
        index.name_cluster(index.clusters()[0].number, "$\\frac{1}{0")
        assert save_map(index, str(tmp_path / "map.svg"), "svg", "light") > 0
    assert (tmp_path / "map.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")


def test_a_picture_is_written(fitted, tmp_path):
    with vicinal.open(fitted) as index:
        assert save_map(index, str(tmp_path / "map.png"), "png", "dark") == 60
        with pytest.raises(BadParameter, match="is an index"):
            save_map(index, str(fitted), "png", "dark")
    assert (tmp_path / "map.png").read_bytes()[:4] == b"\x89PNG"


def test_matplotlib_that_is_missing_is_named(fitted, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with vicinal.open(fitted) as index, pytest.raises(MissingExtra, match=r"vicinal\[plot\]"):
        plot_map(index)


def test_colours_are_as_many_as_clusters_and_different():
    middles = [[0.0, 1.0], [1.0, 0.0], [-1.0, 0.0], [0.5, -1.0], [0.2, 0.2]]
    import numpy as np

    assert len(set(colors_of(np.array(middles), "light"))) == 5
    assert colors_of(np.zeros((0, 2)), "dark") == []
    assert len(colors_of(np.full((2, 2), np.nan), "dark")) == 2
