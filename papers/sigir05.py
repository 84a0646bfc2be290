"""Cai, He: Orthogonal Locality Preserving Indexing. SIGIR 2005."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from papers.curves import LOW, RATES
from papers.draws import NUMBERS
from papers.means import LABELS, NOTHING, PER_CENT, Means, complete, curves, holds, mean, said, verdict
from papers.plan import Figure, Results
from papers.plots import Curve, Panel, draw
from papers.samples import WORD_SUBSETS

SUBSETS = tuple(f"word/{number}" for number in range(WORD_SUBSETS))
AIR = 658  # documents of the subset that the paper shows
FEW_RATES = tuple(rate for rate in RATES if rate <= LOW)
METHODS = {
    "LSI": ("lsi", RATES),
    "LPI": ("lpi", RATES),
    "OLPI": ("olpi", RATES),
    "LPI (no constant)": ("lpi without", FEW_RATES),
    "OLPI (no constant)": ("olpi without", FEW_RATES),
}
DIMENSIONS = tuple(range(1, 21))
TESTS = 5
CLUSTERED = {"LSI": "lsi dimensions", "LPI": "lpi-7 dimensions", "OLPI": "olpi-7 dimensions"}
BY_WORD = (
    "Which column of TDT2 is which word is not known, so the subsets are of thirty other words, in as many documents as "
    "is printed of the paper's. The projections are learnt on "
    "each subset; rates are of its rank. The paper does not say whether documents are centred; here they are not, and the "
    "direction that places all of them on one point, where there is one, is kept as the smallest eigenvector. Without it (no "
    "constant) is vicinal's way."
)
ROUNDED = 1e-5  # results are kept to five digits


def figure1() -> Figure:
    """Eigenvalues of LPI and OLPI."""
    return Figure("sigir05", "Figure 1", "Eigenvalues of LPI and OLPI", (("subset", SUBSETS),), _eigenvalues, BY_WORD)


def _eigenvalues(results: Results, file: Path) -> str:
    """Of the subset that is nearest in size to the paper's; the claim, of all."""
    there = {sample: results[sample, "subset"].values for sample in complete(results, ["subset"], SUBSETS)}
    if not there:
        return NOTHING
    shown = min(there, key=lambda sample: abs(there[sample]["sample"]["documents"] - AIR))
    lines = [_line(name, there[shown][f"{name.lower()} values"]) for name in ("LPI", "OLPI")]
    size = f"{there[shown]['sample']['documents']:.0f} documents"
    draw(file, f"Eigenvalues on one subset of {size}", [Panel("", "position", "eigenvalue", lines)], 1)
    excess = [values["claim"]["excess"] for values in there.values()]
    never = [each <= ROUNDED for each in excess]
    above_zero = [(low, high) for high, low in zip(lines[0].y, lines[1].y, strict=True) if high > ROUNDED]
    ratio = float(np.median([low / high for low, high in above_zero]))
    return (
        f"OLPI's eigenvalues are never above LPI's on {sum(never)} of {said([len(never)], 'subsets')}, {verdict(never)}; on the "
        f"one shown, of {size}, the median ratio of the first {len(lines[0].y)} is {ratio:.2f}."
    )


def _line(name: str, values: dict[str, float]) -> Curve:
    return Curve(name, tuple(map(int, values)), tuple(values.values()))


def figure2() -> Figure:
    """Average precision against the rate of reduction."""
    return Figure(
        "sigir05",
        "Figure 2",
        "Average precision of pairs ranked by cosine, against the share of dimensions kept",
        (("subset", SUBSETS),),
        lambda results, file: _against_rate(results, file, "precision", "average precision, %"),
        BY_WORD,
    )


def figure3() -> Figure:
    """Neighbourhood accuracy against the rate of reduction."""
    return Figure(
        "sigir05",
        "Figure 3",
        "Neighbourhood accuracy, against the share of dimensions kept",
        (("subset", SUBSETS),),
        lambda results, file: _against_rate(results, file, "neighbours", "neighbourhood accuracy, %"),
        f"{BY_WORD} Neighbours by Euclidean distance; no document is its own.",
    )


def _against_rate(results: Results, file: Path, metric: str, label: str) -> str:
    there = [results[sample, "subset"].values for sample in complete(results, ["subset"], SUBSETS)]
    if not there:
        return NOTHING
    level = PER_CENT * float(np.mean([values["baseline"][metric] for values in there]))
    means: Means = {
        name: {rate: PER_CENT * float(np.mean([values[f"{key} {rate:g}"][metric] for values in there])) for rate in rates}
        for name, (key, rates) in METHODS.items()
    }
    subsets = f"Mean of {said([len(there)], 'subsets')}"
    draw(file, subsets, [_rates(means, level, label, most) for most in (100.0, LOW)], 2)
    return f"{subsets}. {_on_rates(means, level)}"


