"""The cage: what could take all time or memory is read by a process with limits, and the documents are those of this process."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

import vicinal
from vicinal import read
from vicinal.corpus import Limits, _cage, _read
from vicinal.corpus._cage import CAGES, Cage, Dead
from vicinal.corpus._cage_messages import HEAD, Outbox, Request, document_of, events_of
from vicinal.corpus._caged import TimeUp, TimeWatch
from vicinal.corpus._files import Found
from vicinal.corpus._formats.extraction import is_extractor
from vicinal.corpus._read_options import ReadOptions
from vicinal.corpus._read_report import Report
from vicinal.errors import BadParameter

MAIL = "From: a@b.c\nSubject: Seeds\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n--B\n\nSow in May.\n" + (
    "--B\nContent-Disposition: attachment; filename=a.csv\n\ntext,year\nred rose,1987\n--B--\n"
)


@pytest.fixture(autouse=True)
def no_process_waits():
    """End processes that wait, so that no test sees those of another."""
    CAGES.end()
    yield
    CAGES.end()


@pytest.fixture(name="folder")
def folder_of_dangers(tmp_path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.eml").write_text(MAIL)
    (folder / "b.txt").write_text("plain words")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x.csv", "text,n\nwörds,1\n,2\n")
        archive.writestr("y.bin", b"\0\1\2" * 50)
    (folder / "c.zip").write_bytes(packed.getvalue())
    (folder / "d.json").write_text(json.dumps([{"text": f"item {n}", "deep": {"a": 1}} for n in range(4_000)]))
    (folder / "e.tsv").write_bytes(b"text\tn\n" + b"caf\xe9\t1\n" * 8_000)
    return folder


def told(source, **options):
    reading = read(source, **options)
    return list(reading), reading.skipped, reading.notes, reading.summary()


def test_documents_skips_notes_and_summary_are_those_of_this_process(folder, monkeypatch):
    by_cage = told(folder)
    monkeypatch.setattr(sys.modules["vicinal.corpus._read"], "is_safe", lambda found: True)
    monkeypatch.setattr(sys.modules["vicinal.corpus._formats.mail"], "SMALL_MAIL", 10**9)
    monkeypatch.setattr(_read.FileReader, "input", lambda self, *given: caged_input(self, *given))
    here = told(folder)
    assert by_cage == here
    assert len(by_cage[0]) == 12_004
    assert [skipped.source.rsplit("/", 1)[1] for skipped in by_cage[1]] == ["x.csv", "y.bin"]


def caged_input(reader, stream, source, name, by_itself, extraction=None):
    from vicinal.corpus._formats import Input

    return Input(stream, source, name, by_itself, reader.options, reader._report, extraction, caged=True)


def test_one_process_reads_many_files_and_small_texts_need_none(folder, monkeypatch):
    started = []
    monkeypatch.setattr(_cage, "Cage", lambda: started.append(Cage()) or started[-1])
    list(read(folder / "b.txt"))
    assert started == []
    list(read(folder))
    list(read(folder))
    assert len(started) == 1


def test_a_column_that_a_caged_table_does_not_have_is_an_error_here(folder):
    with pytest.raises(BadParameter, match="there is no column 'body'"):
        list(read(folder / "e.tsv", text="body"))


def test_progress_goes_on_while_a_caged_file_is_read(folder):
    (folder / "f.csv").write_text("text\n" + "good words\n" * 200_000)
    done = []
    list(read(folder, progress=lambda stage, now, total: done.append((now, total))))
    size = sum(path.stat().st_size for path in folder.iterdir())
    assert done[-1] == (size, size)
    assert done == sorted(done)
    assert len({now for now, _ in done}) > 20


def broken_cage(monkeypatch, act):
    """Every process of the cage does something else before it answers."""
    program = f"import sys; sys.path[:] = sys.argv[1:]\nfrom vicinal.corpus import _caged\n{textwrap.dedent(act)}\n_caged.main()"
    monkeypatch.setattr(_cage, "_PROGRAM", program)


DYING = """
from vicinal.corpus import _formats
def bad(file):
    yield file.document("first")
    {act}
