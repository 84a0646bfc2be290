"""Links: units are assigned by the sums of their scores, and kept apart at the least cost that a greedy choice finds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vicinal._consensus.mixture import refine
from vicinal._consensus.pairwise import Links, assign_units, distinct_pairs
from vicinal._content_keys import content_order
from vicinal.errors import BadParameter
from vicinal.projection._products import Products

NONE = np.zeros((0, 2), dtype=np.int64)


def test_a_unit_goes_where_the_sum_of_its_scores_is_largest():
    scores = np.array([[3.0, 0.0], [0.0, 5.0], [1.0, 0.0]])
    links = Links(np.array([0, 0, 1]), NONE)
    assert links.obey(scores, np.array([0, 1, 0])).tolist() == [1, 1, 0]
    assert links.obey(scores, np.array([0, -1, 0])).tolist() == [0, -1, 0]  # one without terms has no say
    assert links.obey(scores, np.array([0, 1, 0]), np.array([0, -1, -1])).tolist() == [0, 0, 0]


def test_of_two_units_apart_the_one_with_the_smaller_margin_moves():
    scores = np.array([[3.0, 2.0, 0.0], [3.0, 0.0, 1.0]])
    apart = np.array([[0, 1]])
    free = np.full(2, -1)
    assert assign_units(scores, free, apart).tolist() == [1, 0]
    assert assign_units(scores, np.array([0, -1]), apart).tolist() == [0, 2]


def test_choices_are_taken_back_where_they_end_nowhere():
    """A path of three units and two clusters: the ends must have the same cluster, whatever they prefer."""
    scores = np.array([[9.0, 0.0], [0.1, 0.0], [0.0, 8.0]])
    found = assign_units(scores, np.full(3, -1), np.array([[0, 1], [1, 2]]))
    assert found.tolist() == [0, 1, 0]
    triangle = distinct_pairs(np.array(list(itertools.combinations(range(3), 2))))
    with pytest.raises(BadParameter, match="more documents apart than 2 clusters allow"):
        assign_units(scores, np.full(3, -1), triangle)


def test_random_links_that_can_be_obeyed_are():
    rng = np.random.default_rng(0)
    for _ in range(20):
        true = rng.integers(4, size=60)
        pairs = rng.integers(60, size=(150, 2))
        apart = distinct_pairs(pairs[true[pairs[:, 0]] != true[pairs[:, 1]]])
        found = assign_units(rng.normal(size=(60, 4)) + 2 * np.eye(4)[true], np.full(60, -1), apart)
        assert (found[apart[:, 0]] != found[apart[:, 1]]).all()


def test_links_of_some_documents_in_another_order():
    links = Links(np.array([0, 1, 0, 2, 3]), np.array([[0, 2], [1, 3]]))
    part = links.restrict(np.array([3, 2, 1]))
    assert part.units.tolist() == [0, 1, 2]
    assert part.apart.tolist() == [[0, 1]]


def test_a_correction_by_terms_obeys_links():
    counts = Products(np.kron(np.eye(2), np.ones((4, 3))) + 0.1)
    units = np.array([0, 1, 2, 3, 3, 4, 5, 6])  # documents 3 and 4, of different subjects, are one unit
    links = Links(units, np.array([[0, 1]]))
    found = refine(counts, np.repeat([0, 1], 4), 2, links=links)
    assert found[3] == found[4]
    assert found[0] != found[1]
    assert found[[2, 5, 6, 7]].tolist() == [0, 1, 1, 1]


def test_documents_of_the_same_content_are_told_apart_by_what_they_are_linked_to():
    keys = np.array([7, 7, 7, 1, 2], dtype=np.uint64)
    links = Links(np.array([0, 1, 2, 0, 3]), np.array([[1, 3]]))  # 0 with 3, 1 apart from 4, 2 without a link
    ties = links.tie_keys(keys)
    assert len(set(ties[:3].tolist())) == 3
    order = np.array([2, 4, 1, 3, 0])
    assert np.array_equal(links.restrict(order).tie_keys(keys[order]), ties[order])
    assert content_order(np.ones((3, 1)), None, ties[:3]).tolist() == np.argsort(ties[:3]).tolist()
