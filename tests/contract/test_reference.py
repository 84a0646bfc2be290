"""The reference has a section for every name that is promised, and for no other."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import vicinal
from tools.docstrings import members, public_modules

PAGES = Path(__file__).parents[2] / "docs" / "reference"
PACKAGES = [name for name in public_modules() if name != "vicinal"]


def sections(text, level):
    """Names of the sections of a page at one level of headings, code blocks left out."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.findall(rf"^{'#' * level} (\S+)$", prose, re.MULTILINE)


def promised(package):
    """Exported names of a package that are not modules, and the public members of its classes."""
    module = import_module(package)
    names = [name for name in module.__all__ if not inspect.ismodule(getattr(module, name))]
    classes = [(name, getattr(module, name)) for name in names if inspect.isclass(getattr(module, name))]
    inner = [member for name, cls in classes if not issubclass(cls, Exception) for member, _ in members(name, cls)]
    return sorted(names), sorted(inner)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_page_has_the_names_of_its_package_and_no_other(package):
    text = (PAGES / f"{package.removeprefix('vicinal.')}.md").read_text(encoding="utf-8")
    names, inner = promised(package)
    assert sorted(sections(text, 2)) == names
    assert sorted(sections(text, 3)) == inner


def test_every_name_of_the_front_door_has_a_row_that_leads_to_its_section():
    text = (PAGES / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| \[`(\w+)`\]\((\w+\.md)#\w+\) \|", text, re.MULTILINE))
    assert sorted(rows) == sorted(name for name in vicinal.__all__ if not inspect.ismodule(getattr(vicinal, name)))
    for name, page in rows.items():
        assert name in sections((PAGES / page).read_text(encoding="utf-8"), 2)


def test_every_public_package_has_a_page_and_stands_at_the_front_door():
    assert sorted(path.stem for path in PAGES.glob("*.md")) == sorted(
        ["README", "vicinal", *(name.split(".")[1] for name in PACKAGES)]
    )
    modules = {name for name in vicinal.__all__ if inspect.ismodule(getattr(vicinal, name))}
    assert {name.split(".")[1] for name in PACKAGES} - {"cli"} == modules


def test_a_section_too_few_or_too_many_is_noticed():
    assert sections("# a\n\n## b\n\n### b.c\n\n```text\n## d\n```\n", 2) == ["b"]
    assert sections("## b\n\n### b.c\n", 3) == ["b.c"]
