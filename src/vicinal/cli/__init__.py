"""The command line: ``vicinal``. One small file per verb; heavy things are imported inside the verbs."""

from __future__ import annotations


def main() -> None:
    """Run the command line; the entry point of ``vicinal``."""
    from vicinal.cli.app import app
    from vicinal.cli.streams import finish, guard

    guard()
    try:
        app()
    finally:
        finish()
