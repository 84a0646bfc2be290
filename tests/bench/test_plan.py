"""The bench of plans measures parts of a fit by the functions that they are: these must be where it looks for them."""

from __future__ import annotations

from importlib import import_module

import pytest

from bench.plan import PARTS


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_a_fit_is_the_function_that_is_measured(part):
    module, name = PARTS[part]
    assert callable(getattr(import_module(module), name))
