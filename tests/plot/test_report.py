"""The report: all its sections with the right numbers, nothing that runs or is fetched, and every text escaped."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest

import vicinal
from tests.plot.chromium import browse, needs_browser
from tests.plot.conftest import documents
from tests.plot.hostile import PAYLOADS
from vicinal.errors import BadData, BadParameter, TooFewDocuments
from vicinal.index._tables.columns import date_column
from vicinal.plot import write_report
from vicinal.plot._report import svg
from vicinal.plot._report.report_data import beginning_of, report_data
from vicinal.plot._report.svg import svg_bar, svg_columns, svg_spark, width_of

ELEMENTS = """html head meta title style body header main footer section article h1 h2 h3 h4 p div dl dd dt span a b ul li
table thead tbody tr th td svg g path rect circle line text"""
OURS = set(ELEMENTS.split())


class Page(HTMLParser):
    """The elements of a page and the words between them, as a browser reads them."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.words = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def written(path, to, **options):
    with vicinal.open(path) as index:
        write_report(index, to, **options)
    return to.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def dated(tmp_path_factory):
    """An index with dates, a column of two values, duplicates, a document without a date, and labels."""
    path = tmp_path_factory.mktemp("report") / "dated.vic"
    with vicinal.open(path, create=True) as index:
        for i, each in enumerate(documents()):
            said = {"published": f"{1990 + i % 4}-0{1 + i % 9}-01", "country": "de" if i % 3 else "fr", "odd": i}
            index.add([vicinal.Document(each.id, each.text, title=each.title, metadata=said)])
        first = next(iter(documents()))
        index.add([vicinal.Document("again", first.text, title=first.title, metadata={"country": "de"})])
        index.fit(n_clusters=3)
        index.label({"farm-0": "a", "sport-0": "b"})
        index.pin_cluster(index.clusters()[0].number)
    return path


def test_the_report_has_all_its_sections_and_numbers(dated, tmp_path):
    page = Page(written(dated, tmp_path / "r.html", title="What readers wrote"))
    headings = re.findall(r"<h2>(.*?)</h2>", (tmp_path / "r.html").read_text(encoding="utf-8"))
    assert headings == [
        "At a glance", "Map", "Tree of clusters", "Clusters", "Over time", "Clusters by country", "Duplicates",
        "Documents between clusters", "How it was made",
    ]  # fmt: skip
    assert "What readers wrote" in page.text
    assert "61 documents in 3 clusters" in page.text
    assert "1 documents repeat another one in" in page.text or "documents repeat another one" in page.text
    assert "1 documents have no date" in page.text
    assert "pinned" in page.text
    with vicinal.open(dated) as index:
        for cluster in index.clusters():
            assert cluster.name in page.text
            assert all(title in page.text for _, title in cluster.exemplars[:4])
            assert all(term in page.text for term, _ in cluster.terms[:8])


def test_every_document_is_a_point_and_every_cluster_a_row_of_the_tree(dated, tmp_path):
    page = Page(written(dated, tmp_path / "r.html"))
    dots = [each["d"] for tag, each in page.elements if tag == "path" and "dots" in each["class"]]
    assert sum(path.count("M") for path in dots) == 61
    assert sum(1 for tag, each in page.elements if tag == "circle") == 3
    assert sum(1 for tag, each in page.elements if each.get("class") == "branch") == 2


def test_nothing_runs_and_nothing_is_fetched(dated, tmp_path):
    html = written(dated, tmp_path / "r.html")
    page = Page(html)
    assert {tag for tag, _ in page.elements} <= OURS
    [policy] = [each["content"] for tag, each in page.elements if tag == "meta" and "http-equiv" in each]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert not any(name.startswith("on") or name == "src" or name == "style" for _, each in page.elements for name in each)
    assert all(each["href"].startswith("#cluster-") for _, each in page.elements if "href" in each)
    assert not re.search(r"https?://|@import|url\(", html)


def test_links_lead_to_clusters(dated, tmp_path):
    page = Page(written(dated, tmp_path / "r.html"))
    ids = {each["id"] for _, each in page.elements if "id" in each}
    assert {each["href"][1:] for _, each in page.elements if "href" in each} <= ids