_formats.FORMATS[".bad"] = _formats.FileFormat(bad)
"""


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("import os; os.abort()", "its reader crashed, or exceeded its time or memory"),
        ("x = bytearray(10**9)", "it exceeded its memory: Limits(extract_bytes=2147483648) gives it more"),
        ("while True: pass", "reading it took too long and was stopped: Limits(extract_seconds=6) gives it more"),
        ("import re; re.match('(x+x+)+y', 'x' * 60)", "reading it took too long and was stopped: Limits(extract_seconds=6)"),
        ("import socket; socket.create_connection(('127.0.0.1', 9))", "PermissionError: socket"),
        ("import subprocess; subprocess.run(['true'])", "PermissionError: subprocess.Popen is not allowed"),
        ("raise KeyError('x')", "cannot be read: KeyError: 'x'"),
    ],
    ids=["crash", "memory", "time", "time in C", "network", "program", "error"],
)
def test_a_file_that_does_harm_is_one_line_and_the_next_files_are_read(tmp_path, monkeypatch, act, reason):
    broken_cage(monkeypatch, DYING.format(act=act))
    for name in ("a.bad", "b.bad"):
        (tmp_path / name).write_text("x" * 100)
    (tmp_path / "c.csv").write_text("text\n" + "good words\n" * 10_000)
    monkeypatch.setattr(sys.modules["vicinal.corpus._read"], "is_safe", lambda found: False)
    reading = read(tmp_path, limits=Limits(extract_seconds=1))
    documents = list(reading)
    assert len(documents) == 10_000 + 2 * (documents[0].text == "first")
    assert [reason in skipped.reason for skipped in reading.skipped] == [True, True]


def test_a_process_that_says_nothing_for_long_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(_cage, "PATIENCE", 0.5)
    broken_cage(monkeypatch, "import time; time.sleep(100)")
    (tmp_path / "a.mbox").write_text("From a\nSubject: one\n\nwords\n")
    (tmp_path / "b.txt").write_text("words")
    reading = read(tmp_path, limits=Limits(extract_seconds=1))
    assert [document.text for document in reading] == ["words"]
    assert "took too long" in reading.skipped[0].reason


@pytest.mark.parametrize("answer", [b"\xff" * 8, (9).to_bytes(8, "big") + b"not json!", (2).to_bytes(8, "big") + b"{}"])
def test_an_answer_that_is_none_is_the_end_of_the_process_and_not_of_the_reading(tmp_path, monkeypatch, answer):
    broken_cage(monkeypatch, f"sys.stdout.buffer.write({answer!r}); sys.stdout.flush(); sys.stdin.read()")
    (tmp_path / "a.mbox").write_text("From a\nSubject: one\n\nwords\n")
    (tmp_path / "b.txt").write_text("words")
    reading = read(tmp_path)
    assert [document.text for document in reading] == ["words"]
    assert "crashed" in reading.skipped[0].reason


def test_an_event_that_describes_no_document_is_refused():
    for event in (["document", 1], ["document", 1, "id", 2, "", "", "", {}], ["document", 1, *"abcde", []]):
        with pytest.raises(ValueError, match="no document"):
            document_of(event)
    for frame in (b"1", b"[1]", b"[[]]", b"[[1]]"):
        with pytest.raises(ValueError, match="no events"):
            events_of(frame)


def test_an_archive_whose_member_ended_the_process_is_not_read_to_its_end_and_said(tmp_path, monkeypatch):
    """Members behind it are neither read nor listed: without this line a sync would take their documents for gone."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("one.txt", "two.txt", "three.txt"):
            archive.writestr(name, f"text of {name}")
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        assert index.sync(tmp_path / "a.zip").added == 3
        whole = Cage.events

        def events(cage, limits):
            for event in whole(cage, limits):
                yield event
                if event[0] == "begin" and str(event[1]).endswith("two.txt"):
                    raise Dead

        monkeypatch.setattr(Cage, "events", events)
        with read(tmp_path / "a.zip") as reading:
            list(reading)
        assert [Path(each.source).name for each in reading.skipped] == ["two.txt", "a.zip"]
        assert reading.skipped[-1].reason == "not read to its end"
        assert index.sync(tmp_path / "a.zip").gone == ()


def test_a_process_that_waited_so_long_that_it_may_be_ending_is_not_asked(folder):
    list(read(folder / "c.zip"))
    [cage] = CAGES._idle
    cage.idle_since -= 25
    assert len(list(read(folder / "c.zip"))) == 1
    assert cage.has_ended()
    assert cage not in CAGES._idle


def test_a_process_that_ended_while_it_waited_is_replaced(folder):
    list(read(folder / "c.zip"))
    [cage] = CAGES._idle
    cage._process.kill()
    cage._process.wait()
    assert len(list(read(folder / "c.zip"))) == 1


