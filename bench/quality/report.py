"""From the lines of results to bench/quality/README.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.quality import numbers, seeds
from bench.quality.draws import Draw
from bench.quality.run import all_jobs
from bench.quality.settings import SOFTNESS, Setting
from bench.quality.store import Result, Runs
from bench.quality.summary import Results, difference, factor, means, ratio, targets, worst
from bench.report import table

PAGE = Path(__file__).parent / "README.md"
LOG = Path(__file__).parent / "log.md"

HEAD = """# Quality: every corpus, every setting

Written by `python -m bench.quality --report` from `bench/results/quality.jsonl`; do not edit. `make quality` runs what has no
result yet, and may be stopped and started again; `--renew` also runs what an older state of the library answered.
`--corpus 'arxiv_*'`, `--setting topics` and `--part held` choose among them; two runs of two parts may go on at the same time.

- Topics(k) and `Topics("auto")` are run with the random seeds 0 to 4 (`--seeds`), the first seed of all draws before the second.
  Tables show means over seeds, "k found" the number furthest from k. The other settings have one seed.
- Answers of two states of the library are not mixed: of Topics only those of the state that answered last are counted, and a run
  that finds any missing does the others anew. `--same CODE` names a state that answers as the present one does.

- NMI is mutual information over the larger entropy. Every document counts; those that a setting leaves without a group (−1) are
  one group, but no cluster that could be the largest.
- k is the true number of classes, given to all settings but `Topics("auto")`. Everything else is the default.
- Words are counted on the drawn documents, as `Topics` counts them (terms in two documents at least and in half of them at most);
  TDT2 comes as counts and is cut by the same rule.
- Seconds lead from counts to labels, kernels compiled. They are of the processor, the sum of all threads, as machines are shared;
  results of earlier states of this bench have those of the clock, so trust ratios within a row only roughly.
- LSI-100 + k-means: BM25, rows normalised. RLPI as in the paper: tf, 7 neighbours, cosine, α = 0.1, k dimensions, rows as they are.
  RLPI BM25: 15 neighbours, α = 1, 1.5 k dimensions, rows normalised. k-means++ with 10 starts each.
"""
WITH_LABELS = """{title}: BM25, the documents halved at random, each half classified by a linear SVM (C = {softness}) that learnt
from the classes of the other. It is the ceiling of what weights of words can do with labels, not a rival; "left" is what lies
between it and Topics(k), which sees all documents and so may be just above it."""
OVER_SEEDS = f"""NMI of each seed. Spread is the largest less the smallest. In bold: a spread over {seeds.SPREAD},
a worst seed that is more than {seeds.SLACK} below the better of LSI-100 + k-means and RLPI of the paper, a cluster of over half of
the documents where no class has that. The largest cluster is that of all seeds, as a share of the documents."""
LABELLED = {"nmi": "NMI", "accuracy": "accuracy"}
PARTS = {
    "tuning": "## Tuning: looked at while choices were made",
    "held": """## Held back: not looked at while choices were made

