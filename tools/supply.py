"""The supply chain: a wheel that is the same bytes from the same source, what is installed with it, and known weaknesses of that.

``python -m tools.supply`` builds the wheel twice and compares, writes a bill of materials (CycloneDX) beside it, and asks the
advisory service for the pinned packages of requirements/ci.txt. Where the service cannot be reached, a line of its own says so.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PINNED = ROOT / "requirements" / "ci.txt"
#: A fixed time for the files of a wheel: that of the last commit where there is one, else the beginning of 2020.
DEFAULT_EPOCH = "1577836800"


def epoch() -> str:
    """Seconds since 1970 that stand for the time of every file of a wheel."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return given
    done = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or DEFAULT_EPOCH


def wheel(folder: Path, seconds: str, source: Path = ROOT) -> Path:
    """Build the wheel into a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, env=os.environ | {"SOURCE_DATE_EPOCH": seconds}, stdout=subprocess.DEVNULL)
    [built] = folder.glob("*.whl")
    return built


def digest(file: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def same_twice(folder: Path) -> Path:
    """Build the wheel twice; that of the first build, or SystemExit where the bytes differ."""
    seconds = epoch()
    first = wheel(folder / "first", seconds)
    second = wheel(folder / "second", seconds)
    if digest(first) != digest(second):
        raise SystemExit(f"{first.name} built twice is not the same: {digest(first)} and {digest(second)}")
    print(f"{first.name}: the same bytes twice, sha256 {digest(first)}, files of {seconds}")
    return first


def bill_of_materials(file: Path) -> None:
    """Write what is installed beside the package, with versions, licences and hashes, as CycloneDX."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--of", "JSON", "--output-reproducible", "-o", str(file)]
    subprocess.run([*command, "--pyproject", str(ROOT / "pyproject.toml")], check=True)
    print(f"bill of materials: {file}")


def audited(pinned: Path = PINNED) -> int:
    """Ask for known weaknesses of the pinned packages: 0 for none, 1 for some, 2 where nobody could be asked."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(pinned), "--require-hashes", "--disable-pip"]
    done = subprocess.run([*command, "--progress-spinner", "off"], capture_output=True, text=True, check=False)
    return judged(done.returncode, done.stdout + done.stderr)


def judged(code: int, said: str) -> int:
    """What an audit means, by its exit code and what it said; printed."""
    if code == 0:
        print("audit: no known weakness of the pinned packages")
        return 0
    if re.search(r"Found \d+ known vulnerabilit", said):
        print(f"audit: {said.strip()}")
        return 1
    line = next((line for line in reversed(said.strip().splitlines()) if line.strip()), "")
    print(f"audit: NOT DONE, the advisory service was not reached or did not answer: {line[:200]}")
    return 2


def main(arguments: list[str] | None = None) -> int:
    """Do all three; the exit code of the audit, but for --offline, where one that was not done is none."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=ROOT / "dist")
    parser.add_argument("--offline", action="store_true", help="Succeed where the advisory service cannot be reached.")
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        built = same_twice(Path(folder))
        (given.folder / built.name).write_bytes(built.read_bytes())
    bill_of_materials(given.folder / "sbom.json")
    code = audited()
    return 0 if code == 2 and given.offline else code


if __name__ == "__main__":
    sys.exit(main())
