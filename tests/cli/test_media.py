"""Media, through the command line: a full disk and one that cannot be written are one line and exit code 3, and harm nothing."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli.commands import READING, WRITING, filled
from tests.index.small import documents, made
from tests.store.test_media import mounted
from vicinal.cli._app import app

resource = pytest.importorskip("resource")

NOBODY = 65534
#: The verbs that read and write no file.
ASKING = {verb: arguments for verb, arguments in READING.items() if verb not in ("export", "map", "report")} | {
    "check": ["check", "FILE"]
}


def invoke(arguments, file, source="nowhere"):
    return CliRunner().invoke(app, filled(arguments, file, source), env={"COLUMNS": "100"})


def answers(file):
    """What the reading verbs say, the size of the file left out."""
    said = {}
    for verb, arguments in ASKING.items():
        done = invoke([*arguments, "--json"], file)
        assert done.exit_code == 0, (verb, done.output)
        said[verb] = {name: value for name, value in json.loads(done.stdout).items() if name != "bytes"}
    return said


def complaint(verb, done):
    """The one line that a verb which failed has said of it."""
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == 3, done.output
    [said] = [line for line in done.stderr.splitlines() if line.startswith(f"vicinal {verb}: ")]
    assert "Traceback" not in done.output
    return said


def table(folder, n=20):
    """A table of documents that need much room."""
    path = Path(folder) / "more.csv"
    rows = [f"new-{n},{each.text} {' '.join(f'w{n}x{i}' for i in range(300))}" for n, each in enumerate(documents(range(n)))]
    path.write_text("id,text\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session", name="whole")
def sound_file(tmp_path_factory):
    return made(tmp_path_factory.mktemp("whole") / "small.vic")


@pytest.fixture(name="file")
def own_copy(whole, tmp_path):
    return Path(shutil.copy(whole, tmp_path / "small.vic"))


def test_files_that_may_not_grow_are_one_line_and_the_index_is_as_before(file, tmp_path):
    source, before, failed = table(tmp_path), answers(file), []
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for verb, arguments in WRITING.items():
        for most in (0, 20_000, 33_000, 60_000):
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
            try:
                done = invoke(arguments, file, source)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            if done.exit_code == 0:
                break
            assert str(file) in complaint(verb, done)
            failed.append(verb)
        now = answers(file)
        if verb in ("fit", "label", "remove") and done.exit_code:
            assert now == before, verb
        before = now
    assert set(failed) == set(WRITING)


GROW = """
import os, sys
from pathlib import Path
from tests.cli.commands import WRITING
from tests.cli.test_media import answers, complaint, invoke
from tests.index.small import made
disk, source = Path(sys.argv[1]), Path(sys.argv[2])
file, filler = disk / "small.vic", disk / "filler"
made(disk / "kept")
for verb, arguments in WRITING.items():
    file.write_bytes((disk / "kept").read_bytes())
    before, failed = answers(file), 0
    for room in (0, 40_000, 100_000, 300_000, 1_000_000, 3_000_000):
        free = os.statvfs(disk)
        filler.write_bytes(bytes(max(0, free.f_bavail * free.f_frsize - room)))
        done = invoke(arguments, file, source)
        filler.unlink()
        if done.exit_code == 0:
            break
        said = complaint(verb, done)
        assert "is full: " in said and "Make room" in said, said
        assert verb in ("index", "add") or answers(file) == before, verb
        failed += 1
    print(verb, failed, done.exit_code, invoke(["check", "FILE"], file).exit_code)
    for each in disk.iterdir():
        each.name == "kept" or each.unlink()
"""


def test_a_full_disk_is_one_line_and_with_more_room_the_same_command_succeeds(tmp_path):
    source = table(tmp_path)
    disk = tmp_path / "disk"
    disk.mkdir()
    script = f'mount -t tmpfs -o size=8m none "$2"; "$1" -c \'{GROW}\' "$2" "{source}"'
    said = {verb: rest for verb, *rest in (line.split() for line in mounted(script, disk).splitlines())}
    assert list(said) == list(WRITING)
    assert all(int(failed) > 0 for failed, _, _ in said.values()), said
    assert all(rest[1:] == ["0", "0"] for rest in said.values()), said


def unprivileged(file, source, pipe):
    """In a process that permissions hold for: what reading verbs say, and the complaints of the writing ones."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    os.chdir("/")
    try:
        refused = {verb: complaint(verb, invoke(arguments, file, source)) for verb, arguments in WRITING.items()}
        pipe.send((answers(file), refused))
    except BaseException as error:
        pipe.send((None, repr(error)))


@pytest.mark.skipif(sys.platform == "win32", reason="no permissions of this kind")
def test_where_nothing_may_be_written_all_that_read_work_and_all_that_write_say_so(whole):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file, source = Path(shutil.copy(whole, folder / "small.vic")), table(folder, 5)  # which needs no process of its own to read
        before, content = answers(file), file.read_bytes()
        file.chmod(0o444)
        source.chmod(0o444)
        folder.chmod(0o555)
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=unprivileged, args=(file, source, theirs))
        process.start()
        read, refused = ours.recv() if ours.poll(120) else (None, "nothing was heard of it")
        process.join(60)
        folder.chmod(0o755)
        assert read == before, refused
        assert all("cannot be written" in said for said in refused.values()), refused
        assert file.read_bytes() == content
        assert sorted(each.name for each in folder.iterdir()) == ["more.csv", "small.vic"]


READ_ONLY = """
import sys
from pathlib import Path
from tests.cli.commands import WRITING
from tests.cli.test_media import answers, complaint, invoke
disk = Path(sys.argv[1])
answers(disk / "small.vic")
for verb, arguments in WRITING.items():
    assert "cannot be written" in complaint(verb, invoke(arguments, disk / "small.vic", disk / "more.csv")), verb
new = complaint("index", invoke(WRITING["index"], disk / "new.vic", disk / "more.csv"))
print(new.count(str(disk)))
"""


def test_a_medium_that_cannot_be_written_is_read_by_all_that_read(file, tmp_path):
    table(tmp_path)
    script = f'mount --bind "$2" "$2"; mount -o remount,ro,bind "$2"; "$1" -c \'{READ_ONLY}\' "$2"'
    assert mounted(script, tmp_path) == "1\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["more.csv", "small.vic"]
