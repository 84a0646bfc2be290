"""A real browser before a real server: Debian's chromium, driven by Playwright, and `vicinal serve` in a process of its own.

Where the browser, Playwright or the built page is missing, the tests are skipped with one line that says what to install; with
VICINAL_BROWSER=required, as in CI, that is a failure.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser.corpus import make_index
from tests.browser.window import Window
from tools import browser, page

ROOT = Path(__file__).parents[2]
WEB, PAGE = ROOT / page.WEB, ROOT / page.PAGE
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-angle=swiftshader",  # WebGL by the processor
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
]


def missing(what):
    """Skip, or fail where the browser must be there."""
    line = f"the browser tests need {what}"
    if os.environ.get("VICINAL_BROWSER") == "required":
        pytest.fail(line, pytrace=False)
    pytest.skip(line)


def newest(folder):
    return max((file.stat().st_mtime for file in folder.rglob("*") if file.is_file()), default=0.0)


def build_page():
    """Build the page from web/ where it is older than its source, and put it where the server looks for it."""
    source = max(
        newest(WEB / "src"), newest(WEB / "public"), *((WEB / name).stat().st_mtime for name in ("index.html", "package-lock.json"))
    )
    if (PAGE / "index.html").is_file() and newest(PAGE) >= source:
        return
    if shutil.which("npm") is None:
        missing("the built page: install Node 20 or later, then run make app")
    if not (WEB / "node_modules").is_dir():
        page.build_page(ROOT)
    else:
        subprocess.run(["npm", "--prefix", str(WEB), "run", "build"], check=True, stdout=subprocess.DEVNULL)
        page.put_page(ROOT)


@pytest.fixture(scope="session")
def built_page():
    pytest.importorskip("fastapi", reason="the browser tests need FastAPI: pip install 'vicinal[app]'")
    if not WEB.is_dir() and not (PAGE / "index.html").is_file():
        missing("the folder web/ of a checkout")
    if not WEB.is_dir():
        return
    with (WEB / "package.json").open() as lock:  # several workers, one build
        fcntl.flock(lock, fcntl.LOCK_EX)
        build_page()


@pytest.fixture(scope="session")
def chromium():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("Playwright: pip install playwright")
    program = browser.program() or browser.own_program()
    if program is None:
        missing("chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()


@contextmanager
def serving(path, *options, port=0):
    """`vicinal serve` of an index: its process, its address and the link that lets a browser in."""
    command = [sys.executable, "-m", "vicinal", "serve", str(path), "--port", str(port), *options]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "COLUMNS": "400"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    try:
        said = []
        for line in process.stdout:
            said.append(line)
            if "/login?code=" in line:
                link = line.split()[-1]
                break
        else:
            pytest.fail(f"vicinal serve ended: {''.join(said)}")
        yield process, link
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture(scope="session")
def example(tmp_path_factory):
    """An index of 240 documents about six things, fitted."""
    return make_index(tmp_path_factory.mktemp("browser") / "news.vic")


@contextmanager
def let_in(chromium, path, *options):
    """A server of an index, and the cookie of a browser that opened its link: the address and the cookies."""
    with serving(path, *options) as (_, link):
        context = chromium.new_context()
        context.new_page().goto(link)
        state = context.storage_state()
        context.close()
        yield link.split("/login")[0], state


@pytest.fixture(scope="session")
def session(chromium, built_page, example):
    """A server of the example for all tests that only look, and the cookies that let a window in."""
    with let_in(chromium, example) as found:
        yield found


@pytest.fixture(scope="session")
def changing_session(chromium, built_page, example, tmp_path_factory):
    """A server of a copy of the example for all tests that change it; they take it as they find it."""
    path = shutil.copy(example, tmp_path_factory.mktemp("changing") / "news.vic")
    with let_in(chromium, path) as found:
        yield found


@pytest.fixture(scope="session")
def windows(chromium):
    """Windows that stay open from test to test: a page takes longer to load than to use, and goes anywhere by its address."""
    opened = {}

    def lend(name, session):
        key = name, session[0]
        if key not in opened:
            opened[key] = Window(chromium, *session)
        return opened[key]

    yield lend
    for each in opened.values():
        each.context.close()


@pytest.fixture
def window(windows, session):
    """A window that is let in; what it asked of strangers, said and was asked to show is looked at in the end."""
    lent = windows("first", session)
    yield lent
    lent.was_quiet()


@pytest.fixture
def other_window(windows, session):
    """A second one, which knows nothing of the first."""
    lent = windows("second", session)
    yield lent
    lent.was_quiet()
