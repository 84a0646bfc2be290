"""Values are frozen dataclasses, and those that hold arrays are compared by identity: == of two arrays is no truth value."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "vicinal").rglob("*.py"))
#: Types of fields whose comparison by == gives an array, or compares arrays.
ARRAYS = re.compile(r"\b(?:\w*Array|SparseMatrix|Terms|Floats|Products|SparseGraph|Projection)\b")


def dataclasses_of(text):
    """Every dataclass of a source, with the options of its decorator."""
    for node in ast.walk(ast.parse(text)):
        for decorator in getattr(node, "decorator_list", ()) if isinstance(node, ast.ClassDef) else ():
            if ast.unparse(decorator).partition("(")[0] == "dataclass":
                yield node, {each.arg: ast.literal_eval(each.value) for each in getattr(decorator, "keywords", ())}


def has_arrays(node):
    return any(isinstance(each, ast.AnnAssign) and ARRAYS.search(ast.unparse(each.annotation)) for each in node.body)


def not_frozen(text):
    """Values that are not: only a bare ``@dataclass``, or one that is compared by identity, is a state that changes."""
    return [node.name for node, options in dataclasses_of(text) if options.get("frozen") is False]


def compared_by_arrays(text):
    return [node.name for node, options in dataclasses_of(text) if options.get("eq", True) and has_arrays(node)]


def compared_for_nothing(text):
    return [node.name for node, options in dataclasses_of(text) if options.get("eq") is True]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_values_are_frozen_and_arrays_are_not_compared_by_them(path):
    text = path.read_text(encoding="utf-8")
    assert not_frozen(text) + compared_by_arrays(text) + compared_for_nothing(text) == []


def test_a_value_that_can_be_changed_or_compares_arrays_is_caught():
    frozen = "@dataclass(frozen=True, eq=False)\nclass Value:\n    rows: FloatArray\n"
    assert not_frozen(frozen) + compared_by_arrays(frozen) == []
    assert not_frozen(frozen.replace("frozen=True", "frozen=False")) == ["Value"]
    assert compared_by_arrays(frozen.replace("eq=False", "eq=True")) == ["Value"]
    assert compared_for_nothing(frozen.replace("eq=False", "eq=True")) == ["Value"]
    assert not_frozen("@dataclass\nclass State:\n    n: int\n") == []
