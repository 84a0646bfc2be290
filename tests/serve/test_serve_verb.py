"""``vicinal serve``: what it refuses, what it prints, and that no secret is in what it logs."""

from __future__ import annotations

import re
import signal
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from typer.testing import CliRunner

import vicinal.serve
from vicinal.cli._app import app
from vicinal.cli._verbs import serve as serve_verb
from vicinal.errors import MissingExtra
from vicinal.serve import _running as running
from vicinal.serve._entry_page import EntryPage


@pytest.fixture
def played(monkeypatch, path):
    """Run the verb with a server that only says that it is ready; return what was printed, and the application."""

    def play(*options, env=None):
        served = []

        def run(app, listening, ready):
            served.append(app)
            ready()

        monkeypatch.setattr(running, "run", run)
        result = CliRunner().invoke(app, ["serve", str(path), "--port", "0", *options], env=env)
        return result, (served or [None])[0]

    return play


def test_it_prints_a_link_that_works_once_and_no_token(played):
    result, served = played()
    assert result.exit_code == 0
    assert re.search(rf"Open this link, which works once: {re.escape(served.origin)}/login\?code=[\w-]{{43}}\n", result.stdout)
    assert served.token not in result.output


def test_the_api_alone_prints_the_token_and_no_link(played):
    result, served = played("--api-only")
    assert f"Authorization: Bearer {served.token}\n" in result.stdout
    assert "login" not in result.stdout


def test_a_token_of_the_environment_is_used_and_not_printed(played):
    token = "t" * 32
    result, served = played("--api-only", env={"VICINAL_TOKEN": token})
    assert served.token == token
    assert token not in result.output
    short, _ = played(env={"VICINAL_TOKEN": "secret"})
    assert short.exit_code == 2
    assert "secret" not in short.output


def test_a_page_that_was_not_built_is_said_to_be_missing(played, monkeypatch, tmp_path):
    monkeypatch.setattr("vicinal.serve._page_files.is_built.__defaults__", (tmp_path,))
    result, _ = played()
    assert "make app" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_the_page_is_opened_where_that_is_wanted_and_no_list_of_processes_shows_the_link(played, monkeypatch):
    opened = []

    def browser(address):
        file = Path(url2pathname(urlsplit(address).path))
        modes = [stat.S_IMODE(each.stat().st_mode) for each in (file, file.parent)]
        opened.append((address, file, file.read_text(), modes))

    monkeypatch.setattr("webbrowser.open", browser)
    result, _ = played("--open")
    [(address, file, page, modes)] = opened
    link = re.search(r"works once: (\S+)", result.stdout)[1]
    assert address.startswith("file://")
    assert link.partition("code=")[2] not in address
    assert f'content="0; url={link}"' in page
    assert modes == [0o600, 0o700]
    assert not file.parent.exists()  # the server has ended


def test_the_page_that_leads_in_is_gone_when_the_link_was_used(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("webbrowser.open", lambda address: None)
    with EntryPage() as entry:
        entry.show("http://127.0.0.1:8000/login?code=x")
        assert list(tmp_path.rglob("*.html"))
        serve_verb._tell_next("http://127.0.0.1:8000/login?code=y", entry, api_only=True)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_leaving_the_machine_needs_a_word_more(played, host):
    result, served = played("--host", host)
    assert (result.exit_code, served) == (2, None)
    assert "--allow-remote" in result.stderr
    assert "read every document" in result.stderr


def test_with_that_word_other_names_can_be_allowed(played):
    result, served = played("--host", "0.0.0.0", "--allow-remote", "--allow-host", "desk.example", "--read-only")
    assert result.exit_code == 0
    assert any(host.startswith("desk.example:") for host in served._guard._doorkeeper.hosts)
    assert served._server.read_only


def test_an_index_that_is_not_there_is_named(tmp_path):
    result = CliRunner().invoke(app, ["serve", str(tmp_path / "nowhere.vic")])
    assert result.exit_code == 3
    assert "nowhere.vic" in result.stderr


def test_a_missing_package_is_named_with_what_installs_it(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError("No module named 'uvicorn.main'", name=package)

    monkeypatch.setattr(vicinal.serve, "_load", missing)
    package = "uvicorn.main"
    with pytest.raises(MissingExtra, match=r"pip install vicinal\[app\]"):
        _ = vicinal.serve.create_app
    package = "something.else"
    with pytest.raises(ModuleNotFoundError):
        _ = vicinal.serve.create_app


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_whole_server_answers_logs_no_secret_and_ends_by_ctrl_c(path):
    command = [sys.executable, "-m", "vicinal", "serve", str(path), "--port", "0", "--log"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    first, second = process.stdout.readline(), process.stdout.readline()
    link = second.split()[-1]
    origin = re.search(r"http://[\d.:]+\d", first)[0]
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(f"{origin}/api/v1/info?query=a-private-question")
    entered = urllib.request.Request(link, method="GET")
    opener = urllib.request.build_opener(_NoRedirect)
    with pytest.raises(urllib.error.HTTPError, match="303") as answer:
        opener.open(entered)
    cookie = answer.value.headers["Set-Cookie"].split(";")[0]
    with urllib.request.urlopen(urllib.request.Request(f"{origin}/api/v1/info", headers={"Cookie": cookie})) as found:
        assert found.status == 200
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "For another browser: " in out
    assert "GET /api/v1/info 401" in err
    assert "GET /login 303" in err
    assert err.rstrip().endswith("ended; every change that was answered is kept.")
    for secret in (link.partition("code=")[2], cookie.partition("=")[2], "a-private-question"):
        assert secret not in err


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None
