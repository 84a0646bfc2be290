"""Claims on times, dimensions, neighbours and numbers of words: judged by single results and not by a table's cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from papers import memory, sigir05
from papers.claims.orderings import FEWEST, Place, judged, place
from papers.claims.toys import tiny
from papers.claims.verdicts import NOTHING, Evidence, Verdict, proved
from papers.plan import Results, best_of, draws_of
from papers.printed import cells
from papers.samples import source_of
from papers.times import in_one_run
from vicinal._typing import FloatArray

SAME = 1e-6  # relative difference of places up to which two fits are the same
SQUARE, LINEAR = 1.7, 1.3  # powers above which, and below which, a growth is called so
ENOUGH = 10  # results that a growth is read off
SCORES = ("accuracy", "nmi")
DRAWN_BY_ICML = ("tdt2-small", "reuters-small")  # what ICML'05 drew from
FEW_WORDS = 100  # words per dimension up to which few is said
FLAT = 0.01  # relative distance from its last value at which a curve has settled
PER_CENT = 100.0


def by_classes(results: Results, *procedures: str, among: Iterable[str]) -> dict[tuple[str, int], list[str]]:
    """Samples of a paper that all of these procedures have a result for, by corpus and number of classes."""
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for sample in among:
        if all((sample, each) in results for each in procedures):
            found[source_of(sample), int(sample.split("/")[1])].append(sample)
    return dict(sorted(found.items()))


def over_tests(rows: Mapping[Any, Sequence[str]]) -> str:
    """How many tests there are, which says what a count of places is worth."""
    numbers = sorted({len(samples) for samples in rows.values()})
    if not numbers:
        return ""
    return f"Tests of each number of classes: {numbers[0]}{f' to {numbers[-1]}' if len(numbers) > 1 else ''}."


def enough(rows: dict[tuple[str, int], list[str]]) -> dict[tuple[str, int], list[str]]:
    """Rows of several tests, where there are any: one test is luck."""
    return {row: samples for row, samples in rows.items() if len(samples) >= FEWEST} or rows


def seen(places: Sequence[Place], note: str, rows: Mapping[Any, Sequence[str]]) -> Verdict:
    """What is judged of so many tests; nothing is decided where no row has more than one."""
    found = judged(places, note)
    return Verdict("undecided", found.evidence) if places and max(map(len, rows.values()), default=0) < FEWEST else found


def drawn_by(paper: str, *sources: str) -> list[str]:
    """All samples of a paper's tables on some corpora."""
    return [sample for source in sources for samples in draws_of(paper, source).values() for sample in samples]


# CIKM'07: cost and seconds


def documents(results: Results, sample: str) -> int | None:
    """How many documents a draw has, as was counted when it was made; None where it was not."""
    counted = results.get((sample, "size"))
    return None if counted is None else int(counted.values[""]["documents"])


def growth(results: Results, procedure: str) -> tuple[float, int]:
    """The power of the number of documents that the seconds of a reduction grow with on TDT2, and from how many results."""
    there = [
        (number, each.values["seconds"]["reduction"])
        for (sample, name), each in in_one_run(results, "in turn").items()
        if name == procedure and source_of(sample) == "tdt2" and (number := documents(results, sample))
    ]
    return _slope(there), len(there)


def supervised_growth(results: Results) -> tuple[float, int]:
    """The same of RLPI with labels on 20 Newsgroups: by the share of documents to learn from, since a factor changes no power."""
    there = [
        (int(sample.split("/")[1]), each.values["seconds"]["reduction"])
        for (sample, name), each in results.items()
        if name == "news rlpi"
    ]
    return _slope(there), len(there)


def _slope(there: Sequence[tuple[int, float]]) -> float:
    pairs = np.array([pair for pair in there if pair[1] > 0], dtype=float).reshape(-1, 2)
    return float(np.polyfit(np.log(pairs[:, 0]), np.log(pairs[:, 1]), 1)[0]) if len(np.unique(pairs[:, 0])) >= 3 else float("nan")


def cikm_6(evidence: Evidence) -> Verdict:
    """Cubic, quadratic, and linear with labels."""
    adds = "The constants of LPI's cost add up (9/2 + 2 + 1/6 = 20/3)."
    (lpi, n_lpi), (rlpi, n_rlpi) = (growth(evidence.results, name) for name in ("lpi-7", "rlpi-7"))
    if min(n_lpi, n_rlpi) < ENOUGH or np.isnan(lpi + rlpi):
        return Verdict("not tested", f"Too few results. {adds}")
    labelled, n_labelled = supervised_growth(evidence.results)
    known = n_labelled >= ENOUGH and not np.isnan(labelled)
    as_said = lpi > 2.5 and rlpi < 2.2 and (not known or labelled < 1.3)
    with_labels = f"with labels with the power {labelled:.1f} ({n_labelled} splits)" if known else "with labels too few were run"
    return Verdict(
        "true" if as_said else "conditional" if lpi > rlpi + 0.3 else "false",
        f"As bounds: seconds grow with the power {lpi:.1f} of the documents for LPI as published ({n_lpi} draws of TDT2), "
        f"{rlpi:.1f} for RLPI ({n_rlpi} draws), {with_labels}. Smaller powers than 3, 2 and 1 agree with costs that are bounds, "
        f"and with lower-order terms that still count at these sizes; larger samples were not timed. {adds}",
    )


