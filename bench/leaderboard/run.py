"""What is still to be done is done, the cheapest first, one process at a time; every result is kept at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from bench.leaderboard.contestants import CONTESTANTS, Contestant
from bench.leaderboard.store import Key, Result, append
from bench.leaderboard.tasks import Task, tasks
from bench.records import fingerprint, say

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv-peers" / "bin" / "python"
VARIABLE = "VICINAL_PEERS"  # names another Python that has the peers
CACHE = ROOT / ".cache" / "leaderboard.sqlite"
MODULE = "bench.leaderboard.job"
OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
PROBE = """
import importlib.metadata as m, json, sys
def version(name):
    try: return m.version(name)
    except m.PackageNotFoundError: return None
print(json.dumps({name: version(name) for name in sys.argv[1:]}))
"""
WARM = "from vicinal import Topics; Topics(2).fit(['red rose', 'white rose', 'rose red', 'stock price', 'price', 'stock'] * 9)"
PAUSE = 0.1


@final
@dataclass(frozen=True)
class Job:
    """One contestant on one task."""

    task: Task
    who: Contestant

    @property
    def key(self) -> Key:
        """What its result is found by."""
        return self.task.contest, self.task.name, self.who.name

    @property
    def name(self) -> str:
        """As written on the command line."""
        return "/".join(self.key)

    @property
    def estimate(self) -> float:
        """Seconds that it may take."""
        return self.who.estimate(self.task)


@final
@dataclass(frozen=True)
class Place:
    """Where jobs are run.

    Attributes
    ----------
    python : Path
        An interpreter that has the peers.
    cache : Path
        File of vectors, which is made where there is none.
    cores : int
        That a job is held to; 0 for all.
    timeout : float
        Seconds after which a job is stopped.
    """

    python: Path
    cache: Path = CACHE
    cores: int = 0
    timeout: float = 3600.0


def jobs() -> list[Job]:
    """All of them, the cheapest first."""
    found = [Job(task, who) for task in tasks() for who in CONTESTANTS if who.suits(task)]
    return sorted(found, key=lambda job: job.estimate)


def outstanding(chosen: Iterable[Job], known: dict[Key, Result], renew: bool = False, retry: bool = False) -> list[Job]:
    """Jobs without a result; also ours from another state of the library, and those that came to nothing, where asked."""

    def open_still(job: Job) -> bool:
        if (result := known.get(job.key)) is None:
            return True
        return (renew and job.who.is_ours and result.code != fingerprint()) or (retry and result.outcome != "done")

    return [job for job in chosen if open_still(job)]


def environment() -> dict[str, str]:
    """Of a job: the library and this folder, and no network."""
    path = [str(ROOT / "src"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, **OFFLINE, "PYTHONPATH": os.pathsep.join(path)}


def installed(python: Path, packages: Sequence[str]) -> dict[str, str | None]:
    """The version of each package there; None where it is not installed. The library itself is always here."""
    out = subprocess.run([str(python), "-c", PROBE, *packages], capture_output=True, text=True, check=True, env=environment())
    found: dict[str, str | None] = json.loads(out.stdout)
    return found | {"vicinal": fingerprint()}


def able(chosen: Sequence[Job], versions: dict[str, str | None]) -> list[Job]:
    """Jobs whose packages are there; who is missing is said once."""
    missing: dict[str, list[str]] = {}
    for job in chosen:
        lacking = [package for package in job.who.packages if versions.get(package) is None]
        if lacking:
            missing.setdefault(f"{job.who.title}: {', '.join(lacking)} not installed", []).append(job.name)
    for reason, names in missing.items():
        say(f"{reason}; {len(names)} jobs are left out. `make leaderboard` installs all peers.")
    out = {name for names in missing.values() for name in names}
    return [job for job in chosen if job.name not in out]


def run(chosen: Sequence[Job], known: dict[Key, Result], file: Path, place: Place, versions: dict[str, str | None]) -> int:
    """Do the jobs and return how many came to nothing; these are kept too, as what they are."""
    without = 0
    if any(job.who.is_ours for job in chosen):  # machine code that the library keeps on disk is there before the clock starts
        subprocess.run([str(place.python), "-c", WARM], env=environment(), capture_output=True, check=False)
    for number, job in enumerate(chosen, 1):
        result = measure(job, place, code_of(job.who, versions))
        append(result, file)
        known[result.key] = result
        without += result.outcome != "done"
        say(f"[{number}/{len(chosen)}] {job.name}: {_told(result)}")
    return without


def code_of(who: Contestant, versions: dict[str, str | None]) -> str:
    """What gave a result: the state of the library, or versions of packages."""
    if who.is_ours:
        return str(versions["vicinal"])
    return ", ".join(f"{package} {versions.get(package)}" for package in who.packages)


def measure(job: Job, place: Place, code: str, module: str = MODULE) -> Result:
    """One job in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out, said = Path(folder) / "out.json", Path(folder) / "said.txt"
        command = [str(place.python), "-m", module, *job.key, str(place.cache), str(place.cores), str(out)]
        start = time.perf_counter()
        ended = _wait(command, said, place.timeout)
        seconds = round(time.perf_counter() - start, 2)
        values = json.loads(out.read_text(encoding="utf-8")) if ended.status == 0 and out.exists() else None
        why = "" if values or ended.status is None else _last_line(said, ended.status)
    if values is None:
        outcome = "timeout" if ended.status is None else "failed"
        return Result(*job.key, outcome, seconds, ended.cpu, ended.memory, place.cores, code, {}, why)
    memory = max(ended.memory, values["memory"])
    return Result(*job.key, "done", values["seconds"], values["cpu"], memory, place.cores, code, values["figures"])


@final
@dataclass(frozen=True)
class _Ended:
    """How a process ended: None as status where its time was up; its seconds of the processor; its peak, MB."""

    status: int | None
    cpu: float
    memory: float


def _wait(command: Sequence[str], said: Path, timeout: float, pause: Callable[[float], Any] = time.sleep) -> _Ended:
    """Run a command; with all that it has started it is stopped when its time is up, or when we are."""
    with said.open("wb") as stream:
        process = subprocess.Popen(
            command, stdout=stream, stderr=subprocess.STDOUT, env=environment(), cwd=ROOT, start_new_session=True
        )
    deadline = time.monotonic() + timeout
    try:
        while True:
            late = time.monotonic() > deadline
            if late:
                os.killpg(process.pid, signal.SIGKILL)
            pid, status, usage = os.wait4(process.pid, 0 if late else os.WNOHANG)
            if pid:
                process.returncode = status  # Popen need not look for it any more
                spent = round(usage.ru_utime + usage.ru_stime, 2)
                return _Ended(None if late else os.waitstatus_to_exitcode(status), spent, round(usage.ru_maxrss / 1024))
            pause(PAUSE)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


def _last_line(said: Path, status: int) -> str:
    lines = said.read_text(encoding="utf-8", errors="replace").split("\n")
    told = [line.strip() for line in lines if line.strip()]
    if status < 0:
        return f"ended by signal {-status}"
    return told[-1][:300] if told else f"exit code {status}"


def _told(result: Result) -> str:
    if result.outcome != "done":
        return f"{result.outcome} after {result.seconds:.0f} s {result.why}".strip()
    figures = ", ".join(f"{name} {value:g}" for name, value in result.figures.items())
    return f"{figures}; {result.seconds:.1f} s, {result.memory:.0f} MB"
