"""One contestant on one task, in a process of its own: ``python -m bench.leaderboard.job CONTEST TASK WHO CACHE CORES OUT``.

What is measured begins with texts in memory and packages imported, and ends with the answer.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.leaderboard.usage import cpu_seconds, forget_peak, hold_to

Answer = Callable[[], Any]
Judge = Callable[[Any], dict[str, float]]


def main(given: Sequence[str]) -> None:
    """Do the job and write what came of it to a file."""
    contest, task, who, cache, cores, out = given
    hold_to(int(cores))
    Path(out).write_text(json.dumps(do(contest, task, who, Path(cache))), encoding="utf-8")


def do(contest: str, name: str, who: str, cache: Path) -> dict[str, Any]:
    """Read the task, forget what reading took, answer, judge."""
    from bench.leaderboard.contestants import MODULES, contestant
    from bench.leaderboard.kit import Kit
    from bench.leaderboard.tasks import tasks

    chosen, kit = contestant(contest, who), Kit(cache)
    for module in (MODULES[package] for package in chosen.packages if MODULES[package]):
        importlib.import_module(module)
    (task,) = (each for each in tasks() if (each.contest, each.name) == (contest, name))
    answer, judge = read(task, chosen.answer, kit)
    forget_peak()
    start, start_cpu = time.perf_counter(), cpu_seconds()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = answer()
    seconds, cpu = time.perf_counter() - start, cpu_seconds() - start_cpu
    return {
        "figures": judge(found),
        "seconds": round(seconds - kit.waited + kit.owed, 2),
        "cpu": round(cpu - kit.waited_cpu + kit.owed_cpu, 2),
        "memory": round(kit.memory),
    }


def read(task: Any, answer: Callable[..., Any], kit: Any) -> tuple[Answer, Judge]:
    """What is asked, and how the answer is judged; the corpus behind the texts is let go."""
    from bench.leaderboard import material, scores
    from bench.quality.material import forget

    if task.contest == "clusters":
        clusters = material.to_cluster(task)
        k = len(set(clusters.classes.tolist()))
        asked: tuple[Answer, Judge] = (
            lambda: answer(clusters.texts, k, kit),
            lambda found: scores.of_clusters(clusters.classes, found),
        )
    elif task.contest == "classes":
        classes = material.to_classify(task)
        told = sum(label is not None for label in classes.labels)
        asked = (
            lambda: answer(classes.texts, classes.labels, classes.asked, kit),
            lambda found: scores.of_classes(classes.classes, found, told),
        )
    else:
        search = material.to_search(task)
        asked = (
            lambda: answer(search.documents, search.questions, kit),
            lambda found: scores.of_search(found, search.relevant, len(search.documents)),
        )
    forget()
    return asked


if __name__ == "__main__":
    main(sys.argv[1:])
