"""What ARCHITECTURE.md and CONTRIBUTING.md say of the tree, of the order of imports and of CI is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import vicinal
from tools import tree
from vicinal.cli._verbs.export import export
from vicinal.graph._edges import WEIGHTS
from vicinal.index._tables.export import WRITERS
from vicinal.methods._lsi import SVD_SOLVERS
from vicinal.projection._pencil import PENCIL_SOLVERS
from vicinal.projection._regress import RIDGE_SOLVERS
from vicinal.projection._solvers.best_subset import SUBSET_SOLVERS
from vicinal.spectrum._eigensolvers import EIGENSOLVERS
from vicinal.terms._schemes import SCHEMES

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "vicinal"
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_the_drawing_of_the_tree_is_that_of_the_source():
    drawn = tree.drawing(ARCHITECTURE)
    assert drawn in tree.MODULES.read_text(encoding="utf-8")
    n_folders = len(list(SOURCE.rglob("*/__init__.py")))
    assert len(re.findall(r"^ +\S+\.py ", drawn, re.MULTILINE)) == len(list(SOURCE.rglob("*.py"))) - n_folders


def test_every_package_and_folder_is_drawn_in_the_overview():
    overview = tree.overview(ARCHITECTURE)
    assert overview in ARCHITECTURE
    assert len(re.findall(r"^ +\w+/ +\S", overview, re.MULTILINE)) == len(list(SOURCE.rglob("*/__init__.py")))


def rows_of_changes():
    """Each row of the table of changes: the paths and the names of tables that it names."""
    table = ARCHITECTURE.partition("## Which file to touch")[2].partition("\n## ")[0]
    for row in table.splitlines():
        if row.startswith("| ") and not row.startswith(("| to change", "| ---")):
            yield row.split("|")[1].strip(), re.findall(r"`([^`]+)`", row)


@pytest.mark.parametrize(("change", "names"), list(rows_of_changes()), ids=lambda each: each if isinstance(each, str) else "")
def test_what_a_change_touches_exists(change, names):
    paths = [name for name in names if "/" in name or name.endswith(".py")]
    found = [path for name in paths for path in (SOURCE / name, ROOT / name) if path.exists()]
    assert len(found) == len(paths), names
    texts = "".join(path.read_text(encoding="utf-8") for path in found if path.is_file())
    assert [
        name for name in names if re.fullmatch(r"_?[A-Z]{2}[A-Z_]*", name) and not re.search(rf"^{name}\b", texts, re.MULTILINE)
    ] == []


def test_paths_in_prose_exist():
    folders = "src|tests|docs|bench|papers|corpora|tools|web"
    for name, text in (("ARCHITECTURE.md", ARCHITECTURE), ("CONTRIBUTING.md", CONTRIBUTING)):
        for path in re.findall(rf"`((?:{folders})/[\w./]*)`", text):
            assert (ROOT / path).exists(), f"{name} names {path}"


def targets():
    """Names of the targets of the Makefile that a person calls."""
    return set(re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", ".github/workflows/ci.yml"])
def test_every_make_target_that_a_page_names_exists(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert set(re.findall(r"(?:^|`)make ([a-z]+)", text, re.MULTILINE)) <= targets()


def test_contributing_says_what_ci_runs():
    run = re.findall(r"^make ([a-z]+)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    said = re.search(r"CI runs (.*?) on a clean clone", CONTRIBUTING, re.DOTALL)[1]
    assert re.findall(r"`make ([a-z]+)`", said) == run
    check = re.search(r"^check: ([a-z ]+?) *##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert check.split() == run
    assert "bash .ci/run" in (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")


def test_the_order_of_imports_is_written_once():
    pages = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
    assert [path.name for path in pages if re.search(r"spectrum`?\s*<\s*`?projection", path.read_text(encoding="utf-8"))] == [
        "ARCHITECTURE.md"
    ]


def listed(text, parameter):
    """The values that a docstring lists for a parameter, as in ``weight : {"cosine", "dot"}``."""
    [values] = re.findall(rf"^ *{parameter} : \{{([^}}]*)\}}", text, re.MULTILINE)
    return {each.strip(' "') for each in values.split(",")}


@pytest.mark.parametrize(
    ("text", "parameter", "table"),
    [
        (vicinal.terms.Weighting.__doc__, "scheme", SCHEMES),
        (vicinal.Vectorizer.__doc__, "weight", SCHEMES),
        (vicinal.graph.knn.__doc__, "weight", WEIGHTS),
        (vicinal.graph.epsilon.__doc__, "weight", WEIGHTS),
        (vicinal.graph.complete.__doc__, "weight", WEIGHTS),
        (vicinal.RLPI.__doc__, "weight", WEIGHTS),
        (vicinal.methods.laplacian_score_lpi.__doc__, "weight", WEIGHTS),
        (vicinal.spectrum.solve.__doc__, "solver", {"auto", *EIGENSOLVERS}),
        (vicinal.projection.regress.__doc__, "solver", {"auto", *RIDGE_SOLVERS}),
        (vicinal.RLPI.__doc__, "solver", {"auto", *RIDGE_SOLVERS}),
        (vicinal.LPFL.__doc__, "solver", SUBSET_SOLVERS),
        (vicinal.projection.pencil.__doc__, "solver", PENCIL_SOLVERS),
        (vicinal.LPI.__doc__, "solver", PENCIL_SOLVERS),
        (vicinal.LSI.__doc__, "solver", SVD_SOLVERS),
        (vicinal.Index.export.__doc__, "what", WRITERS),
    ],
    ids=lambda each: each if isinstance(each, str) and len(each) < 20 else "",
)
def test_docstrings_list_what_the_tables_have(text, parameter, table):
    assert listed(text, parameter) == set(table)


def test_every_format_of_an_export_is_said_where_people_look():
    formats = {suffix for writers in WRITERS.values() for suffix in writers}
    pages = (vicinal.Index.export.__doc__, export.__doc__, (ROOT / "docs" / "cli.md").read_text(encoding="utf-8"))
    assert all(suffix in page for suffix in formats for page in pages)
