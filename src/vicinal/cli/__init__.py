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
    import sys

    from vicinal.cli._plain_search import is_plain_search, plain_search
    from vicinal.cli._terminal.signals import listen
    from vicinal.cli._terminal.streams import finish, guard

    guard()
    listen()
    try:
        if is_plain_search(sys.argv[1:]):
            sys.exit(plain_search(sys.argv[1:]))
        from vicinal.cli._app import app

        app(prog_name="vicinal")
    finally:
        finish()