def cikm_12() -> Verdict:
    """Memory of table 1, measured on made-up documents."""
    found = {method: [memory.measured(method, m) for m in sizes] for method, sizes in memory.SIZES.items()}
    lpi, rlpi = (memory.power(found[method]) for method in ("LPI", "RLPI"))
    held = ", ".join(f"{each[-1].held / each[-1].printed:.1f} times for {method}" for method, each in found.items())
    return Verdict(
        "true" if lpi > SQUARE and rlpi < LINEAR else "false",
        f"Numbers that are held at most during a fit grow with the power {lpi:.2f} of the documents for LPI as published (200 to "
        f"800 of them) and {rlpi:.2f} for RLPI (1,000 to 4,000). They are more than the table counts: {held}, since copies and "
        "work space are in it (`python -m papers.memory`).",
    )


def cikm_13() -> Verdict:
    """RLPI from documents on disk, section 3.4."""
    half, whole = (memory.from_disk(m) for m in memory.LONG_DOCUMENTS[-2:])
    sizes = [f"{each.held / 1e6:.0f} MB of {each.on_disk / 1e6:.0f} for {each.documents:,} documents" for each in (half, whole)]
    return proved(
        whole.held < whole.on_disk / 2 and whole.apart < SAME,
        f"Made-up documents, written to disk and read in blocks of {memory.BLOCK}: at most {' and '.join(sizes)} are held at one "
        f"time, graph and eigenvectors included, and places differ from those of a fit in memory by {tiny(whole.apart)} (`python "
        "-m papers.memory`). Each step of the solver reads the file, and so does the search for neighbours, of which the paper "
        "does not speak: without blocks there it would need all documents at once.",
    )


PROCEDURES = {"Baseline": "kmeans", "LSI": "lsi", "PLSI": "plsi", "LPI": "lpi-7", "RLPI": "rlpi-7", "NMF-NCW": "nmf-ncw"}
FASTER = (("LSI", "RLPI"), ("RLPI", "LPI"), ("RLPI", "Baseline"), ("RLPI", "PLSI"))


def cikm_11(evidence: Evidence) -> Verdict:
    """Which method is faster, by the geometric mean of the ratios of seconds of the same test."""
    timed = in_one_run(evidence.results, "in turn")
    rows = by_classes(timed, *PROCEDURES.values(), among=drawn_by("cikm07", "tdt2"))
    places = [
        each
        for (_, c), samples in rows.items()
        for each in _faster(c, {name: _totals(timed, samples, name) for name in PROCEDURES})
    ]
    if not places:
        return Verdict("not tested", NOTHING)
    printed = {(each.row, each.method): each.mean for each in cells("cikm07", "Table 3") if each.metric == "seconds_total"}
    counts = {c for c, _ in printed}
    broken = [
        each
        for c in counts
        for each in _faster(c, {name: _printed(printed.get((c, name))) for name in PROCEDURES})
        if not each.holds
    ]
    note = "The printed seconds agree." if not broken else f"The printed seconds contradict it in {len(broken)} places."
    return judged(places, note + " Seconds are those of the processor.")


def _printed(seconds: float | None) -> FloatArray:
    return np.array([]) if seconds is None else np.log(np.array([seconds]))


def _totals(results: Results, samples: Sequence[str], name: str) -> FloatArray:
    """Logarithms of reduction and clustering together."""
    spent = [results[sample, PROCEDURES[name]].values["seconds"] for sample in samples]
    return np.log([max(sum(each.get(part, 0.0) for part in ("reduction", "clustering")), 1e-6) for each in spent])


def _faster(c: int, seconds: Mapping[str, FloatArray]) -> Iterator[Place]:
    """Looks at one number of classes; the slowest is LPI up to three classes and NMF-NCW from four on, where LPI was run."""
    for one, other in FASTER:
        if len(seconds[one]) and len(seconds[other]):
            yield place(f"{one} faster than {other}", "c", c, seconds[other] - seconds[one])
    last = "LPI" if c <= 3 else "NMF-NCW"
    rest = [each for name, each in seconds.items() if name != last and len(each)]
    if rest and len(seconds[last]):
        yield place(f"{last} slowest", "c", c, seconds[last] - np.max(rest, axis=0))


