"""Cai, He, Han: Sparse Projections over Graph. AAAI 2008."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from papers.draws import NUMBERS, TESTS
from papers.means import LABELS, NOTHING, PER_CENT, Means, complete, curves, mean, said, verdict
from papers.plan import Check, Column, Figure, Results, Table, best_setting, draws_of
from papers.plots import Panel, draw
from papers.printed import cells
from papers.procedures import SWEPT_WORDS

COLUMNS = (
    Column("Baseline", "kmeans", calibrated=True),
    Column("LSI", "lsi more", best_setting),
    Column("SPCA", "spca more", best_setting),
    Column("SPG", "spg-7 grid", best_setting),
    Column("NMF", "nmf-ncw"),
)
METRICS = ("accuracy", "nmi", "sparsity")
SETTINGS = (
    "SPCA keeps 60 words per dimension, SPG 20, 60 or 100, whichever gives the highest accuracy in a test, and c - 1 dimensions: "
    "how many words were kept is not said, but the printed sparsity rises and falls from row to row, so it was chosen. CIKM'07 "
    "prints other values for LSI on the same draws, and those are of LSI with c dimensions. So here LSI is centred, and LSI and "
    "SPCA keep c dimensions or 1, 2, 3, 5 or 10 more, those that give the highest accuracy in a test, as ICML'05 says of its "
    "PCA(best): chosen with labels, and nearest to print."
)


#: Checks with c dimensions, where the columns have the best of c and more; each says what else is changed.
LSI_WITH_C = {
    "lsi": "c dimensions, not centred",
    "lsi centred": "c dimensions",
    "lsi centred distances": "c dimensions, the start with the lowest sum of distances, not squared",
    "lsi unit": "c dimensions, not centred, rows scaled to length one",
    "lsi random": "c dimensions, not centred, random documents as first centres",
    "lsi tfidf": "c dimensions, not centred, frequencies weighed by rarity",
}
SPCA_WITH_C = {
    "spca": "c dimensions",
    "spca distances": "c dimensions, the start with the lowest sum of distances, not squared",
    "spca unit": "c dimensions, rows scaled to length one",
    "spca random": "c dimensions, random documents as first centres",
}
CHECKED = (
    Check("size", "", TESTS["aaai08"]),
    Check("kmeans random", "Baseline"),
    *(Check(each, "LSI", about=about) for each, about in LSI_WITH_C.items()),
    *(Check(each, "SPCA", about=about) for each, about in SPCA_WITH_C.items()),
    Check("spca words", "SPCA", 0, about="c dimensions, as many words in each as give the highest accuracy"),
    Check("spca turns", "SPCA", about="c dimensions, responses and weights fitted in turn (Zou's algorithm)"),
    Check("spg-7 kernel", "SPG", 3),
    Check("spg-7", "SPG", about="60 words per dimension in every test"),
    Check("spg-7 words", "SPG", 0),
)


UNEXPLAINED = (
    "SPCA is printed 3 points above k-means and is below it here, with more dimensions and other numbers of words too. The start "
    "with the lowest sum of distances that are not squared, by which the code that the authors published later chooses, is a check "
    "like Zou's algorithm in turn; what each gives, and on how many tests, stands beside the cells that are not met. Nothing that "
    "was tried explains it."
)


def table3() -> Table:
    """Clustering TDT2."""
    settings = f"{SETTINGS} {UNEXPLAINED}"
    return Table("aaai08", "Table 3", "Clustering TDT2", draws_of("aaai08", "tdt2"), COLUMNS, METRICS, settings, "SPG", CHECKED)


def table4() -> Table:
    """Clustering Reuters-21578."""
    return Table(
        "aaai08", "Table 4", "Clustering Reuters-21578", draws_of("aaai08", "reuters"), COLUMNS, METRICS, SETTINGS, "SPG", CHECKED
    )


def table2(results: Results) -> list[str]:
    """Documents and terms per draw on average: lines for the report."""
    printed = {(each.method, each.row, each.metric): each.mean for each in cells("aaai08", "Table 2")}
    lines = ["| c | TDT2, documents | TDT2, terms | Reuters, documents | Reuters, terms |", "| ---: | ---: | ---: | ---: | ---: |"]
    for c in NUMBERS:
        shown = [
            f"{_average(results, source, c, metric)} ({printed[name, c, metric]:,.0f})"
            for source, name in (("tdt2", "TDT2"), ("reuters", "Reuters-21578"))
            for metric in ("documents", "terms")
        ]
        lines.append(f"| {c} | {' | '.join(shown)} |")
    return lines


def _average(results: Results, source: str, c: int, metric: str) -> str:
    samples = [sample for sample in draws_of("aaai08", source)[c] if (sample, "size") in results]
    return f"{mean(results, 'size', samples, '', metric):,.0f}" if samples else ""


SWEPT_CLASSES = (4, 7, 10)
SWEPT_TESTS = 10
SWEPT = {"SPCA": "spca words", "SPG": "spg-7 words"}
FEW_WORDS = 100  # words per dimension that we call relatively few
SWEPT_SETTINGS = (
    f"The paper says neither for how many classes nor over which range; {SWEPT_CLASSES[0]}, {SWEPT_CLASSES[1]} and "
    f"{SWEPT_CLASSES[2]} classes, the first {SWEPT_TESTS} tests of each."
)


def figure1() -> Figure:
    """Clustering TDT2 against the number of words."""
    return _against_words("Figure 1", "TDT2", "tdt2")


def figure2() -> Figure:
    """Clustering Reuters-21578 against the number of words."""
    return _against_words("Figure 2", "Reuters-21578", "reuters")


def _against_words(name: str, corpus: str, source: str) -> Figure:
    rows = {c: samples[:SWEPT_TESTS] for c, samples in draws_of("aaai08", source, SWEPT_CLASSES).items()}
    samples = tuple(sample for each in rows.values() for sample in each)
    return Figure(
        "aaai08",
        name,
        f"Clustering {corpus} against the number of words per dimension",
        tuple((procedure, samples) for procedure in SWEPT.values()),
        lambda results, file: _by_words(results, file, corpus, rows),
        SWEPT_SETTINGS,
    )


def _by_words(results: Results, file: Path, corpus: str, rows: Mapping[int, Sequence[str]]) -> str:
    shared = {c: complete(results, SWEPT.values(), samples) for c, samples in rows.items()}
    shared = {c: samples for c, samples in shared.items() if samples}
    if not shared:
        return NOTHING
    found = {metric: {c: _sweep(results, samples, metric) for c, samples in shared.items()} for metric in ("accuracy", "nmi")}
    panels = [
        Panel(f"{c} classes", "words per dimension", LABELS[metric], curves(means), log_x=True, ticks=SWEPT_WORDS)
        for metric, by_c in found.items()
        for c, means in by_c.items()
    ]
    tests = f"{corpus}, mean of {said(map(len, shared.values()))} per number of classes"
    draw(file, tests, panels, len(shared))
    return f"{tests}. {_on_words(found['accuracy'])}"


def _sweep(results: Results, samples: Sequence[str], metric: str) -> Means:
    return {
        name: {words: PER_CENT * mean(results, each, samples, str(words), metric) for words in SWEPT_WORDS}
        for name, each in SWEPT.items()
    }


def _on_words(means: dict[int, Means]) -> str:
    """The paper: the best is had with relatively few words."""
    best = {name: {c: max(SWEPT_WORDS, key=each[name].__getitem__) for c, each in means.items()} for name in SWEPT}
    few = [words <= FEW_WORDS for by_c in best.values() for words in by_c.values()]
    ahead = [max(each["SPG"].values()) > max(each["SPCA"].values()) for each in means.values()]
    tops = "; ".join(f"{name} " + ", ".join(f"{words} (c = {c})" for c, words in by_c.items()) for name, by_c in best.items())
    return (
        f"Words per dimension with the highest accuracy: {tops}. At most {FEW_WORDS} words are best: {verdict(few)}. SPG at its "
        f"best is above SPCA at its best: {verdict(ahead)}."
    )
