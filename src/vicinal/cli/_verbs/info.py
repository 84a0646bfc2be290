"""``vicinal info``: what an index holds, or what runs here, for a bug report or out of curiosity."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.options import AsJson

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "threadpoolctl", "typer", "rich", "PyStemmer")


def info(
    path: Annotated[
        str | None, typer.Argument(metavar="INDEX", help="The file of an index, such as news.vic.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what an index holds; without one, which versions run here, on how many threads, and where compiled code is kept.

    Of an index you see how many documents there are, how many of them were placed since the last fit, and whether they fit as
    well as those that it was learnt from.

    **Examples**

    - `vicinal info news.vic`: what the index holds

    - `vicinal info`: what runs here, for a bug report

    Exit codes: 0 done, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    from vicinal.cli._terminal.output import say_facts, say_json

    if path is not None:
        _of_index(path, as_json)
        return
    facts = {**_versions(), **_machine()}
    if as_json:
        say_json(facts)
    else:
        say_facts(facts)


def _of_index(path: str, as_json: bool) -> None:
    from dataclasses import replace

    from vicinal.cli._terminal.exit_codes import plainly
    from vicinal.cli._terminal.open_index import told
    from vicinal.cli._terminal.output import say_facts, say_json
    from vicinal.cli._terminal.results import advice, contents
    from vicinal.cli._terminal.text import visible

    with plainly("info"):
        about = told(path)
    if as_json:
        say_json(vars(about))
        return
    about = replace(about, path=path)  # as it was typed: what is advised can be typed again
    say_facts(contents(about))
    if said := advice(about):
        typer.echo(visible(said))


def _versions() -> dict[str, str]:
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from vicinal import __version__

    found = {"vicinal": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _machine() -> dict[str, str]:
    import platform

    from vicinal._threads import count_threads

    return {
        "platform": platform.platform(),
        "threads": f"{count_threads(None)}, and 1 inside BLAS while learning",
        "compiled code": _compiled_code(),
    }


def _compiled_code() -> str:
    """Where numba keeps it, found as numba does: to load and ask it would take ten times as long as all the rest."""
    import os
    from pathlib import Path

    import vicinal

    beside = Path(vicinal.__file__).parent / "graph"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return chosen
    return str(beside / "__pycache__") if os.access(beside, os.W_OK) else "in the cache folder of the user"
