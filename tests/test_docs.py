"""The documentation keeps its word: formulas are where the code says, blocks run, links lead somewhere, tables are complete."""

from __future__ import annotations

import inspect
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import vicinal
from vicinal import errors, methods

ROOT = Path(__file__).parents[1]
MATHS = ROOT / "docs" / "maths"
PAGE_OF = {
    "T": "terms.md",
    "G": "graph.md",
    "S": "spectrum.md",
    "P": "projection.md",
    "M": "metrics.md",
    "L": "score.md",
    "F": "factors.md",
    "K": "classes.md",
    "V": "topics.md",
    "R": "search.md",
    "N": "layout.md",
}
NUMBER = r"[TGSPMLFVRKN]\d{1,2}(?:'{1,2}|\u2033)?"  # one sign for two primes is read too, and found unstated
STATED = re.compile(rf"\*\*\(({NUMBER})\)\*\*|\\tag\{{({NUMBER})\}}")
CITED = re.compile(rf"\((?=[^()]*(?<![\w-]){NUMBER}(?![\w-]))([^()]*)\)")  # L6 of a model's name "all-MiniLM-L6" is none
WORDS_IN_CODE = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
FENCE = re.compile(r"^(?P<above>[^\n]*\n)?```(?P<language>\w*)[^\n]*\n(?P<body>.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def markdown_pages() -> list[Path]:
    """Every page of the project, those of hidden folders and of the packages of web/ left out."""
    return sorted(path for path in [*ROOT.glob("*.md"), *ROOT.glob("[!.]*/**/*.md")] if "node_modules" not in path.parts)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def stated(page: str) -> list[str]:
    """Numbers of the formulas that a page states, bold or as a tag, in the order of the page."""
    return [bold or tag for bold, tag in STATED.findall(page)]


def cited(text: str) -> set[str]:
    """Numbers that a text cites, as in "(G2)", "(P6, P7)", "(G4 in graph.md)" or "(by P36)", the statements themselves left out."""
    found = CITED.findall(STATED.sub("", text))
    return {number for inside in found for number in re.findall(rf"(?<![\w-]){NUMBER}(?![\w-])", inside)}


def cited_in_code(path: Path) -> set[str]:
    """Numbers cited in comments and docstrings; a call f(S1) cites nothing."""
    with path.open("rb") as file:
        tokens = tokenize.tokenize(file.readline)
        return set().union(*(cited(token.string) for token in tokens if token.type in WORDS_IN_CODE))


def citations_of_the_code() -> dict[str, str]:
    """Each number cited anywhere in src, with one file that cites it."""
    return {number: str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("src/**/*.py")) for number in cited_in_code(path)}


def all_stated() -> Counter[str]:
    return Counter(number for path in MATHS.glob("*.md") for number in stated(read(path)))


def python_blocks(page: str) -> Iterator[tuple[int, str]]:
    """Line number and text of each Python block that is not marked as untested on the line above it."""
    for fence in FENCE.finditer(page):
        if fence["language"] == "python" and "<!-- no test -->" not in (fence["above"] or ""):
            yield page.count("\n", 0, fence.start("body")), fence["body"]


def run_blocks(page: str, name: str) -> None:
    """Run the blocks of a page one after the other in one namespace; tracebacks name the page and its line."""
    namespace: dict[str, object] = {"__name__": "page"}
    for line, block in python_blocks(page):
        exec(compile("\n" * line + block, name, "exec"), namespace)


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page: str) -> set[str]:
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", page), re.MULTILINE)}


def dead_links(path: Path) -> list[str]:
    """Links of a page to files or headings of the project that do not exist."""
    prose = re.sub(r"`[^`\n]*`|\$[^$\n]*\$", "", FENCE.sub("", read(path)))
    return [link for link in LINK.findall(prose) if not re.match(r"[a-z]+:", link) and not _leads_somewhere(path, link)]


def _leads_somewhere(path: Path, link: str) -> bool:
    file, _, heading = link.partition("#")
    target = path.parent / file if file else path
    return target.exists() and (not heading or heading in anchors(read(target)))


PAGES = {str(path.relative_to(ROOT)): path for path in markdown_pages()}
PAGES_WITH_CODE = [
    name for name in PAGES if (name == "README.md" or name.startswith("docs")) and list(python_blocks(read(PAGES[name])))
]


# Formulas


def test_every_formula_the_code_cites_is_stated_exactly_once():
    statements = all_stated()
    wrong = {number: (where, statements[number]) for number, where in citations_of_the_code().items() if statements[number] != 1}
    assert not wrong


def test_no_number_is_given_to_two_formulas():
    assert [number for number, times in all_stated().items() if times > 1] == []


def test_every_formula_is_cited_by_the_code_or_by_a_page():
    by_pages = set().union(*(cited(read(path)) for path in markdown_pages()))
    assert set(all_stated()) - set(citations_of_the_code()) - by_pages == set()


def test_every_formula_a_page_cites_is_stated():
    unknown = {name: cited(read(path)) - set(all_stated()) for name, path in PAGES.items()}
    assert {name: numbers for name, numbers in unknown.items() if numbers} == {}


def test_every_page_of_formulas_is_guarded():
    with_formulas = {
        path.name for path in MATHS.glob("*.md") if re.search(r"\*\*\([A-Z]\d+'{0,2}\)\*\*|\\tag\{[A-Z]\d", read(path))
    }
    assert with_formulas == set(PAGE_OF.values())


@pytest.mark.parametrize("letter", PAGE_OF)
def test_formulas_of_a_page_have_its_letter_and_are_numbered_without_gaps(letter):
    numbers = stated(read(MATHS / PAGE_OF[letter]))
    plain = [number for number in numbers if not number.endswith("'")]
    assert plain == [f"{letter}{k}" for k in range(1, len(plain) + 1)]
    assert [number for number in numbers if number.endswith("'") and number.removesuffix("'") not in numbers] == []


