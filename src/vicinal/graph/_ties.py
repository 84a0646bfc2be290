"""Ties: similarities that are closer than a tick are equal, so that rounding never decides between documents."""

from __future__ import annotations

TICK = 2.0**36  # ticks in 1: similarities closer than 1.5e-11 are equal, and the order of documents decides
