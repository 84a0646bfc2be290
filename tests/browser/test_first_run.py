"""What is seen before there is anything to see: an index without documents, without a fit, and one that is only read."""

from __future__ import annotations

import pytest

import vicinal
from tests.browser.conftest import let_in
from tests.browser.window import SMALL, Window


@pytest.fixture
def opened(chromium, built_page, tmp_path):
    """Open the app of an index with some documents."""
    opened = []

    def open(texts, *options):
        with vicinal.open(tmp_path / "new.vic", create=True) as index:
            index.add([vicinal.Document(f"d{i}", text) for i, text in enumerate(texts)])
        manager = let_in(chromium, tmp_path / "new.vic", *options)
        opened.append((manager, Window(chromium, *manager.__enter__(), viewport=SMALL)))
        return opened[-1][1]

    yield open
    for manager, window in opened:
        window.close()
        manager.__exit__(None, None, None)


def test_an_index_without_documents_says_how_to_add_some(opened):
    page = opened([]).go("#clusters", drawn=False)
    page.get_by_text("There are no documents yet: drop files here").wait_for()
    assert page.get_by_role("button", name="Fit", exact=True).count() == 0
    page.get_by_role("button", name="Add some").click()
    page.get_by_text("Drop files here, or", exact=True).wait_for()
    assert page.get_by_text("since the last fit").count() == 0


def test_an_index_without_a_fit_says_so_and_shows_no_error(opened, tmp_path):
    window = opened(["wheat exports fell", "corn exports rose"])
    refused = []
    window.page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page = window.go("#teach", drawn=False)
    page.get_by_text("The index is not fitted yet, so that").wait_for()
    assert page.locator(".toast").count() == 0
    window.view("#add")
    page.get_by_text("there is no map and there are no clusters").wait_for()
    assert page.get_by_text("since the last fit").count() == 0
    page.get_by_role("button", name="Fit it under Clusters").click()
    page.get_by_role("button", name="Fit", exact=True).wait_for()
    assert refused == []


def test_the_panel_that_is_open_is_seen_in_the_rail_of_a_small_window(opened):
    page = opened([]).go("#add", drawn=False)
    page.wait_for_function(
        "() => { const box = document.querySelector('.rail [aria-current]').getBoundingClientRect();"
        " return box.left >= 0 && box.right <= window.innerWidth; }"
    )


def test_teaching_says_why_nothing_is_asked_where_nothing_can_be_written(opened):
    page = opened(["wheat exports fell", "corn exports rose"], "--read-only").go("#teach", drawn=False)
    page.get_by_text("This index is read-only here: its labels are shown").wait_for()
