"""Everything that is reproduced, once, from real runs on a few made-up documents: no table or figure can rot unseen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import scipy.sparse as sp

from papers import aaai08, procedures, report, scores
from papers.aistats12 import OBSERVED
from papers.catalogue import FIGURES, PROCEDURES, TABLES, TIMES
from papers.compare import Comparison
from papers.journal import Job, Result
from papers.means import NOTHING
from papers.samples import Sample, source_of
from papers.times import Ratios

pytest.importorskip("matplotlib")

CLASSES, DOCUMENTS, WORDS_OF_CLASS = 4, 12, 110
LABELLED = 6  # documents of each class


def documents(name: str, n_classes: int) -> Sample:
    """Documents with a few more words of their class than of the others: so few that not every method finds the classes."""
    y = np.repeat(np.arange(n_classes), DOCUMENTS)
    terms = np.arange(WORDS_OF_CLASS * n_classes)
    rates = np.where(terms // WORDS_OF_CLASS == y[:, None], 0.12, 0.06)
    counts = np.random.RandomState(0).poisson(rates).astype(float)
    learnt = np.arange(len(y)) % DOCUMENTS < LABELLED if source_of(name) == "news" else np.ones(len(y), dtype=bool)
    return Sample(name, sp.csr_array(counts), y, np.flatnonzero(learnt))


def is_looked_at(sample: str) -> bool:
    """One row of each table and the whole corpus, and one kind of sample of each figure."""
    return sample in ("tdt2/30/0", "news/5/0", "word/0", OBSERVED) or sample.split("/")[1:2] == [str(CLASSES)]


def looked_at() -> Iterator[Job]:
    for shown in (*TABLES, *TIMES, *FIGURES):
        yield from (job for job in shown.jobs(1) if is_looked_at(job[0]))


@pytest.fixture(scope="module", name="tiny")
def results_of_everything() -> dict[Job, Result]:
    """Each procedure is run once per kind of sample; draws of one kind share what it gives. One start of k-means is enough here."""
    found: dict[tuple[str, str, int], Result] = {}
    results: dict[Job, Result] = {}
    with pytest.MonkeyPatch.context() as patch:
        for module in (scores, procedures):
            patch.setattr(module, "STARTS", 1)
        for sample, name in looked_at():
            kind = source_of(sample) if source_of(sample) in ("news", "word") else "drawn"
            n_classes = 2 if sample == OBSERVED else CLASSES
            if (kind, name, n_classes) not in found:
                values = PROCEDURES[name](documents(sample, n_classes))
                found[kind, name, n_classes] = Result(sample, name, values, 1.0, "now")
            results[sample, name] = Result(sample, name, found[kind, name, n_classes].values, 1.0, "now")
    return results


def test_every_procedure_of_the_catalogue_is_run(tiny: dict[Job, Result]) -> None:
    assert {name for _, name in tiny} == set(PROCEDURES)


@pytest.mark.parametrize("table", TABLES, ids=lambda each: f"{each.paper} {each.title_of_block}")
def test_every_column_of_a_table_has_a_number(table, tiny: dict[Job, Result]) -> None:
    comparison = Comparison(table, tiny)
    row = "5%" if table.classifier else CLASSES
    cells = [cell for cell in comparison.cells if cell.row == row]
    assert {cell.column.printed for cell in cells} == {column.printed for column in table.columns}
    assert all(cell.tests == 1 and 0.0 <= cell.mean <= 100.0 for cell in cells)


@pytest.mark.parametrize("table", TIMES, ids=lambda each: f"{each.paper} {each.name}")
def test_every_printed_ratio_of_seconds_has_ours_beside_it(table, tiny: dict[Job, Result]) -> None:
    row = CLASSES if CLASSES in table.rows else "5%"
    cells = [cell for (each, _), cell in Ratios(table, tiny).cells.items() if each == row]
    assert cells
    assert all(cell.tests == 1 and cell.ours > 0.0 for cell in cells)


@pytest.mark.parametrize(
    "figure",
    [each for each in FIGURES if each.name != "Text"],  # which draws nothing, and counts draws as large as printed: test_texts.py
    ids=lambda each: f"{each.paper} {each.name}",
)
def test_every_figure_is_drawn(figure, tiny: dict[Job, Result], tmp_path) -> None:
    assert figure.draw(tiny, tmp_path / "figure.png") != NOTHING
    assert (tmp_path / "figure.png").exists()


def test_the_sizes_of_draws_are_listed(tiny: dict[Job, Result]) -> None:
    row = next(line for line in aaai08.table2(tiny) if line.startswith(f"| {CLASSES} |"))
    assert row.count(f"{CLASSES * DOCUMENTS} (") == 2


def test_the_whole_page_is_written_and_every_miss_has_a_cause(tiny: dict[Job, Result], tmp_path) -> None:
    tables = [each for each in TABLES if each.paper in ("cikm07", "aistats12")]
    report.write(tables, TIMES, [], tiny, PROCEDURES, tmp_path / "REPORT.md")
    page = (tmp_path / "REPORT.md").read_text(encoding="utf-8")
    assert all(f"## {each.paper}, {each.title_of_block}:" in page for each in tables)
    assert all(f"## {each.paper}, {each.name}: {each.title}" in page for each in TIMES)
    assert "nan" not in page.split("## What the papers claim")[0]
    missed = sum(each.counted - each.met for each in (Comparison(table, tiny) for table in tables))
    causes = page.split("## Cells that are not met, and why")[1].split("\n## ")[0]
    assert missed > 0
    assert causes.count("\n| ") == missed + 2  # its head and the line below
