"""He, Cai, Min: Statistical and Computational Analysis of Locality Preserving Projection. ICML 2005."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from papers.means import LABELS, NOTHING, PER_CENT, complete, holds, mean, said, verdict
from papers.plan import Check, Column, Figure, Results, Table, best_of, best_setting, draws_of, shortened
from papers.plots import Curve, Panel, draw
from papers.procedures import NEIGHBORS
from vicinal._typing import IntArray

CHECKED = (
    Check("nmf-ncw", "NMF-NCW", about="a start by singular vectors"),
    Check("nmf-ncw lowest", "NMF-NCW", about="frequencies of unit length, and of ten random starts the one with the lowest error"),
    Check("pca tfidf", "PCA"),
    Check("pca tfidf", "PCA(best)"),
    Check("lpp-15 tfidf", "LPP"),
    Check("le-15 tfidf", "LE"),
)
COLUMNS = (
    Column("Kmeans", "kmeans", calibrated=True),
    Column("PCA(best)", "pca", best_setting),
    Column("PCA", "pca", shortened),
    Column("LPP(best)", "lpp-15", best_setting),
    Column("LPP", "lpp-15", shortened),
    Column("LE", "le-15", "c-1"),
    Column("NMF-NCW", "nmf-ncw random", "best"),
)
SETTINGS = (
    "Classes of more than 1,000 documents are left out: the paper does not say so, but its numbers do (papers/draws.py). Of ten "
    "starts it records the best, without saying by what: here by the objective for "
    "k-means, and by accuracy, with labels, for NMF-NCW, which comes nearer to print. The best dimension is chosen per test, by "
    "accuracy, among 1 to 20, 25, 30, 40, 50, 70 and 100. PCA is centred."
)


def table1() -> Table:
    """Clustering Reuters-21578."""
    return Table(
        "icml05",
        "Table 1",
        "Clustering Reuters-21578",
        draws_of("icml05", "reuters-small"),
        COLUMNS,
        ("accuracy", "nmi"),
        SETTINGS,
        "LPP",
        CHECKED,
    )


def table2() -> Table:
    """Clustering TDT2."""
    return Table(
        "icml05",
        "Table 2",
        "Clustering TDT2",
        draws_of("icml05", "tdt2-small"),
        COLUMNS,
        ("accuracy", "nmi"),
        SETTINGS,
        "LPP",
        CHECKED,
    )


CORPORA = {"TDT2": "tdt2-small", "Reuters-21578": "reuters-small"}
NEIGHBOURS_TESTS = 10


def figure1() -> Figure:
    """The best dimension of PCA and LPP."""
    samples = tuple(sample for source in CORPORA.values() for each in draws_of("icml05", source).values() for sample in each)
    return Figure(
        "icml05",
        "Figure 1",
        "The dimension with the highest accuracy, by number of classes: mean and standard deviation over tests",
        (("pca", samples), ("lpp-15", samples)),
        _best_dimensions,
        "Chosen per test as for the tables, the smallest of equals. The paper does not name the corpus; both are shown.",
    )


def _best_dimensions(results: Results, file: Path) -> str:
    panels, tests, sentences = [], [], []
    for corpus, source in CORPORA.items():
        shared = {c: complete(results, ("pca", "lpp-15"), samples) for c, samples in draws_of("icml05", source).items()}
        shared = {c: samples for c, samples in shared.items() if samples}
        if not shared:
            continue
        tests += [len(samples) for samples in shared.values()]
        best = {
            name: {c: np.array([best_of(results[sample, each].values) for sample in samples]) for c, samples in shared.items()}
            for name, each in (("PCA", "pca"), ("LPP", "lpp-15"))
        }
        panels += [_bars(f"{name}, {corpus}", name, each) for name, each in best.items()]
        sentences.append(_on_best(corpus, best))
    if not panels:
        return NOTHING
    draw(file, f"Best dimension, {said(tests)}", panels, 2)
    return " ".join([f"Over {said(tests)} of each number of classes.", *sentences])


def _bars(title: str, name: str, best: dict[int, IntArray]) -> Panel:
    numbers = tuple(best)
    bars = Curve(name, numbers, [each.mean() for each in best.values()], [each.std() for each in best.values()], "bar")
    return Panel(title, "classes", "dimension", [bars, Curve("classes - 1", numbers, [c - 1 for c in numbers])], ticks=numbers)


def _on_best(corpus: str, best: dict[str, dict[int, IntArray]]) -> str:
    """The paper: LPP's is near c - 1, with less spread than PCA's."""
    away = {name: float(np.mean([abs(each.mean() - (c - 1)) for c, each in by_c.items()])) for name, by_c in best.items()}
    spread = {name: float(np.mean([each.std() for each in by_c.values()])) for name, by_c in best.items()}
    nearer = [abs(best["LPP"][c].mean() - (c - 1)) < abs(best["PCA"][c].mean() - (c - 1)) for c in best["LPP"]]
    steadier = [best["LPP"][c].std() < best["PCA"][c].std() for c in best["LPP"] if len(best["LPP"][c]) > 1]
    varies = f"varies less: {verdict(steadier)}" if steadier else "one test says nothing of how it varies"
    return (
        f"{corpus}: the mean best dimension is {away['LPP']:.1f} from c - 1 with LPP and {away['PCA']:.1f} with PCA, its standard "
        f"deviation {spread['LPP']:.1f} and {spread['PCA']:.1f}; LPP's is nearer to c - 1: {verdict(nearer)}; {varies}."
    )


def figure2() -> Figure:
    """LPP against the number of neighbours."""
    rows = [each[:NEIGHBOURS_TESTS] for source in CORPORA.values() for each in draws_of("icml05", source).values()]
    samples = tuple(sample for each in rows for sample in each)
    return Figure(
        "icml05",
        "Figure 2",
        "Clustering by LPP against the number of neighbours, averaged over 2 to 10 classes",
        tuple((procedure, samples) for procedure in NEIGHBOURHOODS),
        _neighbours,
        f"c - 1 dimensions; the first {NEIGHBOURS_TESTS} tests of each number of classes. The paper does not name the metric; "
        "both are shown.",
    )


NEIGHBOURHOODS = ("lpp p", "lpp complete", "pca")
PEAKS = {"TDT2": 6, "Reuters-21578": 15}  # neighbours, as printed


def _neighbours(results: Results, file: Path) -> str:
    panels, tests, sentences = [], [], []
    for corpus, source in CORPORA.items():
        shared = {
            c: complete(results, NEIGHBOURHOODS, samples[:NEIGHBOURS_TESTS]) for c, samples in draws_of("icml05", source).items()
        }
        shared = {c: samples for c, samples in shared.items() if samples}
        if not shared:
            continue
        tests += [len(samples) for samples in shared.values()]
        found = {metric: _by_neighbours(results, shared, metric) for metric in ("accuracy", "nmi")}
        panels += [_of_neighbours(corpus, metric, *each) for metric, each in found.items()]
        sentences.append(_on_neighbours(corpus, *found["accuracy"]))
    if not panels:
        return NOTHING
    draw(file, f"Mean over numbers of classes, {said(tests)} of each", panels, 2)
    return " ".join([f"Over {said(tests)} of each number of classes.", *sentences])


def _by_neighbours(results: Results, shared: dict[int, list[str]], metric: str) -> tuple[dict[int, float], dict[str, float]]:
    """Means of LPP by number of neighbours, and of what has none: the mean over tests first, then over numbers of classes."""

    def over(procedure: str, variants: Mapping[int, str]) -> float:
        return PER_CENT * float(np.mean([mean(results, procedure, samples, variants[c], metric) for c, samples in shared.items()]))

    lpp = {p: over("lpp p", dict.fromkeys(shared, str(p))) for p in NEIGHBORS}
    complete_graph = over("lpp complete", dict.fromkeys(shared, ""))
    return lpp, {"LPP (complete graph)": complete_graph, "PCA": over("pca", {c: str(c - 1) for c in shared})}


def _of_neighbours(corpus: str, metric: str, lpp: dict[int, float], levels: dict[str, float]) -> Panel:
    lines = [Curve(name, NEIGHBORS, [level], kind="level") for name, level in levels.items()]
    return Panel(corpus, "neighbours", LABELS[metric], [Curve("LPP", tuple(lpp), tuple(lpp.values())), *lines], ticks=NEIGHBORS)


def _on_neighbours(corpus: str, lpp: dict[int, float], levels: dict[str, float]) -> str:
    """The paper: a peak at few neighbours, then a decline; few neighbours beat the complete graph, which is like PCA."""
    peak, whole = max(lpp, key=lpp.__getitem__), levels["LPP (complete graph)"]
    return (
        f"{corpus}: accuracy is highest at p = {peak} ({lpp[peak]:.1f}; the paper: {PEAKS[corpus]}) and {lpp[NEIGHBORS[-1]]:.1f} "
        f"at p = {NEIGHBORS[-1]}, {whole:.1f} with the complete graph, {levels['PCA']:.1f} with PCA. That few neighbours beat all "
        f"{holds(lpp[peak] > whole)}; that the complete graph is nearer to PCA than to the best p "
        f"{holds(abs(whole - levels['PCA']) < abs(lpp[peak] - whole))}."
    )
