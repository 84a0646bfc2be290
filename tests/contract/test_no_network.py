"""Nothing in the suite reaches another machine: the guard of `tests/conftest.py` sees each attempt."""

from __future__ import annotations

import socket
import threading

import pytest


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("example.invalid", 80)])
def test_a_connection_to_another_machine_fails(address):
    with socket.socket() as other, pytest.raises(AssertionError, match="no network"):
        other.connect(address)
    with pytest.raises(AssertionError, match="no network"):
        socket.create_connection(address)
    with pytest.raises(AssertionError, match="no network"):
        socket.getaddrinfo(*address)


def test_this_machine_can_be_reached():
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=lambda: server.accept()[0].close())
        thread.start()
        with socket.create_connection(server.getsockname()) as client:
            assert client.recv(1) == b""
        thread.join()
