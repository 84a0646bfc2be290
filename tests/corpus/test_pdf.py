"""PDF: pages, titles and words as people read them; many at once with the results of one after the other, and within limits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

import vicinal
from tests.corpus.pdfs import made
from vicinal import read
from vicinal.corpus import Limits
from vicinal.corpus._formats import extraction
from vicinal.corpus._formats.extraction import EXTRACTED

PAGES = (
    "On roses\nPrune the roses in March and re-\nmove what is well-\nknown to be dead.",
    "A well-known rule: water at night.",
    "",
)


@pytest.fixture(name="module", params=["pypdfium2", "pypdf"])
def either_module(request, monkeypatch):
    pytest.importorskip(request.param)
    monkeypatch.setitem(EXTRACTED, ".pdf", {request.param: request.param})
    return request.param


@pytest.fixture(name="folder")
def six_files(tmp_path):
    """PDF files between other files, of which one is broken."""
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.pdf").write_bytes(made(f"Paper {'abcdef'[number]}\nwords of number {number}", f"page two of {number}"))
        (folder / f"{number}.txt").write_text(f"A note\nabout number {number}\n", encoding="utf-8")
    (folder / "3.pdf").write_bytes(b"%PDF-1.4 and no more")
    (folder / "4 link.pdf").symlink_to(folder / "5.pdf")
    (folder / "5.txt").write_bytes(b"")
    return folder


def outcome(folder, **limits):
    reading = read(folder, limits=Limits(**limits), split="page")
    return list(reading), reading.skipped, reading.notes, reading.summary()


def test_words_divided_at_the_end_of_a_line_are_joined_and_others_keep_their_hyphen(tmp_path, module):
    (tmp_path / "a.pdf").write_bytes(made(*PAGES, title="Roses"))
    [document] = read(tmp_path / "a.pdf")
    assert document.title == "Roses"
    assert "remove" in document.text
    assert document.text.count("well-known") == 2
    assert document.text.count("\f") == 2


def test_a_part_names_its_page_and_a_hit_does(tmp_path, module):
    (tmp_path / "a.pdf").write_bytes(made("first page on wheat", "", "third page on barley"))
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add(read(tmp_path / "a.pdf", split="page"))
        [hit] = index.search("barley")
        assert (hit.id, hit.metadata["page"], hit.metadata["parent"]) == ("a.pdf#p3", 3, "a.pdf")
        assert hit.title.endswith("page 3")


@pytest.mark.parametrize("title", ["untitled", "(anonymous)", "Microsoft Word - draft 3.doc", "paper.dvi", ""])
def test_what_programs_write_for_want_of_a_title_is_none(tmp_path, module, title):
    (tmp_path / "a.pdf").write_bytes(made("On roses\nPrune them in March.", title=title.replace("(", "\\(").replace(")", "\\)")))
    [document] = read(tmp_path / "a.pdf")
    assert document.title == "On roses"


def test_ligatures_stay_in_the_text_and_are_letters_for_search(tmp_path):
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add({"a": "the \ufb01nance o\ufb03ce", "b": "another house"})
        assert index["a"].text == "the \ufb01nance o\ufb03ce"
        for query in ("finance", "office", "\ufb01nance", '"finance office"', "financ*", "+finance"):
            assert [hit.id for hit in index.search(query)] == ["a"], query


def test_a_pdf_of_pictures_says_what_it_lacks(tmp_path, module):
    (tmp_path / "scan.pdf").write_bytes(made("", ""))
    reading = read(tmp_path / "scan.pdf")
    assert list(reading) == []
    assert [each.reason.split(":")[0] for each in reading.skipped] == ["no text in it"]


class TestManyAtOnce:
    def test_order_and_results_are_those_of_one_after_the_other(self, folder, monkeypatch):
        monkeypatch.setattr("os.cpu_count", lambda: 4)
        one = outcome(folder, extract_processes=1)
        assert len(one[0]) == 5 * 2 + 5
        assert outcome(folder, extract_processes=3) == one

    def test_so_many_processes_are_at_work_and_no_more(self, folder, monkeypatch):
        monkeypatch.setattr("os.cpu_count", lambda: 8)
        begun = []
        start = extraction.start

        def counted(*arguments):
            begun.append(start(*arguments))
            most.append(sum(each.is_running for each in begun))
            return begun[-1]

        most = []
        monkeypatch.setattr(extraction, "start", counted)
        outcome(folder, extract_processes=3)
        assert len(begun) == 6
        assert 1 < max(most) <= 3

    def test_a_reading_that_is_closed_ends_its_processes(self, folder, monkeypatch):
        monkeypatch.setattr("os.cpu_count", lambda: 4)
        begun = []
        start = extraction.start
        monkeypatch.setattr(extraction, "start", lambda *arguments: begun.append(start(*arguments)) or begun[-1])
        with read(folder) as reading:
            next(reading)
            assert len(begun) > 1
        assert not any(each.is_running for each in begun)
        assert all(each.output.closed for each in begun)

    def test_a_file_that_changes_before_its_turn_is_read_as_it_is_then(self, folder, monkeypatch):
        monkeypatch.setattr("os.cpu_count", lambda: 4)
        reading = read(folder)
        next(reading)
        (folder / "2.pdf").write_bytes(made("Another text\nof later days"))
        texts = [document.text for document in reading if document.id.endswith("2.pdf")]
        assert ["later days" in text for text in texts] == [True]


HANGS = "import time\nclass PdfDocument:\n    def __init__(self, data):\n        time.sleep(600)\n"


@pytest.fixture(name="hanging")
def package_that_hangs(tmp_path, monkeypatch):
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "pypdfium2.py").write_text(HANGS, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "packages"), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(tmp_path / "packages")


def test_a_file_that_hangs_is_named_with_the_option_that_gives_it_more(tmp_path, hanging, monkeypatch):
    (tmp_path / "a.pdf").write_bytes(made("words"))
    (tmp_path / "b.txt").write_text("next file", encoding="utf-8")
    monkeypatch.setattr(extraction, "PATIENCE", (0, 0.2))
    reading = read(tmp_path / "a.pdf", tmp_path / "b.txt", limits=Limits(extract_seconds=1))
    assert [document.id for document in reading] == ["b.txt"]
    [skipped] = reading.skipped
    assert skipped.reason.endswith("took too long and was stopped: Limits(extract_seconds=6) gives it more")


def test_a_file_that_is_too_large_is_named_with_the_option_that_allows_it(tmp_path):
    data = made("words")
    (tmp_path / "a.pdf").write_bytes(data)
    reading = read(tmp_path, limits=Limits(document_bytes=100))
    assert list(reading) == []
    assert f"Limits(document_bytes={len(data)}) allows it" in reading.skipped[0].reason
    assert len(list(read(tmp_path, limits=Limits(document_bytes=len(data))))) == 1


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs signals of groups")
def test_an_interrupt_ends_the_workers(tmp_path, hanging):
    for number in range(4):
        (tmp_path / f"{number}.pdf").write_bytes(made("words"))
    command = [sys.executable, "-m", "vicinal", "index", str(tmp_path), "-o", str(tmp_path / "x.vic"), "--no-fit"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 60
        while len(workers := children(process.pid)) < min(4, os.cpu_count() or 1) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert workers
        time.sleep(0.3)  # it has started the last of them, and waits
        process.send_signal(signal.SIGINT)  # to it alone, as a terminal would also send it to the workers
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert not any(is_alive(worker) for worker in workers)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(each) for each in file.read().split()]
    except OSError:
        pytest.skip("the children of a process cannot be listed here")


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
