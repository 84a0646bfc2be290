"""Two processes write one index: what each was told is kept is there, whatever else the first does with the file meanwhile.

A process loses its locks on a file when it closes any descriptor of it. Then a second process that opens and closes the index takes
itself for the last one and deletes the write-ahead log that the first still writes to.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import vicinal
from tests.index.small import made
from vicinal._sqlite_files import belongs_to_sqlite, has_journal
from vicinal.cli._app import app
from vicinal.corpus import Document
from vicinal.datasets import load_arxiv, load_newsgroups
from vicinal.errors import BadData, VicinalError

#: Opens an index, adds documents, closes it; once for each line of a path and ids.
ADD = """
import sys
from vicinal._store import Documents, Store
from vicinal.corpus import Document
for line in sys.stdin:
    path, *ids = line.rstrip().split("|")
    with Store.open(path) as store:
        print(Documents(store).add([Document(id, "another process adds " + id) for id in ids]).added, flush=True)
"""


def second(verb):
    """Do something with a second handle of this process, which is closed when it is done."""

    def run(index, path):
        with vicinal.open(path) as other:
            verb(other)

    return run


def command(*arguments, code=0):
    """Run the command line in this process."""

    def run(index, path):
        files = {"EXPORTED": "out.csv", "PAGE": "map.html", "COPY": "copy.vic"}
        words = {"INDEX": str(path), "FOLDER": str(path.parent), **{name: str(path.parent / file) for name, file in files.items()}}
        done = CliRunner().invoke(app, [words.get(each, each) for each in arguments])
        assert done.exit_code == code, done.output

    return run


def refused(*arguments, because="is an index or part of one"):
    """Run the command line in this process, with the index in place of another file: it is refused, and not opened."""

    def run(index, path):
        done = CliRunner().invoke(app, [str(path) if each == "INDEX" else each for each in arguments])
        assert done.exit_code != 0
        assert because in " ".join(done.output.replace("│", "").split())

    return run


def emptied(load, folder):
    """Load a data set from a folder in which there is none."""
    with contextlib.suppress(VicinalError):
        load(folder)


def refused_by(load):
    """Load a data set from the index: it is refused, and not opened."""

    def run(index, path):
        with pytest.raises(BadData, match="is an index or part of one"):
            load(path)

    return run


VERBS = {
    "open": second(lambda index: None),
    "add": second(lambda index: index.add([Document("added", "bread and cars")])),
    "change": second(lambda index: index.add([Document("cars-1", "another car")])),
    "remove": second(lambda index: index.remove(["cars-1"])),
    "fit": second(lambda index: index.fit()),
    "label": second(lambda index: index.label(column="subject")),
    "search": second(lambda index: index.search("bread")),
    "check": lambda index, path: index.check(),
    "check of a path": lambda index, path: vicinal.index.check(path),
    "read the folder": lambda index, path: list(vicinal.read(path.parent)),
    "read the folder in an encoding": lambda index, path: list(vicinal.read(path.parent, encoding="utf-16")),
    "read the file": lambda index, path: list(vicinal.read(path)),
    "read the file beside it": lambda index, path: list(vicinal.read(f"{path}-shm")),
    "export": lambda index, path: index.export(path.parent / "out.csv"),
    "vicinal add": command("add", "INDEX", "FOLDER"),
    "vicinal index": command("index", "FOLDER", "-o", "INDEX", "--no-fit"),
    "vicinal plan": command("plan", "INDEX"),
    "vicinal check": command("check", "INDEX"),
    "vicinal info": command("info", "INDEX"),
    "vicinal sync": command("sync", "INDEX", "FOLDER"),
    "vicinal search": command("search", "INDEX", "bread"),
    "vicinal fit": command("fit", "INDEX"),
    "vicinal near": command("near", "INDEX", "cars-1"),
    "vicinal show": command("show", "INDEX", "cars-1"),
    "vicinal duplicates": command("duplicates", "INDEX"),
    "vicinal map": command("map", "INDEX", "-o", "PAGE"),
    "vicinal report": command("report", "INDEX", "-o", "PAGE"),
    "vicinal compact": command("compact", "INDEX"),
    "vicinal copy": command("copy", "INDEX", "COPY"),
    "vicinal clusters": command("clusters", "INDEX"),
    "vicinal explain": command("explain", "INDEX", "cars-1"),
    "vicinal export": command("export", "INDEX", "-o", "EXPORTED"),
    "vicinal remove": command("remove", "INDEX", "cars-1"),
    "vicinal repair": command("repair", "INDEX"),
    "vicinal update": command("update", "INDEX", "FOLDER", code=1),  # the note is not in the index
    "vicinal label": command("label", "INDEX", "--column", "subject"),
    "vicinal classify": command("classify", "INDEX", "FOLDER"),
    "vicinal watch": command("watch", "INDEX", "FOLDER", "--rounds", "1", "--every", "0.01"),
    "vicinal export -o": refused("export", "INDEX", "-o", "INDEX", "--yes", because="can be written as csv"),
    "vicinal label --file": refused("label", "INDEX", "--file", "INDEX", because="there is no label in"),
    "vicinal search --queries": refused("search", "INDEX", "--queries", "INDEX"),
    "vicinal fit --seed-words": refused("fit", "INDEX", "--seed-words", "INDEX"),
    "load_newsgroups": refused_by(lambda path: list(load_newsgroups(path))),
    "load_newsgroups of the folder": lambda index, path: emptied(load_newsgroups, path.parent),
    "load_arxiv": refused_by(load_arxiv),
}


@pytest.fixture(scope="module", name="learnt")
def fitted_index(tmp_path_factory):
    path = tmp_path_factory.mktemp("learnt") / "news.vic"
    return made(path, 4, added=0).read_bytes()


@pytest.fixture(name="path")
def own_copy(tmp_path, learnt):
    path = tmp_path / "news.vic"
    path.write_bytes(learnt)
    (tmp_path / "note.txt").write_text("a note in the folder that is read")
    return path


@pytest.fixture(scope="module", name="elsewhere")
def another_process():
    """Adds documents in another process, which opens the index and closes it again."""
    with subprocess.Popen([sys.executable, "-c", ADD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def add(path, *ids):
            print(path, *ids, sep="|", file=process.stdin, flush=True)
            assert process.stdout.readline() == f"{len(ids)}\n"

        yield add
        process.stdin.close()


def test_every_verb_of_the_command_line_is_tried():
    """But for the demonstration, whose index is a new file, and the server, which tests/serve tries beside a writer."""
    tried = {name.split()[1] for name in VERBS if name.startswith("vicinal ")}
    assert set(get_command(app).commands) - tried == {"demo", "serve"}


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_acknowledged_is_lost_after(path, verb, elsewhere):
    with vicinal.open(path) as index:
        index.add([Document("first", "before the verb")])
        VERBS[verb](index, path)
        before = len(index)
        elsewhere(path, "theirs")
        assert path.with_name("news.vic-wal").exists(), "the log of an index in use was deleted by another process"
        index.add([Document(f"ours-{i}", f"acknowledged number{i} " * 50) for i in range(300)])
        elsewhere(path, *(f"more-{i}" for i in range(100)))
        index.add([Document("last", "after both")])
    with vicinal.open(path) as index:
        assert len(index) == before + 1 + 300 + 100 + 1
        assert index.check() == []


def test_two_commands_that_add_a_folder_with_the_index_in_it_lose_nothing(path):
    """As two people would do it: each reads its own files, and the index lies in a folder that both read."""
    counts, box = (600, 300), path.parent / "box"
    box.mkdir()
    path = path.rename(box / path.name)
    for number, count in enumerate(counts):
        folder = box.parent / f"part{number}"
        folder.mkdir()
        for i in range(count):
            (folder / f"{i}.txt").write_text(f"text{i} of part{number} " * 20)
    commands = [
        [sys.executable, "-c", "from vicinal.cli import main; main()", "add", path, box.parent / f"part{number}", box]
        for number in range(2)
    ]
    before = _count(path)
    running = [subprocess.Popen(each, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for each in commands]
    ended = [each.communicate(timeout=240) for each in running]
    codes = [each.returncode for each in running]
    kept = sum(count for count, code in zip(counts, codes, strict=True) if code == 0)
    assert 0 in codes, ended
    assert all("is being written" in error for (_, error), code in zip(ended, codes, strict=True) if code)
    assert _count(path) >= before + kept
    with vicinal.open(path) as index:
        assert index.check() == []


def _count(path):
    with vicinal.open(path) as index:
        return len(index)


#: Whether another process could take the lock that tells the first user of the shared memory of an index from the later ones.
FIRST_USER = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)
    except OSError:
        sys.exit("locked")
"""


