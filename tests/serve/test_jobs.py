"""Jobs: fits, files and folders, one at a time, with progress, results and problems; a cancelled one changes nothing."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import vicinal
from tests.index.small import documents
from vicinal._warn import warn
from vicinal.errors import UnembeddedDocuments
from vicinal.serve._jobs import jobs as jobs_module
from vicinal.serve._jobs.job import Job
from vicinal.serve._jobs.jobs import Jobs
from vicinal.serve._jobs.worker import JOBS, Teller, run
from vicinal.serve._problems import Problem
from vicinal.serve._routes.job_routes import safe_name


def told(path, kind, arguments):
    """What a worker tells, in this process: a process of its own does the same."""
    stream = io.StringIO()
    run({"path": str(path), "kind": kind, "arguments": arguments}, Teller(stream))
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_fit_tells_its_steps_its_result_and_what_changed(path):
    with vicinal.open(path) as index:
        index.move_documents(["cars-0"], 1)
        index.undo(1)
    lines = told(path, "fit", {"n_clusters": 2})
    steps = [line["step"] for line in lines if "step" in line]
    assert list(dict.fromkeys(steps)) == ["terms", "embedding", "clusters", "embed", "layout", "save"]
    result = lines[-1]["result"]
    assert (result["n_clusters"], result["n_documents"]) == (2, 30)
    assert "continue" in result["change"]
    moved = {(each["from"], each["to"]): each["count"] for each in result["report"]["moves"]}
    assert sum(moved.values()) >= 10
    with vicinal.open(path) as index:
        assert {int(number) for number in result["report"]["names"]} == {each.number for each in index.clusters()}


def test_a_first_fit_has_nothing_to_compare_with(tmp_path):
    with vicinal.open(tmp_path / "new.vic", create=True) as index:
        index.add(documents(range(4)))
    assert told(tmp_path / "new.vic", "fit", {"n_clusters": 3, "n_neighbors": 3})[-1]["result"]["report"]["moves"] == []


def test_warnings_of_the_library_are_told(path, monkeypatch):
    def warned(index, arguments, progress):
        warn("two documents have no terms.", UnembeddedDocuments)
        return {}

    monkeypatch.setitem(JOBS, "fit", warned)
    assert told(path, "fit", {}) == [{"warning": "two documents have no terms."}, {"result": {}}]


def test_a_fit_that_cannot_be_is_a_problem(path, tmp_path):
    assert told(path, "fit", {"n_clusters": 99})[-1]["problem"]["kind"] == "cannot-fit"
    assert told(path, "fit", {"links": "nothing"})[-1]["problem"]["kind"] == "bad-parameter"
    assert told(path, "add", {"folder": str(tmp_path / "nowhere")})[-1]["problem"]["kind"] == "not-found"


def test_uploaded_files_are_known_by_their_names(path, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "new.txt").write_text("bread oven flour")
    (folder / "two.csv").write_text("text,year\nrose soil,1990\ntulip leaf,1991\n")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\0")
    first = told(path, "add", {"folder": str(folder), "update": None})[-1]["result"]
    assert (first["added"], first["embedded"]) == (3, 3)
    assert [each["source"] for each in first["skipped"]] == ["picture.png"]
    again = told(path, "add", {"folder": str(folder), "update": None})[-1]["result"]
    assert (again["added"], again["unchanged"]) == (0, 3)
    (folder / "new.txt").write_text("bread oven butter")
    (folder / "other.txt").write_text("dough")
    updated = told(path, "update", {"folder": str(folder)})[-1]
    assert updated.get("problem", {}).get("kind") == "bad-parameter" or updated["result"]["changed"] == 1
    with vicinal.open(path) as index:
        assert index["new.txt"].source == ""
        assert "other.txt" not in index


def test_a_folder_is_followed(tmp_path):
    folder = tmp_path / "farm"
    folder.mkdir()
    (folder / "a.txt").write_text("wheat")
    with vicinal.open(tmp_path / "farm.vic", create=True) as index:
        index.add(folder)
    (folder / "b.txt").write_text("corn")
    (folder / "a.txt").unlink()
    done = told(tmp_path / "farm.vic", "sync", {"source": str(folder), "remove": True})[-1]["result"]
    assert (done["added"], done["removed"], done["skipped"]) == (1, 1, [])


def test_a_disk_that_fails_is_a_problem(path, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vicinal.open", fail)
    assert told(path, "fit", {})[-1]["problem"]["kind"] == "disk"


def test_progress_is_told_a_few_times_a_second_at_most():
    stream = io.StringIO()
    teller = Teller(stream)
    for done in range(1000):
        teller("embed", done, 1000)
    teller("embed", 1000, 1000)
    lines = stream.getvalue().splitlines()
    assert len(lines) < 50
    assert json.loads(lines[-1]) == {"step": "embed", "done": 1000, "total": 1000}


def finished(client, job):
    """The last event of a job, and the states that its events had."""
    states = []
    with client.stream("GET", f"/jobs/{job['id']}/events") as events:
        for line in events.iter_lines():
            if line.startswith("data: "):
                job = json.loads(line.removeprefix("data: "))
                states.append(job["state"])
    return job, states


def test_files_are_dropped_in_and_progress_streams_to_the_end(client):
    files = [("files", ("new.txt", b"bread oven", "text/plain")), ("files", ("../../new.txt", b"rose soil", "text/plain"))]
    answer = client.post("/documents", files=files, data={"update": "true"})
    assert answer.status_code == 202
    assert answer.headers["location"] == f"/api/v1/jobs/{answer.json()['id']}"
    job, states = finished(client, answer.json())
    assert (job["state"], job["result"]["added"], job["problem"]) == ("done", 2, None)
    assert states[-1] == "done"
    assert set(states[:-1]) <= {"running"}
    assert client.get("/documents", params={"rows": "30,31"}).json()["documents"][1]["id"].endswith("new.txt")
    assert client.get("/jobs").json()["jobs"][0]["id"] == job["id"]
    assert client.get(f"/jobs/{job['id']}").json()["steps"] == job["steps"]


@pytest.fixture
def slow_worker(monkeypatch, tmp_path):
    """A worker that tells one step and waits to be ended."""
    program = tmp_path / "slow.py"
    step = json.dumps({"step": "clusters", "done": 1, "total": 9})
    lines = ["import sys, time", "sys.stdin.readline()", f"print({step!r}, flush=True)", "time.sleep(600)"]
    program.write_text("\n".join(lines))
    monkeypatch.setattr(jobs_module, "WORKER", (sys.executable, "-S", str(program)))


def waited(condition):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


def test_one_job_runs_at_a_time_and_can_be_cancelled(client, slow_worker):
    first = client.post("/jobs/fit", json={}).json()
    waited(lambda: client.get(f"/jobs/{first['id']}").json()["step"] == "clusters")
    busy = client.post("/jobs/fit", json={})
    assert (busy.status_code, busy.json()["kind"], busy.json()["job"]["id"]) == (409, "busy", first["id"])
    assert client.post("/documents", files={"files": ("a.txt", b"x")}).status_code == 409
    cancelled = client.delete(f"/jobs/{first['id']}").json()
    assert (cancelled["state"], cancelled["problem"], cancelled["result"]) == ("cancelled", None, None)
    assert client.delete(f"/jobs/{first['id']}").json()["state"] == "cancelled"
    second = client.post("/jobs/fit", json={}).json()
    assert second["id"] != first["id"]
    assert client.delete(f"/jobs/{second['id']}").json()["state"] == "cancelled"


def test_a_job_that_ignores_its_end_is_killed(path, slow_worker, monkeypatch, tmp_path):
    program = tmp_path / "slow.py"
    program.write_text(f"import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n{program.read_text()}")
    monkeypatch.setattr(jobs_module, "PATIENCE", 0.1)
    jobs = Jobs(Path(path))
    job = jobs.start("fit", {})
    waited(lambda: job.step == "clusters")
    jobs.close()
    assert job.state == "cancelled"


def test_a_worker_that_breaks_is_a_failed_job(path, monkeypatch, tmp_path):
    folder = tmp_path / "upload"
    folder.mkdir()
    for program in ("raise SystemExit(7)", "print('no json', flush=True)"):
        monkeypatch.setattr(jobs_module, "WORKER", (sys.executable, "-S", "-c", program))
        jobs = Jobs(Path(path))
        job = jobs.start("fit", {}, folder)
        waited(lambda job=job: not job.running)
        assert (job.state, job.problem["kind"]) == ("failed", "internal")
        assert not folder.exists()


def test_the_last_jobs_are_remembered(path, monkeypatch):
    monkeypatch.setattr(jobs_module, "WORKER", (sys.executable, "-S", "-c", "print('{\"result\": {}}')"))
    monkeypatch.setattr(jobs_module, "MOST", 2)
    jobs = Jobs(Path(path))
    for _ in range(3):
        last = jobs.start("fit", {})
        waited(lambda last=last: not last.running)
    assert [job.state for job in jobs.every()] == ["done", "done"]
    assert jobs.every()[0] is last
    with pytest.raises(Problem, match="no job"):
        jobs.get("gone")


def test_what_ended_once_stays_as_it_is():
    job = Job("a", "fit")
    job.end("done")
    seconds = job.facts()["seconds"]
    job.end("failed", {"kind": "internal"})
    assert (job.state, job.problem, job.facts()["seconds"]) == ("done", None, seconds)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("end", ["signal", "server"])
def test_a_worker_ends_when_it_is_told_to_and_when_its_server_is_gone(path, end):
    """It waits for an order: told to end it ends at once, and so it does where nobody holds its input any more."""
    program = (
        "import threading, time, sys\nfrom vicinal.serve._jobs import worker\n"
        "def slow(order, teller):\n    teller('clusters', 0, 0)\n    time.sleep(600)\n"
        "worker.run = slow\nsys.exit(worker.main())\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(b"{}\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["step"] == "clusters"
    if end == "signal":
        process.send_signal(signal.SIGTERM)
    else:
        process.stdin.close()
    assert process.wait(60) == 130
    process.stdout.close()


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("a.txt", "a.txt"),
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\evil.csv", "evil.csv"),
        ("..", "file-3.txt"),
        ("", "file-3.txt"),
        (".hidden", "hidden"),
        ("a\x00b\n.txt", "a_b_.txt"),
        ("CON:aux.txt", "CON_aux.txt"),
        ("é" * 300 + ".csv", None),
    ],
)
def test_names_of_uploaded_files_lead_nowhere_else(name, safe):
    found = safe_name(name, 3)
    assert "/" not in found
    assert len(found.encode()) <= 255
    assert safe is None or found == safe


def test_changes_are_told_to_every_browser(app, client):
    """The stream begins with the present state; the end of the server ends it."""
    lines = []
    with client.stream("GET", "/events") as events:
        for line in events.iter_lines():
            lines.append(line)
            if line == "":
                app._server.closing.set()
    assert lines[0] == "event: state"
    state = json.loads(lines[1].removeprefix("data: "))
    assert state == {"etag": client.get("/info").headers["etag"].strip('"'), "generation": 1, "documents": 30}


def test_sources_are_what_documents_were_read_from(tmp_path):
    from tests.serve.conftest import client_of
    from vicinal.serve import create_app

    folder = tmp_path / "farm"
    folder.mkdir()
    (folder / "a.txt").write_text("wheat")
    with vicinal.open(tmp_path / "farm.vic", create=True) as index:
        index.add(folder)
    app = create_app(tmp_path / "farm.vic", page=False)
    assert client_of(app).get("/sources").json() == {"sources": [str(folder)]}
    app.close()
