"""What a parsed source file documents: functions, classes, methods, and C functions through ``add_newdoc``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from vicinal.datasets._publicnames import statements

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
    """SciPy's distributions: after ``norm = norm_gen(name='norm')`` what ``norm_gen`` says is said of ``norm``."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
            target, maker = node.targets[0], node.value.func.id
            if isinstance(target, ast.Name) and maker.endswith("_gen"):
                found.setdefault(maker, target.id)
    return found


def _added(call: ast.Call, module: str) -> Iterator[Definition]:
    """What ``add_newdoc([place,] name, text)`` documents; text may also be (method, text) or a list of these."""
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
