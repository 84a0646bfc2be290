"""A folder of a thousand real files of all kinds, hostile ones among them, becomes an index; each file is read or has its line."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import sys
import sysconfig
import tarfile
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corpora.place import available, locate
from vicinal._store import Documents, Store
from vicinal.cli._app import app

#: How many files to take of each kind, and how large they may be.
KINDS = {
    ".py": (560, 6_000),
    ".txt": (120, 30_000),
    ".md": (40, 30_000),
    ".rst": (40, 30_000),
    ".html": (40, 60_000),
    ".json": (40, 30_000),
    ".csv": (25, 30_000),
    ".toml": (20, 20_000),
    ".cfg": (10, 20_000),
    ".h": (60, 20_000),
    ".pyi": (60, 12_000),
    ".pyx": (20, 20_000),
    ".pyc": (40, 20_000),
    ".so": (10, 60_000),
    ".gz": (10, 60_000),
    ".png": (20, 60_000),
    ".svg": (10, 60_000),
    ".eml": (10, 60_000),
    ".xml": (10, 60_000),
    ".c": (10, 30_000),
    ".npy": (10, 30_000),
    ".npz": (10, 30_000),
    "": (60, 30_000),  # METADATA, RECORD, LICENSE, ...
}
MAILS = 120
SUBJECTS = {"garden": "rose tulip soil spring water leaf", "kitchen": "bread oven flour salt butter dough"}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pipes and links of this kind")


def found():
    """Real files of this machine, of every kind in turn: the standard library's and those of the packages beside it."""
    left = {kind: number for kind, (number, _) in KINDS.items()}
    paths = sysconfig.get_paths()
    for root in (paths["purelib"], paths["stdlib"]):
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if name != "site-packages" and not name.startswith("."))
            taken = dict.fromkeys(KINDS, 8)  # of one folder a few, so that there are many kinds of text
            for name in sorted(names):
                path, kind = Path(folder, name), Path(name).suffix
                if left.get(kind, 0) and taken[kind] and 0 < path.stat().st_size <= KINDS[kind][1]:
                    left[kind] -= 1
                    taken[kind] -= 1
                    yield path


def mails():
    """Posts of 20 Newsgroups where they are, else the samples by which the standard library tests its reader of mail."""
    if "newsgroups" in available():
        with tarfile.open(locate("newsgroups")) as archive:
            for member in islice((each for each in archive if each.isfile()), MAILS):
                yield archive.extractfile(member).read()
    else:
        for path in sorted(Path(sysconfig.get_paths()["stdlib"], "test").glob("**/msg_*.txt"))[:MAILS]:
            yield path.read_bytes()


def put_real(folder):
    for number, path in enumerate(found()):
        place = folder / f"{number % 40:02}"
        place.mkdir(exist_ok=True)
        (place / f"{number:04} {path.name}").write_bytes(path.read_bytes())
    (folder / "mail").mkdir()
    for number, data in enumerate(mails()):
        (folder / "mail" / f"{number:03}.eml").write_bytes(data)


