"""Validate the numpydoc docstrings of every public name: ``python tools/docstrings.py [package ...]``.

A name is public when it stands in the ``__all__`` of ``vicinal`` or of one of its public modules; so are the public methods and
properties of public classes, as far as they are defined here and not in scikit-learn. One line is printed per failing name, and
the exit code is 1 if there is any.

What is required:

* a summary of one line, and the sections of numpydoc in their order, without unknown ones;
* every parameter, in the order of the signature, with a type and a description that is a sentence;
* Returns or Yields where something is returned (properties excepted: their summary says it);
* for estimators, every attribute with a trailing underscore that ``fit`` sets; for dataclasses and named tuples, every field, under
  Parameters or Attributes;
* an example on every class and function (methods, exceptions and protocols excepted). ``tests/contract/test_doctests.py`` runs each
  by itself, in an empty folder: it imports what it uses, beside the name that it is of;
* References on every class and function (methods excepted) whose summary cites a formula of ``docs/maths``: who it is by, or else
  the page that says it is ours;
* Raises, with each class of ``vicinal.errors`` that the body of a function raises by itself;
* no reference to another page in place of a description.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
from collections.abc import Iterator
from types import ModuleType
from typing import Any

ROOT = "vicinal"
#: Codes of ``numpydoc.validate`` that are errors here. Left out, and why:
#: GL01, GL02, GL03 (where quotes and blank lines stand: our summary begins on the line of the quotes, and ruff formats the rest);
#: SS05 (it takes a plural noun at the start for a verb in the third person); ES01 (a summary may say it all);
#: SA01 to SA04 (names are linked where they are mentioned, not in a section of their own);
#: GL09, GL10 (nothing is deprecated); RT04 and RT05 apply only to named values, and stay.
CODES = frozenset(
    {
        *("GL05", "GL06", "GL07", "GL08", "SS01", "SS02", "SS03", "SS04", "SS06", "YD01", "EX01"),
        *("PR01", "PR02", "PR03", "PR04", "PR05", "PR06", "PR07", "PR08", "PR09", "PR10"),
        *("RT01", "RT02", "RT03", "RT04", "RT05"),
    }
)
SIGNATURE = frozenset({"PR01", "PR02", "PR03"})
FORMULA = re.compile(r"\([^()]*(?<![\w-])[TGSPMLFVRKN]\d{1,2}(?![\w-])[^()]*\)")
REFERRED = re.compile(r"module's page|page of :mod:|as everywhere|parameters and attributes are those", re.IGNORECASE)


def public_modules() -> list[str]:
    """``vicinal`` and its public modules: those without an underscore that have an ``__all__``."""
    root = importlib.import_module(ROOT)
    names = [f"{ROOT}.{module.name}" for module in pkgutil.iter_modules(root.__path__) if not module.name.startswith("_")]
    return [ROOT, *(name for name in names if hasattr(importlib.import_module(name), "__all__"))]


def public_objects(module_name: str) -> Iterator[tuple[str, Any]]:
    """Each class and function of a module's ``__all__`` by its full name; modules and constants are left out."""
    module = importlib.import_module(module_name)
    for name in sorted(module.__all__):
        value = getattr(module, name)
        if isinstance(value, ModuleType):
            continue
        if module_name == ROOT and _home_is_public(name, value):
            continue  # validated under its own package
        if inspect.isclass(value) or inspect.isroutine(value):
            yield f"{module_name}.{name}", value


def _home_is_public(name: str, value: Any) -> bool:
    """Whether a name of the root is exported by a public package too."""
    package = ".".join(str(getattr(value, "__module__", "")).split(".")[:2])
    return package in public_modules() and package != ROOT and name in importlib.import_module(package).__all__


