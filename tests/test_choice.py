"""An automatic choice: the best candidate, the range within the tolerance, and a sentence that states both."""

from __future__ import annotations

import numpy as np
import pytest

from vicinal._choice import Choice, is_auto
from vicinal.errors import BadData


def of(scores, **options):
    return Choice.of("k", [2, 4, 8, 16, 32], scores, score="score", **options)


def test_the_lowest_score_is_chosen_and_the_first_of_equals():
    assert of([3.0, 1.0, 2.0, 1.0, 5.0]).chosen == 4


def test_the_highest_score_is_chosen_where_high_is_good():
    choice = of([3.0, 1.0, 2.0, 1.0, 5.0], higher_is_better=True)
    assert (choice.chosen, choice.best, choice.range) == (32, 32, (32, 32))


def test_the_range_is_the_run_of_near_scores_around_the_best():
    assert of([1.1, 5.0, 1.05, 1.0, 1.1], margin=0.2).range == (8, 32)


def test_each_candidate_may_have_a_margin_of_its_own():
    choice = Choice.of("k", [8, 2, 4], [1.0, 1.5, 1.5], score="score", margin=np.array([0.0, 0.1, 0.6]))
    assert choice.candidates.tolist() == [2, 4, 8]
    assert choice.range == (4, 8)


def test_a_candidate_without_a_score_is_not_chosen():
    choice = of([np.nan, 3.0, np.nan, 2.0, 4.0], margin=10.0)
    assert choice.chosen == 16
    assert choice.range == (16, 32)


def test_another_candidate_can_be_chosen_and_widens_the_range():
    choice = of([5.0, 4.0, 3.0, 1.0, 2.0], chosen=4)
    assert (choice.chosen, choice.best, choice.range) == (4, 16, (4, 16))


def test_evidence_that_was_overruled_says_both_and_keeps_its_scores():
    choice = Choice.of("k", [2, 3, 4], [1.0, 5.0, 2.0], score="fit", higher_is_better=True)
    within, beyond = choice.overruled(4, "there are four names"), choice.overruled(7, "there are seven names")
    assert (within.chosen, within.range, within.best) == (4, (3, 4), 3)
    assert within.why == f"k=4, since there are four names. By score alone: {choice.why}"
    assert (beyond.chosen, beyond.range, beyond.best) == (7, (3, 7), 3)
    assert beyond.candidates.tolist() == [2, 3, 4, 7]
    assert np.array_equal(beyond.scores, [1.0, 5.0, 2.0, np.nan], equal_nan=True)
    assert "*            7  nan" in str(beyond)
    assert not beyond.candidates.flags.writeable
    assert choice.candidates.tolist() == [2, 3, 4]


@pytest.mark.parametrize(
    ("scores", "options", "sentence"),
    [
        (
            [3.0, 1.1, 1.0, 4.0, 5.0],
            {"margin": 0.2},
            "k=8 chosen automatically: the lowest score of the candidates 2 to 32; 4 to 8 score within the tolerance.",
        ),
        (
            [1.0, 2.0, 3.0, 4.0, 5.0],
            {},
            "k=2 chosen automatically: the lowest score of the candidates 2 to 32; it is the smallest candidate.",
        ),
        (
            [1.0, 2.0, 3.0, 4.0, 5.0],
            {"higher_is_better": True},
            "k=32 chosen automatically: the highest score of the candidates 2 to 32; it is the largest candidate.",
        ),
        (
            [5.0, 4.0, 3.0, 1.0, 2.0],
            {"chosen": 4},
            "k=4 chosen automatically: 16 has the lowest score of the candidates 2 to 32; 4 to 16 score within the tolerance.",
        ),
    ],
)
def test_the_sentence_names_the_choice_its_score_the_range_and_the_edge(scores, options, sentence):
    assert of(scores, **options).why == sentence


def test_the_sentence_about_a_single_candidate_names_no_range():
    assert Choice.of("k", [2], [0.0], score="score").why == "k=2 chosen automatically: the only candidate."


def test_it_reads_as_one_line_and_prints_as_a_table():
    choice = of([3.0, 1.1, 1.0, 4.0, 5.0], margin=0.2)
    assert repr(choice) == "Choice(k=8, range 4 to 8, by score)"
    marks = [line[0] for line in str(choice).splitlines()[2:]]
    assert marks == [" ", "+", "*", " ", " "]


def test_the_evidence_cannot_be_changed():
    choice = of([3.0, 1.0, 2.0, 1.0, 5.0])
    with pytest.raises(ValueError, match="read-only"):
        choice.scores[0] = 0.0


def test_candidates_without_scores_are_refused():
    with pytest.raises(BadData, match="one score per candidate"):
        Choice.of("k", [1, 2], [1.0], score="score")


def test_only_the_word_itself_means_auto():
    assert is_auto("auto")
    assert not any(is_auto(other) for other in (0.1, "Auto", None, np.array(["auto"])))
