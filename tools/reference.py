"""Write docs/reference: one page per public package, with the signature and the docstring of every promised name.

``python -m tools.reference`` writes the pages; ``--check`` compares them with the code and exits 1 where they differ.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from numpydoc.docscrape import NumpyDocString

from tools.docstrings import members, public_modules

PAGES = Path(__file__).parents[1] / "docs" / "reference"
LISTS = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")
PROSE = ("Notes", "References")


def pages() -> dict[str, str]:
    """The text of every page by its file name; ``vicinal.md`` has the names that no package exports."""
    modules = {name: import_module(name) for name in public_modules()}
    names = {module: public_names(module) for module in modules.values()}
    root = modules["vicinal"]
    elsewhere = {id(value): home for home, module in modules.items() if module is not root for value in names[module].values()}
    names[root] = {name: value for name, value in names[root].items() if id(value) not in elsewhere}
    found = {f"{home.removeprefix('vicinal.')}.md": _page(home, module, names[module]) for home, module in modules.items()}
    return {"README.md": _contents(modules, elsewhere), **found}


def _contents(modules: dict[str, ModuleType], elsewhere: dict[int, str]) -> str:
    intro = "Written by `make reference` from the docstrings. Names of the first table can be imported from `vicinal` itself."
    lines = ["# Reference", "", intro, "", "| name | what it is |", "| --- | --- |"]
    for name, value in _sorted(public_names(modules["vicinal"])):
        page = elsewhere.get(id(value), "vicinal").removeprefix("vicinal.")
        lines.append(f"| [`{name}`]({page}.md#{name.lower()}) | {_summary(value)} |")
    lines += ["", "| package | what it holds |", "| --- | --- |"]
    packages = [(home, module) for home, module in modules.items() if home != "vicinal"]
    lines += [f"| [`{home}`]({home.removeprefix('vicinal.')}.md) | {_summary(module)} |" for home, module in packages]
    return "\n".join(lines) + "\n"


def _sorted(names: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted(names.items(), key=lambda each: each[0].lower())


def public_names(module: ModuleType) -> dict[str, Any]:
    """The promised names of a module, without modules, each with what it stands for."""
    found = {name: getattr(module, name) for name in module.__all__}
    return {name: value for name, value in found.items() if not inspect.ismodule(value)}


def _page(name: str, module: ModuleType, names: dict[str, Any]) -> str:
    lines = [f"# {name}", "", _prose(inspect.getdoc(module) or ""), ""]
    for entry, value in _sorted(names):
        lines += _entry(entry, value)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def _entry(name: str, value: Any) -> list[str]:
    lines = [f"## {name}", ""]
    if not callable(value):
        return [*lines, f"`{type(value).__name__}`: a value.", ""]
    lines += _described(name, value)
    if inspect.isclass(value) and not issubclass(value, Exception):
        for member, method in members(name, value):
            lines += [f"### {member}", "", *_described(member.rpartition(".")[2], method)]
    return lines


def _described(name: str, value: Any) -> list[str]:
    signature = _signature(name, value)
    return [*(["```text", signature, "```", ""] if signature else []), *_docstring(inspect.getdoc(value) or "")]


def _signature(name: str, value: Any) -> str:
    if isinstance(value, property):
        return ""
    value = value.__func__ if isinstance(value, classmethod | staticmethod) else value
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    bare = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in signature.parameters.values()
        if each.name not in ("self", "cls")
    ]
    shown = str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    return name + re.sub(r"<function (\w+) at 0x[0-9a-f]+>", r"\1", shown)


def _docstring(text: str) -> list[str]:
    parsed = NumpyDocString(text)
    lines = [*_paragraphs(parsed["Summary"]), *_paragraphs(parsed["Extended Summary"])]
    for section in LISTS:
        if parsed[section]:
            lines += [f"**{section}**", "", *(line for each in parsed[section] for line in _item(each)), ""]
    for section in PROSE:
        if parsed[section]:
            lines += [f"**{section}**", "", *_paragraphs(parsed[section])]
    if parsed["Examples"]:
        lines += ["**Examples**", "", "```pycon", *parsed["Examples"], "```", ""]
    return lines


def _item(each: Any) -> list[str]:
    head = " : ".join(part for part in (f"`{each.name}`" if each.name else "", each.type) if part)
    return [f"- {head}", *(f"  {line}" for line in each.desc)]


def _paragraphs(lines: list[str]) -> list[str]:
    return [*lines, ""]


def _prose(text: str) -> str:
    """A module's docstring; a table drawn with equals signs is kept as it is drawn."""
    return f"```text\n{text}\n```" if "====" in text else text


def _summary(value: Any) -> str:
    """The first paragraph of a docstring as a cell of a table, without marks of references."""
    if not callable(value) and not inspect.ismodule(value):
        return "A value."
    first = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    return re.sub(r" \[\d+\]_", "", first).replace("|", "\\|")


def stale() -> list[str]:
    """Names of pages that are not what the code says now: other text, missing, or of a package that is no more."""
    wanted = pages()
    there = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def main() -> None:
    """Write the pages, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 where a page differs")
    if parser.parse_args().check:
        found = stale()
        print(
            "\n".join(f"docs/reference/{name} is not what the docstrings say: run make reference" for name in found)
            or "reference: up to date"
        )
        sys.exit(bool(found))
    PAGES.mkdir(parents=True, exist_ok=True)
    for name in stale():
        (PAGES / name).unlink(missing_ok=True)
    for name, text in pages().items():
        (PAGES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
