from __future__ import annotations

import functools
import os
import signal
import socket
from pathlib import Path

import pytest
import typer.testing
from hypothesis import settings

from corpora import place

HERE = Path(__file__).parent
PROJECT = HERE.parent

# The same examples on every run: a red test must stay red until it is mended.
settings.register_profile("same examples", derandomize=True, deadline=None)
settings.load_profile("same examples")

# Typer makes the commands of all verbs anew for each call, which is nine tenths of the time of a test that calls one.
typer.testing._get_command = functools.cache(typer.testing._get_command)

# Shells have what runs in the background ignore Ctrl-C, which tests send to themselves and to commands.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

#: Tests of other programs than the library, and contracts that ask the same of every method: others run the same parts of it, and
#: tracing them would lengthen `make coverage` for nothing.
UNTRACED = (
    "bench/",
    "corpora/",
    "papers/",
    "contract/test_architecture",
    "contract/test_citizens",
    "contract/test_degenerate",
    "contract/test_determinism",
    "contract/test_sklearn_checks",
    "contract/test_vocabulary",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests whose coverage is not measured."""
    for item in items:
        if item.path.is_relative_to(HERE) and item.path.relative_to(HERE).as_posix().startswith(UNTRACED):
            item.add_marker(pytest.mark.no_cover)


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


@pytest.fixture(scope="session", name="in_project")
def project_as_it_was():
    """What the project's folder held when the session began."""
    return visible(PROJECT)


@pytest.fixture(autouse=True)
def project_left_clean(in_project):
    """No test leaves a file in the project's folder: with several workers, it is this test or one that ran beside it."""
    yield
    left = visible(PROJECT) - in_project
    in_project |= left  # said once
    assert left == set(), "left in the project's folder"


def visible(folder):
    """The names in a folder, but for caches and other hidden files."""
    return {name for name in os.listdir(folder) if not name.startswith((".", "__"))}


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
