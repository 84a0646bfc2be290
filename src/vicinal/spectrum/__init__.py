"""Spectrum: neighbours become smooth functions."""

from vicinal.spectrum.solve import solve
from vicinal.spectrum.spectrum import Spectrum

__all__ = ["Spectrum", "solve"]
