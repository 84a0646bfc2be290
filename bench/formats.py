"""Which library reads a format best? Quality and seconds on files that this machine has, or that are made for it.

Pages: the words of the element that a page itself calls its main part, or of the whole page where it names none. PDF: the words of
manuals in /usr/share/doc that are there as PDF and as a page or text as well. Sheets: cells of a table made for it. Encodings: some
texts in several languages, in the encodings they were written in before Unicode.
"""

from __future__ import annotations

import gzip
import io
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from bench.harness import Answer, Contender, take_turns
from vicinal import read
from vicinal.corpus._decode import Tally, decode
from vicinal.corpus._formats.extractor import from_pdf, from_pdfium
from vicinal.corpus._formats.html import main_text, visible_text
from vicinal.corpus._split import without_hyphens

DOCUMENTATION = (Path("/usr/share/doc"), *sorted(Path.home().glob(".rustup/toolchains/*/share/doc"))[:1])
N_PAGES, N_ROWS, REPEATS = 75, 5_000, 2
Texts: TypeAlias = Sequence[str]
#: Languages of tests/languages.py, and the encodings that their texts are found in.
LEGACY = {
    "de": ("cp1252",),
    "fr": ("cp1252",),
    "es": ("cp1252",),
    "ru": ("koi8-r", "cp1251"),
    "zh": ("gbk", "big5"),
    "ja": ("shift_jis", "euc_jp"),
    "ko": ("euc_kr",),
}


def overlap(found: str, truth: str) -> float:
    """F1 of the words of two texts, in per cent: 100 where both have the same words equally often."""
    ours, theirs = Counter(re.findall(r"\w+", found.lower())), Counter(re.findall(r"\w+", truth.lower()))
    common = (ours & theirs).total()
    return 200.0 * common / max(1, ours.total() + theirs.total())


def mean(values: Sequence[float]) -> float:
    """The mean, rounded for a table."""
    return round(sum(values) / max(1, len(values)), 1)


def rows_of(task: str, contenders: dict[str, Callable[[], Any]], quality: Callable[[Any], float]) -> list[dict[str, Any]]:
    """A row for each contender: what it is asked, how right it is, its seconds, and how many times ours they are."""
    seconds, results = take_turns([Contender(name, run) for name, run in contenders.items()], REPEATS)
    ours = next(iter(seconds.values()))
    return [
        {
            "files": task,
            "who": name,
            "right (%)": quality(results[name]),
            "seconds": round(value, 3),
            "times ours": round(value / ours, 2),
        }
        for name, value in seconds.items()
    ]


def pages() -> tuple[list[str], list[str], list[bool]]:
    """Pages with their true words, and whether these are of a part that the page calls its main one."""
    lxml: Any = import_module("lxml.html")
    pages, truths, marked = [], [], []
    for path in [path for folder in DOCUMENTATION for path in _some(sorted(folder.rglob("*.html")))]:
        page = path.read_text("utf-8", "replace")
        if not 2_000 < len(page) < 500_000:
            continue
        tree = lxml.fromstring(page.encode(), parser=lxml.HTMLParser(encoding="utf-8"))
        for unseen in tree.xpath("//script|//style|//noscript|//template|//head"):
            unseen.drop_tree()
        main = tree.xpath("//main|//*[@role='main']")
        truth = " ".join((main[0] if main else tree).itertext())
        if len(truth.split()) >= 50:
            pages.append(page)
            truths.append(truth)
            marked.append(bool(main))
    return pages, truths, marked


