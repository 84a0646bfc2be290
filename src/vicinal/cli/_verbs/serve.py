"""``vicinal serve``: the index as a local web app and an API."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.arguments import IndexFile
from vicinal.errors import BadParameter

if TYPE_CHECKING:
    from vicinal.serve import App
    from vicinal.serve._entry_page import EntryPage

#: Where a token for programs can be given, which no list of processes shows.
TOKEN, SHORTEST_TOKEN = "VICINAL_TOKEN", 32


def serve(
    path: IndexFile,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Address to listen at; others than this machine's need --allow-remote.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, metavar="N", help="Port; 0 takes a free one.")] = 8000,
    allow_remote: Annotated[bool, typer.Option("--allow-remote", help="Let other machines reach it, with a token.")] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Another name of the server; repeat for more.", show_default=False),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Let nothing be changed.")] = False,
    api_only: Annotated[bool, typer.Option("--api-only", help="Serve the API without the page, and print the token.")] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser of this machine.")] = False,
    log: Annotated[bool, typer.Option("--log", help="Print a line for each request on standard error.")] = False,
) -> None:
    """Serve an index: a map to walk through, search, clusters to steer and labels to give, in the browser.

    It listens on this machine alone and prints a link. The link works once: it lets one browser in, and the next link is printed
    then. Several browsers may look and change at once; each sees whole states only. Programs use the same verbs under `/api/v1`
    with the header `Authorization: Bearer TOKEN`, where the token is that of the variable VICINAL_TOKEN, or a new one, which
    --api-only prints. Nothing that is asked or answered leaves the machine, and no token is in any log. Ctrl-C ends it.

    **Examples**

    - `vicinal serve news.vic`: then open the link that it prints

    - `vicinal serve news.vic --read-only --open`: only to look, in your browser at once

    - `vicinal serve news.vic --api-only --port 9000`: for programs

    - `vicinal serve news.vic --host 0.0.0.0 --allow-remote --allow-host desk.example`: for a network that you trust

    Exit codes: 0 success, 2 usage error, 3 input data error or a package is missing, 4 damaged index, 130 interrupted.
    """
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import require_index

    with reporting_errors("serve", "ended; every change that was answered is kept."):
        require_index(path)
        from vicinal.serve import create_app
        from vicinal.serve._entry_page import EntryPage
        from vicinal.serve._guard.hosts import refuse_remote
        from vicinal.serve._running import bound_socket, run

        refuse_remote(host, allow_remote)
        token, entry = _given_token(), EntryPage()
        with bound_socket(host, port) as listening, entry:
            app = create_app(
                path,
                host=host,
                port=listening.getsockname()[1],
                allow_hosts=allow_host or (),
                read_only=read_only,
                page=not api_only,
                token=token,
                tell=lambda link: _tell_next(link, entry, api_only),
            )
            try:
                if log:
                    _log_requests()
                run(app, listening, lambda: _greet(app, path, api_only, token is not None, entry if open_page else None))
            finally:
                app.close()


def _given_token() -> str | None:
    """The token of the environment, taken out of it so that no process that is started has it."""
    token = os.environ.pop(TOKEN, None)
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise BadParameter(
            f"{TOKEN} has {len(token)} characters, and a token that nobody guesses has {SHORTEST_TOKEN} at least. "
            "Unset it, and a new one is made."
        )
    return token


def _greet(app: App, path: str, api_only: bool, token_given: bool, entry: EntryPage | None) -> None:
    """Say where the server is, and how a browser or a program gets in."""
    from vicinal.cli._terminal.text import visible
    from vicinal.serve._page_files import HOW_TO_BUILD, is_built

    typer.echo(f"Serving {visible(path)} at {app.origin}. Ctrl-C ends it.")
    if api_only:
        typer.echo(f"Authorization: Bearer {f'the value of {TOKEN}' if token_given else app.token}")
    elif not is_built():
        typer.echo(HOW_TO_BUILD, err=True)
    if not api_only:
        link = app.link()
        typer.echo(f"Open this link, which works once: {link}")
        if entry is not None:
            entry.show(link)


def _tell_next(link: str, entry: EntryPage, api_only: bool) -> None:
    """A link was used: the page that led to it has done its work, and the next one is for another browser."""
    entry.remove()
    if not api_only:
        typer.echo(f"For another browser: {link}")


def _log_requests() -> None:
    """Show a line for each request: method, path, status and milliseconds; never what was asked, nor a secret."""
    import logging

    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    requests = logging.getLogger("vicinal.serve")
    requests.addHandler(handler)
    requests.setLevel(logging.INFO)
