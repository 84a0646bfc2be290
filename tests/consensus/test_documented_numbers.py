"""The numbers on the page about topics are those of the code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vicinal._consensus import judge, rule, spaces
from vicinal._consensus import n_clusters as number
from vicinal._consensus import word_model as words
from vicinal._consensus.consensus import TEMPERATURE
from vicinal._consensus.settle import FINER
from vicinal._consensus.settle import STARTS as TRIED

PAGE = (Path(__file__).parents[2] / "docs" / "maths" / "topics.md").read_text(encoding="utf-8")
IN_WORDS = {2: "two", 3: "three", 4: "four", 5: "five"}


@pytest.mark.parametrize(
    "sentence",
    [
        rf"with $\beta = {words.SMOOTHING:g}$",
        f"stopped after {words.MAX_ROUNDS} rounds",
        rf"s_v = e^{{(q_v - \max_u q_u) / {TEMPERATURE:g}}}",
        rf"Q = q - {judge.EXCHANGE:g} \ln C",
        f"The exchange rate, {judge.EXCHANGE:g} nats per word",
        rf"\sqrt n\,]_{{{number.FEWEST}}}^{{{number.MOST}}}",
        f"within {number.MARGIN:g} nats per word",
        f"{spaces.NEIGHBORS} nearest neighbours by words, {spaces.NEIGHBORS} in up to {spaces.LATENT} latent directions",
        f"each is tried from {IN_WORDS[TRIED]} starts",
        f"or {IN_WORDS[FINER]} times as many",
        f"one of {len(rule.TEMPERATURES)} values from 1/{1 / rule.TEMPERATURES[0]:g} to {rule.TEMPERATURES[-1]:g}",
    ],
)
def test_a_number_on_the_page_is_that_of_the_code(sentence):
    assert sentence in PAGE


def test_documents_that_may_still_move_are_as_many_as_the_page_says():
    assert "one document in two thousand" in PAGE
    assert np.isclose(words.SETTLED, 1 / 2000)
    assert "one in two hundred for a view" in PAGE
    assert np.isclose(words.NEARLY, 1 / 200)
