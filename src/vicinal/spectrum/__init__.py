"""Spectrum: neighbours become smooth functions."""

from vicinal.spectrum._solve import solve
from vicinal.spectrum._spectrum import Spectrum

__all__ = ["Spectrum", "solve"]
