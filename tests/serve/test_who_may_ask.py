"""The header matrix: which Host, origin and token may ask what, each row with its exact status."""

from __future__ import annotations

import pytest

from tests.serve.asking import ask
from vicinal.errors import BadParameter
from vicinal.serve import create_app
from vicinal.serve._guard.hosts import allowed_hosts, is_loopback, refuse_remote
from vicinal.serve._guard.sessions import Sessions

HOST = "127.0.0.1:8000"
OWN_HOSTS = (HOST, "localhost:8000", "[::1]:8000")
JSON = ("Content-Type", "application/json")


@pytest.fixture
def cookie(reading_app):
    secret = reading_app._server.sessions.enter(reading_app._server.sessions.new_code())
    return ("Cookie", f"other=1; vicinal_8000={secret}")


@pytest.fixture
def bearer(reading_app):
    return ("Authorization", f"Bearer {reading_app.token}")


@pytest.mark.parametrize("host", OWN_HOSTS)
@pytest.mark.parametrize("sender", [[], ["same-origin"], ["none"]])
def test_a_browser_with_the_cookie_may_read_and_write_from_our_own_page(reading_app, cookie, host, sender):
    site = [("Sec-Fetch-Site", each) for each in sender]
    origin = [("Origin", f"http://{host}")]
    assert ask(reading_app, "GET", headers=[("Host", host), cookie, *site]).status == 200
    posted = ask(reading_app, "POST", "/api/v1/needs-fit", [("Host", host), cookie, JSON, *site, *origin], b"{}")
    assert posted.status == 200


def test_a_cookie_of_another_page_of_this_machine_shuts_nobody_out(reading_app, cookie):
    """Browsers send the cookies of all ports together, and the standard library's parser gives up at one like this."""
    name, value = cookie
    assert ask(reading_app, "GET", headers=[("Host", HOST), (name, f'theme={{"a": 1}}; {value}')]).status == 200


@pytest.mark.parametrize("host", OWN_HOSTS)
@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:8000", "https://evil.test", "null"])
@pytest.mark.parametrize(
    "secret", [(), ("Authorization", "Bearer wrong"), ("Authorization", "Basic x"), ("Cookie", "vicinal_8000=no")]
)
def test_nobody_reads_without_the_token(reading_app, host, origin, secret):
    headers = [("Host", host), *([secret] if secret else []), *([("Origin", origin)] if origin else [])]
    answer = ask(reading_app, "GET", headers=headers)
    assert (answer.status, answer.kind) == (401, "unauthorized")
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("host", OWN_HOSTS)
@pytest.mark.parametrize(
    "sender",
    [
        [("Origin", "https://evil.test"), ("Sec-Fetch-Site", "cross-site")],
        [("Origin", "https://evil.test")],
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
        [("Origin", "null")],
        [("Origin", "http://localhost:8001"), ("Sec-Fetch-Site", "same-site")],
        [("Origin", "http://127.0.0.1:8000.evil.test")],
        [("Origin", "https://127.0.0.1:8000")],
        [("Origin", "http://127.0.0.1:8000"), ("Origin", "https://evil.test")],
        [],
    ],
)
def test_the_cookie_writes_nothing_for_other_pages(reading_app, cookie, host, sender):
    answer = ask(reading_app, "POST", "/api/v1/needs-fit", [("Host", host), cookie, JSON, *sender], b"{}")
    assert (answer.status, answer.kind) == (403, "forbidden")


def test_the_cookie_reads_nothing_for_other_pages(reading_app, cookie):
    assert ask(reading_app, headers=[("Host", HOST), cookie, ("Sec-Fetch-Site", "cross-site")]).status == 403


def test_a_program_with_the_token_may_write(reading_app, bearer):
    assert ask(reading_app, "POST", "/api/v1/needs-fit", [("Host", HOST), bearer, JSON], b"{}").status == 200


