"""The source of installed packages: which files there are, what they document, and under which name it is imported.

Files are parsed, never imported. ``scipy/stats/_stats_py.py`` defines ``pearsonr``, but users write ``scipy.stats.pearsonr``:
every ``__init__.py``, and every module that defines nothing itself, *re-exports* what it imports from further inside.
"""

from __future__ import annotations

import ast
import os
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from vicinal.errors import BadParameter

STANDARD_LIBRARY = "stdlib"
#: The packages that `load_docstrings` reads by default.
PACKAGES = (STANDARD_LIBRARY, "numpy", "scipy", "sklearn")

#: Folders and modules that are tests, vendored packages, applications or removed in newer versions.
LEFT_OUT = frozenset(
    {"__main__", "_precompute", "_vendor", "_vendored", "conftest", "distutils", "ensurepip", "externals", "idlelib"}
    | {"lib2to3", "setup", "test", "tests", "turtledemo", "vendor"}
)

#: io is written in C; this module is the same in Python, documentation included.
_STANDS_FOR = {"_pyio": "io"}


@dataclass(frozen=True)
class SourceFile:
    """One file of Python source: ``module`` is its dotted name, ``source`` its path from the package on."""

    path: Path
    source: str
    module: str
    package: str

    @property
    def is_package(self) -> bool:
        """Whether this is the ``__init__.py`` of a package."""
        return self.path.name == "__init__.py"

    @property
    def label_parts(self) -> int:
        """How many parts of a public module name make the label."""
        return 1 if self.package == STANDARD_LIBRARY else 2


def source_files(package: str) -> list[SourceFile]:
    """All source files of an installed package, sorted by path; found without importing it."""
    files: list[SourceFile] = []
    for root in _roots(package):
        prefix = () if package == STANDARD_LIBRARY else (package,)
        found = [root] if root.is_file() else _walk(root)
        for path in found:
            inner = path.relative_to(root).with_suffix("").parts if path != root else ()
            files.append(_named(path, (*prefix, *inner), package))
    if not files:
        raise BadParameter(
            f"packages: {package!r} is installed, but without Python source files, so there is nothing to read. Leave it out."
        )
    return sorted(files, key=lambda file: file.source.split("/"))


def _roots(package: str) -> list[Path]:
    if package == STANDARD_LIBRARY:
        return [Path(sysconfig.get_paths()["stdlib"])]
    spec = find_spec(package)
    if spec is None:
        raise BadParameter(f"packages: {package!r} is not installed here. Install it or leave it out.")
    if spec.submodule_search_locations is not None:
        return [Path(place) for place in spec.submodule_search_locations]
    return [Path(spec.origin)] if spec.origin and spec.origin.endswith(".py") else []


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if _is_kept(name)]
        yield from (Path(folder, name) for name in names if name.endswith(".py") and _is_kept(name[:-3]))


def _is_kept(name: str) -> bool:
    """Whether to read a file or folder; what no import statement can name, such as ``site-packages``, is left out."""
    return name.isidentifier() and name not in LEFT_OUT and name != "__pycache__"


def _named(path: Path, parts: tuple[str, ...], package: str) -> SourceFile:
    source = "/".join(parts) + ".py"
    module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return SourceFile(path, source, _STANDS_FOR.get(module, module), package)


# What a file documents

#: NumPy's shorter way to document a method of a class written in C: (name, parameters, documentation).
_METHODS_OF = {"_array_method_doc": "ndarray"}


class Definition(NamedTuple):
    """A documented name: ``module`` where it lives, ``name`` in it (dotted for a method), and the raw ``docstring``."""

    module: str
    name: str
    docstring: str


def definitions(tree: ast.Module, module: str) -> Iterator[Definition]:
    """Every public name that a file documents, in the order of its lines."""
    instances = _instances(tree)
    for found in _in_body(tree.body, module, ""):
        first, dot, rest = found.name.partition(".")
        yield found._replace(name=instances.get(first, first) + dot + rest)


