"""The tour of docs/app.md, step by step, in one window: the page and the test have the same steps, in the same order."""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import ROOT
from tests.browser.corpus import theme_of
from tests.browser.test_changing import lasso


@pytest.fixture(scope="module")
def session(changing_session):
    """What these tests change, no other test looks at."""
    return changing_session


def look_at_the_map(window):
    page = window.go()
    assert int(window.drawn()["names"]) >= 3
    page.locator("[data-testid=stage]").focus()
    page.keyboard.press("+")
    page.wait_for_function("() => location.hash.includes('at=')")
    page.get_by_label("Colour by").select_option("section")
    page.locator(".legend").get_by_role("button", name="arts").click()
    page.get_by_role("button", name="Show all again").click()


def search(window):
    page = window.page
    page.locator("[data-testid=stage]").focus()
    page.keyboard.press("/")
    page.keyboard.type("violin concert")
    page.keyboard.press("Enter")
    page.locator("[data-testid=found]").wait_for()
    page.get_by_role("button", name="Why?").first.click()
    page.get_by_text("in all").wait_for()


def read_a_document(window):
    page = window.page
    page.locator(".hit .title").first.click()
    page.wait_for_selector("[data-testid=text] [data-sign]")
    page.get_by_role("heading", name="Near it").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("aside").count() == 0


def open_a_cluster(window):
    page = window.page
    page.get_by_role("link", name="Clusters").click()
    page.get_by_role("treeitem").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_label("Name of the cluster").wait_for()


def give_it_a_name(window):
    window.page.get_by_label("Name of the cluster").fill("A name of the tour")
    window.page.keyboard.press("Enter")
    window.page.get_by_role("treeitem", name="A name of the tour").wait_for()


def draw_around_documents(window):
    lasso(window.page)
    window.page.locator("[data-testid=selected]").wait_for()
    window.page.get_by_role("list", name="Words that set them apart").wait_for()


def teach(window):
    page = window.page
    page.get_by_role("link", name="Teach").click()
    for turn in range(2):
        question = page.locator("[data-testid=question]")
        question.wait_for()
        page.get_by_label("New label").fill(theme_of(question.get_attribute("data-id")))
        page.keyboard.press("Enter")
        page.get_by_text(f"{turn + 1} labelled now").wait_for()


def add_a_file(window):
    page = window.page
    page.get_by_role("link", name="Add", exact=True).click()
    added = page.locator("[data-testid=result]", has_text="1 document added")
    before = added.count()  # others may have added some
    page.locator("input[type=file]").set_input_files(
        {"name": "balloon.txt", "mimeType": "text/plain", "buffer": b"A balloon over the harbour and the vessel."}
    )
    added.nth(before).wait_for()


def send_the_address(window):
    window.view("#search?q=balloon&color=section")
    window.page.locator(".hit", has_text="balloon").wait_for()
    window.page.reload()
    window.page.locator(".hit", has_text="balloon").wait_for()
    assert window.page.get_by_label("Colour by").input_value() == "section"


STEPS = (
    look_at_the_map,
    search,
    read_a_document,
    open_a_cluster,
    give_it_a_name,
    draw_around_documents,
    teach,
    add_a_file,
    send_the_address,
)


def test_tour_of_the_documentation_can_be_walked(window):
    page = (ROOT / "docs" / "app.md").read_text(encoding="utf-8")
    told = re.findall(r"^\d+\. \*\*(.+?)\.\*\*", page, re.MULTILINE)
    assert told == [step.__name__.replace("_", " ").capitalize() for step in STEPS]
    for step in STEPS:
        step(window)
