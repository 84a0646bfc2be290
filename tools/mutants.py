"""Do the tests notice a broken line? Mutants of the source by cosmic-ray, a seeded sample, each judged by the nearest tests.

``python -m tools.mutants`` draws ``--sample`` mutants of graph, spectrum, projection, ranking and store, at most one per
line. Once, all tests of the subjects run under coverage, which says what tests reach which line; then each mutant is judged by
tests that reach its line, and if none of them fails, by all tests that mirror its file. A mutant that no test notices *survives*.
``--quick`` leaves out the run under coverage, which takes longer than a few mutants do.

Results are appended to ``bench/results/mutants.jsonl`` as they come, so a run that was stopped goes on; ``--report`` prints the
share killed. ``--survivors`` judges again those that survived, which tests written since may kill: the last result counts. A result
of a mutant that is not in the sources any more, as its line has moved or changed, is ignored.

Type annotations, and decorators that only a type checker reads or that only compile, are left out, as they change no answer.
Nothing is left out by hand: any other change that alters speed alone, or that leads to the same answer otherwise, is a survivor.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results" / "mutants.jsonl"
SOURCE = "src/vicinal"
#: Which files are mutated, and the tests that mirror them.
SUBJECTS = {
    "graph": (f"{SOURCE}/graph", "tests/graph"),
    "spectrum": (f"{SOURCE}/spectrum", "tests/spectrum"),
    "projection": (f"{SOURCE}/projection", "tests/projection"),
    "ranking": (f"{SOURCE}/uses/_ranking.py", "tests/uses"),
    "retrieved": (f"{SOURCE}/uses/_retrieved.py", "tests/uses"),
    "term scores": (f"{SOURCE}/uses/_term_scores.py", "tests/uses"),
    "candidates": (f"{SOURCE}/uses/_ranking_candidates.py", "tests/uses"),
    "ranking steps": (f"{SOURCE}/uses/_ranking_steps.py", "tests/uses"),
    "compiled steps": (f"{SOURCE}/uses/_compiled_steps.py", "tests/uses"),
    "ranking loops": (f"{SOURCE}/uses/_ranking_loops.py", "tests/uses"),
    "store": (f"{SOURCE}/_store", "tests/store"),
}
#: Tests that may notice a mutant: those that mirror the files, the laws, the engines, whose blocks use the same, and the index,
#: which uses them all.
TESTS = (*dict.fromkeys(tests for _, tests in SUBJECTS.values()), "tests/laws", "tests/engines", "tests/index")
#: Read the sources as they are written: whether values are frozen.
READERS = ("tests/contract/test_values.py",)
#: Of the tests that reach a line, at most so many run first: those that mirror the file before others.
MOST = 60
#: Decorators that change no answer: a type checker reads them, they compile, or they say that a method has to be written.
UNSEEN = ("final", "override", "overload", "compiled", "abstractmethod")
#: Seconds after which a test run counts as failed: a mutant may loop for ever.
PATIENCE = 600


@dataclass(frozen=True)
class Mutant:
    """One change of one place: an operator of cosmic-ray and which of its occurrences in the file."""

    subject: str
    path: str
    operator: str
    occurrence: int
    line: int


@cache
def mutants_of(subject: str) -> list[Mutant]:
    """Every mutant of a subject but those of annotations, one per place and kind of change."""
    place = ROOT / SUBJECTS[subject][0]
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    return [mutant for file in files for mutant in _of_file(subject, file)]


def _of_file(subject: str, file: Path) -> Iterator[Mutant]:
    from cosmic_ray.ast import ast_nodes, get_ast_from_path
    from cosmic_ray.plugins import get_operator, operator_names

    never_run = _lines_of_annotations(file)
    nodes = list(ast_nodes(get_ast_from_path(file)))
    for name in operator_names():
        if get_operator(name).arguments():
            continue  # replaces variables by name: needs to be told which
        positions = [start for node in nodes for start, _ in get_operator(name)().mutation_positions(node)]
        for occurrence, start in enumerate(positions):
            if tuple(start) not in never_run:
                yield Mutant(subject, str(file.relative_to(ROOT)), name, occurrence, start[0])


def _lines_of_annotations(file: Path) -> set[tuple[int, int]]:
    """Line and column of every character of an annotation, a type alias or a decorator that changes no answer."""
    found: set[tuple[int, int]] = set()
    lines = file.read_text(encoding="utf-8").splitlines()
    for node in ast.walk(ast.parse("\n".join(lines))):
        parts = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.unparse(node.annotation):
            parts.append(node.value)
        parts += [each for each in getattr(node, "decorator_list", ()) if ast.unparse(each) in UNSEEN]
        if isinstance(node, ast.ClassDef) and "Protocol" in map(ast.unparse, node.bases):
            parts += [each for part in node.body for each in getattr(part, "decorator_list", ())]
        for part in parts:
            if isinstance(part, ast.expr) and part.end_lineno is not None:
                found |= {
                    (row, column) for row in range(part.lineno, part.end_lineno + 1) for column in range(len(lines[row - 1]) + 1)
                }
    return found


def sample(subjects: list[str], size: int, seed: int) -> list[Mutant]:
    """So many mutants of each subject in proportion to its places, at most one per line, the same for the same seed."""
    chooser = random.Random(seed)
    every = {subject: mutants_of(subject) for subject in subjects}
    places = {subject: sorted({(each.path, each.line) for each in found}) for subject, found in every.items()}
    total = sum(map(len, places.values()))
    drawn: list[Mutant] = []
    for subject in subjects:
        share = min(len(places[subject]), max(1, round(size * len(places[subject]) / total)))
        chosen = chooser.sample(places[subject], share)
        drawn += [chooser.choice([each for each in every[subject] if (each.path, each.line) == place]) for place in chosen]
    chooser.shuffle(drawn)
    return drawn


def tests_by_line(copy: Path, workers: int) -> dict[tuple[str, int], list[str]]:
    """The tests that reach each line of the source, by path and line, found by running all of them once in a working copy."""
    from coverage import CoverageData

    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        str(workers),
        "-p",
        "no:cacheprovider",
        "--cov",
        "--cov-context=test",
        "--cov-report=",
    ]
    subprocess.run([*command, *TESTS], cwd=copy, env=_environment(copy), check=False, capture_output=True)
    data = CoverageData(str(copy / ".coverage"))
    data.read()
    found: dict[tuple[str, int], list[str]] = {}
    for file in data.measured_files():
        for line, contexts in data.contexts_by_lineno(file).items():
            tests = sorted({context.partition("|")[0] for context in contexts} - {""})
            found[str(Path(file).relative_to(copy)), line] = tests
    return found


def judges(mutant: Mutant, reached: dict[tuple[str, int], list[str]]) -> Iterator[list[str]]:
    """What pytest is asked to run for a mutant: some tests that reach its line, then all that mirror its file or read it.

    Of the latter those come first that import the file.
    """
    mirror = SUBJECTS[mutant.subject][1]
    tests = sorted(reached.get((mutant.path, mutant.line), []), key=lambda test: not test.startswith(mirror))
    if tests:
        yield tests[:MOST]
    module = mutant.path.removeprefix("src/").removesuffix(".py").replace("/", ".")
    near = [file for file in sorted((ROOT / mirror).rglob("test_*.py")) if f"{module} import" in file.read_text(encoding="utf-8")]
    yield [*READERS, *(str(file.relative_to(ROOT)) for file in near), mirror]


def is_killed(mutant: Mutant, runs: Iterator[list[str]], copy: Path) -> bool:
    """Whether a test fails in a working copy with the mutant in it; the copy is mended afterwards."""
    from cosmic_ray.mutating import apply_mutation
    from cosmic_ray.plugins import get_operator

    file = copy / mutant.path
    original = file.read_text(encoding="utf-8")
    with TemporaryDirectory(prefix="vicinal-compiled-") as own:
        environment = _environment(copy) | ({"NUMBA_CACHE_DIR": own} if is_compiled(mutant.path) else {})
        try:
            apply_mutation(file, get_operator(mutant.operator)(), mutant.occurrence)
            return any(not _passes(tests, copy, environment) for tests in runs)
        finally:
            file.write_text(original, encoding="utf-8")


@cache
def is_compiled(path: str) -> bool:
    """Whether numba compiles something of a file, or something that another file takes from it.

    What is compiled is cached by the file of the function alone: one that calls a mutant in another file would be taken from the
    cache as it was before, or would stay there with the mutant in it.
    """
    module = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
    sources = {file: file.read_text(encoding="utf-8") for file in (ROOT / SOURCE).rglob("*.py")}
    compiling = [text for text in sources.values() if "@compiled" in text]
    return sources[ROOT / path] in compiling or any(f"from {module} import" in text for text in compiling)


def _passes(tests: list[str], copy: Path, environment: dict[str, str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _environment(copy: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}"}


def waiting(options: argparse.Namespace) -> list[Mutant]:
    """The mutants to be judged: those of the sample without a result yet, or those that survived."""
    subjects, judged = options.only or list(SUBJECTS), results()
    if options.survivors:
        return [mutant for mutant, killed in judged.items() if not killed and mutant.subject in subjects]
    return [mutant for mutant in sample(subjects, options.sample, options.seed) if mutant not in judged]


def run(mutants: list[Mutant], workers: int, quick: bool = False) -> None:
    """Judge mutants in as many working copies as there are workers; ``quick``: by the tests that mirror their files alone."""
    with TemporaryDirectory(prefix="vicinal-mutants-") as folder, ThreadPoolExecutor(workers) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(workers):
            copies.put(_copy(Path(folder, str(number))))
        reached = {} if quick else tests_by_line(_copy(Path(folder, "covered")), workers)
        print(f"{len(reached):,} lines are reached by tests", flush=True)
        for number, line in enumerate(pool.map(lambda mutant: _judged(mutant, judges(mutant, reached), copies), mutants), 1):
            print(f"{number} of {len(mutants)}: {line}", flush=True)


def _copy(folder: Path) -> Path:
    ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", "results")
    shutil.copytree(ROOT, folder, ignore=ignored)
    return folder


def _judged(mutant: Mutant, runs: Iterator[list[str]], copies: SimpleQueue[Path]) -> str:
    copy = copies.get()
    try:
        killed = is_killed(mutant, runs, copy)
    finally:
        copies.put(copy)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**asdict(mutant), "killed": killed}) + "\n")
    return f"{'killed  ' if killed else 'SURVIVED'} {mutant.path}:{mutant.line} {mutant.operator.removeprefix('core/')}"


def results() -> dict[Mutant, bool]:
    """Every mutant of the sources as they are that was judged, and whether it was killed when it was judged last."""
    if not RESULTS.exists():
        return {}
    rows = [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]
    judged = {Mutant(**{name: value for name, value in row.items() if name != "killed"}): row["killed"] for row in rows}
    present = {mutant for subject in SUBJECTS for mutant in mutants_of(subject)}
    return {mutant: killed for mutant, killed in judged.items() if mutant in present}


def report() -> None:
    """Print the share killed of each subject and of all, and every survivor."""
    judged = results()
    counts = Counter((mutant.subject, killed) for mutant, killed in judged.items())
    for subject in (*SUBJECTS, "all"):
        killed, alive = (
            sum(n for (name, was), n in counts.items() if was is sign and subject in (name, "all")) for sign in (True, False)
        )
        if killed + alive:
            print(f"{subject:15}{killed:5} of {killed + alive:4} killed ({killed / (killed + alive):.1%})")
    for mutant, killed in sorted(judged.items(), key=lambda each: (each[0].path, each[0].line)):
        if not killed:
            print(f"survived: {mutant.path}:{mutant.line} {mutant.operator.removeprefix('core/')} (occurrence {mutant.occurrence})")


def main() -> None:
    """Parse the command, run or report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=200, help="how many mutants in all")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the sample")
    parser.add_argument("--only", choices=SUBJECTS, action="append", help="only this subject; may be repeated")
    parser.add_argument("--workers", type=int, default=2, help="how many mutants at a time")
    parser.add_argument("--survivors", action="store_true", help="judge those that survived again, and no others")
    parser.add_argument(
        "--quick", action="store_true", help="judge by the tests that mirror a file alone, without a run for coverage"
    )
    parser.add_argument("--report", action="store_true", help="print the share killed so far, and nothing else")
    options = parser.parse_args()
    if not options.report:
        run(waiting(options), options.workers, options.quick)
    report()


if __name__ == "__main__":
    main()
