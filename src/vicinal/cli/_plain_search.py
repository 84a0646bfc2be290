"""``vicinal search INDEX WORDS`` without any option is run at once: to parse options takes as long as to search an index.

The parser of options imports a library for validation that takes a third of a second, and all the verbs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence


def is_plain_search(arguments: Sequence[str]) -> bool:
    """Whether a command line, without the name of the program, is a search in which nothing is an option.

    Parameters
    ----------
    arguments : sequence of str

    Returns
    -------
    bool
    """
    completing = "_VICINAL_COMPLETE" in os.environ
    return len(arguments) > 2 and arguments[0] == "search" and not completing and not any(each[:1] == "-" for each in arguments)


def plain_search(arguments: Sequence[str]) -> int:
    """Search as the command line would, and return the exit code.

    Parameters
    ----------
    arguments : sequence of str
        Of which `is_plain_search` holds.

    Returns
    -------
    int
    """
    import typer

    from vicinal.cli._terminal.exit_codes import after_signal, end
    from vicinal.cli._verbs.search import search

    try:
        search(arguments[1], list(arguments[2:]))
        end()
    except typer.Exit as ended:
        return int(ended.exit_code)
    except KeyboardInterrupt as error:
        return after_signal(error)
    return 0