def _in_body(body: Iterable[ast.stmt], module: str, prefix: str) -> Iterator[Definition]:
    for node in statements(body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if node.name.startswith("_"):
                continue
            docstring = ast.get_docstring(node, clean=False)
            if docstring:
                yield Definition(module, prefix + node.name, docstring)
            if isinstance(node, ast.ClassDef):
                yield from _in_body(node.body, module, f"{prefix}{node.name}.")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not prefix:
            yield from _added(node.value, module)


def _instances(tree: ast.Module) -> dict[str, str]:
    """SciPy's distributions: after ``norm = norm_gen(name='norm')`` the docstring of ``norm_gen`` is that of ``norm``."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
            target, maker = node.targets[0], node.value.func.id
            if isinstance(target, ast.Name) and maker.endswith("_gen"):
                found.setdefault(maker, target.id)
    return found


def _added(call: ast.Call, module: str) -> Iterator[Definition]:
    """What ``add_newdoc([module,] name, text)`` documents; text may also be (method, text) or a list of these."""
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if len(call.args) < 2 or not (called.startswith("add_newdoc") or called in _METHODS_OF):
        return
    heads = [literal(argument) or "" for argument in call.args[:-1]]
    if called in _METHODS_OF:
        place, path = module, [_METHODS_OF[called], heads[0]]
    elif len(heads) > 1 and heads[0].partition(".")[0] == module.partition(".")[0]:
        place, path = heads[0], [heads[1]]
    else:
        place, path = module, [heads[0]]
    for method, text in _texts(call.args[-1]):
        names = [*path, method] if method else path
        if all(name.isidentifier() and not name.startswith("_") for name in names):
            yield Definition(place, ".".join(names), text)


def _texts(node: ast.expr) -> Iterator[tuple[str, str]]:
    text = literal(node)
    if text is not None:
        yield "", text
    elif isinstance(node, ast.Tuple) and len(node.elts) == 2:
        method, text = (literal(part) for part in node.elts)
        if method and text:
            yield method, text
    elif isinstance(node, ast.List):
        for part in node.elts:
            yield from _texts(part)


def literal(node: ast.expr) -> str | None:
    """The constant text of an expression: a string, the fixed parts of an f-string, the template of a formatted one."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(literal(part) or " " for part in parts)
        case ast.BinOp(left=left, op=ast.Mod()):
            return literal(left)
        case ast.Call(func=ast.Attribute(value=template, attr="format" | "replace" | "strip" | "lstrip")):
            return literal(template)
        case ast.Call(func=ast.Attribute(attr="dedent") | ast.Name(id="dedent" | "cleandoc"), args=[argument]):
            return literal(argument)
    return None


# Under which name it is imported


@dataclass
class ReExports:
    """Names that public modules import from private ones: one at a time, or all of a module (``from ._a import *``)."""

    names: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)

    def add(self, public: str, is_package: bool, tree: ast.Module) -> None:
        """Add the imports of a public module. The first to import a name keeps it, so add the shallowest modules first."""
        if has_private_part(public):
            return
        for node in statements(tree.body):
            if isinstance(node, ast.ImportFrom):
                module = _absolute(node, public, is_package)
                if module.startswith(public + ".") or has_private_part(module):
                    self._add_names(public, module, node.names)

    def _add_names(self, public: str, module: str, aliases: Iterable[ast.alias]) -> None:
        for alias in aliases:
            name = alias.asname or alias.name
            if alias.name == "*":
                self.modules.setdefault(module, public)
            elif not name.startswith("_"):
                self.names.setdefault((module, alias.name), (public, name))

    def public_name(self, module: str, name: str, listed: frozenset[str] | None, depth: int = 2) -> tuple[str, str] | None:
        """The module and name to import ``module.name`` by, or None where no public module imports it.

        A name of a private module that no other module imports is taken to be its nearest public package's, unless that has
        fewer than ``depth`` parts: what ``sklearn._loss`` defines cannot be imported from ``sklearn``.
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
        """The public module that imports a name from this module, or from a package it is in."""
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


def _absolute(node: ast.ImportFrom, importer: str, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = importer.split(".")
    base = parts[: len(parts) - node.level + is_package]
    return ".".join([*base, node.module] if node.module else base)
