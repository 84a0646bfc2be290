"""The process of a job: takes its order on standard input, tells progress and the result on standard output, a line of JSON each.

It ends, and undoes what it has not committed, when it is told to (SIGTERM) and when its server is gone, whose end closes its input.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, final

if TYPE_CHECKING:
    from vicinal.index import Index

#: Seconds between two reports of the same step.
INTERVAL = 0.2


@final
class Teller:
    """Tells progress, at most a few times a second.

    Parameters
    ----------
    stream : text stream
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._step, self._last = stream, "", 0.0

    def __call__(self, step: str, done: int, total: int) -> None:
        """Report one step."""
        now = time.monotonic()
        if step != self._step or done == total or now - self._last >= INTERVAL:
            self._step, self._last = step, now
            self.tell({"step": step, "done": int(done), "total": int(total)})

    def tell(self, message: dict[str, object]) -> None:
        """Write one line."""
        from vicinal.serve._json_answers import as_json

        self._stream.write(f"{as_json(message)}\n")
        self._stream.flush()


def run(order: dict[str, Any], teller: Teller) -> None:
    """Do a job, and tell its result or its problem."""
    import vicinal
    from vicinal.errors import VicinalError, VicinalWarning
    from vicinal.serve._problems import Problem, of_error

    with warnings.catch_warnings():
        warnings.simplefilter("always", VicinalWarning)
        warnings.showwarning = lambda message, *_, **__: teller.tell({"warning": str(message)})
        try:
            with vicinal.open(order["path"]) as index:
                result = JOBS[order["kind"]](index, order["arguments"], teller)
            teller.tell({"result": result})
        except VicinalError as error:
            problem = of_error(error, Path(order["path"]))
            told = Problem("cannot-fit", problem.detail) if problem.kind == "not-fitted" else problem
            teller.tell({"problem": told.facts()})
        except OSError as error:
            teller.tell({"problem": {"kind": "disk", "detail": f"{error.strerror or type(error).__name__}. Check the free space."}})


def _fit(index: Index, arguments: dict[str, Any], progress: Teller) -> dict[str, object]:
    before = _clusters(index)
    fitted = index.fit(**arguments, progress=progress)
    return {**vars(fitted), "report": _report(index, before)}


def _clusters(index: Index) -> dict[int, int]:
    """The number of the cluster of each document, by its number in the file."""
    with index._reading() as state:
        if not state.fitted:
            return {}
        return dict(zip(state.rows.numbers.tolist(), state.cluster_numbers.tolist(), strict=True))


def _report(index: Index, before: dict[int, int]) -> dict[str, object]:
    """How many documents went from which cluster to which other, most first."""
    from collections import Counter

    after = _clusters(index)
    moves = Counter((before.get(number, -1), cluster) for number, cluster in after.items() if before.get(number, -1) != cluster)
    with index._reading() as state:
        names = state.cluster_names()
    each = [{"from": was, "to": now, "count": count} for (was, now), count in moves.most_common()]
    return {"moves": each if before else [], "names": {str(number): name for number, name in names.items()}}


def _added(index: Index, arguments: dict[str, Any], progress: Teller) -> dict[str, object]:
    return _arrived(index.add, arguments, progress, update=arguments.get("update"))


def _updated(index: Index, arguments: dict[str, Any], progress: Teller) -> dict[str, object]:
    return _arrived(index.update, arguments, progress)


def _arrived(take: Callable[..., Any], arguments: dict[str, Any], progress: Teller, **more: Any) -> dict[str, object]:
    """Read uploaded files and give them to the index: a document is known by the name of its file, since its path will be gone."""
    from vicinal.corpus import read

    folder = Path(arguments["folder"])
    with read(folder, progress=progress) as reading:
        named = (replace(each, id=_without(folder, each.id), source="") for each in reading)
        done = take(named, progress=progress, **more)
        skipped = [{"source": _without(folder, each.source), "reason": each.reason} for each in reading.skipped]
    return {**vars(done), "skipped": skipped}


def _without(folder: Path, name: str) -> str:
    """A name without the temporary folder that it begins with."""
    for start in (f"{folder}/", f"{folder.name}/"):
        if name.startswith(start):
            return name[len(start) :]
    return name


def _synced(index: Index, arguments: dict[str, Any], progress: Teller) -> dict[str, object]:
    done = index.sync(arguments["source"], remove=bool(arguments.get("remove")), progress=progress)
    return {**vars(done), "skipped": [vars(each) for each in done.skipped]}


#: What each kind of job does.
JOBS: dict[str, Callable[[Index, dict[str, Any], Teller], dict[str, object]]] = {
    "fit": _fit,
    "add": _added,
    "update": _updated,
    "sync": _synced,
}


def _end_with_server() -> None:
    """Wait until the input is closed, which the end of the server does, and end then as Ctrl-C would."""
    while os.read(0, 1 << 16):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _messages() -> TextIO:
    """Standard output for messages alone, in UTF-8: what a library prints goes to standard error."""
    messages = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
    os.dup2(2, 1)
    return messages


def main() -> int:
    """Do one job."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is for the server, which ends its jobs
    try:
        order = json.loads(sys.stdin.readline())
        threading.Thread(target=_end_with_server, daemon=True).start()
        run(order, Teller(_messages()))
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