# curves over a setting


def curve(results: Results, samples: Sequence[str], procedure: str, metric: str) -> dict[int, FloatArray]:
    """Values by setting, one per sample, in points, at settings that all samples have."""
    found = [results[sample, procedure].values for sample in samples]
    settings = [name for name in found[0] if name.isdigit() and all(name in each for each in found)]
    return {int(name): PER_CENT * np.array([each[name][metric] for each in found]) for name in settings}


def peak(values: Mapping[int, FloatArray]) -> int:
    """The setting with the highest mean, the smallest of equals."""
    return max(sorted(values), key=lambda setting: round(float(values[setting].mean()), 9))


CLUSTERED = ("lpi-7 dimensions", "olpi-7 dimensions", "lsi dimensions", "kmeans")
SUBSET = {"precision": "figure 2", "neighbours": "figure 3"}


def _clustered_samples(results: Results) -> dict[tuple[str, int], list[str]]:
    return enough(by_classes(results, *CLUSTERED, among=chain.from_iterable(sigir05.draws().values())))


def _clustered(
    results: Results,
) -> Iterator[tuple[str, int, dict[int, FloatArray], dict[int, FloatArray], dict[int, FloatArray], FloatArray]]:
    """For each number of classes and metric: the curves of LPI, OLPI and LSI, and k-means on the documents."""
    for (_, c), samples in _clustered_samples(results).items():
        for metric in SCORES:
            lpi, olpi, lsi = (curve(results, samples, name, metric) for name in CLUSTERED[:3])
            baseline = PER_CENT * np.array([results[sample, "kmeans"].values[""][metric] for sample in samples])
            yield f"figure 4, {metric}", c, lpi, olpi, lsi, baseline


def sigir_4(evidence: Evidence) -> Verdict:
    """What is left of LPI and OLPI after their best number of dimensions."""
    places = []
    for group, c, lpi, olpi, _, baseline in _clustered(evidence.results):
        last = max(lpi.keys() & olpi.keys())
        falls = [each[peak(each)] - each[last] for each in (lpi, olpi)]
        places.append(place("LPI falls further from its peak than OLPI", group, c, falls[0] - falls[1]))
        places.append(place("LPI ends below the baseline", group, c, baseline - lpi[last]))
        places.append(place("OLPI ends above the baseline", group, c, olpi[last] - baseline))
    subsets = sum(procedure == "subset" for _, procedure in evidence.results)
    rows = _clustered_samples(evidence.results)
    return seen([*places, *_subsets(evidence.results)], f"{over_tests(rows)} Subsets of figures 2 and 3: {subsets}.", rows)


def _subsets(results: Results) -> Iterator[Place]:
    """The same over the subsets of one word each, where all dimensions are kept."""
    found = [each.values for (_, procedure), each in results.items() if procedure == "subset"]
    for metric, group in SUBSET.items():
        if found:
            baseline, lpi, olpi = (
                PER_CENT * np.array([each[name][metric] for each in found]) for name in ("baseline", "lpi 100", "olpi 100")
            )
            yield place("LPI ends below the baseline", group, "100 %", baseline - lpi)
            yield place("OLPI ends above the baseline - 0.5", group, "100 %", olpi - baseline, 0.5)


def sigir_5(evidence: Evidence) -> Verdict:
    """Where LPI and OLPI are best, and what LSI has there."""
    places = []
    for group, c, lpi, olpi, lsi, baseline in _clustered(evidence.results):
        for name, each in (("LPI", lpi), ("OLPI", olpi)):
            top = peak(each)
            places.append(Place(f"{name} best with at most as many dimensions as classes", group, str(c), top <= c))
            if top in lsi:
                places.append(place(f"{name} > LSI there", group, c, each[top] - lsi[top]))
        places.append(place("Baseline > LSI at its best", group, c, baseline - lsi[peak(lsi)]))
    rows = _clustered_samples(evidence.results)
    return seen(places, over_tests(rows), rows)


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def excess(evidence: Evidence) -> str:
    """SIGIR'05, 3, on real subsets."""
    found = [each.values["claim"]["excess"] for (_, procedure), each in evidence.results.items() if procedure == "subset"]
    return f" On {_number(len(found), 'subset')} of TDT2 the largest excess is {max(found):.0g}." if found else ""


# ICML'05