@pytest.mark.parametrize("name", ["news.vic", "news.vic-shm", "news.vic-wal"])
def test_the_locks_on_the_shared_memory_outlive_a_look_at_any_file_of_the_index(path, name):
    """Another process that believed itself the first would cut the shared memory to nothing under this one."""
    with vicinal.open(path) as index:
        index.add([Document("first", "a text")])
        assert belongs_to_sqlite(path.with_name(name))
        assert has_journal(path)
        done = subprocess.run([sys.executable, "-c", FIRST_USER, f"{path}-shm"], capture_output=True, text=True, check=False)
        assert done.stderr == "locked\n"


def test_an_index_that_is_read_is_skipped_and_said(path):
    with vicinal.open(path):
        reading = vicinal.read(path.parent)
        assert [document.id for document in reading] == [f"{path.parent.name}/note.txt"]
        names = {os.path.basename(each.source) for each in reading.skipped}
        assert names == {"news.vic", "news.vic-shm", "news.vic-wal"}
        assert {each.reason for each in reading.skipped} == {"an SQLite file, such as an index, or part of one"}


def test_a_file_beside_no_index_is_read_whatever_its_name(tmp_path):
    (tmp_path / "page").write_bytes(b"a" * 512)
    (tmp_path / "page-wal").write_text("a text")
    (tmp_path / "alone-wal").write_text("another text")
    assert [document.text for document in vicinal.read(tmp_path)] == ["another text", "a" * 512, "a text"]
