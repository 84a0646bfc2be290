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

    from vicinal.cli._terminal.out_of_memory import is_out_of_memory, tell_out_of_memory
    from vicinal.cli._terminal.signals import listen
    from vicinal.cli._terminal.streams import finish, guard

    guard()
    listen()
    try:
        _run(sys.argv[1:])
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        sys.exit(tell_out_of_memory(error))
    finally:
        finish()


def _run(arguments: list[str]) -> None:
    """Run the verb that was asked for; a search without options at once."""
    import sys

    from vicinal.cli._plain_search import is_plain_search, plain_search

    if is_plain_search(arguments):
        sys.exit(plain_search(arguments))
    from vicinal.cli._app import app

    app(prog_name="vicinal")
