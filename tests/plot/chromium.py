"""A browser for tests of pages: Chromium without a window, with a profile of its own for each page."""

from __future__ import annotations

import shutil
import subprocess

import pytest

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")

needs_browser = pytest.mark.skipif(BROWSER is None, reason="no chromium here: apt-get install chromium")


def browse(page, *flags, address=""):
    """What the browser prints of a page; two browsers of one profile would be one, so each folder of a page has its own."""
    command = [BROWSER, *FLAGS, f"--user-data-dir={page.parent}/profile", *flags, f"file://{page}{address}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout


def shown_by_browser(page, address=""):
    """The page as a browser has it after its script ran."""
    return browse(page, "--virtual-time-budget=4000", "--window-size=1200,800", "--dump-dom", address=address)