def test_hostile_texts_stay_texts(hostile, tmp_path):
    html = written(hostile, tmp_path / "r.html", title=PAYLOADS[1])
    page = Page(html)
    assert {tag for tag, _ in page.elements} <= OURS
    assert sum(tag == "style" for tag, _ in page.elements) == 1
    assert "\u202e" not in html
    with vicinal.open(hostile) as index:
        names = [cluster.name for cluster in index.clusters()]
    assert all(" ".join(name.split()) in page.text for name in names if "\u202e" not in name)


def test_columns_can_be_named_and_what_is_wrong_is_said(dated, tmp_path):
    html = written(dated, tmp_path / "r.html", dates="published", columns=["label", "odd"])
    assert "Clusters by label" in html
    assert "Clusters by odd" in html
    assert "Clusters by country" not in html
    with vicinal.open(dated) as index:
        with pytest.raises(BadParameter, match="no document has a column 'colour'"):
            write_report(index, tmp_path / "x.html", columns=["colour"])
        with pytest.raises(BadData, match="dates must be dates"):
            write_report(index, tmp_path / "x.html", dates="country")
        with pytest.raises(BadParameter, match="the report would replace it"):
            write_report(index, dated)
    with vicinal.open(tmp_path / "new.vic", create=True) as index, pytest.raises(TooFewDocuments, match="not fitted"):
        write_report(index, tmp_path / "x.html")
    assert not list(tmp_path.glob("x.html*"))


def test_without_dates_columns_or_duplicates_the_report_says_so_or_leaves_them_out(fitted, tmp_path):
    html = written(fitted, tmp_path / "r.html")
    assert "Over time" not in html
    assert "Clusters by" not in html


def test_the_column_of_dates_is_found_by_name_and_values(tmp_path):
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        for i, each in enumerate(documents()):
            index.add([vicinal.Document(each.id, each.text, metadata={"date": "soon", "year": 1990 + i % 3, "day": "1990-01-01"})])
        index.fit(n_clusters=3)
        with index._reading() as state:
            assert date_column(state) == "year"  # "date" is called so and holds none; "day" is not called so


def test_progress_is_told_step_by_step(dated):
    told = []
    with vicinal.open(dated) as index:
        report_data(index, None, None, lambda step, done, total: told.append((step, done, total)))
    assert told == [("report", done, 5) for done in range(6)]


def test_of_very_many_documents_some_are_drawn_and_it_says_so(dated, tmp_path, monkeypatch):
    monkeypatch.setattr(svg, "MOST_POINTS", 10)
    monkeypatch.setattr("vicinal.plot._report.sections.MOST_POINTS", 10)
    html = written(dated, tmp_path / "r.html")
    dots = [each["d"] for tag, each in Page(html).elements if tag == "path" and "dots" in each["class"]]
    assert sum(path.count("M") for path in dots) == 10
    assert "10 of 61 documents are drawn" in html


def test_beginnings_leave_the_title_out_and_end_at_a_word():
    assert beginning_of(vicinal.Document("a", "Wheat: prices\n rose again", title="Wheat")) == "prices rose again"
    long = beginning_of(vicinal.Document("a", "word " * 200))
    assert long.endswith("word …")
    assert len(long) <= 182


def test_drawings_keep_their_proportions():
    assert 'width="50.0"' in svg_bar(0.5)
    assert 'width="100.0"' in svg_bar(7.0)
    spark = svg_spark(np.array([0, 1, 4]), 2, "x")
    assert [float(tall) for tall in re.findall(r'height="([\d.]+)" class="fill', spark)] == [6.0, 24.0]
    assert svg_columns(np.array([1, 3]), ["1990", "1991"]).count("<rect") == 2
    assert svg_columns(np.zeros(0, dtype=int), []).count("<rect") == 0
    assert width_of("日本", 10) > width_of("ab", 10)


@needs_browser
def test_a_browser_prints_it_and_runs_nothing(hostile, tmp_path):
    pypdfium2 = pytest.importorskip("pypdfium2")
    written(hostile, tmp_path / "r.html")
    browse(tmp_path / "r.html", "--no-pdf-header-footer", f"--print-to-pdf={tmp_path / 'r.pdf'}")
    pdf = pypdfium2.PdfDocument(tmp_path / "r.pdf")
    text = " ".join(page.get_textpage().get_text_range() for page in pdf)
    assert 3 <= len(pdf) <= 12
    assert "How it was made" in text
