"""How large is an installation? The wheel is built and installed with the extra app in an empty environment, which serves the page.

The same with the extra small, which takes an earlier numba: most of an installation is the LLVM of numba.
``python -m bench install_size``; needs Node, and a package index that pip can reach. What Python compiles while it installs
(bytecode) is counted by itself; pip, which is there before, is left out.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, build_opener

from bench.harness import Answer

ROOT = Path(__file__).parents[1]
MOST = 400
SHOWN = 6
EXTRAS = ("app", "app,small")
Sizes = dict[str, tuple[float, float]]
WITHOUT = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")
QUIET = ("--quiet", "--disable-pip-version-check")
MAKE = "import sys, vicinal; vicinal.open(sys.argv[1], create=True).add({'a': 'wheat harvest', 'b': 'grain exports'})"


def built(folder: Path) -> Path:
    """The wheel of this checkout, with its page."""
    subprocess.run([sys.executable, "-m", "pip", "wheel", *QUIET, "--no-deps", "-w", str(folder), str(ROOT)], check=True)
    return next(folder.glob("*.whl"))


def installed(wheel: Path, folder: Path, extras: str) -> Path:
    """An environment with nothing but the wheel and what its extras need; the folder of its packages."""
    venv.create(folder, with_pip=True)
    subprocess.run([str(folder / "bin/python"), "-m", "pip", "install", *QUIET, f"{wheel}[{extras}]"], check=True)
    return next(folder.glob("lib/python*/site-packages"))


def sizes(packages: Path) -> Sizes:
    """Megabytes of each package, and of its bytecode."""
    found = {}
    for package in packages.iterdir():
        if package.name.startswith(WITHOUT):
            continue
        files = [package] if package.is_file() else [file for file in package.rglob("*") if file.is_file()]
        own, compiled = (sum(f.stat().st_size for f in files if (f.suffix == ".pyc") is wanted) / 1e6 for wanted in (False, True))
        found[package.name] = own, compiled
    return found


def page_of(environment: Path, folder: Path) -> int:
    """How many bytes of the page the installed server gives a browser that has its link: the document and its script."""
    program, index = str(environment / "bin/vicinal"), str(folder / "news.vic")
    subprocess.run([str(environment / "bin/python"), "-c", MAKE, index], check=True)
    command = [program, "serve", index, "--port", "0"]
    variables = {**os.environ, "PYTHONUNBUFFERED": "1", "COLUMNS": "400"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables) as process:
        try:
            assert process.stdout is not None
            link = next(line.split()[-1] for line in process.stdout if "/login?code=" in line)
            browser = build_opener(HTTPCookieProcessor())
            page = browser.open(link).read().decode()
            script = page.split('src="./')[1].split('"')[0]
            return len(page) + len(browser.open(f"{link.split('/login')[0]}/{script}").read())
        finally:
            process.kill()


def main() -> None:
    """Build, install, serve, and write the sizes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = built(folder)
        found, n_bytes = {}, {}
        for extras in EXTRAS:
            environment, index = folder / extras, folder / f"index of {extras}"
            index.mkdir()
            found[extras] = sizes(installed(wheel, environment, extras))
            n_bytes[extras] = page_of(environment, index)
        record(found, wheel.stat().st_size / 1e6, n_bytes)


def record(found: dict[str, Sizes], wheel: float, n_bytes: dict[str, int]) -> None:
    """Write the table: the largest packages, the others together, and all."""
    rows = [row for extras in EXTRAS for row in _rows(extras, found[extras])]
    checks = [
        f"{MOST} MB are asked for at most.",
        f"The wheel has {wheel:.1f} MB, and its server gives a browser a page of {n_bytes['app'] / 1000:.0f} kB"
        f" ({n_bytes['app,small'] / 1000:.0f} kB with the extra small).",
    ]
    Answer("How large is an installation?", "in an empty environment, megabytes", rows, checks).save("install_size")


def _rows(extras: str, found: Sizes) -> list[dict[str, Any]]:
    largest = sorted(found, key=lambda name: -sum(found[name]))
    rows = [_row(extras, name, [found[name]]) for name in largest[:SHOWN]]
    return [*rows, _row(extras, "all others", [found[name] for name in largest[SHOWN:]]), _row(extras, "all", list(found.values()))]


def _row(extras: str, name: str, found: list[tuple[float, float]]) -> dict[str, Any]:
    own, compiled = (sum(each[i] for each in found) for i in (0, 1))
    return {"installed": f"vicinal[{extras}]", "package": name, "files (MB)": round(own), "bytecode (MB)": round(compiled)}
