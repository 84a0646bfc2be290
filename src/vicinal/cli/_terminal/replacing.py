"""A file that is there already is replaced only when somebody said so."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from vicinal._sqlite_files import belongs_to_sqlite
from vicinal.cli._terminal import syncing
from vicinal.errors import BadParameter


def ask_before_replacing(output: str) -> None:
    """Ask before a file is replaced; where nobody can be asked it stays."""
    if not os.path.lexists(output) or belongs_to_sqlite(Path(output)):  # the second is refused in any case
        return
    if syncing.on_terminal():
        typer.confirm(f"{output} is there already. Replace it?", abort=True, err=True)
        return
    raise BadParameter(f"{output} is there already, and would be replaced. Use another name, or --yes.")
