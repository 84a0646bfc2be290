"""A browser for the tests of the app: ``python -m tools.browser`` installs Chromium where it can, and says what to do where not.

The system's package is tried first, as root; then the build that Playwright brings. Without either, the tests of tests/browser are
skipped with a line of their own, and all others run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
SYSTEM = (("apt-get", "update", "-qq"), ("apt-get", "install", "-qq", "-y", "--no-install-recommends", "chromium"))
OWN = (sys.executable, "-m", "playwright", "install", "chromium")
ADVICE = (
    "No browser could be installed, so that tests/browser is skipped. Install Chromium by your system: apt-get install chromium"
)


def program() -> str | None:
    """The path of an installed browser, or None."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def install() -> bool:
    """Install a browser, unless there is one; whether there is one now."""
    if program() or own_program():
        return True
    if shutil.which("apt-get") and os.geteuid() == 0 and all(_runs(command) for command in SYSTEM) and program():
        return True
    return _runs(OWN)


def own_program() -> str | None:
    """The path of the browser that Playwright has installed, or None."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path: str = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def _runs(command: tuple[str, ...]) -> bool:
    print(f"tools.browser: {' '.join(command)}", file=sys.stderr)
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, check=False, timeout=900).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    if not install():
        print(ADVICE, file=sys.stderr)
