"""One index shared by threads while it is fitted again: each thread gets the model of the state that it reads, at any delay."""

from __future__ import annotations

import threading
import time

import pytest

import vicinal
from tests.index.small import documents, fitted, made
from vicinal._store import Settings, Store
from vicinal.index import _stored
from vicinal.index._index_state import StateCache, _SavedFit
from vicinal.index._search.search_state import SearchCache

DELAY = 0.001


def slow(name):
    """An attribute that others can change while it is read or written."""

    def get(self):
        time.sleep(DELAY)
        return self.__dict__[f"slow {name}"]

    def put(self, value):
        time.sleep(DELAY)
        self.__dict__[f"slow {name}"] = value

    return property(get, put)


@pytest.fixture(autouse=True)
def delays(monkeypatch):
    for owner, name in ((StateCache, "_fit"), (StateCache, "_state"), (SearchCache, "_fit"), (SearchCache, "_state")):
        monkeypatch.setattr(owner, name, slow(name), raising=False)


def unsafe_fit(self):
    """As it must not be: the attribute is read again after it was compared."""
    kept = Settings(self.store).get(_stored.MODEL)
    if self._fit is None or self._fit.kept != kept:
        self._fit = _SavedFit(self.store, kept)
    return self._fit


def wrong_fits(path):
    """How often two threads got the fit of another state than they read, while the setting of the model changed."""
    wrong, over = [], threading.Event()
    with Store.open(path, create=True) as store:
        cache = StateCache(store)
        Settings(store).set(_stored.MODEL, {"generation": 0})

        def read():
            while not over.is_set():
                with store.reading():
                    kept = Settings(store).get(_stored.MODEL)
                    if cache._current_fit().kept != kept:
                        wrong.append(kept)

        threads = [threading.Thread(target=read) for _ in range(2)]
        for thread in threads:
            thread.start()
        for generation in range(1, 40):
            Settings(store).set(_stored.MODEL, {"generation": generation})
        over.set()
        for thread in threads:
            thread.join()
    return len(wrong)


def test_a_thread_gets_the_fit_of_the_state_that_it_reads(tmp_path, monkeypatch):
    assert wrong_fits(tmp_path / "safe.vic") == 0
    monkeypatch.setattr(StateCache, "_current_fit", unsafe_fit)
    assert any(wrong_fits(tmp_path / f"unsafe-{attempt}.vic") for attempt in range(20))


def test_threads_are_answered_in_full_while_the_index_is_fitted_again(tmp_path):
    errors, answers, over = [], [], threading.Event()
    with vicinal.open(tmp_path / "news.vic", create=True) as index:
        index.add(documents(range(5)))
        fitted(index)
        n_before = len(index.search("bread oven", 20))

        def ask():
            try:
                while not over.is_set():
                    answers.append((len(index.search("bread oven", 20)), len(index.clusters()), len(index.near("cars-1", 3))))
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for _ in range(2):
            fitted(index)
            index.add([])
        over.set()
        for thread in threads:
            thread.join()
        assert errors == []
        assert answers
        assert set(answers) == {(n_before, 3, 3)}


def test_what_a_transaction_has_not_committed_is_seen_by_it_alone(tmp_path):
    """States are kept by the number of commits, which an open transaction shares with the state before it."""
    path = tmp_path / "news.vic"
    made(path, 4, added=0)
    with vicinal.open(path) as index:
        before, [removed] = [each.size for each in index.clusters()], [hit.id for hit in index.search("bread oven", limit=1)]
        elsewhere = []

        def ask():
            sizes = [each.size for each in index.clusters()]
            elsewhere.append((sizes, [hit.id for hit in index.search("bread oven", limit=1)]))

        def remove_and_fail():
            with index.transaction():
                index.remove([removed])
                assert sum(each.size for each in index.clusters()) == sum(before) - 1
                assert removed not in [hit.id for hit in index.search("bread oven", limit=3)]
                other = threading.Thread(target=ask)
                other.start()
                other.join()
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            remove_and_fail()
        ask()
        assert elsewhere == [(before, [removed])] * 2
