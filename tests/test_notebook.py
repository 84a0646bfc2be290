"""What notebooks show: numbers that are right, and never a text that became markup."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest
import sklearn

import vicinal
from vicinal import Choice, Topics
from vicinal.index import Cluster, Passage
from vicinal.index._search.hits import Hit, Hits
from vicinal.projection import Explanation

BAD = "<img src=x onerror=alert(1)>"
TEXTS = ["red rose garden", "white rose garden", "garden rose red", "stock market price", "market price falls", "stock price"]


class Elements(HTMLParser):
    """The elements of markup, with their attributes, as a browser reads them."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, {name for name, _ in attrs}))


def is_harmless(html):
    """Whether markup has only elements and attributes of ours."""
    ours = {"div", "table", "thead", "tbody", "tr", "th", "td", "span", "b", "ul", "li", "mark"}
    return all(tag in ours and names <= {"style", "title"} for tag, names in Elements(html).found)


def test_an_explanation_is_bars_that_say_what_is_left_out():
    terms = tuple(f"{BAD}{i}" for i in range(20))
    html = Explanation(terms, np.arange(20.0) - 5, 90.0)._repr_html_()
    assert is_harmless(html)
    assert "the sum of 20 terms; 8 more terms add" in html
    assert "+14.000" in html
    assert "more terms" not in Explanation(("a",), np.array([0.0]), 0.0)._repr_html_()
    assert is_harmless(Explanation((), np.zeros(0), 0.0)._repr_html_())


def test_a_choice_marks_what_was_chosen_and_what_is_as_good():
    html = Choice.of(BAD, [2, 3, 4], [0.5, 0.9, 0.88], score=BAD, higher_is_better=True, margin=0.05)._repr_html_()
    assert is_harmless(html)
    assert html.count("chosen<") == 1
    assert html.count("as good<") == 1
    assert "lower is better" in Choice.of("a", [1], [1.0], score="loss")._repr_html_()


def test_a_cluster_and_hits_are_escaped():
    cluster = Cluster(3, "3", BAD, 12, 0.2, 0.05, ((BAD, 0.4),), ((BAD, BAD), (BAD, "")), stability=0.5)
    assert is_harmless(cluster._repr_html_())
    assert "stability 0.50" in cluster._repr_html_()
    assert "stability" not in Cluster(3, "3", "a", 12, 0.2, 0.05, (), ())._repr_html_()
    why = Explanation((BAD,), np.array([0.4]), 0.4)
    passage = Passage(f"{BAD} wheat", 10, ((10 + len(BAD) + 1, 10 + len(BAD) + 6),), True, True)
    hit = Hit(BAD, BAD, BAD, 0.4, why, f"{BAD} [wheat]", 2, passage=passage)
    assert is_harmless(hit._repr_html_())
    assert "<mark>wheat</mark>…" in hit._repr_html_()
    plain = Hit("a", "", "", 0.4, why, BAD, -1)
    html = Hits([hit, plain], 7, notes=(BAD,), suggestions={BAD: ""})._repr_html_()
    assert is_harmless(html)
    assert "2 of 7" in html


def test_an_index_shows_its_clusters_and_before_a_fit_what_to_do(tmp_path):
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        index.add(vicinal.Document(f"d{i}", text, title=BAD) for i, text in enumerate(TEXTS))
        assert "not fitted yet" in index._repr_html_()
        index.fit(n_clusters=2)
        index.name_cluster(0, BAD)
        html = index._repr_html_()
        assert is_harmless(html)
        assert "6 documents" in html
        assert html.count("<tr>") == 3
        index.add([vicinal.Document("new", "red rose")])
        with index.snapshot() as snapshot:
            assert "1 of them came since the fit" in snapshot._repr_html_()


def test_topics_show_clusters_after_the_fit_and_the_estimator_before():
    new = Topics(n_clusters=2)
    assert "Topics" in new._repr_mimebundle_()["text/html"]
    assert "documents in" not in new._repr_html_()
    fitted = Topics(n_clusters=2).fit([f"{text} <script>alert(1)</script>" for text in TEXTS])
    html = fitted._repr_mimebundle_()["text/html"]
    assert html == fitted._repr_html_()
    assert "6 documents in 2 clusters" in html
    assert is_harmless(html)
    with sklearn.config_context(display="text"):
        assert "text/html" not in fitted._repr_mimebundle_()


@pytest.mark.parametrize("n", [31])
def test_many_clusters_are_cut_short_and_counted(n):
    from vicinal.index._tables.shown_in_notebooks import clusters_table

    clusters = [Cluster(i, str(i), "a", 1, 0.1, 0.1, (), (), named=True) for i in range(n)]
    assert clusters_table(clusters).count("<tr>") == 31  # with the heading
