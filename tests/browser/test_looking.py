"""What a person looks at: map, search, reader, tree, columns; each view by its address, light and dark, large and small."""

from __future__ import annotations

import pytest

from tests.browser.corpus import EACH, THEMES, theme_of
from tests.browser.window import SMALL, Window


def search(page, text):
    page.get_by_label("Search the documents").fill(text)
    page.keyboard.press("Enter")


def hits(page):
    page.locator("[data-testid=found]").wait_for()
    return page.locator(".hits .hit")


def test_map_draws_every_document_and_names_that_fit(window):
    window.go()
    drawn = window.drawn()
    assert drawn["drawn"] == str(EACH * len(THEMES))
    assert drawn["renderer"] == "webgl"
    assert 3 <= int(drawn["names"]) <= 20
    assert window.colored("names") > 500
    assert window.colored("shade") > 2000
    assert window.ink() > 2000


def test_search_lists_documents_and_says_why_in_words_that_add_up(window):
    page = window.go()
    search(page, "wheat harvest")
    found = hits(page)
    assert found.count() == 20
    assert found.first.locator("mark").count() >= 2
    found.first.get_by_role("button", name="Why?").click()
    values = [float(text.replace("−", "-")) for text in found.first.locator("dl .value").all_inner_texts()]
    assert sum(values[:-1]) == pytest.approx(values[-1], abs=0.01 * len(values))
    assert "wheat" in found.first.locator("dt").all_inner_texts()


def test_hits_glow_and_the_others_fade(window):
    page = window.go()
    everything = window.ink()
    window.view("#search?q=%2Bviolin")
    hits(page)
    page.wait_for_selector("[data-testid=stage]:not([data-lit='0'])")
    total = int(page.locator("[data-testid=found]").inner_text().split()[0])
    assert 0 < int(window.drawn()["lit"]) <= total <= EACH
    assert window.ink() < everything / 1.5


def test_reader_colours_words_by_what_they_add(window):
    page = window.go("#search?q=violin+concert&doc=music/03")
    page.get_by_role("complementary", name="Document").get_by_role("heading", level=2).wait_for()
    page.wait_for_selector("[data-testid=text] [data-sign=plus]")
    words = {text.lower() for text in page.locator("[data-testid=text] [data-sign=plus]").all_inner_texts()}
    assert words & {"violin", "concert"}
    page.get_by_role("button", name="its cluster").click()
    page.get_by_text("Why it is in").wait_for()
    assert (
        len({text.lower() for text in page.locator("[data-testid=text] [data-sign]").all_inner_texts()} & set(THEMES["music"])) > 3
    )
    page.keyboard.press("Escape")
    assert page.get_by_role("complementary", name="Document").count() == 0


def test_wrong_query_is_explained_and_the_page_goes_on(window):
    page = window.go("#search?q=violin&where=nothing%3E3")
    page.get_by_role("alert").first.wait_for()
    window.view("#search?q=violin")
    assert hits(page).count() > 0


def test_click_on_a_point_opens_its_document(window):
    page = window.go("#search?q=&at=0,0,1")
    box = page.locator("[data-testid=stage]").bounding_box()
    spot = page.evaluate(
        """async () => {
            const bytes = await (await fetch('api/v1/points')).arrayBuffer(), n = bytes.byteLength / 12;
            const x = new Float32Array(bytes, 0, n), y = new Float32Array(bytes, 4 * n, n);
            return [x[0], y[0], Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)];
        }"""
    )
    x, y, *_ = spot
    window.view(f"#search?at={x},{y},30")
    window.frames()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.get_by_role("complementary", name="Document").get_by_text("grain/00").wait_for()


def test_tree_is_opened_and_walked_by_keys_alone(window):
    page = window.go()
    tree = page.get_by_role("tree")
    tree.get_by_role("treeitem").first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert tree.locator("[aria-selected=true]").count() == 1
    assert "cluster=" in page.url
    page.get_by_role("button", name="Zoom to these").wait_for()


