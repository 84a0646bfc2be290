"""One fit builds the neighbour graph by terms once, for the embedding and for the clusters."""

from __future__ import annotations

import random

import numpy as np
import pytest
import scipy.sparse as sp

from tests.index.small import SHARED, SUBJECTS
from vicinal._consensus import embeddings
from vicinal._consensus.vote import FEWEST_ANSWERS
from vicinal.index._fit import fit_model as fit_steps
from vicinal.index._fit.fit_model import fit_model
from vicinal.index._model import fit_vocabulary
from vicinal.index._recipe import Recipe
from vicinal.terms import Weighting


def text(subject, number):
    """Ten words of a subject, and one of the words that subjects share: none is in half of the texts."""
    chance = random.Random(f"{subject} {number}")
    return " ".join([*chance.choices(SUBJECTS[subject].split(), k=10), chance.choice(SHARED)])


TEXTS = [text(subject, number) for number in range(20) for subject in SUBJECTS]
WITH_A_COMMON_TERM = [f"{each} report" if number % 5 else each for number, each in enumerate(TEXTS)]
USUAL = Recipe(n_clusters=3, n_components=5, stem="none")
SEVEN = Recipe(n_clusters=3, n_components=5, n_neighbors=7, stem="none")


@pytest.mark.filterwarnings("ignore::vicinal.errors.DisconnectedGraph")
@pytest.mark.parametrize(("texts", "same"), [(TEXTS, True), (WITH_A_COMMON_TERM, False)])
def test_the_graph_is_that_of_the_clusters_to_the_bit_unless_a_term_is_in_most_documents(texts, same):
    vocabulary, counts = fit_vocabulary(texts, None)
    _, graph = fit_steps._fit_projection(vocabulary, counts, USUAL, None)
    weights = Weighting("bm25").fit_transform(counts[:, vocabulary.shared])
    own = embeddings.neighbor_graphs(weights, 0, None).by_terms
    one, other = ((each.weights.indices.tobytes(), each.weights.data.tobytes()) for each in (graph, own))
    assert (one == other) == same


def fitted(texts, recipe, monkeypatch):
    """A model, and how many neighbour graphs by terms were built for its clusters, beside those in latent embeddings."""
    built, build = [], embeddings.knn_of_checked
    with monkeypatch.context() as patch:
        patch.setattr(
            embeddings, "knn_of_checked", lambda rows, *args, **options: built.append(rows) or build(rows, *args, **options)
        )
        model = fit_model(texts, recipe, 1)
    by_terms = [rows for rows in built if sp.issparse(rows)]
    assert len(built) - len(by_terms) == FEWEST_ANSWERS  # which agree; each has latent neighbours of its own
    return model, len(by_terms)


@pytest.mark.parametrize(("texts", "recipe", "n_graphs"), [(TEXTS, USUAL, 0), (WITH_A_COMMON_TERM, USUAL, 0), (TEXTS, SEVEN, 1)])
def test_clusters_have_a_graph_of_their_own_only_if_the_embedding_has_other_neighbours(texts, recipe, n_graphs, monkeypatch):
    assert fitted(texts, recipe, monkeypatch)[1] == n_graphs


def test_a_graph_built_once_gives_the_same_numbers_as_one_built_twice(monkeypatch):
    shared, _ = fitted(TEXTS, USUAL, monkeypatch)
    monkeypatch.setattr(fit_steps, "_serves_clusters", lambda recipe: False)
    apart, n_built = fitted(TEXTS, USUAL, monkeypatch)
    assert n_built == 1
    assert shared.descriptions[0][0] == apart.descriptions[0][0]
    for name in ("embeddings", "clusters", "uncertainty"):
        np.testing.assert_array_equal(getattr(shared.embedded, name), getattr(apart.embedded, name), strict=True)
