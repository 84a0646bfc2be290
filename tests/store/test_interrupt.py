"""Interrupts: Ctrl-C ends a long statement of SQLite at once, and one that takes more steps than its file can need is ended."""

from __future__ import annotations

import _thread
import threading

import pytest

from tests.store.samples import contents, documents, made
from vicinal._store import Documents, Store, check, connections
from vicinal.errors import DamagedIndex

#: It would take hours.
LONG = "SELECT count(*) FROM documents a, documents b, documents c, documents d, documents e, documents f WHERE a.text > b.text"


def interrupt_soon():
    threading.Timer(0.2, _thread.interrupt_main).start()


def add_and_wait(store):
    with store.writing():
        Documents(store).add(documents(3, 500))
        interrupt_soon()
        store.rows(LONG)


def test_ctrl_c_ends_a_long_statement_and_the_store_goes_on(tmp_path):
    path = made(tmp_path / "news.vic", 60)
    with Store.open(path) as store:
        before = contents(store)
        interrupt_soon()
        with pytest.raises(KeyboardInterrupt):
            store.rows(LONG)
        with pytest.raises(KeyboardInterrupt):
            add_and_wait(store)
        assert contents(store) == before
    assert check(path) == []


def test_a_statement_that_takes_too_many_steps_is_ended_as_damage(tmp_path, monkeypatch):
    monkeypatch.setattr(connections, "_FEWEST_STEPS", 1_000_000)
    monkeypatch.setattr(connections, "_STEPS_PER_BYTE", 0)
    with Store.open(made(tmp_path / "news.vic", 60)) as store:
        with pytest.raises(DamagedIndex, match="more steps than a file of its size can need"):
            store.rows(LONG)
        assert Documents(store).count() == 60
