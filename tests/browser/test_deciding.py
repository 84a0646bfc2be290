"""What a person decides about clusters, selections, duplicates and work that goes on: by the buttons of the page alone."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.browser.corpus import THEMES
from tests.browser.test_changing import numbers_of_themes, selected

MANY = "The lighthouse keeper trimmed the lamp, wound the clockwork and wrote the weather into the log before dawn."


@pytest.fixture(scope="module")
def session(changing_session):
    """What these tests change, no other test looks at."""
    return changing_session


def undo_all(window):
    """Take back what was decided, the last first."""
    for each in reversed(window.api("GET", "/constraints")["constraints"]):
        window.api("DELETE", f"/constraints/{each['number']}")


def cluster_of(window, id):
    return window.api("GET", f"/documents?id={id}")["documents"][0]["cluster"]


def test_cluster_is_split_and_the_split_is_undone(window):
    page = window.go()
    window.view(f"#clusters?cluster={numbers_of_themes(window)['stars']}")
    page.get_by_role("button", name="Split", exact=True).click()
    page.get_by_text("7 clusters").first.wait_for()
    page.get_by_role("button", name="Undo").first.click()
    page.get_by_text("6 clusters").first.wait_for()


def test_selection_is_moved_to_another_cluster_and_becomes_one_of_its_own(window):
    page = window.go("#selection?id=grain/01&id=grain/02&id=grain/03")
    numbers = numbers_of_themes(window)
    page.get_by_label("Cluster to move them to").select_option(str(numbers["ships"]))
    page.get_by_role("button", name="Move", exact=True).click()
    page.get_by_text("3 documents moved.").wait_for()
    assert cluster_of(window, "grain/02") == numbers["ships"]
    undo_all(window)
    assert cluster_of(window, "grain/02") == numbers["grain"]
    page.get_by_label("Name for these documents").fill("Three of grain")
    page.get_by_role("button", name="As cluster").click()
    page.get_by_text("3 documents are cluster “Three of grain” now.").wait_for()
    page.locator(".legend").get_by_role("button", name="Three of grain").wait_for()
    assert cluster_of(window, "grain/02") not in numbers.values()
    undo_all(window)
    assert cluster_of(window, "grain/02") == numbers["grain"]


def rows_of(text, format):
    if format == "csv":
        return [row["id"] for row in csv.DictReader(io.StringIO(text))]
    return [json.loads(line)["id"] for line in text.splitlines()] if format == "JSON Lines" else text.split()


@pytest.mark.parametrize("format", ["CSV", "JSON Lines", "ids", "Parquet"])
def test_selection_is_taken_away_as_a_file(window, format):
    page = window.go("#selection?those=%2Bcomet")
    page.locator("[data-testid=selected]").wait_for()
    with page.expect_download() as download:
        page.get_by_role("group", name="Export").get_by_role("button", name=format, exact=True).click()
    path = download.value.path()
    if format == "Parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        ids = parquet.read_table(path)["id"].to_pylist()
    else:
        ids = rows_of(path.read_text(), format.replace("CSV", "csv"))
    assert len(ids) == selected(page) > 0
    assert set(ids) == {each["id"] for each in window.api("GET", "/search?query=%2Bcomet&limit=100")["hits"]}


def add(window, name, text):
    """Drop a file on the page and wait until it was added."""
    before = window.api("GET", "/info")["documents"]
    window.drop(name, text)
    window.page.wait_for_function("text => document.querySelector('.about').textContent.startsWith(text)", arg=str(before + 1))
    window.page.wait_for_function("() => document.querySelector('[data-job]') && !document.querySelector('[data-job=running]')")


def test_duplicates_are_looked_through_and_all_but_the_first_removed(window):
    page = window.go("#duplicates")
    page.get_by_label("similarity").fill("1")
    page.wait_for_function("() => location.hash === '#duplicates?similarity=1'")
    page.get_by_text("No two documents are as similar as that.").wait_for()
    add(window, "first.txt", MANY)
    add(window, "second.txt", MANY)
    window.view("#duplicates?similarity=1")
    page.get_by_text("1 group").wait_for()
    page.get_by_role("button", name="Remove all but the first…").click()
    page.get_by_role("button", name="Keep", exact=True).click()
    page.get_by_role("button", name="Remove all but the first…").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_text("1 document removed.").wait_for()
    page.get_by_text("No two documents are as similar as that.").wait_for()
    found = window.api("GET", "/search?query=%2Blighthouse")["hits"]
    assert [each["id"] for each in found] == ["first.txt"]


def test_fit_is_cancelled_and_nothing_changes(window):
    page = window.go()
    before = window.api("GET", "/info")["generation"]
    page.get_by_role("button", name="Fit again").click()
    page.get_by_role("button", name="Cancel").click()
    page.locator("[data-job=cancelled]").wait_for()
    page.get_by_text("Cancelled; nothing was changed.").wait_for()
    assert window.api("GET", "/info")["generation"] == before
    assert len(numbers_of_themes(window)) == len(THEMES)
