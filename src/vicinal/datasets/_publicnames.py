"""By which name is something imported that is defined in a private module? Found by reading, never by importing.

``scipy/stats/_stats_py.py`` defines ``pearsonr``, but one writes ``scipy.stats.pearsonr``. Modules that define nothing
and only import, and every ``__init__.py``, are *doors*: what they import from further inside can be had from them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass
class Doors:
    """Where names come out: one at a time (``from ._a import b``) or all of a module (``from ._a import *``)."""

    names: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)

    def open(self, door: str, is_package: bool, tree: ast.Module) -> None:
        """Note what a public module hands out. The first to hand out a name keeps it, so open the shallowest first."""
        if has_private_part(door):
            return
        for node in statements(tree.body):
            if isinstance(node, ast.ImportFrom):
                module = _absolute(node, door, is_package)
                if module.startswith(door + ".") or has_private_part(module):
                    self._note(door, module, node.names)

    def _note(self, door: str, module: str, aliases: Iterable[ast.alias]) -> None:
        for alias in aliases:
            public = alias.asname or alias.name
            if alias.name == "*":
                self.modules.setdefault(module, door)
            elif not public.startswith("_"):
                self.names.setdefault((module, alias.name), (door, public))

    def public(self, module: str, name: str, listed: frozenset[str] | None, depth: int = 2) -> tuple[str, str] | None:
        """The module and name to import ``module.name`` by, or None where no door leads to it.

        Without a door, a private module's names are taken to be its nearest public package's, unless that has fewer
        than ``depth`` parts: what ``sklearn._loss`` defines is not to be had from ``sklearn``.
        """
        starred = listed is None or name in listed
        found = self._step(module, name, starred)
        while found is not None:
            module, name = found
            found = self._step(module, name, starred)
        parts = module.split(".")
        cut = next((i for i, part in enumerate(parts) if part.startswith("_")), len(parts))
        if cut < len(parts) and cut < depth:
            return None
        return ".".join(parts[:cut]), name

    def _step(self, module: str, name: str, starred: bool) -> tuple[str, str] | None:
        """One door further out, from the module or from a package it is in."""
        inside = module
        while inside:
            found = self.names.get((inside, name))
            if found is None and starred and inside in self.modules:
                found = self.modules[inside], name
            if found is not None and found != (module, name):
                return found
            inside = inside.rpartition(".")[0]
        return None


def has_private_part(module: str) -> bool:
    """Whether a part of a dotted name begins with an underscore."""
    return module.startswith("_") or "._" in module


def listed_names(tree: ast.Module) -> frozenset[str] | None:
    """What ``__all__`` lists, or None where there is none or it is computed."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            try:
                return frozenset(ast.literal_eval(node.value))
            except (ValueError, TypeError):
                return None
    return None


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a body, those under ``if``, ``try``, ``with`` and ``for`` too, in the order of the source."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With | ast.For):
            for block in ("body", "handlers", "orelse", "finalbody"):
                for inner in getattr(node, block, ()):
                    yield from statements(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def _absolute(node: ast.ImportFrom, door: str, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = door.split(".")
    base = parts[: len(parts) - node.level + is_package]
    return ".".join([*base, node.module] if node.module else base)