def members(name: str, cls: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties of a class that are defined in this project, by full name."""
    for member in sorted(dir(cls)):
        home = next((base for base in cls.__mro__ if member in vars(base)), None)
        if member.startswith("_") or home is None or not home.__module__.startswith(ROOT):
            continue
        value = vars(home)[member]
        if isinstance(value, property | classmethod | staticmethod) or inspect.isfunction(value):
            yield f"{name}.{member}", value


def problems(name: str, value: Any) -> list[str]:
    """All that is wrong with the docstring of one public class, function, method or property."""
    from numpydoc.validate import validate

    report = validate(name)
    wanted = CODES - _exempt(name, value)
    found = [f"{code} {text}" for code, text in report["errors"] if code in wanted]
    if REFERRED.search(report["docstring"] or ""):
        found.append("refers to another page in place of a description")
    if not _is_member(name) and FORMULA.search(_summary(value)) and "References\n---" not in (inspect.getdoc(value) or ""):
        found.append("cites a formula and has no References")
    unsaid = sorted(_raised(value) - _said_to_be_raised(value))
    found += [f"{', '.join(unsaid)} not under Raises"] if unsaid else []
    if inspect.isclass(value):
        missing = sorted(_promised(value) - _documented(value))
        found += [f"{', '.join(missing)} not documented"] if missing else []
    return found


def _summary(value: Any) -> str:
    return (inspect.getdoc(value) or "").partition("\n\n")[0]


def _raised(value: Any) -> set[str]:
    """Names of the errors that the body of a function raises: what functions that it calls raise is not seen."""
    function = getattr(value, "fget", None) or getattr(value, "__func__", value)
    if not inspect.isfunction(inspect.unwrap(function)):
        return set()
    nodes = ast.walk(ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))))
    calls = (node.exc for node in nodes if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call))
    names = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
    return names & set(vars(importlib.import_module(f"{ROOT}.errors")))


def _said_to_be_raised(value: Any) -> set[str]:
    """Names under Raises, those of base classes standing for theirs."""
    from numpydoc.docscrape import NumpyDocString

    errors = vars(importlib.import_module(f"{ROOT}.errors"))
    entries = NumpyDocString(textwrap.dedent(inspect.getdoc(value) or ""))["Raises"]
    said = {name.strip() for entry in entries for name in (entry.type or entry.name).split(",")}
    bases = tuple(errors[name] for name in said if inspect.isclass(errors.get(name)))
    return said | {name for name, each in errors.items() if inspect.isclass(each) and bases and issubclass(each, bases)}


def _is_member(name: str) -> bool:
    """Whether a full name is that of a method or property."""
    return name.count(".") > 2 or (name.count(".") == 2 and not _is_exported(name))


def _exempt(name: str, value: Any) -> frozenset[str]:
    """Codes that do not apply to a value of this kind."""
    is_member = _is_member(name)
    if isinstance(value, property):
        return frozenset({"EX01", "RT01"}) | SIGNATURE
    if inspect.isclass(value) and issubclass(value, BaseException):
        return frozenset({"EX01"}) | SIGNATURE
    if inspect.isclass(value) and getattr(value, "_is_protocol", False):
        return frozenset({"EX01"}) | SIGNATURE
    if inspect.isclass(value) and (dataclasses.is_dataclass(value) or hasattr(value, "_fields")):
        return SIGNATURE  # fields may stand under Attributes: `_promised` sees to them
    return frozenset({"EX01"}) if is_member else frozenset()


def _is_exported(name: str) -> bool:
    module, _, last = name.rpartition(".")
    return module in public_modules() and last in importlib.import_module(module).__all__


def _documented(cls: type) -> set[str]:
    from numpydoc.docscrape import NumpyDocString

    doc = NumpyDocString(textwrap.dedent(inspect.getdoc(cls) or ""))
    entries = [*doc["Parameters"], *doc["Attributes"]]
    return {name.strip() for entry in entries for name in entry.name.split(",")}


def _promised(cls: type) -> set[str]:
    """Names that a class must document besides its signature: public fields, and attributes that fitting sets."""
    if dataclasses.is_dataclass(cls):
        return {field.name for field in dataclasses.fields(cls) if not field.name.startswith("_")}
    if issubclass(cls, tuple):
        return set(getattr(cls, "_fields", ()))
    return _fitted_attributes(cls) if hasattr(cls, "get_params") else set()


def _fitted_attributes(cls: type) -> set[str]:
    """Attributes ``self.name_`` that the methods in force of a class assign."""
    found: set[str] = set()
    for base in cls.__mro__:
        if base.__module__.startswith(ROOT):
            for method, value in vars(base).items():
                if inspect.isfunction(value) and _is_in_force(cls, base, method):
                    found |= _assigned(value)
    return found


def _is_in_force(cls: type, base: type, method: str) -> bool:
    """Whether no class before ``base`` replaces a method without calling it by ``super()``."""
    for earlier in cls.__mro__[: cls.__mro__.index(base)]:
        override = vars(earlier).get(method)
        if inspect.isfunction(override) and f"super().{method}(" not in inspect.getsource(override):
            return False
    return True


def _assigned(function: Any) -> set[str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    targets = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
    own = (node.attr for node in targets if isinstance(node.value, ast.Name) and node.value.id == "self")
    return {name for name in own if name.endswith("_") and not name.startswith("_")}


def failures(modules: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each public name of the modules with a docstring that is not complete, and what is wrong; a shared method once."""
    seen: set[int] = set()
    for module in modules:
        for name, value in public_objects(module):
            inner = members(name, value) if inspect.isclass(value) else ()
            for full_name, each in [(name, value), *inner]:
                if id(each) in seen:
                    continue
                seen.add(id(each))
                wrong = problems(full_name, each)
                if wrong:
                    yield full_name, wrong


def main(arguments: list[str]) -> int:
    """Validate the given modules, or all public ones; returns the exit code."""
    count = 0
    for name, wrong in failures(arguments or public_modules()):
        count += 1
        print(f"{name}: {'; '.join(wrong)}")
    if count:
        print(f"{count} public names have incomplete docstrings.", file=sys.stderr)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