def _rates(means: Means, level: float, label: str, most: float) -> Panel:
    shown = {name: {rate: number for rate, number in each.items() if rate <= most} for name, each in means.items()}
    return Panel(
        f"{RATES[0]:g} % to {most:g} %",
        "dimensions kept, % of the rank",
        label,
        [*curves(shown), Curve("Baseline", (), (level,), kind="level")],
        log_x=True,
        ticks=(0.3, 1, 3, 10, 30, 100) if most > LOW else (0.3, 1, 3, 10),
    )


def _on_rates(means: Means, level: float) -> str:
    """The paper: both are better than LSI and than the baseline at their best; then LPI falls below the baseline, OLPI does not."""
    best = {name: max(each, key=each.__getitem__) for name, each in means.items()}
    peak = {name: max(each.values()) for name, each in means.items()}
    low = {name: min(number for rate, number in each.items() if rate >= best[name]) for name, each in means.items()}
    tops = ", ".join(f"{name} {peak[name]:.1f} at {best[name]:g} %" for name in means)
    return (
        f"Highest: {tops}; baseline {level:.1f}. Lowest from there on: LPI {low['LPI']:.1f}, OLPI {low['OLPI']:.1f}. That LPI and "
        f"OLPI at their best beat LSI and the baseline {holds(min(peak['LPI'], peak['OLPI']) > max(peak['LSI'], level))}; that "
        f"LPI then falls below the baseline {holds(low['LPI'] < level)}; that OLPI depends less on the dimension "
        f"{holds(peak['OLPI'] - low['OLPI'] < peak['LPI'] - low['LPI'])}."
    )


def draws() -> dict[int, tuple[str, ...]]:
    """Draws of the classes of figure 4."""
    return {c: tuple(f"top20/{c}/{test}" for test in range(TESTS)) for c in NUMBERS}


def figure4() -> Figure:
    """Clustering against the dimension."""
    rows = draws()
    samples = tuple(sample for each in rows.values() for sample in each)
    return Figure(
        "sigir05",
        "Figure 4",
        "Clustering the twenty largest classes of TDT2 in 1 to 20 dimensions",
        tuple((procedure, samples) for procedure in ("kmeans", *CLUSTERED.values())),
        _clustered,
        f"The first {TESTS} tests of each number of classes; the paper had 50. k-means++ instead of random starts. LPI and OLPI "
        "leave out the direction that places all documents on one point.",
    )


def _clustered(results: Results, file: Path) -> str:
    rows = draws()
    shared = {c: complete(results, ("kmeans", *CLUSTERED.values()), samples) for c, samples in rows.items()}
    shared = {c: samples for c, samples in shared.items() if samples}
    if not shared:
        return NOTHING
    found = {
        metric: {c: _by_dimension(results, samples, metric) for c, samples in shared.items()} for metric in ("accuracy", "nmi")
    }
    panels = [
        Panel(f"{c} classes", "dimensions", LABELS[metric], _levels(found[metric][c]), ticks=(1, 5, 10, 15, 20))
        for c in shared
        for metric in found
    ]
    tests = said(map(len, shared.values()))
    draw(file, f"Mean of {tests} per number of classes", panels, min(6, len(panels)))
    return _on_dimensions(found["accuracy"], tests)


def _by_dimension(results: Results, samples: list[str], metric: str) -> Means:
    """Means by method and dimension; the baseline has one at 1."""
    found: Means = {
        name: {d: PER_CENT * mean(results, each, samples, str(d), metric) for d in DIMENSIONS} for name, each in CLUSTERED.items()
    }
    return found | {"Baseline": {1: PER_CENT * mean(results, "kmeans", samples, "", metric)}}


def _levels(means: Means) -> list[Curve]:
    level = Curve("Baseline", DIMENSIONS, tuple(means["Baseline"].values()), kind="level")
    return [*curves({name: each for name, each in means.items() if name != "Baseline"}), level]


def _on_dimensions(means: dict[int, Means], tests: str) -> str:
    """The paper: LPI and OLPI peak early; then LPI falls far, and OLPI stays above the baseline; LSI does not beat it."""
    best = {name: {c: max(DIMENSIONS, key=each[name].__getitem__) for c, each in means.items()} for name in CLUSTERED}
    lost = {name: np.mean([max(each[name].values()) - each[name][DIMENSIONS[-1]] for each in means.values()]) for name in CLUSTERED}
    usual = {name: np.mean(list(each.values())) for name, each in best.items()}
    above = [
        min(number for d, number in each["OLPI"].items() if d >= best["OLPI"][c]) >= each["Baseline"][1]
        for c, each in means.items()
    ]
    below = [max(each["LSI"].values()) <= each["Baseline"][1] for each in means.values()]
    return (
        f"Over {tests} per number of classes accuracy is highest at {usual['LPI']:.1f} dimensions with LPI and "
        f"{usual['OLPI']:.1f} with OLPI on average; at {DIMENSIONS[-1]} LPI has lost {lost['LPI']:.1f} points and OLPI "
        f"{lost['OLPI']:.1f}. From its best dimension on OLPI stays above the baseline: {verdict(above)}. LSI never exceeds it: "
        f"{verdict(below)}."
    )
