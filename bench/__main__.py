"""Run the questions named on the command line, or all of them, and write bench/README.md."""

from __future__ import annotations

import argparse
import sys
import time
from importlib import import_module

from bench.report import write

QUESTIONS = (
    *("figures", "retrieval", "graph", "fit", "stages", "supervised", "memory", "index", "index_fit", "living", "search"),
    *("formats", "layout", "layout_size", "page_size", "recall", "copies", "out_of_core", "app", "install_size", "plan", "streams"),
)


def main() -> int:
    """Exit 2 for a question that does not exist."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=f"one of {', '.join(QUESTIONS)}; all by default")
    asked = parser.parse_args().questions or list(QUESTIONS)
    unknown = [name for name in asked if name not in QUESTIONS]
    if unknown:
        parser.error(f"no such question: {', '.join(unknown)}. There are: {', '.join(QUESTIONS)}.")
    for name in asked:
        start = time.perf_counter()
        print(f"{name} …", file=sys.stderr, flush=True)
        import_module(f"bench.{name}").main()
        print(f"{name} done in {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        write()
    return 0


sys.exit(main())
