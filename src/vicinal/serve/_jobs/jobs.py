"""The jobs of a server: one runs at a time, the last ones are remembered, and each can be cancelled."""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import final

from vicinal.serve._jobs.job import CANCELLED, DONE, FAILED, Job
from vicinal.serve._problems import Problem

WORKER = (sys.executable, "-m", "vicinal.serve._jobs.worker")
#: Jobs that are remembered, and seconds that a cancelled one has to end by itself.
MOST, PATIENCE = 20, 5.0


@final
class Jobs:
    """Starts jobs, listens to them and ends them.

    Parameters
    ----------
    path : Path
        The file of the index.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._jobs: dict[str, Job] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()

    def start(self, kind: str, arguments: Mapping[str, object], folder: Path | None = None) -> Job:
        """Start a job.

        Parameters
        ----------
        kind : {"fit", "add", "update", "sync"}
        arguments : mapping
            What the method of the index takes.
        folder : Path, optional
            A temporary folder that is removed when the job has ended.

        Raises
        ------
        Problem
            Of kind "busy": another job is running.
        """
        with self._lock:
            running = next((job for job in self._jobs.values() if job.running), None)
            if running is not None:
                _remove(folder)
                facts = running.facts()
                raise Problem("busy", f"a job is running already ({running.kind}). Wait for its end, or cancel it.", {"job": facts})
            job = Job(secrets.token_hex(8), kind)
            process = _begun(folder)
            self._jobs[job.id], self._processes[job.id] = job, process
            while len(self._jobs) > MOST:
                del self._jobs[next(iter(self._jobs))]
        order = json.dumps({"path": str(self._path), "kind": kind, "arguments": dict(arguments)})
        threading.Thread(target=self._follow, args=(job, process, order, folder), daemon=True).start()
        return job

    def _follow(self, job: Job, process: subprocess.Popen[bytes], order: str, folder: Path | None) -> None:
        """Give the process its order, and take what it tells until it ends; its input stays open as long as the server lives."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(f"{order}\n".encode())
            process.stdin.flush()
            for line in process.stdout:
                job.note(json.loads(line))
        except (OSError, ValueError):
            process.kill()
        finally:
            code = process.wait()
            process.stdout.close()
            _close(process)
            _remove(folder)
            self._processes.pop(job.id, None)
            job.end(*_ending(job, code))

    def get(self, id: str) -> Job:
        """A job by its id."""
        if id not in self._jobs:
            raise Problem("not-found", f"there is no job {id!r:.40}. GET /api/v1/jobs lists the last ones.")
        return self._jobs[id]

    def every(self) -> list[Job]:
        """The jobs, newest first."""
        return list(self._jobs.values())[::-1]

    def cancel(self, id: str) -> Job:
        """Ask a job to end, and end it after some seconds; what it has not committed is undone."""
        job, process = self.get(id), self._processes.get(id)
        if process is not None and job.running:
            job.cancelling = True
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            job.end(*_ending(job, process.returncode))
        return job

    def close(self) -> None:
        """End what is running."""
        for id in list(self._processes):
            self.cancel(id)


def _ending(job: Job, code: int) -> tuple[str, dict[str, object] | None]:
    if job.result is not None:
        return DONE, None
    if job.cancelling:
        return CANCELLED, None
    detail = f"the process of the job ended with code {code}. The index is as it was after its last complete change."
    return FAILED, job.problem or Problem("internal", detail).facts()


def _begun(folder: Path | None) -> subprocess.Popen[bytes]:
    """The process of a job; where it cannot be started, its folder is not left behind."""
    try:
        return subprocess.Popen(WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        _remove(folder)
        raise Problem("disk", f"the process of the job cannot be started: {error.strerror}. Check memory and processes.") from error


def _close(process: subprocess.Popen[bytes]) -> None:
    try:
        if process.stdin is not None:
            process.stdin.close()
    except OSError:  # what it was not told any more
        return


def _remove(folder: Path | None) -> None:
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
