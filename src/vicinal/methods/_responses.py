"""The responses of a method: the smoothest functions on its graph."""

from __future__ import annotations

from typing import Any

from vicinal.graph import AgreementGraph, ClassGraph
from vicinal.methods._estimator import GraphMethod
from vicinal.spectrum import Spectrum
from vicinal.spectrum._solve import smoothest


def spectrum_of(method: GraphMethod, n_components: int, **options: Any) -> Spectrum:
    """Solve the graph that a method has built, as its ``disconnected`` and ``random_state`` say."""
    apart = "apart" if embeds_apart(method) else "keep"
    return smoothest(method.graph_, n_components, disconnected=apart, random_state=method.random_state, **options)


def embeds_apart(method: GraphMethod) -> bool:
    """Whether each component is embedded by itself; classes, and groups that views agree on, must be told apart."""
    return bool(method.disconnected == "apart" and not isinstance(method.graph_, ClassGraph | AgreementGraph))