def test_every_panel_is_reached_and_used_by_keys_alone(window):
    page = window.go()
    page.keyboard.press("/")
    page.keyboard.type("galaxy telescope")
    page.keyboard.press("Enter")
    hits(page)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "title":
            break
    page.keyboard.press("Enter")
    page.get_by_role("complementary", name="Document").get_by_text("stars/", exact=False).first.wait_for()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.className") == "title"
    reached = set()
    page.locator(".rail a").first.focus()
    for _ in range(9):
        page.keyboard.press("Enter")
        reached.add(page.get_by_role("main").get_attribute("aria-label"))
        page.keyboard.press("Tab")
    assert len(reached) == 9


def test_address_opens_the_same_view_in_a_second_window(window, other_window):
    page = window.go()
    search(page, "comet")
    hits(page).nth(2).locator(".title").click()
    page.get_by_role("complementary", name="Document").get_by_role("heading", level=2).wait_for()
    page.get_by_label("Colour by").select_option("section")
    page.locator(".legend").get_by_role("button", name="science").click()
    page.locator("[data-testid=stage]").focus()
    page.keyboard.press("+")
    page.wait_for_function("() => location.hash.includes('at=')")
    there = other_window.go(page.url.split("/", 3)[3], fresh=True)
    hits(there)
    assert there.get_by_label("Search the documents").input_value() == "comet"
    title = "aside h2"
    there.locator(title).wait_for()
    assert there.locator(title).inner_text() == page.locator(title).inner_text()
    assert there.get_by_label("Colour by").input_value() == "section"
    there.locator(".legend [aria-pressed=false]").first.wait_for()
    assert there.locator(".legend [aria-pressed=false]").count() == 1
    assert "at=" in there.url


def test_back_returns_to_the_view_before(window):
    page = window.go()
    search(page, "pawn")
    hits(page)
    search(page, "violin")
    page.wait_for_function("() => location.hash.includes('violin')")
    page.go_back()
    page.wait_for_function("() => document.querySelector('input[type=search]').value === 'pawn'")


def test_colours_follow_the_system_and_the_button(chromium, session):
    window = Window(chromium, *session, color_scheme="dark")
    page = window.go()
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Change to light colours").click()
    assert page.evaluate(ground) != dark
    page.reload()
    page.locator("[data-testid=about]").wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    window.close()


