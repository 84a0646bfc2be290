"""Which files hold the source of an installed package, and by which module name."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from vicinal.errors import BadParameter

STANDARD_LIBRARY = "stdlib"
PACKAGES = (STANDARD_LIBRARY, "numpy", "scipy", "sklearn")

#: Folders and modules that are tests, other people's packages, applications or gone from newer versions.
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
        raise BadParameter(f"packages: {package!r} is installed, but without Python source files, so there is nothing to read.")
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
    """Whether to read it: also not what no import statement can name, such as ``site-packages``."""
    return name.isidentifier() and name not in LEFT_OUT and name != "__pycache__"


def _named(path: Path, parts: tuple[str, ...], package: str) -> SourceFile:
    source = "/".join(parts) + ".py"
    module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return SourceFile(path, source, _STANDS_FOR.get(module, module), package)
