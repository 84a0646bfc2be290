"""Build the page of the app: ``web/`` becomes ``src/vicinal/serve/page``, by Node, for a checkout and for the wheel.

``python -m tools.page`` (``make app``) builds it and fails where it cannot. The build of a wheel does the same by its hook, and
where there is no Node it warns and goes on: such a wheel has the API and no page.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin import interface

    Hook: Any = interface.BuildHookInterface
except ImportError:  # `make app` needs no builder of wheels
    Hook = object

WEB, BUILT, PAGE = "web", "web/dist", "src/vicinal/serve/page"
QUIET = ("--no-audit", "--no-fund")
NO_NODE = "Node 20 or later and npm are needed to build the page of the app, and were not found. Install them: https://nodejs.org"


class CannotBuild(Exception):
    """The page cannot be built; the message says why."""


def build_page(root: Path) -> Path:
    """Build the page, and put it where the package looks for it.

    Parameters
    ----------
    root : Path
        The checkout.

    Returns
    -------
    Path
        The folder of the page.
    """
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise CannotBuild(NO_NODE)
    if _ran(root, npm, "ci", *QUIET):  # a lock file that was made elsewhere may lack packages of this platform
        print("tools.page: npm ci failed; trying npm install, which adds what the lock file lacks.", file=sys.stderr)
        _run(root, npm, "install", "--no-save", *QUIET)
    _run(root, npm, "run", "build")
    return put_page(root)


def _ran(root: Path, npm: str, *arguments: str) -> int:
    return subprocess.run([npm, *arguments], cwd=root / WEB, stdout=sys.stderr, check=False).returncode


def _run(root: Path, npm: str, *arguments: str) -> None:
    code = _ran(root, npm, *arguments)
    if code:
        raise CannotBuild(f"npm {' '.join(arguments)} failed with code {code} in {root / WEB}.")


def put_page(root: Path) -> Path:
    """Copy what was built into the package, in place of what was there."""
    page = root / PAGE
    shutil.rmtree(page, ignore_errors=True)
    shutil.copytree(root / BUILT, page)
    return page


class PageHook(Hook):
    """The hook of hatchling: builds the page before the wheel is put together."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page for a wheel; an editable install is left as it is.

        Parameters
        ----------
        version : str
            "editable" for an install of a checkout.
        build_data : dict
            What hatchling takes: the page is no part of the repository, and is named here.
        """
        root = Path(self.root)
        if version == "editable":
            return
        if (root / WEB / "package.json").is_file():
            try:
                build_page(root)
            except CannotBuild as error:
                self.app.display_warning(f"The wheel has no new page for vicinal serve: {error}")
        if (root / PAGE / "index.html").is_file():
            build_data["artifacts"].append(f"/{PAGE}/")


def main() -> int:
    """Build the page of this checkout."""
    try:
        print(f"The page is in {build_page(Path(__file__).parents[1])}.")
    except CannotBuild as error:
        print(f"tools.page: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
