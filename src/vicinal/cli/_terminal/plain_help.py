"""Help without types of Python: a flag is shown as ``--json``, not as ``--json <bool>``, which looks as if it took a value."""

from __future__ import annotations

from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup


class VerbCommand(TyperCommand):
    """A verb whose help shows types of options that take a value only."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, arguments and flags without a type."""
        return _without_types(super().get_params(ctx))


class VerbGroup(TyperGroup):
    """All verbs, with the same help."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, arguments and flags without a type."""
        return _without_types(super().get_params(ctx))


def _without_types(parameters: list[Any]) -> list[Any]:
    """Versions of typer that show types ask each parameter for its own; others do not look."""
    for each in parameters:
        if isinstance(each, TyperArgument) or getattr(each, "is_flag", False):
            each.display_type_rich = lambda ctx: None
    return parameters
