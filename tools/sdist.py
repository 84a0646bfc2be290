"""Build the source distribution, unpack it in an empty folder and run ``make test`` there, as a packager would."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]


def build(folder: Path) -> Path:
    """Build the source distribution into a folder and return its file."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    [archive] = folder.glob("*.tar.gz")
    return archive


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack the archive and return the one folder it holds."""
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    [top] = (path for path in folder.iterdir() if path.is_dir())
    return top


def main() -> None:
    """Build, unpack, test."""
    with TemporaryDirectory(prefix="vicinal-sdist-") as folder:
        top = unpack(build(Path(folder)), Path(folder))
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS")}
        sys.exit(subprocess.run(["make", "test"], cwd=top, env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
