"""A page of many points in a browser without a graphics card: how long until the map is seen, and until it has followed a hand.

A map is seen when its points are drawn and a pixel of them can be read; so is each thing that a hand does. Times are of the page's
own clock, after what was done and until then.
"""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from bench.app_server import served
from vicinal.serve._page_files import FOLDER

FLAGS = ("--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZE = {"width": 1400, "height": 900}
REPEATS = 7
PATIENCE = 300_000  # milliseconds
#: Reads a pixel of the points once they are drawn, which waits for the renderer.
SEEN = """
const frame = () => new Promise((done) => requestAnimationFrame(done));
const seen = async () => {
  await frame();
  const gl = document.querySelector('.stage canvas.points').getContext('webgl2');
  if (gl) gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  await frame();
};
"""
#: What a hand does, on the stage in the middle of the window; `i` counts.
DONE = {
    "zoom": "stage.dispatchEvent(new WheelEvent('wheel', {deltaY: i % 2 ? 90 : -90, ...middle, cancelable: true}))",
    "move": "stage.dispatchEvent(new KeyboardEvent('keydown', {key: i % 2 ? 'ArrowLeft' : 'ArrowRight', bubbles: true}))",
    "point at": "stage.dispatchEvent(new PointerEvent('pointermove', {...middle, clientX: 820 + 9 * i, pointerId: 1}))",
    "other colours": "document.querySelector('.bar button[aria-label^=Change]').click()",
}


def assets() -> int:
    """Bytes of all files of the page, compressed."""
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in FOLDER.rglob("*") if file.is_file())


def measure(index: Path, n_points: int) -> dict[str, Any]:
    """The row of one number of points."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    with served(index, n_points) as (_, link, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        page = browser.new_context(viewport=SIZE).new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(link)
        page.goto("about:blank")
        page.goto(link.split("/login")[0])
        page.wait_for_function("n => document.querySelector('[data-testid=stage]')?.dataset.drawn === n", arg=str(n_points))
        first = float(page.evaluate(f"async () => {{ {SEEN} await seen(); return performance.now(); }}"))
        times = {name: _times(page, action) for name, action in DONE.items()}
        browser.close()
    row = {"points": f"{n_points:,}", "map is seen (s)": round(first / 1000, 2)}
    return {**row, **{f"{name} (ms)": round(float(np.median(found))) for name, found in times.items()}}


def _times(page: Any, action: str) -> list[float]:
    """Milliseconds from an action until its picture, several times; the first is left out."""
    code = f"""async (repeats) => {{
        {SEEN}
        const stage = document.querySelector('[data-testid=stage]'), found = [];
        const middle = {{clientX: 900, clientY: 450, bubbles: true}};
        for (let i = 0; i <= repeats; i++) {{
            const began = performance.now();
            {action};
            await seen();
            found.push(performance.now() - began);
        }}
        return found.slice(1);
    }}"""
    return [float(each) for each in page.evaluate(code, REPEATS)]
