"""Run the questions named on the command line, or all of them, and write bench/README.md."""

from __future__ import annotations

import sys
import time
from importlib import import_module

from bench.report import write

QUESTIONS = ("figures", "retrieval", "graph", "fit", "stages", "supervised", "memory", "index")


def main() -> int:
    """Exit 2 for a question that does not exist."""
    asked = sys.argv[1:] or list(QUESTIONS)
    unknown = [name for name in asked if name not in QUESTIONS]
    if unknown:
        print(f"no such question: {', '.join(unknown)}. There are: {', '.join(QUESTIONS)}.", file=sys.stderr)
        return 2
    for name in asked:
        start = time.perf_counter()
        print(f"{name} …", file=sys.stderr, flush=True)
        import_module(f"bench.{name}").main()
        print(f"{name} done in {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        write()
    return 0


sys.exit(main())
