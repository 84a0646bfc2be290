"""Names of a package that are loaded from their modules when they are first used, so that what needs few of them stays fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def loader(package: str, homes: Mapping[str, Sequence[str]], modules: Sequence[str] = ()) -> Callable[[str], object]:
    """The ``__getattr__`` of a package: its names by the modules that define them, and submodules that are imported whole."""
    home_of = {name: f"{package}.{module}" for module, names in homes.items() for name in names}

    def load(name: str) -> object:
        """A name of the package, imported from its module; AttributeError where there is none."""
        if name in home_of:
            return getattr(import_module(home_of[name]), name)
        if name in modules:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
