"""The command line: ``vicinal``. One file per verb in ``_verbs``; heavy libraries are imported inside the verbs."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line; the entry point of ``vicinal``.

    Examples
    --------
    >>> from vicinal.cli import main
    >>> main()  # doctest: +SKIP
    """
    from vicinal.cli._app import app
    from vicinal.cli._terminal.streams import finish, guard

    guard()
    try:
        app(prog_name="vicinal")
    finally:
        finish()
