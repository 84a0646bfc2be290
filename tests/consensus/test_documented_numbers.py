"""The numbers on the page about topics are those of the code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vicinal._consensus import linkage, mixture, n_clusters, pairwise, pieces, rule, views, vote
from vicinal._consensus.consensus import DIRECT_STARTS, EVENNESS, FINER, LARGE, LOOSENESS, LUMP, MERGED_STARTS, direct
from vicinal._consensus.embeddings import ALPHA, MAX_LATENT, N_NEIGHBORS
from vicinal._consensus.views import ROUNDS, TEMPERATURE
from vicinal.planning import _stage_costs
from vicinal.uses._topics import topics_seeds

PAGE = (Path(__file__).parents[2] / "docs" / "maths" / "topics.md").read_text(encoding="utf-8")
IN_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 8: "eight"}


@pytest.mark.parametrize(
    "sentence",
    [
        rf"with $\beta = {mixture.SMOOTHING:g}$",
        rf"\lambda = {mixture.SHARING:g}",
        f"stopped after {mixture.MAX_ROUNDS} rounds",
        rf"s_v = e^{{(q_v - \max_u q_u) / {TEMPERATURE:g}}}",
        rf"Q = \ln (q - q_1) - {EVENNESS:g}\, \frac{{- \sum_g p_g \ln p_g}}{{\ln k}} - {LOOSENESS:g} \ln \bar c "
        rf"- {LUMP:g} \max (0, \max_g p_g - {LARGE:g})",
        f"clustered from {IN_WORDS[views.STARTS]} starts of k-means",
        f"also taken with ${views.FINER}k$ clusters",
        f"at least {views.FEWEST} documents each",
        f"from {IN_WORDS[views.STARTS_OF_BOTH]} starts each",
        rf"\sqrt n\,]_{{{n_clusters.FEWEST}}}^{{{n_clusters.MOST}}}",
        f"within {n_clusters.MARGIN:g} of the best",
        f"{N_NEIGHBORS} nearest neighbours by terms, {N_NEIGHBORS} in up to {MAX_LATENT} latent components",
        f"regression with a ridge penalty of {ALPHA:g}",
        f"corrected by {IN_WORDS[ROUNDS]} rounds of (V3)",
        f"clusters at once, from {IN_WORDS[DIRECT_STARTS]},",
        f"or {IN_WORDS[FINER]} times as many, from {IN_WORDS[MERGED_STARTS]},",
        f"done {IN_WORDS[vote.FEWEST_ANSWERS]} times at least",
        f"at most {IN_WORDS[vote.MOST_ANSWERS]} times (of {vote.MANY:,} documents or more {IN_WORDS[vote.FEWEST_ANSWERS]} times)",
        rf"\le {vote.SETTLED:g}\, a",
        f"from {IN_WORDS[vote.VIEWS_PER_EMBEDDING]} start in each embedding",
        f"and {IN_WORDS[vote.CANDIDATES[direct]]} of each way in place of (V7)",
        rf"divided into ${pieces.PER_ROOT:g} \sqrt{{n_t}}$ pieces, at most {pieces.MOST}",
        f"and of {IN_WORDS[pieces.SMALLEST]} documents each on average",
        rf"\frac{{B_{{gh}}}}{{b_g b_h}} \Bigr)^{{-{linkage.EDGES.as_integer_ratio()[0]}/{linkage.EDGES.as_integer_ratio()[1]}}}",
        f"if that is at least {topics_seeds.DOMINANCE:g} times that of every other class",
        f"at most {topics_seeds.MOST} and at most a tenth\nof all documents (but {topics_seeds.FEWEST} in any case)",
        f"after {pairwise.MAX_STEPS:,}\nsteps any assignment",
        f"only where fewer than {topics_seeds.FEWEST} have more",
        f"one of {len(rule.TEMPERATURES)} values from {rule.TEMPERATURES[0]:g} to {rule.TEMPERATURES[-1]:g}",
    ],
)
def test_a_number_on_the_page_is_that_of_the_code(sentence):
    assert sentence in PAGE


def test_a_class_starts_from_a_tenth_of_the_documents_at_most():
    assert np.isclose(topics_seeds.SHARE, 1 / 10)


def test_documents_that_may_still_move_are_as_many_as_the_page_says():
    assert "one document in two thousand" in PAGE
    assert np.isclose(mixture.SETTLED, 1 / 2000)
    assert "one in two hundred for a view" in PAGE
    assert np.isclose(mixture.NEARLY, 1 / 200)


@pytest.mark.parametrize("name", ["MANY", "FEWEST_ANSWERS", "MOST_ANSWERS"])
def test_a_plan_counts_as_many_answers_as_vote(name):
    assert getattr(_stage_costs, name) == getattr(vote, name)
