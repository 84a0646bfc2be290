"""Draw the tree of the source: its packages in ARCHITECTURE.md, every module in docs/tree.md, each with its first sentence.

``python -m tools.tree`` writes both; ``--check`` compares them with the source and exits 1 where one differs. Packages stand in the
order of the one-way rule, modules after those of their own package that they import.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Sequence
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "vicinal"
PAGE, MODULES = ROOT / "ARCHITECTURE.md", ROOT / "docs" / "tree.md"
BLOCK = re.compile(r"```\nsrc/vicinal/\n.*?```\n", re.DOTALL)
COLUMN = 28


def packages_in_order(page: str) -> list[str]:
    """The packages as the one-way rule of ARCHITECTURE.md lists them."""
    rule = re.search(r"\*\*One-way rule\*\*.*?\(([^)]*)\)", page, re.DOTALL)
    return re.findall(r"`(\w+)`", rule[1] if rule else "")


def overview(page: str) -> str:
    """The block that ARCHITECTURE.md should hold: packages and the folders in them."""
    lines: list[str] = []
    for name in packages_in_order(page):
        is_package = (SOURCE / name).is_dir()
        lines += _folders(SOURCE / name, 1) if is_package else [_line(SOURCE / f"{name}.py", 1, f"{name}.py")]
    return "\n".join(["```", "src/vicinal/", *lines, "```", ""])


def _folders(folder: Path, depth: int) -> Iterator[str]:
    yield _line(folder / "__init__.py", depth, f"{folder.name}/")
    for inner in sorted(path.parent for path in folder.glob("*/__init__.py")):
        yield from _folders(inner, depth + 1)


def drawing(page: str) -> str:
    """The block that docs/tree.md should hold, in the order that ARCHITECTURE.md states."""
    order = packages_in_order(page)
    lines = [_line(SOURCE / "__init__.py", 1, "__init__.py"), *_modules(SOURCE, 1, leave_out=order)]
    for name in order:
        is_package = (SOURCE / name).is_dir()
        lines += ["", *(_package(SOURCE / name, 1) if is_package else [_line(SOURCE / f"{name}.py", 1, f"{name}.py")])]
    return "\n".join(["```", "src/vicinal/", *lines, "```", ""])


def _package(folder: Path, depth: int) -> Iterator[str]:
    yield _line(folder / "__init__.py", depth, f"{folder.name}/")
    yield from _modules(folder, depth + 1)
    for inner in sorted(path.parent for path in folder.glob("*/__init__.py")):
        yield from _package(inner, depth + 1)


def _modules(folder: Path, depth: int, leave_out: Sequence[str] = ()) -> list[str]:
    """The modules of a folder, each after those that it imports; equals by name."""
    files = {path.stem: path for path in sorted(folder.glob("*.py")) if path.stem not in ("__init__", *leave_out)}
    order = TopologicalSorter({stem: sorted(_imported(path) & files.keys() - {stem}) for stem, path in files.items()})
    order.prepare()
    names: list[str] = []
    while order.is_active():
        ready = sorted(order.get_ready(), key=lambda stem: (stem != "errors", stem))
        names += ready
        order.done(*ready)
    return [_line(files[name], depth, f"{name}.py") for name in names]


def _imported(path: Path) -> set[str]:
    """Last parts of all modules that a file imports when it is loaded, at the top of the file."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("vicinal"):
            inside = ".".join(("vicinal", *path.parent.relative_to(SOURCE).parts))
            module = node.module or ""
            if module.rpartition(".")[0] == inside:
                found.add(module.rpartition(".")[2])
            elif module == inside:
                found |= {alias.name for alias in node.names}
    return found


def _line(path: Path, depth: int, name: str) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    first = " ".join(docstring.split("\n\n")[0].split())
    return f"{'  ' * depth + name:<{COLUMN}} {first}"


def main() -> None:
    """Write the drawing, or check it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 where the drawing differs")
    only_compares, order = parser.parse_args().check, PAGE.read_text(encoding="utf-8")
    for path, block in ((PAGE, overview(order)), (MODULES, drawing(order))):
        page = path.read_text(encoding="utf-8")
        before, after = BLOCK.split(page, maxsplit=1)
        wanted = f"{before}{block}{after}"
        if not only_compares:
            path.write_text(wanted, encoding="utf-8")
        elif wanted != page:
            print(f"{path.relative_to(ROOT)} does not draw the tree as it is. Run make reference.")
            sys.exit(1)


if __name__ == "__main__":
    main()