def test_where_no_process_can_be_started_a_line_says_so(folder, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(folder / "no-python"))
    reading = read(folder / "c.zip")
    assert list(reading) == []
    assert "cannot be started" in reading.skipped[0].reason


def test_more_than_two_processes_do_not_wait(folder):
    readings = [read(folder / "d.json") for _ in range(4)]
    for reading in readings:
        next(reading)
    for reading in readings:
        list(reading)
    assert len(CAGES._idle) == 2


def test_what_is_closed_early_leaves_no_process(folder):
    with read(folder / "d.json") as reading:
        next(reading)
    assert CAGES._idle == []


def test_a_process_of_another_one_is_left_alone(folder):
    list(read(folder / "c.zip"))
    [cage] = CAGES._idle
    cage.owner = -1
    assert cage.end() == 0
    assert not cage.has_ended()
    list(read(folder / "c.zip"))
    assert CAGES._idle != [cage]
    cage.owner = os.getpid()
    cage.end()


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are listed in /proc")
def test_ctrl_c_ends_the_process_too(tmp_path):
    (tmp_path / "a.mbox").write_text("From a\nSubject: one\n\nwords\n\n" * 200_000)
    program = f"""
        from vicinal import read
        from vicinal.corpus import _cage
        reading = read({str(tmp_path / "a.mbox")!r})
        for n, document in enumerate(reading):
            if n == 10:
                print(child(), flush=True)
    """
    program = "import os\nchild = lambda: open(f'/proc/self/task/{os.getpid()}/children').read()\n" + textwrap.dedent(program)
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    number = int(running.stdout.readline())
    running.send_signal(signal.SIGINT)
    running.communicate()
    assert running.returncode != 0
    assert not Path(f"/proc/{number}").exists()


def test_only_the_extractor_may_be_started():
    assert not is_extractor(("python", ["python", "-c", "1"]))
    assert not is_extractor(())


def test_time_is_counted_anew_with_each_document_and_in_all(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.process_time", lambda: now[0])
    monkeypatch.setattr("signal.setitimer", lambda *given: None)
    monkeypatch.setattr("resource.setrlimit", lambda *given: None)
    before = signal.getsignal(signal.SIGPROF)
    try:
        watch = TimeWatch()
    finally:
        signal.signal(signal.SIGPROF, before)
    watch.begin(Limits(extract_seconds=1), 0)
    for _ in range(3):
        now[0] += 0.6
        watch.document()
    now[0] += 0.6
    with pytest.raises(TimeUp, match=r"Limits\(extract_seconds=6\)"):
        watch.document()
    watch.begin(Limits(extract_seconds=1), 500_000_000)
    now[0] += 10
    watch.document()
    with pytest.raises(TimeUp):
        watch._interrupt(0, None)
    watch.sending = True
    watch._interrupt(0, None)


def test_what_is_left_out_beyond_the_list_is_counted_and_not_sent_one_by_one(tmp_path):
    (tmp_path / "a.json").write_text("[" + "1," * 300_000 + '"words"]')
    reading = read(tmp_path, limits=Limits(lines=2))
    assert [document.text for document in reading] == ["words"]
    assert reading.summary() == "1 document from 1 file, 300,000 skipped"
    assert reading.skipped[-1].reason == "and 299,998 more"
    report = Report(1)
    for _ in range(2):
        report.skip("a", "why")
    report.skip_more("a", 5)
    assert (report.n_skipped, report.skipped[-1].reason) == (7, "and 6 more")


def test_events_are_sent_when_they_are_many_and_when_time_has_passed():
    now, sent = [0.0], []
    outbox = Outbox(sent.append, lambda: now[0])
    outbox.add(["note", "a"])
    assert sent == []
    now[0] = 1.0
    outbox.add(["note", "b"])
    [message] = sent  # at once: a signal between a head and its frame would leave half of them
    assert events_of(message[HEAD:]) == [["note", "a"], ["note", "b"]]
    assert int.from_bytes(message[:HEAD], "big") == len(message) - HEAD
    outbox.add(["note", "c"], 1 << 20)
    assert len(sent) == 2


def test_a_request_is_the_same_on_the_other_side(tmp_path):
    options = ReadOptions(text="body", metadata=("a",), limits=Limits(lines=3), split=None)
    request = Request(Found(tmp_path / os.fsdecode(b"caf\xe9"), "n", True), "s", options)
    assert Request.decoded(request.encoded()) == request
