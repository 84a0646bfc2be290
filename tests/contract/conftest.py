"""Notes about gardens, trains and bread: a small corpus that every method must handle, and every method by name."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from vicinal import FSSL, LPFL, RLPI, SLPI, Vectorizer
from vicinal.methods import METHODS
from vicinal.methods._base import LinearMethod
from vicinal.methods._factorisation import FactorMethod
from vicinal.methods._graph_method import GraphMethod

GARDEN = """The gardener waters the roses in dry soil every summer morning.
Dry soil in the garden needs water and compost in summer.
Gardeners prune roses in spring and spread compost on the soil.
In spring the garden soil is warm and the roses grow new leaves.
Tomatoes grow in warm soil and need water every morning.
The gardener plants tomatoes and beans in the garden in spring.
Beans and tomatoes like compost, warm summer days and water.
Leaves and old roses make good compost for the garden.
Prune the roses before spring, when the old leaves are dry.
A summer storm broke the roses and washed compost out of the garden.
Water the beans in the morning, before the soil is warm and dry.
The garden gate stays open for the gardener and the morning water."""
TRAINS = """The morning train to the coast stops at every station.
The train was late because a storm flooded the station.
Passengers waited at the station for the late train to the coast.
A storm closed the line, and passengers took the slow train.
The slow train stops at every small station on the coast line.
The conductor checks tickets of passengers on the morning train.
Passengers buy tickets at the station before the train stops.
The line along the coast is slow, but passengers love the train.
The conductor held the late train for passengers with tickets.
The night train on the coast line stops at one station.
Old tickets are not valid, said the conductor of the night train.
A flooded line kept the night train and its passengers waiting."""
BREAD = """The baker mixes flour, water and salt for the morning bread.
Good bread needs flour, water, salt and slow time in a warm oven.
The baker leaves the dough overnight, then puts the bread in the oven.
Dough of flour and water rests overnight in a warm place.
Slow dough makes good bread, says the baker at the hot oven.
Salt and flour are all the baker adds to the dough.
The oven is hot at night when the baker bakes the bread.
Fresh bread from the hot oven with butter and salt.
The baker bakes bread with old dough and fresh flour.
Butter, flour and salt make a dough for fresh morning rolls.
Rolls and bread leave the oven fresh at night.
Passengers eat fresh rolls with butter, and the baker smiles."""


@pytest.fixture(scope="session")
def texts():
    return [line for topic in (GARDEN, TRAINS, BREAD) for line in topic.splitlines()]


@pytest.fixture(scope="session")
def _matrix(texts):
    return Vectorizer(min_df=2, max_df=0.6).fit_transform(texts)


@pytest.fixture(name="X")
def documents_x_terms(_matrix):
    """36 documents x 45 terms, connected under six neighbours."""
    return _matrix.copy()


@pytest.fixture
def y():
    return np.repeat([0, 1, 2], 12)


class RLPIAuto(RLPI):
    """RLPI that chooses its penalty, where it is left to itself."""


class SLPIAuto(SLPI):
    """SLPI that chooses its number of words, where it is left to itself."""


class FSSLAuto(FSSL):
    """FSSL that chooses its number of words, where it is left to itself."""


class LPFLAuto(LPFL):
    """LPFL that chooses its number of words, where it is left to itself."""


def _leaving(method, name):
    """Make "auto" the default of a parameter."""

    def initialize(self, *positional, **options):
        super(method, self).__init__(*positional, **{name: "auto", **options})

    signature = inspect.signature(method.__init__)
    initialize.__signature__ = signature.replace(
        parameters=[each.replace(default="auto") if each.name == name else each for each in signature.parameters.values()]
    )
    method.__init__ = initialize
    return method


#: The methods, and those that can choose a parameter themselves once more, so choosing.
EVERY = (
    *METHODS,
    _leaving(RLPIAuto, "alpha"),
    _leaving(SLPIAuto, "n_terms"),
    _leaving(FSSLAuto, "n_terms"),
    _leaving(LPFLAuto, "n_terms"),
)


def _name(method):
    return method.__name__


@pytest.fixture(params=EVERY, ids=_name)
def method(request):
    """Every method in turn."""
    return request.param


@pytest.fixture(params=[each for each in EVERY if issubclass(each, LinearMethod)], ids=_name)
def linear_method(request):
    """Every method that can place new documents."""
    return request.param


@pytest.fixture(params=[each for each in EVERY if issubclass(each, GraphMethod)], ids=_name)
def graph_method(request):
    """Every method that starts from a graph."""
    return request.param


@pytest.fixture(params=[each for each in EVERY if not issubclass(each, FactorMethod)], ids=_name)
def spectral_method(request):
    """Every method whose dimensions come with eigenvalues: all but those that end where an iteration from a start ends."""
    return request.param


@pytest.fixture
def make():
    """A method with three dimensions and six neighbours, and with those of the options given that it knows."""

    def build(method, **options):
        known = inspect.signature(method).parameters
        options = {"n_components": 3, "n_neighbors": 6, **options}
        if method in (SLPIAuto, FSSLAuto):
            options.pop("alpha", None)  # it would say how many words, too
        return method(**{name: value for name, value in options.items() if name in known})

    return build