@pytest.mark.parametrize(
    "hosts",
    [
        ["evil.test:8000"],
        ["127.0.0.1.evil.test"],
        ["127.0.0.1.evil.test:8000"],
        ["localhost.evil.test"],
        ["LOCALHOST."],
        ["localhost.:8000"],
        ["0.0.0.0"],
        ["0.0.0.0:8000"],
        ["2130706433"],
        ["2130706433:8000"],
        ["0x7f.1"],
        ["0x7f.1:8000"],
        ["localhost"],
        ["localhost:8001"],
        ["127.0.0.1:8000@evil.test"],
        [""],
        [],
        [HOST, "evil.test"],
        [HOST, HOST],
    ],
)
@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/api/v1/info"), ("POST", "/api/v1/check"), ("GET", "/"), ("OPTIONS", "/api/v1/info")]
)
def test_another_name_of_the_server_is_refused_whoever_asks(reading_app, bearer, cookie, hosts, method, path):
    headers = [*(("Host", host) for host in hosts), bearer, cookie, JSON]
    answer = ask(reading_app, method, path, headers, b"{}")
    assert (answer.status, answer.kind) == (403, "forbidden")
    assert b"another name than its own" in answer.body


def test_a_request_that_names_another_server_whole_is_refused(reading_app, bearer):
    answer = ask(reading_app, "GET", "/", [("Host", HOST), bearer], raw_path=b"http://evil/")
    assert answer.status == 403


@pytest.mark.parametrize("path", ["/api/v1/info", "/api/v1/search", "/", "/assets/x.js"])
@pytest.mark.parametrize("origin", ["https://evil.test", "null", "http://localhost:8001"])
def test_no_other_page_is_told_that_it_may_ask(reading_app, cookie, bearer, path, origin):
    preflight = [("Host", HOST), ("Origin", origin), ("Access-Control-Request-Method", "POST")]
    for secret in ([], [cookie], [bearer]):
        for method in ("OPTIONS", "GET"):
            answer = ask(reading_app, method, path, [*preflight, *secret])
            assert [name for name in answer.headers if name.startswith("access-control")] == []


@pytest.mark.parametrize(
    "path",
    [
        "/page/../../etc/passwd",
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%5c..%5cetc/passwd",
        "/..\\..\\etc\\passwd",
        "/assets/../../../__init__.py",
        "//etc/passwd",
        "/\x00",
        "/index.html\x00.png",
        "/page/",
    ],
)
@pytest.mark.parametrize("with_page", [True, False])
def test_no_path_leads_out_of_the_page(path, with_page, reading_app, app_with_page):
    answer = ask(app_with_page if with_page else reading_app, "GET", path, [("Host", HOST)])
    assert (answer.status, answer.kind) == (404, "not-found")


@pytest.fixture
def app_with_page(made_once, tmp_path, monkeypatch):
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>vicinal</title>")
    (folder / "assets" / "main-1.js").write_text("export {}")
    monkeypatch.setattr("vicinal.serve._page_files.page_files.__defaults__", (folder,))
    monkeypatch.setattr("vicinal.serve._page_files.is_built.__defaults__", (folder,))
    app = create_app(made_once)
    yield app
    app.close()


def test_the_page_needs_no_token_and_has_headers_that_keep_it_to_itself(app_with_page):
    page = ask(app_with_page, "GET", "/", [("Host", HOST)])
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["cache-control"] == "no-cache"
    script = ask(app_with_page, "GET", "/assets/main-1.js", [("Host", HOST)])
    assert (script.status, script.headers["content-type"], script.body) == (200, "text/javascript; charset=utf-8", b"export {}")
    assert "immutable" in script.headers["cache-control"]


@pytest.mark.parametrize("path", ["/", "/api/v1/info", "/login", "/nowhere", "/api/v1/search"])
@pytest.mark.parametrize("host", [HOST, "evil.test"])
def test_every_answer_has_the_headers_of_a_careful_server(reading_app, bearer, path, host):
    headers = ask(reading_app, "GET", path, [("Host", host), bearer]).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers


