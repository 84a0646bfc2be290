"""The supply chain: what CI installs is pinned, a wheel is the same twice, and an audit that was not done is not hidden."""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest

from tools.sdist import build
from tools.supply import DEFAULT_EPOCH, PINNED, digest, judged, wheel

ROOT = Path(__file__).parents[2]
#: The hook of a build that makes no page, for which Node would be needed.
NO_PAGE = """
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

class PageHook(BuildHookInterface):
    pass
"""
NAME = re.compile(r"^([A-Za-z0-9._-]+)")


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned():
    """The packages of requirements/ci.txt, and how many hashes each has."""
    entries = [entry for entry in re.split(r"\n(?=[A-Za-z0-9])", PINNED.read_text(encoding="utf-8")) if entry.strip()]
    return {plain(NAME.match(each)[1]): (each.count("--hash=sha256:"), "==" in each.splitlines()[0]) for each in entries}


def test_every_package_that_ci_installs_has_a_version_and_hashes():
    found = pinned()
    assert len(found) > 60
    assert [name for name, (hashes, exact) in found.items() if not hashes or not exact] == []


def test_every_requirement_of_the_package_its_tests_and_lint_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"], *project["optional-dependencies"]["lint"]]
    names = {plain(NAME.match(each)[1]) for each in wanted} - {"vicinal"}
    assert names - pinned().keys() == set(), "make pin"


def test_a_wheel_is_the_same_bytes_twice_and_another_source_is_another_wheel(tmp_path):
    source = tmp_path / "source"
    for name in ("pyproject.toml", "README.md", "LICENSE", "src/vicinal/__init__.py", "src/vicinal/errors.py", "tools/page.py"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    (source / "tools" / "page.py").write_text(NO_PAGE)
    first = digest(wheel(tmp_path / "first", DEFAULT_EPOCH, source))
    for file in source.rglob("*.py"):
        file.touch()
    (source / "src" / "vicinal" / "errors.py").chmod(0o600)
    assert digest(wheel(tmp_path / "second", DEFAULT_EPOCH, source)) == first
    assert digest(wheel(tmp_path / "third", str(int(DEFAULT_EPOCH) + 86_400), source)) != first
    with open(source / "src" / "vicinal" / "errors.py", "a", encoding="utf-8") as file:
        file.write("\n# changed\n")
    assert digest(wheel(tmp_path / "fourth", DEFAULT_EPOCH, source)) != first


@pytest.mark.parametrize(
    ("code", "said", "judgement", "line"),
    [
        (0, "No known vulnerabilities found", 0, "audit: no known weakness"),
        (1, "Found 2 known vulnerabilities in 1 package\nname ...", 1, "audit: Found 2 known"),
        (1, "ERROR:pip_audit: Max retries exceeded with url", 2, "audit: NOT DONE, the advisory service was not reached"),
    ],
)
def test_an_audit_that_was_not_done_is_told_from_one_that_found_nothing(capsys, code, said, judgement, line):
    assert judged(code, said) == judgement
    assert capsys.readouterr().out.startswith(line)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only a checkout can tell what a source distribution leaves out")
def test_a_source_distribution_has_every_file_of_the_checkout_and_no_other(tmp_path):
    """So `make test` passes in it where it passes here; `make sdist` runs it there."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    with tarfile.open(build(tmp_path)) as archive:
        packed = {member.name.split("/", 1)[1] for member in archive if member.isfile()}
    assert packed - {"PKG-INFO"} == {name for name in listed.split("\0") if (ROOT / name).is_file()}
