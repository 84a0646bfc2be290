"""The map in a notebook: the same data and script as the page, and a selection that goes back to Python."""

from __future__ import annotations

import json
import sys

import pytest

import vicinal
from tests.plot.chromium import needs_browser, shown_by_browser
from vicinal.errors import BadParameter, MissingExtra
from vicinal.plot import map_widget
from vicinal.plot._map_page import SCRIPTS, part
from vicinal.plot._map_widget import _widget_class

#: A stand-in for a notebook: it renders the widget, draws a line around everything by pointer events, and says what was saved.
HOST = """<!doctype html><meta charset="utf-8"><div id="out" style="width:900px"></div><script type="module">
%s
const values = %s;
const model = { get: (name) => values[name], set: (name, value) => { values[name] = value; },
  save_changes: () => { document.body.dataset.saved = values.selection.length; } };
const el = document.getElementById("out");
widget.render({ model, el });
const canvas = el.shadowRoot.querySelector("canvas"), box = canvas.getBoundingClientRect();
const send = (kind, x, y) => canvas.dispatchEvent(
  new PointerEvent(kind, { clientX: box.left + x, clientY: box.top + y, shiftKey: true, pointerId: 1 }));
canvas.setPointerCapture = () => {};
send("pointerdown", 1, 1);
for (const [x, y] of [[box.width - 1, 1], [box.width - 1, box.height - 1], [1, box.height - 1]]) send("pointermove", x, y);
send("pointerup", 1, box.height - 1);
document.body.dataset.all = document.body.dataset.saved;
const search = el.shadowRoot.querySelector("input");
search.value = "farm 1";
search.dispatchEvent(new Event("input"));
document.body.dataset.found = document.body.dataset.saved;
document.body.dataset.theme = el.shadowRoot.querySelector(".vicinal-map").dataset.theme;
</script>"""


@pytest.fixture(scope="module")
def widget(fitted):
    pytest.importorskip("anywidget")
    with vicinal.open(fitted) as index:
        return map_widget(index, title="News", height=400)


def test_the_widget_has_the_data_of_the_page_and_nothing_selected(widget):
    data = json.loads(widget._data)
    assert data["title"] == "News"
    assert len(data["x"]) == len(data["ids"]) == 60
    assert widget.selection == []
    assert widget.height == 400


def test_what_is_selected_is_read_and_observed_in_python(widget):
    told = []
    widget.observe(lambda change: told.append(change["new"]), "selection")
    widget.set_state({"selection": ["farm-1", "farm-2"]})
    assert widget.selection == ["farm-1", "farm-2"]
    assert told == [["farm-1", "farm-2"]]
    widget.selection = []


def test_page_and_widget_share_their_script(widget):
    script = widget._esm
    assert script.rstrip().endswith("};")
    for name in SCRIPTS:
        assert part(name).replace('"use strict";\n', "") in script
    assert script.count("export default") == 1


def test_a_height_that_is_too_small_and_a_missing_package_are_named(fitted, monkeypatch):
    with vicinal.open(fitted) as index:
        with pytest.raises(BadParameter, match="height"):
            map_widget(index, height=10)
        _widget_class.cache_clear()
        monkeypatch.setitem(sys.modules, "anywidget", None)
        with pytest.raises(MissingExtra, match=r"vicinal\[notebook\]"):
            map_widget(index)
    _widget_class.cache_clear()


@needs_browser
def test_a_lasso_and_a_search_in_a_browser_become_the_selection(widget, tmp_path):
    values = json.dumps({"_data": widget._data, "_style": widget._style, "height": 400, "selection": []}).replace("<", "\\u003c")
    script = widget._esm.replace("export default", "const widget =")
    (tmp_path / "host.html").write_text(HOST % (script, values), encoding="utf-8")
    shown = shown_by_browser(tmp_path / "host.html")
    assert 'data-all="60"' in shown
    assert 'data-found="11"' in shown  # "About farm 1" and "About farm 10" to "19"
    assert 'data-theme="light"' in shown
