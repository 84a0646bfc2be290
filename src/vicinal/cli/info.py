"""``vicinal info``: what runs here, for a bug report or out of curiosity."""

from __future__ import annotations

from typing import Annotated

import typer

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "threadpoolctl", "typer", "rich", "PyStemmer")


def info(
    as_json: Annotated[bool, typer.Option("--json", help="The same facts as JSON, for programs.")] = False,
) -> None:
    """Say which versions run here, on how many threads, and where compiled code is kept."""
    facts = {**_versions(), **_machine()}
    if as_json:
        import json

        typer.echo(json.dumps(facts, indent=2))
        return
    width = max(map(len, facts))
    for name, fact in facts.items():
        typer.echo(f"{name:<{width}}  {fact}")


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

    from threadpoolctl import threadpool_info

    from vicinal.graph.inverted import nearest_rows  # importing it loads BLAS and numba, which are then seen
    from vicinal.threads import count_threads

    kept = getattr(nearest_rows, "stats", None)  # numba's own attribute; absent where numba's compiler is switched off
    libraries = sorted({f"{library['internal_api']} {library['version'] or ''}".strip() for library in threadpool_info()})
    return {
        "platform": platform.platform(),
        "threads": f"{count_threads(None)}, and 1 inside {', '.join(libraries) or 'BLAS'} while learning",
        "compiled code": str(getattr(kept, "cache_path", None) or "compiled anew in every process"),
    }
