from __future__ import annotations

import sys

import pytest


@pytest.fixture
def in_this_process(monkeypatch):
    """Read every file in this process, where what a test replaces is seen."""
    monkeypatch.setattr(sys.modules["vicinal.corpus._read"], "is_safe", lambda found: True)
