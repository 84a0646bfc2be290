from __future__ import annotations

import socket

import pytest
from hypothesis import settings

from corpora import place

# The same examples on every run: a red test must stay red until it is mended.
settings.register_profile("same examples", derandomize=True, deadline=None)
settings.load_profile("same examples")


@pytest.fixture(autouse=True)
def sound_when_it_is_over(request, monkeypatch):
    """Check every index that a test has written, when the test is over, unless it is marked as one that damages files."""
    from vicinal._store import check, store

    written = set()
    note = store.note_commits

    def noted(path, commits):
        written.add(path)
        note(path, commits)

    monkeypatch.setattr(store, "note_commits", noted)
    yield
    if request.node.get_closest_marker("damages") is None:
        assert {path: found for path in written if path.exists() and (found := check(path, 1))} == {}


_RESOLVE, _CONNECT = socket.getaddrinfo, socket.socket.connect


def _is_here(address: object) -> bool:
    """Whether an address is of this machine: a path, or one of loopback."""
    host = address[0] if isinstance(address, tuple) else address
    return not isinstance(address, tuple) or host in {"localhost", "::1", ""} or str(host).startswith("127.")


@pytest.fixture(autouse=True, scope="session")
def no_network():
    """Fail where anything looks up or connects to another machine: nothing here needs one."""

    def connect(self, address, *given):
        if not _is_here(address):
            raise AssertionError(f"a connection to {address!r}: tests, and what they test, use no network")
        return _CONNECT(self, address, *given)

    def resolve(host, *given, **named):
        if host is not None and not _is_here((host,)):
            raise AssertionError(f"the address of {host!r} was looked up: tests, and what they test, use no network")
        return _RESOLVE(host, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        patch.setattr(socket, "getaddrinfo", resolve)
        yield


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked ``corpus`` where no folder of corpora exists; a corpus missing from one is a failure."""
    if item.get_closest_marker("corpus") and not any(folder.is_dir() for folder in place.places()):
        pytest.skip(f"the real corpora are not here: {place.explain()}")
