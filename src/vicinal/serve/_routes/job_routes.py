"""Jobs: fits, files that are added, and folders that are followed; each tells its progress, and can be cancelled."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from pathlib import Path
from typing import Annotated, Literal

from fastapi import File, Form, Request, Response, UploadFile
from pydantic import Field

from vicinal.serve import _limits
from vicinal.serve._jobs.job import Job
from vicinal.serve._json_answers import JsonAnswer
from vicinal.serve._problems import Problem
from vicinal.serve._routes.parameters import Body, router
from vicinal.serve._selections import Name
from vicinal.serve._server import Server, Serving
from vicinal.serve._shapes import Facts, JobShape, JobsShape

routes = router("jobs")
#: What no name of a file may have, on any system.
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
LONGEST_NAME = 200
Pair = tuple[Name, Name]


class FitBody(Body):
    """The parameters of a fit; what is absent is as in the last one."""

    n_clusters: Annotated[int, Field(ge=1, lt=1 << 31)] | Literal["auto"] | None = None
    n_components: int | None = Field(None, ge=1, lt=1 << 31)
    n_neighbors: int | None = Field(None, ge=1, lt=1 << 31)
    recall: float | None = Field(None, gt=0, le=1)
    alpha: float | None = Field(None, ge=0.0)
    stem: str | None = Field(None, max_length=100)
    random_state: int | None = Field(None, ge=0, lt=1 << 32)
    encoder: str | None = Field(None, max_length=1000)
    links: str | None = Field(None, max_length=1000)
    language: str | None = Field(None, max_length=100)
    segmenter: str | None = Field(None, max_length=100)
    use_labels: bool | None = None
    layout: bool | None = None
    seed_words: dict[str, list[Name]] | None = Field(None, max_length=_limits.PAGE)
    must_link: list[Pair] | None = Field(None, max_length=_limits.NAMED)
    cannot_link: list[Pair] | None = Field(None, max_length=_limits.NAMED)
    embeddings: dict[str, list[float]] | None = Field(None, description="Vectors of your own, by id.")

    def given(self) -> dict[str, object]:
        """The parameters that were given."""
        return {name: value for name, value in self.model_dump().items() if value is not None}

    def recipe(self) -> dict[str, object]:
        """Those of them that an index keeps for the next fit."""
        return {name: value for name, value in self.given().items() if name not in OF_ONE_FIT}


OF_ONE_FIT = ("seed_words", "must_link", "cannot_link", "embeddings")


def _started(server: Server, kind: str, arguments: dict[str, object], folder: Path | None = None) -> Response:
    job = server.jobs.start(kind, arguments, folder)
    return JsonAnswer(job.facts(), 202, {"Location": f"/api/v1/jobs/{job.id}"})


@routes.post("/jobs/fit", status_code=202, response_model=JobShape)
def fit(server: Serving, body: FitBody) -> Response:
    """Fit the index: vocabulary, embedding, clusters and map."""
    server.refuse_reading_only()
    return _started(server, "fit", body.given())


class SyncBody(Body):
    """A file or folder that documents were read from."""

    source: Name
    remove: bool = Field(False, description="Whether documents that are gone from it are removed.")


@routes.get("/sources", response_model=Facts)
def sources(request: Request, server: Serving) -> Response:
    """List the files and folders that documents were read from."""
    return server.answer(request, lambda state: {"sources": state.snapshot.sources()})


@routes.post("/jobs/sync", status_code=202, response_model=JobShape)
def sync(server: Serving, body: SyncBody) -> Response:
    """Bring the index in step with a file or folder that it was made from; no other file of the machine can be named."""
    server.refuse_reading_only()
    with server.states.reading() as state:
        if body.source not in state.snapshot.sources():
            raise Problem(
                "bad-parameter", f"no document was read from {body.source!r:.200}. GET /api/v1/sources lists what can be named."
            )
    return _started(server, "sync", body.model_dump())


Files = Annotated[list[UploadFile], File(description="Files of any format that vicinal reads.", max_length=_limits.PAGE)]


@routes.post("/documents", status_code=202, response_model=JobShape)
def add(server: Serving, files: Files, update: Annotated[Literal["true", "false", ""], Form()] = "") -> Response:
    """Add files; their documents are embedded at once where the index is fitted."""
    server.refuse_reading_only()
    folder = _kept(files)
    wanted = {"true": True, "false": False}.get(update)
    return _started(server, "add", {"folder": str(folder / "files"), "update": wanted}, folder)


@routes.post("/documents/update", status_code=202, response_model=JobShape)
def update(server: Serving, files: Files) -> Response:
    """Replace the content of documents that are there by that of files, and add none."""
    server.refuse_reading_only()
    folder = _kept(files)
    return _started(server, "update", {"folder": str(folder / "files")}, folder)


def _kept(files: list[UploadFile]) -> Path:
    """Uploaded files in a new folder that nobody else can read, under names that are safe."""
    folder = Path(tempfile.mkdtemp(prefix="vicinal-"))
    inside = folder / "files"
    inside.mkdir()
    try:
        for number, file in enumerate(files):
            target = inside / safe_name(file.filename or "", number)
            while target.exists():
                target = target.with_name(f"{number}-{target.name}")
            target.write_bytes(file.file.read())
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise Problem("disk", f"the files cannot be kept: {error.strerror or 'no room'}. Check the free space.") from error
    return folder


def safe_name(name: str, number: int) -> str:
    """The last part of the name of an uploaded file, which leads to no other folder; its ending stays."""
    stem, ending = os.path.splitext(_UNSAFE.sub("_", name.replace("\\", "/").rpartition("/")[2]).strip(". "))
    kept = f"{stem[: LONGEST_NAME - 50]}{ending[:50]}".encode("utf-8", "replace")[:LONGEST_NAME].decode("utf-8", "ignore")
    return kept.lstrip(".") or f"file-{number}.txt"


@routes.get("/jobs", response_model=JobsShape)
def jobs(server: Serving) -> Response:
    """List the last jobs, newest first."""
    return JsonAnswer({"jobs": [job.facts() for job in server.jobs.every()]})


JobId = Annotated[str, Field(max_length=100)]


@routes.get("/jobs/{id}", response_model=JobShape)
def job(server: Serving, id: JobId) -> Response:
    """Tell how far a job is."""
    return JsonAnswer(server.jobs.get(id).facts())


@routes.delete("/jobs/{id}", response_model=JobShape)
def cancel(server: Serving, id: JobId) -> Response:
    """Cancel a job: what it has not committed is undone."""
    server.refuse_reading_only()
    ended: Job = server.jobs.cancel(id)
    return JsonAnswer(_settled(ended).facts())


def _settled(job: Job) -> Job:
    """A job that has ended, after its process has told all."""
    for _ in range(50):
        if not job.running:
            break
        time.sleep(0.02)
    return job
