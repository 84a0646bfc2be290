"""``vicinal info``: the contents of an index, or the versions that run here."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "threadpoolctl", "typer", "rich", "PyStemmer")


def info(
    path: Annotated[str | None, typer.Argument(metavar="INDEX", help="Index file, such as news.vic.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Show the contents of an index, or the versions that run here.

    For an index you see how many documents it has, how many of them were embedded since the last fit, and the drift: whether
    these have more unknown words, more uncertainty or less closeness to their clusters than documents of the fit would have
    (in parentheses). One sentence says whether it is time to fit again.

    **Examples**

    - `vicinal info news.vic`: the contents of the index

    - `vicinal info`: versions, threads and the folder of compiled code, for a bug report

    Exit codes: 0 success, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.output import print_facts, print_json

    if path is not None:
        _of_index(path, as_json)
        return
    facts = {**_versions(), **_machine()}
    if as_json:
        print_json(facts)
    else:
        print_facts(facts)


def _of_index(path: str, as_json: bool) -> None:
    from dataclasses import asdict, replace

    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.info_lines import advice, info_rows
    from vicinal.cli._terminal.open_index import read_info
    from vicinal.cli._terminal.output import print_facts, print_json
    from vicinal.cli._terminal.text import visible

    with reporting_errors("info"):
        about = read_info(path)
    if as_json:
        print_json(asdict(about))
        return
    about = replace(about, path=path)  # as it was typed, so that the advised command can be typed too
    print_facts(info_rows(about))
    if advised := advice(about):
        typer.echo(visible(advised))


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
        "threads": f"{count_threads(None)}, with 1 inside BLAS during a fit",
        "compiled code": _compiled_code(),
    }


def _compiled_code() -> str:
    """The folder of numba's cache, found as numba finds it: importing numba would take ten times as long as all the rest."""
    import os
    from pathlib import Path

    import vicinal

    beside = Path(vicinal.__file__).parent / "graph"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return chosen
    return str(beside / "__pycache__") if os.access(beside, os.W_OK) else "in the cache folder of the user"
