"""Questions to the person at the terminal before something is lost; where nobody can be asked, nothing is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import typer

from vicinal._sqlite_files import belongs_to_sqlite
from vicinal.errors import BadParameter


def confirmed(question: str) -> bool:
    """Whether somebody is there to be asked, and says yes."""
    return on_terminal() and typer.confirm(question, err=True)


def on_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def ask_before_replacing(output: str) -> None:
    """Ask before a file is replaced; where nobody can be asked it stays."""
    if not os.path.lexists(output) or belongs_to_sqlite(Path(output)):  # the second is refused in any case
        return
    if on_terminal():
        typer.confirm(f"{output} is there already. Replace it?", abort=True, err=True)
        return
    raise BadParameter(f"{output} is there already, and would be replaced. Use another name, or --yes.")
