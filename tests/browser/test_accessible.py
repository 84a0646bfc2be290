"""Everybody can use it: axe-core finds nothing serious in any view, light or dark, and focus is always seen."""

from __future__ import annotations

import pytest

from tests.browser.conftest import WEB, missing
from tests.browser.window import LARGE, SMALL, Window

AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = {
    "clusters": "#clusters?cluster=0",
    "search": "#search?q=violin&doc=music/03",
    "selection": "#selection?cluster=1",
    "teach": "#teach",
    "time": "#time?column=date",
    "columns": "#columns?column=section&color=section",
    "contrast": "#contrast?first=cluster:0&second=cluster:1",
    "duplicates": "#duplicates",
    "add": "#add?color=uncertainty",
}


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
BAD = ("serious", "critical")


def serious(page):
    """What axe-core finds that keeps people out, as lines of rule and element."""
    found = page.evaluate("async (rules) => (await window.axe.run(document, {runOnly: rules})).violations", RULES)
    return [f"{each['id']}: {node['html'][:160]}" for each in found if each["impact"] in BAD for node in each["nodes"]]


@pytest.mark.parametrize("looks", [("light", LARGE), ("dark", SMALL)], ids=["light, large", "dark, small"])
def test_axe_finds_nothing_serious_in_any_view(chromium, session, looks):
    if not AXE.is_file():
        missing("axe-core: npm ci in web/")
    scheme, size = looks
    window = Window(chromium, *session, viewport=size, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page = window.go()
    page.add_script_tag(path=str(AXE))
    found = {}
    for name, address in VIEWS.items():
        window.view(address)
        window.frames()
        page.wait_for_function("() => !document.querySelector('.waiting')")
        page.wait_for_load_state("networkidle")
        found[name] = serious(page)
    window.close()
    assert found == {name: [] for name in VIEWS}


def test_focus_is_always_seen(window):
    page = window.go()
    for _ in range(25):
        page.keyboard.press("Tab")
        outline = page.evaluate(
            """() => {
                const at = document.activeElement, inner = at.querySelector?.(':scope > .node') ?? at;
                const styles = [at, inner].map((each) => getComputedStyle(each));
                return styles.some((style) => parseFloat(style.outlineWidth) >= 2 && style.outlineStyle !== 'none');
            }"""
        )
        assert outline, page.evaluate("document.activeElement.outerHTML.slice(0, 120)")


def test_tree_and_lists_have_names_for_screen_readers(window):
    page = window.go("#clusters?cluster=0")
    snapshot = page.get_by_role("main").aria_snapshot()
    assert '- tree "Clusters"' in snapshot
    assert snapshot.count("- treeitem") >= 6
    assert page.get_by_role("navigation", name="Panels").get_by_role("link").count() == 9
    assert page.get_by_role("application", name="Map of the documents").count() == 1
