"""The report: printed and measured side by side, generated from the results and from nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.records import fingerprint
from papers import aaai08, marks, variants
from papers.causes import missed
from papers.claims import CLAIMS, Claim, Evidence, Verdict
from papers.compare import Cell, Comparison, Difference
from papers.front import first_page, headline
from papers.plan import Column, Figure, Results, Table, Tuned, shortened
from papers.printed import AVERAGE, citation
from papers.procedures import Procedure
from papers.readings import repeats
from papers.times import Ratios, TimeTable

FILE = Path(__file__).with_name("REPORT.md")
ROUNDING = 1e-9
PAIRED = ("accuracy", "nmi")
SHARED_SETTINGS = (
    "What all tables share. Accuracy of clusters is that of their best one-to-one matching with classes; mutual information "
    "is divided by the larger of the two entropies. k-means has ten starts (k-means++, seeds 0 to 9, Euclidean distance, at "
    "most 300 steps), of which the one with the lowest objective counts; no paper says how it started. Stop words are left "
    "out of the texts of Reuters-21578 and 20 Newsgroups, and the latter are stemmed; TDT2 comes as counts. Of a draw only "
    "terms are used that two of its documents share. c is the number of classes in a test, and the settings of each method "
    "stand below its table. A mean has one decimal, or two where its verdict needs them."
)
WHAT_VERDICTS_MEAN = (
    "Theorems were tried on small made-up documents, with the largest error seen. Orderings are looked for in every row of "
    "a table, for each metric, where at least two tests were run (or all that are planned): *a > b: 14 of 20, 5 at 95 %, 1 "
    "against at 95 % (not ...)* says that the mean of a is not below b's in 14 of 20 places, that the 95 % interval of the "
    "paired differences lies wholly above zero in 5 and wholly below in 1, and where the 6 others are. Over all places of "
    "all orderings of a claim: *true* where all hold (nine in ten where the paper says nearly everywhere), *conditional* "
    "where more than half do, else *false* where more intervals lie against it than for it, and *undecided* where not. A "
    "theorem is *conditional* where it needs what the paper does not say, or where only a part of it is so."
)
WHAT_CAUSES_MEAN = (
    "Points *beyond what is let pass* are those below the printed mean minus one printed standard deviation, or two points. "
    "First it is asked whether the baseline is as far below on the same tests, so that the gain over it is as printed (*the "
    "draws*, or *the first tests* where not all were run). Else *within the noise* are missing points that lie within a 95 "
    "% interval of our mean, or of our gain over a baseline that the draws were chosen by; and *a choice* is one that, "
    "changed by itself on the first tests, brings the missing points, whether the paper leaves it open or says otherwise; ± is the "
    "standard error of its gain, and a gain within its 95 % interval of zero is no cause, nor one that k-means has too on draws "
    "that were chosen by k-means. The start of k-means with the highest accuracy is found with the labels, of a grid together with "
    "the setting; it is "
    "named where no other choice helps. Only ICML'05 leaves open which start it kept. In brackets stands what each choice "
    "gains that was tested in vain."
)
NAMES = {"accuracy": "accuracy", "nmi": "normalised mutual information", "sparsity": "sparsity"}


def write(
    tables: Sequence[Table],
    times: Sequence[TimeTable],
    figures: Sequence[Figure],
    results: Results,
    procedures: dict[str, Procedure],
    file: Path = FILE,
) -> str:
    """Write the page and its figures; return its first line."""
    comparisons = [Comparison(each, results) for each in tables]
    ratios = [Ratios(each, results) for each in times]
    verdicts = _verdicts(comparisons, results)
    lines = [
        headline(comparisons),
        "",
        *first_page(comparisons, ratios, results, verdicts),
        *_about(comparisons, ratios, results),
        *_summary(comparisons, ratios),
        "## aaai08, Table 2: how large the draws are",
        "",
        "Documents and terms on average: ours (printed). Draws were chosen by these numbers (all but the terms of "
        "Reuters-21578, and but for nine classes of TDT2 and four of Reuters-21578), so they are no result; the terms "
        "of Reuters-21578 follow "
        "from how words are told apart, which the paper does not say.",
        "",
        *aaai08.table2(results),
        "",
        *(line for each in comparisons for line in _table(each, procedures)),
        *(line for each in ratios for line in each.lines()),
        *_missed(comparisons),
        *marks.lines(comparisons),
        *variants.lines(comparisons),
        *_claims(verdicts),
        *_figures(figures, results, file.parent / "figures"),
    ]
    file.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    return lines[0]


def _about(comparisons: Sequence[Comparison], ratios: Sequence[Ratios], results: Results) -> Iterator[str]:
    beaten = sum(cell.beaten for each in comparisons for cell in each.cells)
    missing = sum(
        cell.printed.mean is not None and not cell.tests and not cell.steered for each in comparisons for cell in each.cells
    )
    chosen = [cell for each in comparisons for cell in each.cells if cell.steered and cell.compared]
    met, counted = sum(each.met for each in ratios), sum(each.counted for each in ratios)
    all_met = sum(cell.near for cell in chosen) + sum(each.met for each in comparisons)
    all_counted = len(chosen) + sum(each.counted for each in comparisons)
    yield "## How it was done"
    yield ""
    yield (
        "Made by `make papers` (`python -m papers`), which does what has no result yet; `python -m papers --report` writes this "
        "page from "
        "`papers/results`. A cell is a printed accuracy, normalised mutual information or sparsity. It is *met* when our mean "
        "is at most one printed "
        "standard deviation below the printed mean, or two points where none is printed, and *beaten* when it is not below: "
        f"{beaten} are beaten. ✓ and ✗ say so beside each cell; σ is met only by a printed deviation of more than two points, ↑ is "
        f"more than five points above print, ≡ repeats a cell of another column, and counts there. {missing} printed cells have "
        "no result yet. Times are of other machines and of another "
        f"k-means: their ratios are below and not in the first line ({met} of {counted} met)."
    )
    yield ""
    yield (
        "The papers' random draws are lost, and two sets of fifty draws differ by more than methods do. Ours are seeded and the "
        "same for every method of a "
        "table. Where a random part of our pool of draws is as hard for plain k-means as the paper's draws were (and, for "
        "AAAI'08 and CIKM'07, as large), "
        "it is taken (papers/draws.py); cells of k-means are then met by choice once all draws are in, marked = and never "
        f"counted: {len(chosen)} of "
        f"them (counted, it would be {all_met} of {all_counted}). Ours are means over the tests that every column "
        "of the table has a result for, their number stands beside each row, and ± is the standard deviation over tests, as in "
        "the papers. A row with "
        "fewer tests than planned is of the first ones. Neither the rule of the draws nor the settings below were chosen blind: "
        "where a "
        "paper is silent, the reading that came nearer to print was kept."
    )
    yield ""
    yield SHARED_SETTINGS
    yield ""
    yield _states(results)
    yield ""


def _states(results: Results) -> str:
    """Which states of the library the results are of: each is kept until its line is taken out of the file."""
    counts = Counter(each.code for each in results.values())
    now = counts.pop(fingerprint(), 0)
    others = ", ".join(f"{code} ({number:,})" for code, number in counts.most_common())
    return (
        f"Of {len(results):,} results {now:,} were made by the library as it is now"
        + (f"; the others by earlier states of its sources: {others}." if others else ".")
        + " A result is not made anew when the library changes: take its line out of `papers/results` for that."
    )


def _summary(comparisons: Sequence[Comparison], ratios: Sequence[Ratios]) -> Iterator[str]:
    yield "| paper | table | met or beaten | of | repeat others | tests per row |"
    yield "| --- | --- | ---: | ---: | ---: | --- |"
    for each in comparisons:
        planned = max(map(len, each.table.rows.values()))
        tests = f"{_from_to([len(each.tested(row)) for row in each.table.rows])} of {planned}"
        again = sum(cell.counts and repeats(cell) for cell in each.cells)
        yield f"| {each.table.paper} | {each.table.title_of_block} | {each.met} | {each.counted} | {again or ''} | {tests} |"
    for ratio in ratios:
        yield f"| {ratio.table.paper} | {ratio.table.name}, seconds (not counted above) | {ratio.met} | {ratio.counted} | | |"
    yield ""


def _from_to(numbers: Sequence[int]) -> str:
    return f"{min(numbers)}" + (f" to {max(numbers)}" if max(numbers) > min(numbers) else "")


def _table(comparison: Comparison, procedures: dict[str, Procedure]) -> Iterator[str]:
    table = comparison.table
    yield f"## {table.paper}, {table.title_of_block}: {table.title}"
    yield ""
    yield f"{citation(table.paper)} {table.settings}"
    yield ""
    for metric in table.metrics:
        yield from _block(comparison, metric)
    for metric in table.metrics:
        if metric in PAIRED:
            yield from _differences(comparison, metric)
    yield from _fixed(comparison)
    yield "Settings: " + "; ".join(_setting(column, procedures[column.procedure].about) for column in table.columns) + "."
    yield ""


def _setting(column: Column, about: str) -> str:
    """What a method was run with, and with how many dimensions where its variants differ in that."""
    kept = {"c": "c dimensions", "c-1": "c - 1 dimensions", shortened: "c - 1 dimensions"}
    dimensions = "" if isinstance(column.variant, Tuned) else kept.get(column.variant, "")
    return f"*{column.printed}* {', '.join(filter(None, [dimensions, about]))}"


def _fixed(comparison: Comparison) -> Iterator[str]:
    """What a setting chosen per test hides: the same with one setting for all tests, averaged over rows."""
    for column in comparison.table.columns:
        found = comparison.by_setting(column)
        if found:
            settings = ", ".join(f"{value:.1f} with {setting}" for setting, value in found.items())
            every = "the same setting in every test, of settings that every test has"
            yield f"*{column.printed}* with {every}; mean accuracy over rows: {settings}."
            yield ""
    first = comparison.table.columns[0]
    if isinstance(first.variant, Tuned) and any(comparison.tested(row) for row in comparison.table.rows):
        tried = [f"{name} {100 * mean:.1f} ({comparison.met_with(name)})" for name, mean in comparison.tried(first).items()]
        yield f"Mean accuracy of {first.printed} over sizes, and cells met, with one setting for all sizes: {', '.join(tried)}."
        yield ""


def _block(comparison: Comparison, metric: str) -> Iterator[str]:
    cells = {(cell.row, cell.column.printed): cell for cell in comparison.cells if cell.metric == metric}
    columns = [column.printed for column in comparison.table.columns if any(name == column.printed for _, name in cells)]
    rows = list(dict.fromkeys(row for row, _ in cells))
    yield f"{NAMES[metric].capitalize()}: ours (printed)."
    yield ""
    yield f"| | tests | {' | '.join(columns)} |"
    yield f"| --- | ---: |{' --- |' * len(columns)}"
    for row in rows:
        tests = "" if row == AVERAGE else len(comparison.tested(row))
        yield f"| {row} | {tests} | {' | '.join(_shown(cells.get((row, name))) for name in columns)} |"
    yield ""


def _shown(cell: Cell | None) -> str:
    if cell is None:
        return ""
    printed = (
        "not run"
        if cell.printed.mean is None
        else _as_printed(cell.printed.mean) + ("" if cell.printed.std is None else f" ± {cell.printed.std}")
    )
    if not cell.tests:
        return f"({printed})"
    spread = "" if cell.row == AVERAGE or cell.tests == 1 else f" ± {cell.std:.1f}"
    return f"{cell.mean:.{_decimals(cell)}f}{spread} ({printed}){_mark(cell)}"


def _mark(cell: Cell) -> str:
    """Its verdict, whether it repeats another cell, and what the verdict hides."""
    if not cell.compared:
        return ""
    verdict = "=" if cell.steered else "✓" if cell.met else "✗"
    return f" {verdict}{'≡' if repeats(cell) else ''}{marks.marks(cell)}"


def _as_printed(number: float) -> str:
    """With the decimals it has in the paper, at least one."""
    return max(f"{number:.1f}", f"{number:g}", key=len)


def _decimals(cell: Cell) -> int:
    """As few as the verdict can be found by again: one, or two where that would round it away."""
    if not cell.counts or cell.printed.mean is None:
        return 1
    return 1 if (cell.printed.mean - round(cell.mean, 1) <= cell.allowed + ROUNDING) == cell.met else 2


def _differences(comparison: Comparison, metric: str) -> Iterator[str]:
    table = comparison.table
    others = [column.printed for column in table.columns if column.printed != table.champion]
    yield f"{table.champion} minus each other method, {NAMES[metric]}, in points: mean of paired differences [95 % interval]."
    yield ""
    yield f"| | tests | {' | '.join(others)} |"
    yield f"| --- | ---: |{' --- |' * len(others)}"
    for row in table.rows:
        gains = [comparison.gain(row, table.champion, other, metric) for other in others]
        yield f"| {row} | {gains[0].tests} | {' | '.join(_interval(each) for each in gains)} |"
    yield ""


def _interval(gain: Difference) -> str:
    if gain.tests == 0:
        return ""
    return f"{gain.mean:+.1f}" + ("" if gain.tests < 2 else f" [{gain.low:+.1f}, {gain.high:+.1f}]")


def _missed(comparisons: Sequence[Comparison]) -> Iterator[str]:
    yield "## Cells that are not met, and why"
    yield ""
    yield WHAT_CAUSES_MEAN
    yield ""
    yield "| paper | table | row | method | metric | ours | printed | likely cause |"
    yield "| --- | --- | --- | --- | --- | ---: | ---: | --- |"
    for cell, why in missed(comparisons):
        yield (
            f"| {cell.table.paper} | {cell.table.title_of_block} | {cell.row} | {cell.column.printed} | {cell.metric} | "
            f"{cell.mean:.{_decimals(cell)}f} | {_as_printed(cell.printed.mean or 0.0)} | {why} |"
        )
    yield ""


def _verdicts(comparisons: Sequence[Comparison], results: Results) -> dict[Claim, Verdict]:
    evidence = Evidence({(each.table.paper, each.table.title_of_block): each for each in comparisons}, results)
    return {claim: claim.check(evidence) for claim in CLAIMS}


def _claims(verdicts: Mapping[Claim, Verdict]) -> Iterator[str]:
    yield "## What the papers claim"
    yield ""
    counts = Counter(each.holds for each in verdicts.values())
    yield f"{', '.join(f'{number} {name}' for name, number in counts.most_common())}, of {len(verdicts)}. {WHAT_VERDICTS_MEAN}"
    yield ""
    yield "| paper | claim | holds | evidence |"
    yield "| --- | --- | --- | --- |"
    for claim, verdict in verdicts.items():
        yield f"| {claim.paper} | {claim.number}. {claim.text} | {verdict.holds} | {verdict.evidence} |"
    yield ""


def _figures(figures: Sequence[Figure], results: Results, folder: Path) -> Iterator[str]:
    folder.mkdir(parents=True, exist_ok=True)
    yield "## Figures"
    yield ""
    for figure in figures:
        file = folder / f"{figure.paper}-{figure.name.lower().replace(' ', '-')}.png"
        file.unlink(missing_ok=True)
        seen = figure.draw(results, file)
        yield f"### {figure.paper}, {figure.name}: {figure.title}"
        yield ""
        if file.exists():
            yield f"![{figure.title}](figures/{file.name})"
            yield ""
        yield f"{seen} {figure.settings}".strip()
        yield ""
