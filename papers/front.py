"""The first page of the report: what was reproduced, what was not, what the papers do not tell, and how strictly it is counted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from papers.ceiling import expected, repeated
from papers.claims import Claim, Verdict
from papers.compare import Cell, Comparison
from papers.marks import FAR, far, reproducing, wide
from papers.means import complete
from papers.plan import Results
from papers.printed import AVERAGE
from papers.readings import HARDEST, PRESENT, READINGS, Reading, count, missed_by, repeats
from papers.samples import WHOLE
from papers.sigir05 import ROUNDED, SUBSETS
from papers.times import Ratios


class Gain(NamedTuple):
    """Which number stands for a paper: how much its method gains over k-means in mean accuracy, in one of its tables."""

    paper: str
    table: str
    method: str
    baseline: str
    about: str
    picture: str
    shows: str


GAINS = (
    Gain(
        "icml05",
        "Table 1",
        "LPP",
        "Kmeans",
        "LPP over k-means, Reuters-21578",
        "icml05-figure-2.png",
        "LPP by number of neighbours",
    ),
    Gain("cikm07", "Table 2", "RLPI", "Baseline", "RLPI over k-means, TDT2", "cikm07-figure-1.png", "clustering TDT2"),
    Gain(
        "aaai08",
        "Table 3",
        "SPG",
        "Baseline",
        "SPG over k-means, TDT2",
        "aaai08-figure-1.png",
        "clustering TDT2 by words per dimension",
    ),
    Gain(
        "aistats12",
        "Table 1",
        "LPFL",
        "Baseline",
        "LPFL over k-means, TDT2",
        "aistats12-figure-2.png",
        "information by number of classes",
    ),
)
SIGIR_PICTURE = ("sigir05", "eigenvalues of LPI and OLPI", "sigir05-figure-1.png")
UNTOLD = (
    "*Which classes were drawn*: two random sets of fifty differ by more than methods do.",
    "*How k-means starts*, and in ICML'05 by what the best of its starts is chosen.",
    "*How many words are kept*, and how settings are chosen: by test, by row or once, with labels or not.",
    "*How texts become terms*: which words, numbers and stems Reuters-21578 and 20 Newsgroups have.",
    "*How many dimensions* are kept: texts say c where listings say c - 1, and LSI of AAAI'08 is not that of CIKM'07.",
    "*How PLSI starts and folds documents in*, and which grids k and C of table 4 of CIKM'07 are from.",
    "*The step, the start and the end* of the alternating direction method of AISTATS'12.",
)
MOST = 6  # methods that most cells are missed of
ONE_NUMBER = (
    "One number per paper: what its method gains in accuracy over k-means, on average over 2 to 10 classes (SIGIR'05 prints no "
    "results; there it is how often its finding holds)."
)
STRICTLY = (
    "The same results, counted otherwise. Cells that repeat others count once: LE of ICML'05 (LPP's), NMF and k-means of AAAI'08 "
    "(CIKM'07's). *All draws* are the hundred of the pool: only k-means was run on each, and the means of other methods are "
    "estimated by regression on it (`python -m papers --all-draws` measures). "
    "*Without labels*: 60 words per dimension (SPG: 100, which of its grid is nearest to what the printed sparsity is of), 1,000 "
    "words, c dimensions for LSI and SPCA, NMF-NCW of documents of unit length by the lowest error of ten starts (Reuters-21578, a "
    "third of the tests; TDT2: from singular vectors). "
    "PCA(best) and LPP(best) have the best dimension by definition, which *no labels at all* replaces by c - 1. k and C of table 4 "
    "of CIKM'07 are always chosen for the baseline by labels, as printed. *A perfect repetition* is the same methods on other "
    "draws: what it would meet on average, as our tests spread, and between which shares nine in ten such repetitions lie "
    "(papers/ceiling.py). It is no upper bound: a method better than printed meets more. *As hard* holds the papers' draws at what "
    "k-means is printed to have got on them, which over all draws ours are not."
)


def headline(comparisons: Sequence[Comparison]) -> str:
    """The first line: how many cells are met, on which conditions, and how many without these."""
    now, hardest = count(comparisons, PRESENT), count(comparisons, HARDEST)
    if not now.of:
        return "0 of 0 distinct cells met or beaten (no results yet)"
    return (
        f"{now.met} of {now.of} distinct cells met or beaten ({now.share:.1f} %) on draws chosen to be as hard for k-means as "
        "print, within one printed deviation (two points where none is printed), with settings of grids chosen per test by "
        f"labels; {hardest.share:.1f} % strictly, on all draws and with no labels but the paper's own ({hardest.estimated} of "
        f"{hardest.of} estimated), where a perfect repetition would meet {100 * expected(comparisons, HARDEST) / hardest.of:.1f} % "
        f"on average, {_nine_in_ten(comparisons, HARDEST)} in nine of ten"
    )


def _nine_in_ten(comparisons: Sequence[Comparison], reading: Reading, *, as_hard: bool = False) -> str:
    """Between which shares nine in ten perfect repetitions lie."""
    low, high = np.percentile(repeated(comparisons, reading, as_hard=as_hard), [5, 95])
    return f"{low:.0f} to {high:.0f} %"


def first_page(
    comparisons: Sequence[Comparison], ratios: Sequence[Ratios], results: Results, verdicts: Mapping[Claim, Verdict]
) -> Iterator[str]:
    """All of it, as lines."""
    cells = [(cell, each) for each in comparisons for cell in each.cells if cell.counts and not repeats(cell)]
    yield "# The five papers, printed and measured"
    yield ""
    yield "## In one page"
    yield ""
    yield f"**What was reproduced.** {ONE_NUMBER}"
    yield ""
    yield from _papers(comparisons, results)
    yield f"Of {len(verdicts)} claims that can be tested, {_listed(Counter(each.holds for each in verdicts.values()))}."
    yield ""
    yield f"**What was not.** {_not_met([cell for cell, _ in cells])} {_far(cells)} {_times(ratios)}"
    yield ""
    yield "**What the papers do not tell.** " + " ".join(UNTOLD)
    yield ""
    yield "**How strictly.** " + STRICTLY
    yield ""
    yield from _readings(comparisons)


def _papers(comparisons: Sequence[Comparison], results: Results) -> Iterator[str]:
    yield "| paper | its number | ours | printed | cells met | strictly, all draws, no labels but its own |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    yield _sigir05(results)
    for gain in GAINS:
        those = [each for each in comparisons if each.table.paper == gain.paper]
        if those:
            yield _paper(gain, those)
    yield ""
    for paper, about, picture in (SIGIR_PICTURE, *((each.paper, each.shows, each.picture) for each in GAINS)):
        yield f"![{paper}: {about}](figures/{picture})"
        yield ""


def _sigir05(results: Results) -> str:
    """It prints no results: how often the one finding holds that its figure 1 shows."""
    excess = [results[sample, "subset"].values["claim"]["excess"] for sample in complete(results, ["subset"], SUBSETS)]
    held = sum(each <= ROUNDED for each in excess)
    return f"| sigir05 | OLPI's eigenvalues never exceed LPI's, subsets | {held} of {len(excess)} | all | none printed | |"


def _points(gain: float) -> str:
    return "not run yet" if math.isnan(gain) else f"{gain:+.1f}"


def _paper(gain: Gain, those: Sequence[Comparison]) -> str:
    table = next((each for each in those if each.table.name == gain.table), None)
    now, hardest = count(those, PRESENT), count(those, HARDEST)
    ours, printed = ("", "") if table is None else (_points(each) for each in gained(gain, table))
    return f"| {gain.paper} | {gain.about}, points | {ours} | {printed} | {now.met} of {now.of} | {hardest.met} of {hardest.of} |"


def gained(gain: Gain, comparison: Comparison) -> tuple[float, float]:
    """Ours and printed: mean accuracy of a method over the rows of 2 to 10 classes, less that of k-means."""
    rows = [row for row in comparison.table.rows if row not in (AVERAGE, WHOLE)]
    pairs = [[comparison.cell(row, name) for row in rows] for name in (gain.method, gain.baseline)]
    ours = [sum(each.mean for each in of) / len(rows) for of in pairs]
    printed = [sum(each.printed.mean or 0.0 for each in of) / len(rows) for of in pairs]
    return ours[0] - ours[1], printed[0] - printed[1]


def _not_met(cells: Sequence[Cell]) -> str:
    left = [cell for cell in cells if not cell.met]
    methods = Counter(f"{cell.column.printed} in {cell.table.paper} {cell.table.name}" for cell in left)
    most = ", ".join(f"{number} of {name}" for name, number in methods.most_common(4))
    loose = sum(map(wide, cells))
    return (
        f"{len(left)} distinct cells are not met ({most}); each has its likely cause below, or says that none was found. {loose} "
        "more are met only because the printed deviation exceeds two points (marked σ)."
    )


def _far(cells: Sequence[tuple[Cell, Comparison]]) -> str:
    above = [(cell, each) for cell, each in cells if far(cell)]
    known = sum(reproducing(*each) is not None for each in above)
    return (
        f"{len(above)} exceed print by over {FAR:g} points (marked ↑), perhaps because something else was measured; for "
        f"{known} of them a reading of the paper is known that reproduces print."
    )


def _times(ratios: Sequence[Ratios]) -> str:
    met, counted = sum(each.met for each in ratios), sum(each.counted for each in ratios)
    return f"Of {counted} ratios of seconds, {met} are met: machines and k-means are others; no count above has them."


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} are {name}" for name, number in sorted(counts.items(), key=lambda each: -each[1]))


def _readings(comparisons: Sequence[Comparison]) -> Iterator[str]:
    yield "| reading | distinct cells met | | a perfect repetition | nine in ten | as hard | every cell met | | estimated |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    yield from (_reading(comparisons, each) for each in READINGS)
    yield ""
    missed = missed_by(comparisons, HARDEST)
    if missed:
        most = ", ".join(f"{number} of {name}" for name, number in missed.most_common(MOST))
        yield f"Missed by *{HARDEST.name}*: {sum(missed.values())} distinct cells, {most}."
        yield ""


def _reading(comparisons: Sequence[Comparison], reading: Reading) -> str:
    once, each = count(comparisons, reading), count(comparisons, reading, distinct=False)
    perfect = 100.0 * expected(comparisons, reading) / once.of if once.of else float("nan")
    hard = _nine_in_ten(comparisons, reading, as_hard=True) if reading.all_draws else ""
    return (
        f"| {reading.name} | {once.met} of {once.of} | {once.share:.1f} % | {perfect:.1f} % | "
        f"{_nine_in_ten(comparisons, reading)} | {hard} | {each.met} of {each.of} | {each.share:.1f} % | {once.estimated or ''} |"
    )
