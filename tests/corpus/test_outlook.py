"""Messages of Outlook: subject, body and attachments, and what is no message."""

from __future__ import annotations

import sys

import pytest

from tests.corpus.msgs import made
from tests.corpus.pdfs import made as pdf
from vicinal import read


def test_a_message_and_its_attachments_are_documents(tmp_path):
    pytest.importorskip("oxmsg")
    files = {"list.txt": "Grüße, die Liste".encode(), "paper.pdf": pdf("words of a paper"), "picture.png": b"\x89PNG\0\1\2" * 50}
    (tmp_path / "a.msg").write_bytes(made("Der Fahrplan\nvon heute", "Züge fahren wieder.", attachments=files))
    reading = read(tmp_path / "a.msg")
    message, note, paper = reading
    assert (message.id, message.title, message.text.strip()) == ("a.msg", "Der Fahrplan von heute", "Züge fahren wieder.")
    assert message.metadata["from"] == "ann@example.org"
    assert (note.text.strip(), note.metadata["parent"]) == ("Grüße, die Liste", "a.msg")
    assert "words of a paper" in paper.text
    assert [each.reason for each in reading.skipped] == ["attachment picture.png of a.msg: binary, not text"]


def test_a_text_that_has_the_ending_is_text(tmp_path):
    (tmp_path / "de.msg").write_text("set of messages for a program", encoding="utf-8")
    assert [each.text for each in read(tmp_path)] == ["set of messages for a program"]


def test_what_is_no_message_is_skipped_with_a_line(tmp_path, monkeypatch, in_this_process):
    pytest.importorskip("oxmsg")
    (tmp_path / "a.msg").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and nothing else")
    (tmp_path / "b.msg").write_bytes(made("A subject", "A body")[:1500])
    reading = read(tmp_path)
    assert list(reading) == []
    assert len(reading.skipped) == 2
    monkeypatch.setitem(sys.modules, "oxmsg", None)
    without = read(tmp_path / "a.msg")
    assert list(without) == []
    assert "python-oxmsg, which is not installed: pip install vicinal[read]" in without.skipped[0].reason
