"""Take the pictures of docs/app.md: ``python -m tools.pictures demo.vic`` serves a copy of an index and photographs the app.

Needs Playwright (``pip install playwright``), chromium and the built page (``make app``). The index of ``vicinal demo -o demo.vic``
is the one that the page tells of; the pictures are written to docs/pictures.
"""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
SIZE = {"width": 1400, "height": 860}
QUALITY = 88
#: Name of each picture, the address of its view, what is seen when it is ready, and whether it is dark.
PICTURES = (
    ("map", "#clusters", "[data-testid=about]", False),
    ("search", "#search?q=draw+random+samples&doc=scipy.stats.multivariate_t.rvs", "[data-testid=text] [data-sign]", False),
    ("teach", "#teach", "[data-testid=question]", True),
)


@contextmanager
def served(path: Path) -> Iterator[str]:
    """`vicinal serve` of a copy of an index: the link that lets a browser in."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(path, folder)
        command = [sys.executable, "-u", "-m", "vicinal", "serve", copy, "--port", "0"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            yield next(line.split()[-1] for line in process.stdout if "/login?code=" in line)
        finally:
            process.kill()
            process.wait()


def taken(page: Any, address: str, ready: str) -> bytes:
    """One picture, as PNG."""
    page.goto(address)
    page.locator(ready).first.wait_for(timeout=120_000)
    page.wait_for_selector("[data-testid=stage][data-drawn]:not([data-drawn='0'])")
    page.wait_for_timeout(1500)
    return bytes(page.screenshot())


def kept(picture: bytes, path: Path) -> None:
    """Write a picture, as WebP."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    Image.open(io.BytesIO(picture)).convert("RGB").save(path, quality=QUALITY, method=6)


def main(arguments: list[str] | None = None) -> int:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    given = parser.parse_args(arguments)
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    with served(given.index) as link, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        page = browser.new_context(viewport=SIZE).new_page()
        page.goto(link)
        for name, view, ready, dark in PICTURES:
            page.emulate_media(color_scheme="dark" if dark else "light")
            kept(taken(page, f"{link.split('/login')[0]}/{view}", ready), FOLDER / f"{name}.webp")
            print(FOLDER / f"{name}.webp")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
