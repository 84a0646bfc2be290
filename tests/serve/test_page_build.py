"""The page is built into the package by Node; without Node a wheel is built all the same, with a warning."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from tools import page

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for npm")


@pytest.fixture
def checkout(tmp_path):
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "package.json").write_text("{}")
    (tmp_path / "src/vicinal/serve/page").mkdir(parents=True)
    (tmp_path / "src/vicinal/serve/page/old.js").write_text("of an earlier build")
    return tmp_path


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """Programs that stand in for npm and node; npm notes what it was asked for."""

    def stand_in(build="mkdir -p dist/assets; echo page > dist/index.html; echo script > dist/assets/a.js", ci="exit 0"):
        programs = tmp_path / "bin"
        programs.mkdir()
        for name, body in (("node", ":"), ("npm", f'echo "$@" >> asked; case "$1" in run) {build};; ci) {ci};; esac')):
            (programs / name).write_text(f"#!/bin/sh\n{body}\n")
            (programs / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")

    return stand_in


def hooked(root, version="standard"):
    """Run the hook of a build; return the warnings and what is added to the wheel."""
    warnings, data = [], {"artifacts": []}
    hook = object.__new__(page.PageHook)
    hook.__dict__["_BuildHookInterface__root"] = str(root)
    hook.__dict__["_BuildHookInterface__app"] = SimpleNamespace(display_warning=warnings.append)
    hook.initialize(version, data)
    return warnings, data["artifacts"]


def test_the_page_takes_the_place_of_an_earlier_one(checkout, npm):
    npm()
    built = page.build_page(checkout)
    assert (built / "index.html").read_text() == "page\n"
    assert not (built / "old.js").exists()
    assert (checkout / "web/asked").read_text().splitlines() == ["ci --no-audit --no-fund", "run build"]


def test_a_lock_file_that_lacks_packages_is_not_the_end(checkout, npm, capfd):
    npm(ci="exit 1")
    assert (page.build_page(checkout) / "index.html").is_file()
    assert (checkout / "web/asked").read_text().splitlines()[1:] == ["install --no-save --no-audit --no-fund", "run build"]
    assert "npm ci failed" in capfd.readouterr().err


def test_a_wheel_has_the_page(checkout, npm):
    npm()
    assert hooked(checkout) == ([], ["/src/vicinal/serve/page/"])


def test_a_wheel_without_node_has_no_page_and_a_warning(checkout, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    [warning], artifacts = hooked(checkout)
    assert "Node 20" in warning
    assert artifacts == []
    with pytest.raises(page.CannotBuild, match=r"nodejs\.org"):
        page.build_page(checkout)


def test_a_build_that_fails_is_said_to(checkout, npm):
    npm("exit 3")
    [warning], _ = hooked(checkout)
    assert "npm run build failed with code 3" in warning


def test_an_editable_install_and_a_source_without_web_build_nothing(checkout, npm, tmp_path):
    npm()
    assert hooked(checkout, "editable") == ([], [])
    assert not (checkout / "web/asked").exists()
    (checkout / "web/package.json").unlink()
    (checkout / "src/vicinal/serve/page/index.html").write_text("built before")
    assert hooked(checkout) == ([], ["/src/vicinal/serve/page/"])


def test_the_command_says_where_the_page_is_or_why_not(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(page, "build_page", lambda root: root / "page")
    assert page.main() == 0
    assert "The page is in " in capsys.readouterr().out

    def fail(root):
        raise page.CannotBuild("no Node")

    monkeypatch.setattr(page, "build_page", fail)
    assert page.main() == 1
    assert capsys.readouterr().err == "tools.page: no Node\n"
