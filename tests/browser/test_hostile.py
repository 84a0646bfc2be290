"""Forty hostile texts in seven places: shown as they are, and nothing more. docs/reliability.md."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

import vicinal
from tests.browser.conftest import let_in
from tests.browser.corpus import make_index
from tests.browser.payloads import PAYLOADS

LONG = "x" * 10_000
ARABIC = "تصدير القمح"


def hostile_documents():
    """A document per payload, which is its title, in its text, its label, its file name, a value and a word of it."""
    for number, payload in enumerate(PAYLOADS):
        text = f"The wheat {payload} fell on the harvest farm. {payload}"
        yield vicinal.Document(
            f"hostile/{number:02d}",
            text,
            title=payload,
            label=payload,
            source=f"{payload.replace('/', '')}.txt",
            metadata={"section": payload},
        )
    yield vicinal.Document("long", f"wheat harvest farm {LONG}", title=LONG, label=LONG)
    yield vicinal.Document("arabic", f"wheat harvest farm {ARABIC}", title=ARABIC)


@pytest.fixture(scope="module")
def hostile(chromium, built_page, tmp_path_factory):
    path = make_index(tmp_path_factory.mktemp("hostile") / "<img src=x onerror=window.__pwned=1>.vic", hostile_documents())
    with let_in(chromium, path) as found:
        yield found


@pytest.fixture
def hostile_window(windows, hostile):
    lent = windows("hostile", hostile)
    yield lent
    untouched(lent)
    lent.was_quiet()


def one_line(text):
    """A text as the name of a cluster can be: the index refuses those of several lines, and marks that turn the direction."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def untouched(window):
    """Nothing ran, nothing was asked of strangers, and nothing was put into the page but what it is made of."""
    page = window.page
    assert page.evaluate("typeof window.__pwned") == "undefined"
    assert page.locator("iframe, object, embed, math, video, base, img:not([src='./favicon.svg'])").count() == 0
    assert page.locator("script:not([src])").count() == 0
    assert page.evaluate(
        "[...document.querySelectorAll('*')].flatMap((each) => each.getAttributeNames()).every((name) => !name.startsWith('on'))"
    )
    assert page.evaluate("[...document.querySelectorAll('a[href]')].every((each) => each.getAttribute('href').startsWith('#'))")


def test_titles_texts_labels_and_file_names_are_shown_as_they_are(hostile_window):
    page = hostile_window.go("#clusters", drawn=False)
    for number, payload in enumerate(PAYLOADS):
        hostile_window.view(f"#search?doc=hostile/{number:02d}&color=label")
        page.wait_for_function(
            "id => [...document.querySelectorAll('.reader .facts dd')].some((each) => each.textContent === id)",
            arg=f"hostile/{number:02d}",
        )
        page.wait_for_selector("[data-testid=text]")
        # A title is one line: the index has made spaces of what would break it.
        assert one_line(page.locator("aside h2").text_content()) == one_line(payload)
        assert one_line(payload) in one_line(page.locator("[data-testid=text]").text_content())
        assert page.evaluate("typeof window.__pwned") == "undefined"
    untouched(hostile_window)


def test_queries_are_shown_as_they_are(hostile_window):
    page = hostile_window.go("#clusters", drawn=False)
    for payload in PAYLOADS:
        hostile_window.view(f"#search?q={quote(payload)}")
        page.wait_for_function(
            "text => document.querySelector('input[type=search]').value === text", arg=re.sub("[\r\n]", "", payload)
        )
        page.wait_for_function("() => document.querySelector('[data-testid=found], main [role=alert]') !== null")
        assert page.evaluate("typeof window.__pwned") == "undefined"


def test_names_of_clusters_and_words_are_shown_as_they_are(hostile_window):
    page = hostile_window.go("#clusters")
    numbers = [each["number"] for each in hostile_window.api("GET", "/clusters")["clusters"]]
    for start in range(0, len(PAYLOADS), len(numbers)):
        some = dict(zip(numbers, map(one_line, PAYLOADS[start : start + len(numbers)]), strict=False))
        hostile_window.api(
            "POST", "/steer", {"steps": [{"do": "name", "cluster": number, "name": name} for number, name in some.items()]}
        )
        for name in some.values():
            page.wait_for_function(
                "text => [...document.querySelectorAll('.legend .name')].some((each) => each.textContent === text)",
                arg=name[:120],
            )
        untouched(hostile_window)
    hostile_window.view(f"#selection?cluster={numbers[0]}")
    page.locator("[data-testid=selected]").wait_for()
    hostile_window.view(f"#contrast?first={quote('label:' + PAYLOADS[0])}&second=cluster:{numbers[1]}")
    page.locator("[data-testid=contrast]").wait_for()
    for panel in (
        "#columns?column=section",
        "#columns?column=label&color=section",
        "#teach",
        "#duplicates",
        f"#nothing?doc={quote(PAYLOADS[0])}",
    ):
        hostile_window.view(panel)
        hostile_window.frames()
        page.wait_for_function("() => !document.querySelector('.waiting')")
        untouched(hostile_window)


def test_title_of_ten_thousand_letters_stays_in_its_place(hostile_window):
    page = hostile_window.go("#search?q=wheat&doc=long", drawn=False)
    page.locator("aside h2").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.locator("aside h2").bounding_box()["height"] < 300


def test_text_from_right_to_left_is_shown_so(hostile_window):
    page = hostile_window.go("#search?doc=arabic", drawn=False)
    page.locator("aside h2").wait_for()
    assert page.evaluate("getComputedStyle(document.querySelector('aside h2')).direction") == "rtl"


def test_dropped_file_with_a_hostile_name_and_text_is_only_added(hostile_window):
    page = hostile_window.go("#add", drawn=False)
    hostile_window.drop("<img src=x onerror=window.__pwned=1>.txt", f"aeronaut {PAYLOADS[0]}")
    page.locator("[data-testid=result]").wait_for()
    hostile_window.view("#search?q=aeronaut")
    page.locator(".hit").first.wait_for()