def _some(files: Sequence[Path]) -> list[Path]:
    there = [path for path in files if path.is_file()]
    return there[:: max(1, len(there) // N_PAGES)][:N_PAGES]


def html() -> list[dict[str, Any]]:
    """Our reader, trafilatura, and the text that selectolax gives of a body."""
    selectolax: Any = import_module("selectolax.lexbor")
    trafilatura: Any = import_module("trafilatura")
    all_pages, truths, marked = pages()

    def by_selectolax(page: str) -> str:
        tree = selectolax.LexborHTMLParser(page)
        tree.strip_tags(["script", "style", "noscript", "template", "nav", "footer", "aside"])
        return str(tree.body.text(separator=" ")) if tree.body else ""

    readers: dict[str, Callable[[str], str]] = {
        "vicinal": lambda page: main_text(page, visible_text(page)[0]),
        "trafilatura": lambda page: str(trafilatura.extract(page) or ""),
        "selectolax": by_selectolax,
    }
    found: list[dict[str, Any]] = []
    for task, kind in (("pages that name their main part", True), ("pages that name none", False)):
        chosen = [number for number, is_main in enumerate(marked) if is_main == kind]
        if not chosen:
            continue
        contenders = {name: _over([all_pages[number] for number in chosen], reader) for name, reader in readers.items()}
        found += rows_of(
            f"{len(chosen)} {task}",
            contenders,
            _compared_with([truths[number] for number in chosen]),
        )
    return found


def _over(given: Sequence[Any], reader: Callable[[Any], str]) -> Callable[[], Texts]:
    return lambda: [reader(each) for each in given]


def _compared_with(truths: Texts) -> Callable[[Texts], float]:
    return lambda texts: mean([overlap(*pair) for pair in zip(texts, truths, strict=True)])


def _by_module(name: str, extract: Callable[..., Any]) -> Callable[[bytes], str]:
    return lambda data: without_hyphens("\n".join(list(extract(data, import_module(name)))[1:]))


def pdf() -> list[dict[str, Any]]:
    """pypdfium2 and pypdf on manuals that are there as pages or text as well."""
    files, truths = [], []
    for path in sorted([*DOCUMENTATION[0].rglob("*.pdf"), *DOCUMENTATION[0].rglob("*.pdf.gz")]):
        stem = path.name.partition(".pdf")[0]
        twin = next((each for each in (path.with_name(f"{stem}.html"), path.with_name(f"{stem}.txt.gz")) if each.is_file()), None)
        if twin is not None:
            data = path.read_bytes()
            files.append(gzip.decompress(data) if path.suffix == ".gz" else data)
            text = (gzip.decompress(twin.read_bytes()) if twin.suffix == ".gz" else twin.read_bytes()).decode("utf-8", "replace")
            truths.append(visible_text(text)[0] if twin.suffix == ".html" else text)
    contenders = {
        "vicinal, by pypdfium2": _over(files, _by_module("pypdfium2", from_pdfium)),
        "pypdf": _over(files, _by_module("pypdf", from_pdf)),
    }
    return rows_of(f"{len(files)} PDF manuals", contenders, _compared_with(truths))


def sheets() -> list[dict[str, Any]]:
    """Our reader of Excel, openpyxl and python-calamine."""
    openpyxl: Any = import_module("openpyxl")
    calamine: Any = import_module("python_calamine")
    made = [[f"k{row}", f"text number {row} & more <of it>", row, row / 8, row % 2 == 0] for row in range(N_ROWS)]
    book = openpyxl.Workbook()
    book.active.append(["id", "text", "n", "share", "flag"])
    for row in made:
        book.active.append(row)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.xlsx"
        book.save(path)
        data = path.read_bytes()

        def ours() -> list[list[Any]]:
            return [[each.id, each.text, *(each.metadata[name] for name in ("n", "share", "flag"))] for each in read(path)]

        def by_openpyxl() -> list[list[Any]]:
            sheet = openpyxl.load_workbook(io.BytesIO(data), read_only=True).active
            return [list(row) for row in sheet.iter_rows(min_row=2, values_only=True)]

        def by_calamine() -> list[list[Any]]:
            return [list(row) for row in calamine.load_workbook(io.BytesIO(data)).get_sheet_by_index(0).to_python()[1:]]

        contenders: dict[str, Callable[[], Any]] = {"vicinal": ours, "openpyxl": by_openpyxl, "python-calamine": by_calamine}
        return rows_of(f"a sheet of {N_ROWS:,} rows", contenders, lambda rows: _equal_cells(rows, made))


def _equal_cells(rows: list[list[Any]], made: list[list[Any]]) -> float:
    equal = sum(found == true for pair in zip(rows, made, strict=False) for found, true in zip(*pair, strict=False))
    return float(round(100.0 * equal / (5 * N_ROWS), 1))


def encodings() -> list[dict[str, Any]]:
    """Our guess and that of charset-normalizer, of bytes without a mark."""
    normalizer: Any = import_module("charset_normalizer")
    from tests.languages import SAMPLES, texts_of

    data, truths = [], []
    for code, names in LEGACY.items():
        texts = texts_of(code)[0] if code in SAMPLES else []
        for name in (*names, "utf-16-le", "utf-8"):
            for start in range(0, len(texts), 12):
                text = "\n".join(texts[start : start + 1 + start // 6])
                try:
                    data.append(text.encode(name))
                except UnicodeEncodeError:
                    continue
                truths.append(text)
    contenders: dict[str, Callable[[], Any]] = {
        "vicinal": _over(data, lambda each: decode(each, Tally())),
        "charset-normalizer": _over(data, lambda each: str(normalizer.from_bytes(each).best() or "")),
    }
    return rows_of(
        f"{len(data)} texts in {len({name for names in LEGACY.values() for name in names}) + 2} encodings",
        contenders,
        lambda texts: round(100.0 * sum(text == truth for text, truth in zip(texts, truths, strict=True)) / len(truths), 1),
    )


def main() -> None:
    """Write results/formats.json."""
    rows = [*html(), *pdf(), *sheets(), *encodings()]
    checks = [
        "right: F1 of words for pages and PDF, equal cells of a sheet, texts decoded without a fault. Of pages that name their "
        "main part, ours reads `main` as the measure does, and trafilatura decides by itself what the main part is.",
        "Sheets: ours includes making documents of the rows; the others give cells. It needs no package.",
    ]
    Answer("Which library reads a format best?", "Files of this machine, or made for it", rows, checks).save("formats")


if __name__ == "__main__":
    from bench.report import write

    main()
    write()
