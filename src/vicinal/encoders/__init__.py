"""Encoders: models that turn texts into vectors, loaded from a folder of weights or from an installed package."""

from vicinal.encoders._encoder import Encoder
from vicinal.encoders._load import load_encoder

__all__ = ["Encoder", "load_encoder"]
