"""Plots of tree, words, time and classes: from an index and from topics, on axes that are given, with names as they are."""

from __future__ import annotations

import itertools
import sys

import pytest

import vicinal
from tests.plot.conftest import documents
from vicinal import Topics
from vicinal.errors import BadData, BadParameter, MissingExtra, TooFewDocuments
from vicinal.plot import plot_heatmap, plot_over_time, plot_tree, plot_words

FORMULA = "$\\frac{1}{0"


@pytest.fixture(scope="module")
def topics():
    return Topics(n_clusters=3).fit([document.text for document in documents()])


@pytest.fixture(scope="module")
def index(fitted):
    with vicinal.open(fitted) as index:
        yield index


def new_axes():
    from matplotlib.figure import Figure

    return Figure().add_subplot()


def shares(ax):
    return [text.get_text() for text in ax.texts]


def test_a_tree_has_a_row_per_cluster_and_a_line_per_merge(index, topics):
    for source in (index, topics):
        ax = new_axes()
        assert plot_tree(source, ax, theme="dark") is ax
        assert len(ax.get_yticklabels()) == 3
        assert len(ax.lines) == 2
        assert sorted(int(text.get_text()) for text in ax.texts) == [20, 20, 20]


def test_rows_of_a_tree_are_its_clusters(index):
    names = [text.get_text() for text in plot_tree(index).get_yticklabels()]
    assert sorted(names) == sorted(cluster.name for cluster in index.clusters())


def test_words_are_those_of_the_cluster(index, topics):
    cluster = index.clusters()[1]
    ax = plot_words(index, cluster.number, n_terms=4)
    assert [text.get_text() for text in ax.get_yticklabels()] == [term for term, _ in cluster.terms[:4]]
    assert [patch.get_width() for patch in ax.patches] == pytest.approx([weight for _, weight in cluster.terms[:4]])
    assert "20" in ax.get_title("left")
    ax = new_axes()
    assert plot_words(topics, 2, ax) is ax
    with pytest.raises(BadParameter, match=r"there is no cluster 9\. Clusters are 0, 1, 2"):
        plot_words(topics, 9)


def test_lines_are_the_counts_of_the_table(topics):
    years = [1990 + i % 5 for i in range(60)]
    ax = plot_over_time(topics, years, n_clusters=2)
    table = topics.over(years)
    assert len(ax.lines) == 2
    assert len(ax.texts) == 2
    expected = table[table["cluster"] == 0]["size"].tolist()
    assert ax.lines[0].get_ydata().tolist() == expected
    assert [text.get_text() for text in ax.get_xticklabels()] == ["1990", "1991", "1992", "1993", "1994"]
    share = plot_over_time(topics, years, new_axes(), share=True, theme="dark")
    assert max(share.lines[0].get_ydata()) <= 1.0
    one = plot_over_time(topics, [1990] * 60)
    assert one.lines[0].get_ydata().tolist() == [20]


def test_names_of_lines_do_not_cover_each_other(topics):
    ax = plot_over_time(topics, [1990 + i % 5 for i in range(60)])
    heights = sorted(text.xy[1] for text in ax.texts)
    assert min(b - a for a, b in itertools.pairwise(heights)) > 0.04 * ax.get_ylim()[1]
    assert heights[-1] <= ax.get_ylim()[1]


def test_cells_are_shares_of_classes(topics, index):
    classes = ["farm" if i < 20 else "town" for i in range(60)]
    ax = plot_heatmap(topics, classes)
    assert sorted(shares(ax)) == ["", "", "", "100%", "50%", "50%"]
    assert len(plot_heatmap(topics, classes, new_axes(), n_clusters=1, theme="dark").texts) == 2
    long = plot_heatmap(topics, ["a very long name of a class" if i < 20 else "another very long name" for i in range(60)])
    assert long.get_xticklabels()[0].get_rotation() == 40
    with pytest.raises(BadParameter, match="no document has a column"):
        plot_heatmap(index, "colour")


def test_an_index_is_counted_by_a_column_and_topics_by_values(index, topics, tmp_path):
    with pytest.raises(BadParameter, match="Give the name of a column"):
        plot_over_time(index, [1990])
    with pytest.raises(BadParameter, match="topics keep no columns"):
        plot_heatmap(topics, "label")
    with pytest.raises(BadData, match="one value per document"):
        plot_over_time(topics, [1990])
    with vicinal.open(tmp_path / "dated.vic", create=True) as dated:
        dated.add(vicinal.Document(f"{i}", each.text, metadata={"year": 1990 + i % 3}) for i, each in enumerate(documents()))
        dated.fit(n_clusters=3)
        assert len(plot_over_time(dated, "year").lines) == 3


def test_names_with_dollar_signs_are_no_formulas(hostile):
    with vicinal.open(hostile) as index:
        index.name_cluster(index.clusters()[0].number, FORMULA)
        for ax in (plot_tree(index), plot_words(index, index.clusters()[0].number)):
            ax.figure.canvas.draw()
        assert plot_words(index, index.clusters()[0].number).get_title("left").startswith(FORMULA)


def test_what_is_neither_index_nor_topics_is_refused(tmp_path):
    with pytest.raises(BadParameter, match="got int"):
        plot_tree(3)
    with vicinal.open(tmp_path / "new.vic", create=True) as index, pytest.raises(TooFewDocuments, match="not fitted"):
        plot_words(index, 0)
    with pytest.raises(BadParameter, match="theme"):
        plot_words(Topics(n_clusters=2).fit(["a rose", "rose red", "stock price", "price stock"]), 0, theme="pink")


def test_matplotlib_that_is_missing_is_named(topics, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"vicinal\[plot\]"):
        plot_tree(topics)
