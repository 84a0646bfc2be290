"""What a person changes: selections, names, clusters, labels, files; and that others see it, also after the server died."""

from __future__ import annotations

import os
import re
import shutil
import signal

import pytest

from tests.browser.conftest import serving
from tests.browser.corpus import EACH, THEMES, theme_of
from tests.browser.window import Window


@pytest.fixture(scope="module")
def session(changing_session):
    """What these tests change, no other test looks at."""
    return changing_session


def lasso(page, share=0.9):
    """Draw a line around a part of the map, in the middle."""
    page.get_by_role("button", name="Lasso").click()
    box = page.locator("[data-testid=stage]").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    reach = share * min(box["width"], box["height"]) / 2
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    spots = [(middle[0] + reach * x, middle[1] + reach * y) for x, y in corners]
    page.mouse.move(*spots[0])
    page.mouse.down()
    for spot in [*spots[1:], spots[0]]:
        page.mouse.move(*spot, steps=4)
    page.mouse.up()


def selected(page):
    """How many documents the panel says are selected."""
    return int(re.sub(r"\D", "", page.locator("[data-testid=selected] .big").inner_text()))


def numbers_of_themes(window):
    """The number of the cluster of each theme."""
    first = {theme: window.api("GET", f"/documents?id={theme}/00")["documents"][0]["cluster"] for theme in THEMES}
    assert len(set(first.values())) == len(THEMES)
    return first


def test_lasso_selects_what_it_surrounds_and_says_what_sets_it_apart(window):
    page = window.go()
    everything = EACH * len(THEMES)
    lasso(page, 0.5)
    page.locator("[data-testid=selected]").wait_for()
    some = selected(page)
    assert 0 < some < everything
    assert page.get_by_role("list", name="Words that set them apart").locator(".word").count() > 3
    assert "lasso=" in page.url
    page.reload()
    page.locator("[data-testid=selected]").wait_for()
    assert selected(page) == some


def test_selection_by_query_becomes_a_label_and_a_file(window):
    page = window.go("#search?q=%2Bgambit")
    page.get_by_role("button", name="Select matching").click()
    page.locator("[data-testid=selected]").wait_for()
    some = selected(page)
    assert 0 < some <= EACH
    page.get_by_label("Name for these documents").fill("games")
    page.get_by_role("button", name="As label").click()
    page.get_by_text(f"{some} documents labelled “games”.").wait_for()
    assert ["games", some] in window.api("GET", "/labels")["labels"]
    with page.expect_download() as download:
        page.get_by_role("button", name="ids").click()
    ids = download.value.path().read_text().split()
    assert len(ids) == some
    assert {theme_of(id) for id in ids} == {"chess"}
    window.api("PUT", "/labels", {"selection": {"label": "games"}, "label": None, "learn": False})


def test_more_like_these_finds_others_of_the_same_kind(window):
    page = window.go("#selection?id=stars/00&id=stars/01")
    page.get_by_role("button", name="Find more like these").click()
    found = page.locator("section", has_text="More like these").locator(".hit")
    found.first.wait_for()
    assert {title.split()[0].lower() for title in found.locator(".title").all_inner_texts()} <= set(THEMES["stars"])


def test_name_is_given_to_a_cluster_and_seen_in_another_window(window, other_window):
    page, there = window.go(), other_window.go()
    number = numbers_of_themes(window)["music"]
    window.view(f"#clusters?cluster={number}")
    page.get_by_label("Name of the cluster").fill("Music and song")
    page.get_by_role("button", name="Name", exact=True).click()
    page.get_by_role("treeitem", name="Music and song").wait_for()
    there.locator(".legend").get_by_role("button", name="Music and song").wait_for()
    assert window.api("GET", "/info")["names"][str(number)] == "Music and song"


def test_clusters_are_merged_and_the_merge_is_undone(window):
    page = window.go()
    numbers = numbers_of_themes(window)
    window.view(f"#clusters?cluster={numbers['ships']}")
    page.get_by_label("Cluster to merge with").select_option(str(numbers["grain"]))
    page.get_by_role("button", name="Merge", exact=True).click()
    page.get_by_text("5 clusters").first.wait_for()
    page.get_by_role("button", name="Undo").first.click()
    page.get_by_text("6 clusters").first.wait_for()
    assert len(window.api("GET", "/clusters")["clusters"]) == 6


