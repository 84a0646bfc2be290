"""Colours of clusters: hues around the map, so that what is near has a similar colour and what is next to it another shade."""

from __future__ import annotations

import numpy as np

from vicinal._typing import FloatArray

#: Lightness and chroma of three shades, on a light and on a dark background, in OKLCH.
SHADES = {"light": ((0.58, 0.16), (0.68, 0.13), (0.48, 0.14)), "dark": ((0.72, 0.14), (0.82, 0.11), (0.62, 0.15))}
FIRST_HUE = 25.0


def colors_of(middles: FloatArray, theme: str) -> list[str]:
    """A colour for each cluster, as ``#rrggbb``: hues evenly around the circle, in the order of the angles of their middles.

    Parameters
    ----------
    middles : (clusters, 2)
        The middle of each cluster on the map; NaN for one without points.
    theme : {"light", "dark"}
    """
    if not len(middles):
        return []
    points = np.nan_to_num(middles - np.nanmean(np.where(np.isnan(middles), 0.0, middles), axis=0))
    order = np.lexsort((np.arange(len(points)), np.arctan2(points[:, 1], points[:, 0])))
    found = [""] * len(points)
    for rank, cluster in enumerate(order):
        lightness, chroma = SHADES[theme][rank % 3]
        found[int(cluster)] = _hex(lightness, chroma, FIRST_HUE + 360.0 * rank / len(points))
    return found


def _hex(lightness: float, chroma: float, hue: float) -> str:
    """An OKLCH colour in sRGB, clipped where sRGB has none."""
    a, b = chroma * np.cos(np.radians(hue)), chroma * np.sin(np.radians(hue))
    cone = np.array(
        [
            lightness + 0.3963377774 * a + 0.2158037573 * b,
            lightness - 0.1055613458 * a - 0.0638541728 * b,
            lightness - 0.0894841775 * a - 1.2914855480 * b,
        ]
    )
    to_linear = np.array(
        [
            [4.0767416621, -3.3077115913, 0.2309699292],
            [-1.2684380046, 2.6097574011, -0.3413193965],
            [-0.0041960863, -0.7034186147, 1.7076147010],
        ]
    )
    linear = np.clip(to_linear @ cone**3, 0.0, 1.0)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * float(each)):02x}" for each in encoded)