@pytest.mark.parametrize(
    "size", [SMALL, {"width": 320, "height": 640}, {"width": 3840, "height": 2160}], ids=lambda size: str(size["width"])
)
def test_page_fits_windows_of_every_size(chromium, session, size):
    window = Window(chromium, *session, viewport=size)
    page = window.go("#search?q=violin")
    hits(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.locator("[data-testid=stage]").bounding_box()["height"] > 150
    assert int(window.drawn()["names"]) >= 1
    window.close()


@pytest.mark.parametrize("size", [SMALL, {"width": 1440, "height": 900}], ids=lambda size: str(size["width"]))
def test_no_document_of_the_whole_map_lies_beneath_buttons_or_legend(chromium, session, size):
    window = Window(chromium, *session, viewport=size)
    page = window.go("#clusters")
    page.locator(".legend").wait_for()
    window.frames(5)
    over = [page.locator(name).bounding_box() for name in (".tools", ".legend")]
    page.evaluate(
        """() => document.querySelectorAll('.tools, .legend, canvas.names, canvas.shade').forEach((each) => {
            each.style.visibility = 'hidden';
        })"""
    )
    assert window.ink() > 500
    assert [window.ink(box) for box in over] == [0, 0]
    window.close()


def test_map_is_drawn_without_webgl(chromium, session):
    window = Window(chromium, *session)
    window.page.add_init_script(
        """const canvas = HTMLCanvasElement.prototype, get = canvas.getContext;
        canvas.getContext = function (kind, ...rest) { return kind.startsWith('webgl') ? null : get.call(this, kind, ...rest); };"""
    )
    window.go()
    assert window.drawn()["renderer"] == "canvas"
    assert window.ink() > 500
    window.close()


@pytest.mark.parametrize("given_back", [True, False], ids=["given back", "gone for good"])
def test_map_survives_the_loss_of_webgl(chromium, session, given_back):
    window = Window(chromium, *session)
    page = window.go()
    page.evaluate(
        """() => {
            window.__gl = document.querySelector('canvas.points').getContext('webgl2').getExtension('WEBGL_lose_context');
            window.__gl.loseContext();
        }"""
    )
    if given_back:
        page.evaluate("async () => { await new Promise((done) => setTimeout(done)); window.__gl.restoreContext(); }")
        page.wait_for_function("() => !document.querySelector('canvas.points').getContext('webgl2').isContextLost()")
        window.frames()
        assert window.ink() > 500
    else:
        page.wait_for_selector("[data-renderer=canvas]")
        assert window.ink() > 500
    assert window.drawn()["renderer"] == ("webgl" if given_back else "canvas")
    window.errors.clear()  # the browser itself says that the context was lost
    window.close()


@pytest.mark.parametrize(
    "size", [SMALL, {"width": 1000, "height": 700}, {"width": 1440, "height": 900}], ids=lambda size: str(size["width"])
)
def test_names_of_panels_fit_and_the_card_of_a_cluster_is_seen_when_it_is_chosen(chromium, session, size):
    window = Window(chromium, *session, viewport=size)
    page = window.go()
    for panel in ("duplicates", "clusters"):
        window.view(f"#{panel}")
        assert (
            page.evaluate("[...document.querySelectorAll('.rail a')].filter((each) => each.scrollWidth > each.clientWidth).length")
            == 0
        )
    page.get_by_role("treeitem").first.press("End")
    page.keyboard.press("Enter")
    name = page.get_by_label("Name of the cluster")
    name.wait_for()
    box, panel = name.bounding_box(), page.get_by_role("main").bounding_box()
    assert panel["y"] <= box["y"] <= panel["y"] + panel["height"] - box["height"]
    window.close()


def test_parts_of_a_score_that_are_no_words_are_explained(window):
    page = window.go("#search?q=wheat+harvest")
    found = hits(page).first
    found.get_by_role("button", name="Why?").click()
    assert "(neighbours)" in found.locator("dt").all_inner_texts()
    assert "documents near it" in found.inner_text()


def test_cell_of_the_table_selects_the_documents_of_a_cluster_with_a_value(window):
    page = window.go("#columns?column=section")
    page.get_by_role("table").wait_for()
    cell = page.locator("tbody td button").filter(has_text="documents").first
    size = cell.evaluate("each => Number(each.firstChild.textContent)")
    cell.click()
    page.wait_for_function("size => document.querySelector('[data-testid=stage]').dataset.lit === String(size)", arg=size)
    assert "section" in page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('those_where')")


def test_columns_colour_the_map_and_make_a_table(window):
    page = window.go("#columns?color=section&column=section")
    page.get_by_role("table").wait_for()
    rows = page.locator("tbody tr")
    assert rows.count() == 6
    page.locator(".legend").get_by_role("button", name="arts").wait_for()


def test_clusters_over_time_are_drawn(window):
    page = window.go("#time?column=date")
    page.get_by_role("list", name="Clusters over time").wait_for()
    assert page.get_by_role("list", name="Clusters over time").get_by_role("img").count() == 6


def test_two_clusters_are_contrasted_by_their_words(window):
    page = window.go()
    numbers = [each["number"] for each in window.api("GET", "/clusters")["clusters"]]
    window.view(f"#contrast?first=cluster:{numbers[0]}&second=cluster:{numbers[1]}")
    page.locator("[data-testid=contrast]").wait_for()
    one, other = (
        set(page.get_by_role("list", name=name).locator(".word").all_inner_texts())
        for name in ("Words of the one", "Words of the other")
    )
    themes = [next(theme for theme, words in THEMES.items() if len(found & set(words)) > 5) for found in (one, other)]
    assert themes[0] != themes[1]


def test_documents_near_are_about_the_same(window):
    page = window.go("#search?doc=chess/05")
    near = page.get_by_role("complementary", name="Document").locator(".hits .title")
    near.first.wait_for()
    near.first.click()
    page.wait_for_function("() => !location.hash.includes('chess%2F05')")
    assert theme_of(page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('doc')")) == "chess"