def test_cluster_is_pinned_and_unpinned(window):
    page = window.go()
    window.view(f"#clusters?cluster={numbers_of_themes(window)['stars']}")
    page.get_by_role("button", name="Pin", exact=True).click()
    page.get_by_role("button", name="Unpin").click()
    page.get_by_role("button", name="Pin", exact=True).wait_for()
    assert window.api("GET", "/constraints")["constraints"] == []


def test_labels_by_key_press_reach_an_accuracy_and_sort_the_rest(window):
    page = window.go("#teach")
    labels = sorted(THEMES)
    for turn in range(24):
        question = page.locator("[data-testid=question]")
        question.wait_for()
        id = question.get_attribute("data-id")
        theme = theme_of(id)
        known = page.get_by_role("group", name="Labels").get_by_role("button", name=theme)
        if known.count():
            key = page.get_by_role("group", name="Labels").locator("button").all_inner_texts().index(known.inner_text()) + 1
            page.locator("h2", has_text="Teach").click()
            page.keyboard.press(str(key))
        else:
            page.get_by_label("New label").fill(theme)
            page.keyboard.press("Enter")
        page.wait_for_function("id => document.querySelector('[data-testid=question]')?.dataset.id !== id", arg=id)
        if turn >= 14 and page.locator("[data-testid=accuracy]").inner_text() not in ("–", ""):
            break
    page.wait_for_function("() => parseInt(document.querySelector('[data-testid=accuracy]').textContent) >= 80")
    page.get_by_role("button", name="Sort the rest").click()
    page.get_by_role("button", name="Label those").click()
    page.get_by_text(re.compile(r"\d+ documents labelled")).wait_for()
    counts = dict(window.api("GET", "/labels")["labels"])
    assert set(counts) <= set(labels)
    assert sum(counts.values()) > EACH
    for label in counts:
        window.api("PUT", "/labels", {"selection": {"label": label}, "label": None, "learn": False})


def test_dropped_file_is_added_and_found(window):
    page = window.go("#add")
    before = window.api("GET", "/info")["documents"]
    window.drop("zeppelin.txt", "The zeppelin crossed the galaxy by telescope and comet.")
    page.locator("[data-testid=result]", has_text="1 document added").wait_for()
    page.wait_for_function("text => document.querySelector('.about').textContent.startsWith(text)", arg=str(before + 1))
    window.view("#search?q=zeppelin")
    page.locator(".hit", has_text="zeppelin").wait_for()


def test_fit_shows_progress_and_what_changed(window):
    page = window.go()
    page.get_by_role("button", name="Fit again").click()
    page.locator("[data-job=running], [data-job=done]").first.wait_for()  # so few documents may be done before the page looks
    page.locator("[data-job=done]").wait_for(timeout=120_000)
    page.locator("[data-testid=changed]").wait_for()
    assert window.api("GET", "/info")["generation"] == 2


def test_page_goes_on_after_the_server_was_killed_and_offers_no_change_if_read_only(chromium, built_page, example, tmp_path):
    path = tmp_path / "news.vic"
    shutil.copy(example, path)
    with serving(path) as (process, link):
        context = chromium.new_context()
        context.new_page().goto(link)
        origin, state = link.split("/login")[0], context.storage_state()
        context.close()
        window = Window(chromium, origin, state)
        page = window.go("#search?q=violin&doc=music/03")
        window.api("PATCH", f"/clusters/{numbers_of_themes(window)['music']}", {"name": "Kept name"})
        os.kill(process.pid, signal.SIGKILL)
        page.get_by_text("The server does not answer").first.wait_for()
    with serving(path, "--read-only", port=int(origin.rsplit(":", 1)[1])) as (_, link):
        address = page.url
        page.get_by_text("Open the link that the terminal printed").wait_for()
        page.goto(link)
        page.goto(address)
        page.locator("aside h2").wait_for()
        assert page.get_by_label("Search the documents").input_value() == "violin"
        assert "Kept name" in [each["name"] for each in window.api("GET", "/clusters")["clusters"]]
        window.go("#clusters?cluster=0")
        page.get_by_role("list", name="Typical documents").wait_for()
        assert page.get_by_label("Name of the cluster").count() == 0
        assert page.get_by_label("Cluster to merge with").count() == 0
        assert page.get_by_role("button", name=re.compile("Fit")).count() == 0
        window.close()