def put_tables(folder):
    """Tables of what is at hand: the texts of two subjects, and of the names of modules."""
    modules = sorted(sys.stdlib_module_names)
    for number in range(20):
        with (folder / f"table {number}.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, delimiter=",;\t"[number % 3])
            table.writerow(["title", "body", "year"])
            for subject, words in SUBJECTS.items():
                table.writerow([f"{subject} {number}", f"{words} {modules[number]} day house", 1990 + number])


HOSTILE = {
    "binary.txt": bytes(range(256)) * 20,
    "empty.txt": b"",
    "blanks.md": b" \n\t\n" * 50,
    "latin.txt": "Où est le café où l'été dure toute l'année ? ".encode("latin-1") * 20,
    "utf-16.txt": ("A letter in sixteen bits. " * 20).encode("utf-16"),
    "broken.html": b"<html><body><p>open <b>never <i>closed <table><td>cell </p></html <script>alert(1)" + b"<div>" * 5000,
    "broken.json": b'{"text": "half of a thing", "more": [1, 2, ',
    "broken.jsonl": b'{"text": "a sound line"}\n{"text": \n{"text": "another sound line"}\n',
    "deep.json": b"[" * 100_000,
    "empty.pdf": b"",
    "broken.pdf": b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\n",
    "broken.docx": b"PK\x03\x04" + bytes(100),
    "broken.parquet": b"PAR1" + bytes(100),
    "broken.csv": b'id,text\n1,"never closed\n' + b"x" * 1000,
    "heavy.csv": b"id,text,note\n1,a row with a long note," + b"x" * 3_000_000 + b"\n2,a row with a short note,y\n",
    "broken.mbox": b"From nobody\nSubject: =?utf-8?b?////?=\n\nbody\n",
    "bomb.gz": gzip.compress(bytes(10_000_000)),
    "nul.txt": b"words and \0 nothing between words " * 20,
    "half.txt": "half of a character at the end é".encode()[:-1],
    "one line.txt": b"word " * 200_000,
    "new\nline.txt": b"a name of two lines",
    "esc\x1b[2J\x07.txt": b"a name that clears the screen",
    "=cmd|x.txt": b"a name that is a formula",
    "\u202eevil.txt": b"a name that is written from the right",
    os.fsdecode(b"caf\xe9.txt"): b"a name that is no text",
    "n" * 240 + ".txt": b"a name that is long",
}


def put_hostile(folder):
    folder.mkdir()
    for name, data in HOSTILE.items():
        (folder / name).write_bytes(data)
    deep = folder.joinpath(*["deeper"] * 60)
    deep.mkdir(parents=True)
    (deep / "deep.txt").write_bytes(b"a text at the bottom of sixty folders")
    (folder / "secret.txt").write_bytes(b"a text that only its owner may read")
    (folder / "secret.txt").chmod(0)
    (folder / "loop").symlink_to("loop")
    (folder / "up").symlink_to("..")
    (folder / "out.txt").symlink_to(__file__)
    os.mkfifo(folder / "pipe.txt")


@pytest.fixture(name="folder")
def thousand(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    put_real(folder)
    put_tables(folder)
    put_hostile(folder / "hostile")
    return folder


def entries(folder):
    """Every file, link and pipe that is to be seen, as the reading names them."""
    seen = [Path(place, name) for place, folders, names in os.walk(folder) for name in (*names, *folders)]
    return [path for path in seen if path.is_symlink() or not path.is_dir()]


def more(reason):
    """How many skips a line stands for: of one file the first hundred have lines, and one more counts the others."""
    counted = re.fullmatch(r"and ([\d,]+) more", reason)
    return int(counted[1].replace(",", "")) if counted else 1


def invoke(*arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments], env={"COLUMNS": "100"})


def check_that_each_is_read_or_has_its_line(folder, done, path):
    assert done.exit_code == 0, (done.stderr[-3000:], done.exception)
    said, there = json.loads(done.stdout), entries(folder)
    assert len(there) >= 1000
    with Store.open(path) as store:
        read = {each.document.source for chunk in Documents(store).chunks() for each in chunk}
        n_documents = Documents(store).count()
    skipped = {each["source"] for each in said["skipped"]}
    numbers = [int(each.replace(",", "")) for each in re.findall(r"[\d,]*\d", said["read"])]
    assert numbers == [n_documents, len(read), sum(more(each["reason"]) for each in said["skipped"])]
    assert n_documents == said["added"] == said["fit"]["n_documents"] > 700
    assert len(read) + len(skipped - read) == len(there)
    assert all(each["reason"] for each in said["skipped"])


def check_that_hostile_ones_are_skipped_for_a_reason_or_read(done, path):
    said = {Path(each["source"]).name: each["reason"] for each in json.loads(done.stdout)["skipped"]}
    for name in ("binary.txt", "empty.txt", "empty.pdf", "broken.pdf", "broken.docx", "broken.parquet", "bomb.gz", "broken.json"):
        assert name in said, name
    assert "are too long: more than" in said["heavy.csv"]
    assert "link" in said["loop"]
    assert "link" in said["up"]
    assert "link" in said["out.txt"]
    assert "pipe" in said["pipe.txt"]
    with Store.open(path) as store:
        ids = {each.document.id for chunk in Documents(store).chunks() for each in chunk}
    assert any(id.endswith("deeper/deep.txt") for id in ids)
    assert r"files/hostile/caf\xe9.txt" in ids
    assert "files/hostile/latin.txt" in ids
    assert not any(re.search(r"[\x00-\x1f]", line) for line in done.stderr.splitlines())


def check_that_it_is_sound_and_answers(path):
    assert invoke("check", path).exit_code == 0
    hits = json.loads(invoke("search", path, "bread dough in the oven", "--json").stdout)["hits"]
    assert any("table" in hit["source"] for hit in hits[:3])
    assert len(json.loads(invoke("clusters", path, "--json").stdout)["clusters"]) == 4
    again = json.loads(invoke("index", Path(hits[0]["source"]).parent / "hostile", "-o", path, "--no-fit", "--json").stdout)
    assert again["added"] + again["changed"] + again["unchanged"] > 5


def test_a_thousand_real_files_become_an_index_and_each_is_read_or_has_its_line(folder, tmp_path):
    path = tmp_path / "thousand.vic"
    done = invoke("index", folder, "-o", path, "--clusters", "4", "--json")
    check_that_each_is_read_or_has_its_line(folder, done, path)
    check_that_hostile_ones_are_skipped_for_a_reason_or_read(done, path)
    check_that_it_is_sound_and_answers(path)