def test_citations_are_found_in_words_and_not_in_calls(tmp_path):
    source = tmp_path / "source.py"
    source.write_text(
        'def f(S1):\n    """As in (G2\'), (G3\'\', P6, P7), (P4\u2033), (the old\n    way, P36), (package L6-v2)"""\n'
        "    return f(S1)  # (T3), (G4 in graph.md)\n",
        encoding="utf-8",
    )
    assert cited_in_code(source) == {"G2'", "G3''", "P6", "P7", "P4\u2033", "P36", "G4", "T3"}


def test_a_statement_is_not_a_citation_of_itself():
    page = "**(G1)** Degrees.\n\n$$d = W1 \\tag{G2}$$\n\nSee (G1)."
    assert stated(page) == ["G1", "G2"]
    assert cited(page) == {"G1"}


# Blocks


# How stable the clusters of a small corpus are depends on the rounding of the machine.
@pytest.mark.filterwarnings("ignore::vicinal.errors.UnstableClusters")
@pytest.mark.parametrize("name", PAGES_WITH_CODE)
def test_python_blocks_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_blocks(read(PAGES[name]), name)


def test_the_pages_with_code_are_found():
    assert {"docs/tutorial.md", "docs/howto.md", "docs/maths/graph.md"} <= set(PAGES_WITH_CODE)


def test_a_block_that_fails_is_noticed_with_its_line():
    page = "# Page\n\n```python\nx = 1\n```\n\n```python\nassert x == 2\n```\n"
    with pytest.raises(AssertionError) as failure:
        run_blocks(page, "page.md")
    last = failure.traceback[-1]
    assert (Path(str(last.path)).name, last.lineno + 1) == ("page.md", 8)


def test_a_block_marked_as_untested_is_skipped_and_no_other():
    page = "<!-- no test -->\n```python\n1 / 0\n```\n\n```python\nx = 1\n```\n\n```text\n1 / 0\n```\n"
    assert [block for _, block in python_blocks(page)] == ["x = 1\n"]


# Links


@pytest.mark.parametrize("name", PAGES)
def test_links_inside_the_project_lead_somewhere(name):
    assert dead_links(PAGES[name]) == []


def test_dead_links_are_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# A title, here\n[a](#a-title-here) [b](#b) [c](c.md) [d](page.md) `[e](e.md)` [f](https://f.org)", encoding="utf-8"
    )
    assert dead_links(page) == ["#b", "c.md"]


# Decisions

DECISIONS = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
GONE = re.compile(r"\b(?:was|were|is|are) (?:gone|removed|deleted)\b|\b(?:gone|no longer|formerly|former)\b", re.IGNORECASE)


def files_that_are_not_there(page: str) -> list[str]:
    """Files of the project that a page names and that do not exist, those of a sentence that says so excepted."""
    prose = FENCE.sub("", page)
    named = [(found[1], sentence) for sentence in re.split(r"(?<=[.:;]) |\n", prose) for found in FILE_NAMED.finditer(sentence)]
    return [name for name, sentence in named if not GONE.search(sentence) and not _is_a_file(name)]


FILE_NAMED = re.compile(r"`((?:[\w.-]+/)*[\w.-]*\w\.(?:py|md|toml|yml|jsonl|ts|tsx|js))`")


def _is_a_file(name: str) -> bool:
    """Whether a path from the root, from the package or from one of its folders is a file; a name alone may be anywhere."""
    if any((base / name).is_file() for base in (ROOT, ROOT / "src", ROOT / "src" / "vicinal")):
        return True
    return any(
        True for folder in ("src", "tests", "tools", "bench", "papers", "docs", "web/src") for _ in (ROOT / folder).rglob(name)
    )


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.name[:4])
def test_files_that_a_decision_names_exist(path):
    assert files_that_are_not_there(read(path)) == []


def test_a_file_that_is_not_there_is_noticed():
    page = "Arrays are used again (`uses/_rooms.py`) and `uses/_ranking.py`. The file `_old.py` is gone."
    assert files_that_are_not_there(page) == ["uses/_rooms.py"]


# Tables


def test_every_method_is_a_row_of_the_table():
    rows = re.findall(r"^\| `(\w+)` \|", read(MATHS / "README.md"), re.MULTILINE)
    assert sorted(rows) == sorted(method.__name__ for method in (*methods.METHODS, *methods.SUPERVISED, *methods.SELECTORS))


def test_every_error_and_warning_is_explained():
    classes = {name for name, _ in inspect.getmembers(errors, inspect.isclass)}
    rows = re.findall(r"^\| `([A-Z]\w+)` \|", read(ROOT / "docs" / "howto.md"), re.MULTILINE)
    assert sorted(rows) == sorted(classes - {"VicinalError", "VicinalWarning"})


def unmentioned(pages):
    """Names of the front door, and what an index can do, that stand in no page: as code, or called in a block."""
    members = [name for name in dir(vicinal.Index) if not name.startswith("_")]
    return [
        name
        for name in (*vicinal.__all__, *members)
        if not re.search(rf"`{name}\b|\b{name}`|\b{name}[(.]|vicinal\.{name}\b|import.*\b{name}\b", pages)
    ]


def test_every_public_name_stands_in_a_page():
    pages = "\n".join(read(path) for name, path in PAGES.items() if name == "README.md" or name.startswith("docs"))
    assert unmentioned(pages) == []
    assert unmentioned(pages.replace("duplicates", "copies").replace("SparsePCA", "PCA")) == ["SparsePCA", "duplicates"]
