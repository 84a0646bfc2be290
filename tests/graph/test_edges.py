"""What an edge weighs, from the cosine alone."""

from __future__ import annotations

import numpy as np
import pytest

from vicinal.errors import BadParameter
from vicinal.graph._edges import WEIGHTS, EdgeWeight


def test_a_cosine_weighs_itself_held_between_zero_and_one():
    weights = EdgeWeight("cosine")(np.array([-0.3, 0.0, 0.4, 1.0, 1.0 + 1e-15]))
    assert weights.tolist() == [0.0, 0.0, 0.4, 1.0, 1.0]


def test_a_binary_edge_weighs_one_however_similar_its_documents_are():
    assert EdgeWeight("binary")(np.array([0.01, 1.0])).tolist() == [1.0, 1.0]


def test_heat_falls_with_the_square_of_the_distance_of_unit_rows():
    at_right_angles, alike = EdgeWeight("heat", 2.0)(np.array([0.0, 1.0]))
    assert at_right_angles == pytest.approx(np.exp(-2 / 8))
    assert alike == 1.0


def test_a_bandwidth_left_open_is_the_mean_distance():
    cosines = np.array([0.5, -1.0])  # distances 1 and 2
    np.testing.assert_allclose(EdgeWeight("heat")(cosines), np.exp(-np.array([1.0, 4.0]) / (2 * 1.5**2)), atol=1e-15)


def test_a_cosine_above_one_by_rounding_has_distance_zero():
    assert EdgeWeight("heat", 0.1)(np.array([1.0 + 1e-12])).tolist() == [1.0]


def test_edges_between_copies_alone_weigh_one():
    assert EdgeWeight("heat")(np.ones(3)).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("kind", ["cosine", "heat", "binary"])
def test_no_edges_have_no_weights(kind):
    assert EdgeWeight(kind)(np.empty(0)).shape == (0,)


@pytest.mark.parametrize("kind", ["Cosine", "gaussian", None, 1])
def test_a_kind_that_does_not_exist_is_refused_with_those_that_do(kind):
    with pytest.raises(BadParameter, match="'cosine', 'dot', 'heat', 'binary', got"):
        EdgeWeight(kind)


@pytest.mark.parametrize("bandwidth", [0.0, -1.0, np.nan, np.inf, "wide", True])
def test_a_bandwidth_that_is_no_number_above_zero_is_refused(bandwidth):
    with pytest.raises(BadParameter, match="bandwidth must be a finite number greater than 0"):
        EdgeWeight("heat", bandwidth)


def test_a_very_narrow_kernel_joins_copies_alone():
    with np.errstate(all="ignore"):
        assert EdgeWeight("heat", 1e-200)(np.array([1.0, 0.5])).tolist() == [1.0, 0.0]


def test_every_weight_has_a_formula_of_its_own():
    similarities = np.array([-0.5, 0.3, 1.5])
    assert len({tuple(EdgeWeight(kind, 1.0)(similarities).tolist()) for kind in WEIGHTS}) == len(WEIGHTS)


@pytest.mark.parametrize("kind", WEIGHTS)
def test_a_weight_that_is_said_to_be_a_product_is_one(kind):
    """The complete graph multiplies by X in place of W, and pairs below zero are told of, for these weights alone."""
    similarities = np.linspace(0.0, 1.0, 11)
    weigh = EdgeWeight(kind, 1.0)
    assert weigh.is_product == np.array_equal(weigh(similarities), similarities)
