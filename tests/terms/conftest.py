"""A small real text set: notes about gardens, trains and bread, with repeated words, plurals and an empty one."""

from __future__ import annotations

import pytest

TEXTS = [
    "The gardener waters the roses; roses don't like dry soil.",
    "A dry garden needs watering, and the soil needs compost.",
    "Gardeners prune roses in spring and spread compost on the soil.",
    "The train to the coast stops at every station.",
    "Trains stopped early: the station was flooded by the storm.",
    "A storm flooded the garden and the station.",
    "",
    "Bread needs flour, water, salt and time. Time, above all, makes bread.",
    "The baker's bread rises slowly; slow bread keeps longer.",
    "Flour and water rest overnight, then the baker adds salt.",
    "Café au lait at the station café, with bread and salt butter.",
]


@pytest.fixture
def texts():
    return list(TEXTS)
