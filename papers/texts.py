"""The text of Reuters-21578, read in four ways: which one has the printed numbers of terms, and what it does to the methods.

Numbers are dropped and words are not stemmed in the tables. AAAI'08 prints how many terms its draws have, and no paper says how
they were told apart; so each reading is judged by these numbers alone, on the same classes, and the methods are then run with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from papers.compare import difference
from papers.draws import TESTS as DRAWS
from papers.means import NOTHING, PER_CENT
from papers.plan import Figure, Results, draws_of
from papers.printed import cells
from papers.samples import READ_OTHERWISE

PLAIN = "reuters"
NAMES = {PLAIN: "words alone", "reuters-numbers": "numbers kept", "reuters-stems": "stemmed", "reuters-both": "both"}
CHOSEN = "reuters-numbers"  # nearest to the printed numbers of terms
AS_LARGE = 0.05  # relative difference in documents within which terms are compared


class Method(NamedTuple):
    """What is run with each reading.

    Attributes
    ----------
    name : str
        For the page.
    procedure, variant : str
    paper : str
        Whose draws it is run on.
    tests : int
        How many first ones of each number of classes.
    small : bool
        Whether the largest classes are left out, as in ICML'05.
    chosen : bool
        Whether it is run with the chosen reading alone.
    """

    name: str
    procedure: str
    variant: str
    paper: str
    tests: int = 3
    small: bool = False
    chosen: bool = False


METHODS = (
    Method("k-means", "kmeans", "", "aaai08"),
    Method("SPG", "spg-7", "60", "aaai08"),
    Method("RLPI", "rlpi-7", "c-1", "aistats12"),
    Method("LPI", "lpi-5", "c-1", "aistats12", 1),
    Method("k-means (ICML'05)", "kmeans", "", "icml05", 10, small=True),
    Method("LE, which LPP equals (ICML'05)", "le-15", "c-1", "icml05", 10, small=True),
    Method("LSI (AAAI'08, c dimensions)", "lsi more", "+0", "aaai08", 5, chosen=True),
    Method("SPCA (AAAI'08, c dimensions)", "spca more", "+0", "aaai08", 5, chosen=True),
    Method("SPG (AAAI'08, 100 words)", "spg-7 grid", "100", "aaai08", 5, chosen=True),
    Method("NMF (AAAI'08)", "nmf-ncw", "", "aaai08", 5, chosen=True),
    Method("PCA (ICML'05)", "pca", "c-1", "icml05", 5, small=True, chosen=True),
    Method("LPP (ICML'05)", "lpp-15", "c-1", "icml05", 5, small=True, chosen=True),
    Method("NMF-NCW (ICML'05, best start)", "nmf-ncw random", "best", "icml05", 5, small=True, chosen=True),
    Method("SLPI (AISTATS'12, 60 words)", "slpi-5", "60", "aistats12", 2, chosen=True),
    Method("LS (AISTATS'12, 1,000 words)", "ls-5", "1000", "aistats12", 2, chosen=True),
)


def figure() -> Figure:
    """The section of the report; it draws nothing."""
    work = [("size", _samples("aaai08", source, DRAWS["aaai08"])) for source in NAMES]
    work += [(each.procedure, _drawn(each, source)) for each in METHODS for source in (PLAIN, *_sources(each))]
    return Figure(
        "reuters",
        "Text",
        "The text of Reuters-21578, read in four ways",
        tuple(work),
        told,
        "Sizes are of all draws of AAAI'08 whose documents are as many as printed, within 5 %; methods are run on the first tests "
        "of each number of classes. ± is the standard error of a paired gain over words alone. The reading is chosen by the "
        "printed numbers of terms and by nothing else; the tables are of words alone until they are run again with it.",
    )


def _sources(method: Method) -> tuple[str, ...]:
    """The readings that a method is run with beside words alone."""
    return (CHOSEN,) if method.chosen else tuple(READ_OTHERWISE)


def _samples(paper: str, source: str, tests: int, small: str = "") -> tuple[str, ...]:
    """The same draws whatever the reading: those of the plain text."""
    plain = f"{PLAIN}{small}"
    return tuple(
        sample.replace(f"{plain}/", f"{source}{small}/", 1) for each in draws_of(paper, plain).values() for sample in each[:tests]
    )


def _drawn(method: Method, source: str) -> tuple[str, ...]:
    return _samples(method.paper, source, method.tests, "-small" * method.small)


def told(results: Results, file: Path) -> str:
    """Sentences: terms against print, which reading is nearest, and what methods gain with each."""
    ratios = {source: found for source in NAMES if (found := term_ratios(results, source))}
    if len(ratios) < len(NAMES):
        return NOTHING
    spans = "; ".join(f"{NAMES[source]} {min(found):.2f} to {max(found):.2f}" for source, found in ratios.items())
    gains = [f"{method.name}: {', '.join(each)}" for method in METHODS if (each := _gains(results, method))]
    return (
        f"Terms per draw, as a share of what is printed, by number of classes: {spans}. Nearest to print: "
        f"{NAMES[nearest(ratios)]}. {as_hard(results)}Points of accuracy gained over words alone: "
        f"{'; '.join(gains) if gains else 'not run yet'}."
    )


def as_hard(results: Results) -> str:
    """A sentence: what k-means gains by the chosen reading on the draws of the tables, which were chosen with words alone."""
    said = []
    for paper, small in (("icml05", "-small"), ("aaai08", ""), ("aistats12", "")):
        rows = draws_of(paper, f"{PLAIN}{small}").values()
        pairs = [[(each.replace(PLAIN, CHOSEN, 1), each) for each in row] for row in rows]
        if all((sample, "kmeans") in results for row in pairs for pair in row for sample in pair):
            gains = [np.mean([_paired(results, "kmeans", "", *pair) for pair in row]) for row in pairs]
            said.append(f"{paper} {np.mean(gains):+.1f} ({min(gains):+.1f} to {max(gains):+.1f} in a row)")
    if not said:
        return ""
    return f"What k-means gains on all draws of the tables with {NAMES[CHOSEN]}: {', '.join(said)}. "


def _paired(results: Results, procedure: str, variant: str, new: str, old: str) -> float:
    """Points of accuracy by which one sample is above another."""
    one, other = (results[sample, procedure].values for sample in (new, old))
    name = variant if variant in one else str(int(new.split("/")[1]) - 1)
    return PER_CENT * (one[name]["accuracy"] - other[name]["accuracy"])


def term_ratios(results: Results, source: str) -> list[float]:
    """Terms of our draws over those printed, one number per number of classes whose draws hold as many documents as printed."""
    printed = {(each.row, each.metric): each.mean or 0.0 for each in cells("aaai08", "Table 2") if each.method == "Reuters-21578"}
    found = []
    for c, rows in draws_of("aaai08", PLAIN).items():
        sizes = [results.get((sample.replace(f"{PLAIN}/", f"{source}/", 1), "size")) for sample in rows]
        there = [each.values[""] for each in sizes if each is not None]
        if len(there) < len(rows):
            continue
        documents, terms = (float(np.mean([each[name] for each in there])) for name in ("documents", "terms"))
        if abs(documents / printed[c, "documents"] - 1.0) <= AS_LARGE:
            found.append(terms / printed[c, "terms"])
    return found


def nearest(ratios: dict[str, list[float]]) -> str:
    """The reading whose numbers of terms are nearest to print, by the mean of logarithms."""
    return min(ratios, key=lambda source: abs(float(np.mean(np.log(ratios[source])))))


def _gains(results: Results, method: Method) -> list[str]:
    said = []
    for source in _sources(method):
        pairs = zip(_drawn(method, source), _drawn(method, PLAIN), strict=True)
        there = [pair for pair in pairs if all((sample, method.procedure) in results for sample in pair)]
        if there:
            gains = [_paired(results, method.procedure, method.variant, *pair) for pair in there]
            said.append(f"{NAMES[source]} {_gain(gains)}")
    return said


def _gain(gains: Sequence[float]) -> str:
    found = difference(gains)
    error = f" ± {np.std(gains, ddof=1) / np.sqrt(found.tests):.1f}" if found.tests > 1 else ""
    return f"{found.mean:+.1f}{error} ({found.tests} tests)"