def test_no_other_protocol_is_spoken(reading_app, cookie):
    upgrade = [("Host", HOST), cookie, ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Origin", "https://evil.test")]
    assert ask(reading_app, "GET", "/api/v1/events", upgrade).status == 403


def test_a_websocket_is_closed_before_it_opens(reading_app):
    import asyncio

    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(reading_app({"type": "websocket", "path": "/api/v1/events", "headers": []}, None, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_no_get_changes_the_index(app, client):
    """Every route of GET is asked, with what it needs: the state of the index stays as it is."""
    before = client.get("/info").headers["etag"]
    asked = {"id": "cars-1", "query": "bread", "name": "subject", "cluster": "0", "label": "cars", "text": "br"}
    paths = [path for path, methods in app.api.openapi()["paths"].items() if "get" in methods]
    assert len(paths) > 30
    for path in paths:
        if not path.endswith("/events"):
            client.get(path.removeprefix("/api/v1").replace("{id}", "x"), params=asked)
    assert client.get("/info").headers["etag"] == before


def test_a_link_lets_one_browser_in_once(reading_app):
    link = reading_app.link()
    path, _, query = link.removeprefix(reading_app.origin).partition("?")
    headers = [("Host", HOST)]
    assert ask(reading_app, "HEAD", path, headers, query=query.encode()).status != 303
    prefetched = ask(reading_app, "GET", path, [*headers, ("Sec-Purpose", "prefetch")], query=query.encode())
    assert prefetched.status == 403
    entered = ask(reading_app, "GET", path, headers, query=query.encode())
    assert (entered.status, entered.headers["location"]) == (303, "/")
    cookie = entered.headers["set-cookie"]
    assert {part.strip() for part in cookie.split(";")[1:]} == {"HttpOnly", "Path=/", "SameSite=strict"}
    assert reading_app.token not in cookie
    assert ask(reading_app, headers=[*headers, ("Cookie", cookie.split(";")[0])]).status == 200
    assert ask(reading_app, "GET", path, headers, query=query.encode()).status == 403


@pytest.mark.parametrize(
    ("wanted", "where"),
    [
        ("/?view=tree", "/?view=tree"),
        ("/#cluster=3", "/#cluster=3"),
        ("//evil.test", "/"),
        ("https://evil.test", "/"),
        ("/\\evil", "/"),
    ],
)
def test_a_link_leads_to_a_view_of_this_server_alone(reading_app, wanted, where):
    from urllib.parse import urlencode

    code = reading_app.link().partition("code=")[2]
    query = urlencode({"code": code, "next": wanted}).encode()
    assert ask(reading_app, "GET", "/login", [("Host", HOST)], query=query).headers["location"] == where


def test_each_opened_link_makes_the_next_one(made_once):
    told = []
    app = create_app(made_once, page=False, tell=told.append)
    code = app.link().partition("code=")[2]
    ask(app, "GET", "/login", [("Host", HOST)], query=f"code={code}".encode())
    assert len(told) == 1
    assert told[0] != f"{app.origin}/login?code={code}"
    app.close()


def test_a_session_that_ended_is_over(reading_app, cookie):
    headers = [("Host", HOST), cookie, ("Origin", f"http://{HOST}")]
    assert ask(reading_app, "DELETE", "/api/v1/session", headers).status == 204
    assert ask(reading_app, headers=headers).status == 401


def test_a_signed_in_browser_makes_a_link_for_another(reader, reading_app):
    link = reader.post("/session/links").json()["link"]
    assert reading_app._server.sessions.enter(link.partition("code=")[2]) is not None


def test_secrets_have_256_bits_and_old_ones_are_forgotten(monkeypatch):
    sessions = Sessions()
    assert len(sessions.token) >= 43
    first = sessions.new_code()
    cookies = [sessions.enter(sessions.new_code()) for _ in range(100)]
    assert sessions.is_cookie(cookies[0])
    for _ in range(100):
        sessions.new_code()
    assert sessions.enter(first) is None
    late = sessions.new_code()
    monkeypatch.setattr("vicinal.serve._guard.sessions.time.monotonic", lambda: 1e12)
    assert sessions.enter(late) is None


def test_a_cookie_that_cannot_be_read_is_none(reading_app):
    assert ask(reading_app, headers=[("Host", HOST), ("Cookie", 'vicinal_8000="\\u0000"; ;;=')]).status == 401


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "desk.example", "8.8.8.8"])
def test_leaving_the_machine_is_a_choice(host):
    with pytest.raises(BadParameter, match="--allow-remote"):
        refuse_remote(host, allow_remote=False)
    refuse_remote(host, allow_remote=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "[::1]", "localhost"])
def test_loopback_is_no_choice(host):
    assert is_loopback(host)
    refuse_remote(host, allow_remote=False)


def test_names_of_the_server_have_its_port():
    assert allowed_hosts("127.0.0.1", 8000) == set(OWN_HOSTS)
    assert "desk.example:80" in allowed_hosts("0.0.0.0", 80, ["Desk.Example"])
    assert {"desk.example", "localhost"} <= allowed_hosts("0.0.0.0", 80, ["desk.example"])
    assert "[fe80::1]:9000" in allowed_hosts("fe80::1", 9000)
    assert not {"0.0.0.0:9000", "[::]:9000"} & allowed_hosts("0.0.0.0", 9000)