def icml_6(evidence: Evidence) -> Verdict:
    """Means and standard deviations of the best number of dimensions per test."""
    places, shown = [], defaultdict(list)
    rows = by_classes(evidence.results, "lpp-15", "pca", among=drawn_by("icml05", *DRAWN_BY_ICML))
    for (corpus, c), samples in rows.items():
        lpp, pca = (np.array([best_of(evidence.results[sample, name].values) for sample in samples]) for name in ("lpp-15", "pca"))
        places.append(
            place("LPP's best dimension nearer to k - 1 than PCA's", corpus, c, np.abs(pca - c + 1) - np.abs(lpp - c + 1))
        )
        if len(samples) > 1:
            places.append(Place("LPP's spread below PCA's", corpus, str(c), bool(lpp.std() < pca.std())))
        shown["LPP"].append((np.abs(lpp - c + 1).mean(), lpp.std()))
        shown["PCA"].append((np.abs(pca - c + 1).mean(), pca.std()))
    means = {name: np.mean(each, axis=0) for name, each in shown.items()}
    note = " ".join(
        f"{name}: {off:.1f} from k - 1 on average, standard deviation {spread:.1f}." for name, (off, spread) in means.items()
    )
    return judged(places, f"{note} {over_tests(rows)}".strip())


def same_as_eigenmap(evidence: Evidence) -> str:
    """ICML'05, 4, on real draws: how often LPP and Laplacian eigenmaps cluster alike."""
    alike: dict[str, list[bool]] = defaultdict(list)
    for (corpus, c), samples in by_classes(evidence.results, "lpp-15", "le-15", among=drawn_by("icml05", *DRAWN_BY_ICML)).items():
        for sample in samples:
            lpp, le = (evidence.results[sample, name].values for name in ("lpp-15", "le-15"))
            if f"{c - 1}" in lpp and "c-1" in le:
                alike[corpus].append(lpp[f"{c - 1}"] == le["c-1"])
    shown = " and ".join(f"{sum(each)} of {len(each)} draws of {corpus}" for corpus, each in alike.items())
    return (
        f" Both cluster alike on {shown}; the paper has the condition met on 312 of 450 (Reuters) and 430 of 450 (TDT2)."
        if shown
        else ""
    )


def icml_8(evidence: Evidence) -> Verdict:
    """LPP on few neighbours against all pairs."""
    places, tops = [], []
    rows = enough(by_classes(evidence.results, "lpp p", "lpp complete", among=drawn_by("icml05", *DRAWN_BY_ICML)))
    for (corpus, c), samples in rows.items():
        for metric in SCORES:
            near = curve(evidence.results, samples, "lpp p", metric)
            whole = PER_CENT * np.array([evidence.results[sample, "lpp complete"].values[""][metric] for sample in samples])
            group = f"{corpus}, {metric}"
            places += [place(f"p = {p} > all pairs", group, c, near[p] - whole) for p in (6, 15) if p in near]
            tops.append(peak(near))
    best = f"Best p: {np.median(tops):.0f} (median over corpora, metrics and numbers of classes)." if tops else ""
    return seen(places, f"{best} {over_tests(rows)}".strip(), rows)


# AAAI'08 and AISTATS'12


def aaai_9(evidence: Evidence) -> Verdict:
    """How many words per dimension are best."""
    places: list[Place] = []
    tests: dict[Any, list[str]] = {}
    for name, procedure in (("SPG", "spg-7 words"), ("SPCA", "spca words")):
        rows = enough(by_classes(evidence.results, procedure, among=drawn_by("aaai08", "tdt2", "reuters")))
        tests |= {(name, row): samples for row, samples in rows.items()}
        for (corpus, c), samples in rows.items():
            places += [
                _few(name, f"{corpus}, {metric}", c, curve(evidence.results, samples, procedure, metric)) for metric in SCORES
            ]
    return seen(places, over_tests(tests), tests)


def _few(name: str, group: str, c: int, values: Mapping[int, FloatArray]) -> Place:
    """The best of few words against the most."""
    few = {words: each for words, each in values.items() if words <= FEW_WORDS}
    return place(f"{name} with {FEW_WORDS} words or fewer > with {max(values)}", group, c, few[peak(few)] - values[max(values)])


def settled(evidence: Evidence) -> str:
    """AISTATS'12, 7, on real draws: from which step on the objective stays within one per cent of where it ends."""
    found = [each.values["objective"] for (_, procedure), each in evidence.results.items() if procedure == "lpfl history"]
    steps = [_settles(np.array([each[str(step)] for step in sorted(map(int, each))])) for each in found]
    return (
        f" On {_number(len(steps), 'draw')} of TDT2 the objective stays within 1 % of its end from step {np.median(steps):.0f} on "
        "(median)."
        if steps
        else ""
    )


def _settles(values: FloatArray) -> int:
    away: Any = np.flatnonzero(np.abs(values - values[-1]) > FLAT * abs(values[-1]))
    return int(away[-1]) + 2 if len(away) else 1
