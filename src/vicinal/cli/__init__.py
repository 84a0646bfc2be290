"""The command line: ``vicinal``. One small file per verb; heavy things are imported inside the verbs."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; the entry point of ``vicinal``."""
    from vicinal.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal without "é" shows \xe9 rather than a traceback
    app()
