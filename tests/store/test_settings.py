"""Settings and labels: plain values by name, labels with who gave them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.samples import documents
from vicinal._store import Documents, Label, Labels, Settings, Store
from vicinal._store.checksums import checksum
from vicinal.errors import BadData, BadLabels, BadParameter, DamagedIndex

pytestmark = pytest.mark.damages

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plain)
def test_a_setting_comes_back(store, value):
    Settings(store).set("x", value)
    assert Settings(store).get("x") == value


def test_settings_are_replaced_listed_and_forgotten(store):
    held = Settings(store)
    held.set("b", 1)
    held.set("a", 2)
    held.set("b", 3)
    assert held.names() == ["a", "b"]
    assert [held.get("b"), held.get("c"), held.get("c", 5)] == [3, None, 5]
    assert [held.drop("b"), held.drop("b")] == [True, False]
    assert held.names() == ["a"]


def deep(n):
    value = []
    for _ in range(n):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), {1, 2}, b"x", object(), deep(100_000), 2**63, "x" * (1 << 25)],
    ids=lambda v: repr(type(v)),
)
def test_what_is_no_plain_value_is_refused(store, value):
    with pytest.raises(BadData):
        Settings(store).set("x", value)
    assert Settings(store).names() == []


@pytest.mark.parametrize(
    "written",
    ["[" * 1_000_000, "[" * 100_000 + "]" * 100_000, "{", "", "NaN", "1" + "0" * 400, str(2**63), "x" * ((1 << 24) + 1)],
    ids=len,
)
def test_a_setting_that_somebody_made_to_do_harm_is_refused(tmp_path, written):
    with Store.open(tmp_path / "x.vic", create=True) as store:
        with store.writing():
            store.execute("INSERT INTO settings VALUES ('x', ?, ?)", (written, checksum("x", written)))
        with pytest.raises(DamagedIndex, match="setting 'x'"):
            Settings(store).get("x")


def test_a_label_given_later_is_in_force_and_survives_another_reading_of_the_document(store):
    Documents(store).add(documents(4))
    labels = Labels(store)
    assert labels.get() == {1: Label("even", "document"), 3: Label("even", "document")}
    labels.give({1: "farms", 2: "rivers", 3: ""}, "user")
    Documents(store).add(documents(4))
    assert labels.get() == {1: Label("farms", "user"), 2: Label("rivers", "user")}
    labels.give({1: "fields"}, "file")
    labels.take([2, 3, 99])
    assert labels.get() == {1: Label("fields", "file"), 3: Label("even", "document")}


@pytest.mark.parametrize("label", [None, 3, "x" * 10_001, "\ud800"])
def test_a_label_must_be_text(store, label):
    Documents(store).add(documents(2))
    with pytest.raises(BadLabels):
        Labels(store).give({1: "good", 2: label}, "user")
    with pytest.raises(BadLabels):
        Labels(store).give({1: "good"}, label)
    assert Labels(store).get() == {1: Label("even", "document")}


def test_a_label_for_a_document_that_is_not_there_is_refused_with_all_the_others(store):
    Documents(store).add(documents(2))
    with pytest.raises(BadParameter, match="no document 9"):
        Labels(store).give({2: "x", 9: "y"}, "user")
    assert 2 not in Labels(store).get()
