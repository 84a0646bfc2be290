"""The spectrum of a neighbour graph: its smoothest functions, W y = λ D y."""

from vicinal.spectrum._solve import solve
from vicinal.spectrum._spectrum import Spectrum

__all__ = ["Spectrum", "solve"]