Other classes and other documents by other seeds. From TDT2, Reuters and 20 Newsgroups these are parts of what the tuning part holds
whole, so only the mix of classes and sizes is new; arXiv's draws share some documents with others; Cranfield, MED and CISI are new
altogether.""",
}


def page(runs: Runs, draws: Sequence[Draw], settings: Sequence[Setting], log: str, found: numbers.Numbers | None = None) -> str:
    """The whole page."""
    results = seeds.together(runs)
    main = [s for s in settings if not (s.ablation or s.labelled) and (s.unasked or any(key[1] == s.name for key in results))]
    sections = [HEAD, "## Targets\n\n" + table(targets(results, draws) + seeds.targets(runs, draws))]
    for part, heading in PARTS.items():
        of_part = [draw for draw in draws if draw.part == part]
        sections.append("\n\n".join([heading, _part(results, of_part, main), _seeds(runs, of_part)]))
    sections.append(numbers.section(draws, found or {}))
    sections += [_labelled(results, draws, setting) for setting in settings if setting.labelled]
    sections.append(_ablations(results, draws, [s for s in settings if s.ablation]))
    sections += [log, _state(runs, draws, settings)]
    return "\n\n".join(section.strip() for section in sections if section.strip()) + "\n"


def write(runs: Runs, draws: Sequence[Draw], settings: Sequence[Setting], file: Path = PAGE, log: Path = LOG) -> None:
    """Write the page; what people wrote by hand stands in ``log``."""
    found = numbers.read()[0]
    file.write_text(page(runs, draws, settings, log.read_text(encoding="utf-8"), found), encoding="utf-8")


def _part(results: Results, draws: list[Draw], settings: list[Setting]) -> str:
    shown = [draw for draw in draws if any((draw.name, setting.name) in results for setting in settings)]
    if not shown:
        return "No results yet."
    parts = [
        "### NMI\n\n" + table([*(_quality(results, draw, settings) for draw in shown), _mean_row(results, shown, settings, "nmi")]),
        "\n".join(_findings(results, shown)),
        "### Accuracy\n\n" + _plain(results, shown, settings, "accuracy", "{:.3f}"),
        "### Seconds\n\n" + _plain(results, shown, settings, "seconds", "{:.1f}"),
    ]
    return "\n\n".join(part for part in parts if part)


def _seeds(runs: Runs, draws: list[Draw]) -> str:
    rows = seeds.rows(runs, draws)
    return f"### Topics(k) over seeds\n\n{OVER_SEEDS}\n\n{table(rows)}" if rows else ""


def _plain(results: Results, draws: list[Draw], settings: list[Setting], field: str, shape: str) -> str:
    known = [setting for setting in settings if setting.name != "auto" or field == "seconds"]
    rows = [{"corpus": draw.title} | _cells(results, draw, known, field, shape) for draw in draws]
    return table([*rows, _mean_row(results, draws, known, field, shape)])


def _quality(results: Results, draw: Draw, settings: list[Setting]) -> dict[str, Any]:
    """One row: size, NMI per setting, and the differences that count."""
    some = next(results[draw.name, s.name] for s in settings if (draw.name, s.name) in results)
    row = {"corpus": draw.title, "documents": f"{some.documents:,}", "k": some.classes}
    row |= _cells(results, draw, settings, "nmi", "{:.3f}")
    row["Topics(k) − max(LSI, paper)"] = _shown(difference(results, draw.name), "{:+.3f}")
    auto = results.get((draw.name, "auto"))
    row["k found"] = "" if auto is None else auto.found
    row["factor"] = _shown(factor(results, draw.name), "{:.2f}")
    row["time of Topics(k) / RLPI BM25"] = _shown(ratio(results, draw.name), "{:.1f}")
    return row


def _cells(results: Results, draw: Draw, settings: list[Setting], field: str, shape: str) -> dict[str, Any]:
    found = {setting.title: results.get((draw.name, setting.name)) for setting in settings}
    return {title: "" if result is None else shape.format(getattr(result, field)) for title, result in found.items()}


def _mean_row(results: Results, draws: list[Draw], settings: list[Setting], field: str, shape: str = "{:.3f}") -> dict[str, Any]:
    """The mean over draws that every setting was run on; a setting asked for by name only counts where it has all of them."""
    counted = [s.name for s in settings if s.unasked or all((draw.name, s.name) in results for draw in draws)]
    found, n_draws = means(results, draws, counted, field)
    return {"corpus": f"**mean of {n_draws}**"} | {s.title: _shown(found.get(s.name), shape) for s in settings}


def _findings(results: Results, draws: list[Draw]) -> list[str]:
    """The worst of each figure, in words."""
    lines = []
    if low := worst(results, draws, difference, min):
        lines.append(f"- worst Topics(k), mean of its seeds, − max(LSI-100, RLPI of the paper): {low[0]:+.3f} ({low[1].title})")
    if far := worst(results, draws, factor):
        within = sum(value <= 2 for draw in draws if (value := factor(results, draw.name)) is not None)
        total = sum(factor(results, draw.name) is not None for draw in draws)
        lines.append(f"- number of topics within a factor of two on {within} of {total}; worst {far[0]:.2f} ({far[1].title})")
    if slow := worst(results, draws, ratio):
        middle = np.median([value for draw in draws if (value := ratio(results, draw.name)) is not None])
        most = f"at most {slow[0]:.1f} ({slow[1].title})"
        lines.append(f"- Topics(k) takes {middle:.1f} times one RLPI BM25 with clustering (median), {most}")
    return lines


def _labelled(results: Results, draws: Sequence[Draw], setting: Setting) -> str:
    """What labels would give, beside Topics(k); nothing where that was not asked for."""
    shown = [draw for draw in draws if (draw.name, setting.name) in results]
    if not shown:
        return ""
    rows = [{"corpus": draw.title} | _pair(results.get((draw.name, "topics")), results[draw.name, setting.name]) for draw in shown]
    both = [draw for draw in shown if (draw.name, "topics") in results]
    mean = {"corpus": f"**mean of {len(both)}**"} | dict.fromkeys(list(rows[0])[1:], "")
    for field, title in LABELLED.items():
        found, _ = means(results, both, ["topics", setting.name], field)
        mean |= _apart(title, found.get("topics"), found.get(setting.name))
    return f"## What labels would give\n\n{WITH_LABELS.format(title=setting.title, softness=SOFTNESS)}\n\n{table([*rows, mean])}"


def _pair(ours: Result | None, theirs: Result) -> dict[str, str]:
    cells: dict[str, str] = {}
    for field, title in LABELLED.items():
        cells |= _apart(title, None if ours is None else getattr(ours, field), getattr(theirs, field))
    return cells


def _apart(title: str, ours: float | None, theirs: float | None) -> dict[str, str]:
    """Three cells: without labels, with them, and what lies between."""
    between = None if ours is None or theirs is None else theirs - ours
    return {
        f"{title}, Topics(k)": _shown(ours, "{:.3f}"),
        f"{title}, labels": _shown(theirs, "{:.3f}"),
        f"{title}, left": _shown(between, "{:+.3f}"),
    }


def _ablations(results: Results, draws: Sequence[Draw], settings: list[Setting]) -> str:
    """NMI with one part left out each."""
    heading = "## Ablations: what each part is worth\n\nNMI of Topics(k) with one part left out.\n\n"
    shown = [draw for draw in draws if any((draw.name, s.name) in results for s in settings)]
    if not shown:
        return heading + "No results yet."
    found, n_draws = means(results, shown, [s.name for s in settings], "nmi")
    whole = found.get(settings[0].name)
    rows = [{"left out": s.title} | {draw.title: _nmi(results, draw, s) for draw in shown} for s in settings]
    for row, setting in zip(rows, settings, strict=True):
        row[f"mean of {n_draws}"] = _shown(found.get(setting.name), "{:.3f}")
        row["difference"] = "" if whole is None else f"{found[setting.name] - whole:+.3f}"
    return heading + table(rows)


def _nmi(results: Results, draw: Draw, setting: Setting) -> str:
    result = results.get((draw.name, setting.name))
    return "" if result is None else f"{result.nmi:.3f}"


def _state(runs: Runs, draws: Sequence[Draw], settings: Sequence[Setting]) -> str:
    """What is missing, what came from which state of the library, and what was warned of."""
    wanted = [job.key for job in all_jobs(draws, [s for s in settings if s.unasked], seeds.SEEDS)]
    missing = sum(key not in runs for key in wanted)
    codes = Counter(result.code for result in runs.values())
    warned = Counter(name for result in runs.values() for name in result.warned)
    lines = [f"- {len(runs)} results; {missing} of {len(wanted)} wanted ones are missing."]
    lines += [f"- {count} from the library in state `{code}`." for code, count in sorted(codes.items(), key=lambda each: -each[1])]
    lines += [f"- `{name}` was warned of in {count}." for name, count in sorted(warned.items())]
    return "## State of these results\n\n" + "\n".join(lines)


def _shown(value: float | None, shape: str) -> str:
    return "" if value is None else shape.format(value)
