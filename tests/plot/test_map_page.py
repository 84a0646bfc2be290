"""The page of a map: whole in itself, its data escaped, nothing fetched; and what a real browser makes of it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import vicinal
from tests.plot.chromium import needs_browser, shown_by_browser
from tests.plot.hostile import PAYLOADS
from vicinal.errors import BadParameter, TooFewDocuments
from vicinal.plot import write_map
from vicinal.plot._map_data import LEAST_TITLE
from vicinal.plot._map_page import as_data

PAGE = Path(vicinal.__file__).parent / "plot" / "_page"


def written(path, to, **options):
    with vicinal.open(path) as index:
        write_map(index, to, **options)
    return to.read_text(encoding="utf-8")


def data_of(page):
    [found] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found)


def test_the_page_holds_all_documents_and_names(fitted, tmp_path):
    data = data_of(written(fitted, tmp_path / "map.html", title="News"))
    assert data["title"] == "News"
    assert data["about"] == "60 documents in 3 clusters"
    assert len(data["x"]) == len(data["y"]) == len(data["titles"]) == len(data["terms"]) == 60
    assert max(data["x"] + data["y"]) <= data["scale"]
    assert min(data["x"] + data["y"]) >= 0
    assert sorted(set(data["cluster"])) == [0, 1, 2]
    assert [len(level) for level in data["levels"]][1] == 3
    assert all(re.fullmatch(r"#[0-9a-f]{6}", each[theme]) for each in data["clusters"] for theme in ("light", "dark"))
    assert data["tree"]["size"] == 60
    assert sorted(data["tree"]["clusters"]) == [0, 1, 2]
    assert "wheat" in data["vocabulary"]


def test_without_terms_the_page_is_smaller(fitted, tmp_path):
    with_terms, without = written(fitted, tmp_path / "a.html"), written(fitted, tmp_path / "b.html", terms=False)
    assert data_of(without)["vocabulary"] == []
    assert len(without) < len(with_terms)


def test_nothing_is_fetched_and_only_its_own_script_runs(fitted, tmp_path):
    page = written(fitted, tmp_path / "map.html")
    assert "default-src 'none'" in page
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}'", page)
    assert not re.search(r"(?:src|href)\s*=\s*[\"']|https?://|@import|url\(", page)


def test_the_script_writes_text_and_never_markup():
    script = "".join(file.read_text(encoding="utf-8") for file in PAGE.glob("*.js"))
    assert "textContent" in script
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function"
    assert not re.search(rf"{markup}|fetch\(|XMLHttpRequest|import\(", script)


def test_hostile_texts_stay_data(hostile, tmp_path):
    page = written(hostile, tmp_path / "map.html")
    data = data_of(page)  # which would be cut short by any end of script
    titles = set(data["titles"])
    assert all(" ".join(payload.split()) in titles for payload in PAYLOADS if len(payload) < 200)
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert not re.search(r"<(?:img|svg|iframe|a|base) ", page)
    assert "\u2028" not in page


def test_what_could_end_the_data_is_escaped():
    text = as_data({"a": "</script><!--&\u2028\u2029"})
    assert not re.search("[<>&\u2028\u2029]", text)
    assert json.loads(text) == {"a": "</script><!--&\u2028\u2029"}


def test_an_index_is_not_replaced_and_one_without_a_fit_refused(fitted, tmp_path):
    with vicinal.open(fitted) as index, pytest.raises(BadParameter, match="is an index"):
        write_map(index, fitted)
    with vicinal.open(tmp_path / "new.vic", create=True) as index, pytest.raises(TooFewDocuments, match="not fitted"):
        write_map(index, tmp_path / "map.html")
    assert not list(tmp_path.glob("*.html*"))


def test_one_document_without_known_terms_is_counted_and_not_drawn(fitted, tmp_path):
    copy = tmp_path / "copy.vic"
    shutil.copy(fitted, copy)
    with vicinal.open(copy) as index:
        index.add([vicinal.Document("odd", "zyzzyva quokka")])
    assert data_of(written(copy, tmp_path / "map.html"))["about"] == "60 documents in 3 clusters, 1 without a point"


@needs_browser
def test_a_browser_draws_all_points_and_names(fitted, tmp_path):
    written(fitted, tmp_path / "map.html")
    shown = shown_by_browser(tmp_path / "map.html")
    assert 'data-drawn="60"' in shown
    assert 'data-names="3"' in shown
    assert shown.count('class="row"') == 3
    found = shown_by_browser(tmp_path / "map.html", "#dark&q=wheat&zoom=2")
    assert 'data-theme="dark"' in found
    assert int(re.search(r'data-found="(\d+)"', found)[1]) >= 5


def test_titles_are_shorter_where_there_are_very_many(monkeypatch, fitted, tmp_path):
    monkeypatch.setattr("vicinal.plot._map_data.ALL_TITLES", 60 * 9)
    titles = data_of(written(fitted, tmp_path / "map.html"))["titles"]
    assert max(map(len, titles)) == LEAST_TITLE or max(map(len, titles)) < LEAST_TITLE
    monkeypatch.setattr("vicinal.plot._map_data.LEAST_TITLE", 9)
    titles = data_of(written(fitted, tmp_path / "map.html"))["titles"]
    assert max(map(len, titles)) == 9
    assert all(title.endswith("…") for title in titles)


@needs_browser
def test_hostile_texts_run_nothing_in_a_browser(hostile, tmp_path):
    page = written(hostile, tmp_path / "map.html")
    probe = "<script>window.__pwned = 1</script>"
    for address in ("", "#q=script", "#tab=tree"):
        shown = shown_by_browser(tmp_path / "map.html", address)
        body = shown.partition("<body")[2]
        assert f'data-drawn="{len(data_of(page)["x"])}"' in shown  # the script of the page itself ran
        assert not re.search(r"<(?:img|svg|iframe|base)\b", body)
        assert len(re.findall(r"<script\b", body)) == 2
        assert probe not in body
