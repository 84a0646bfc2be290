from __future__ import annotations

import unicodedata
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction import text

from vicinal.errors import BadData, BadParameter
from vicinal.terms import ENGLISH_STOP_WORDS, Tokenizer, _words
from vicinal.terms._tokens import analyze_documents, check_documents, ngrams
from vicinal.terms._words import PIECE_LENGTH, cut_at_spaces, is_token_or_ideograph, split_tokens


def tokens(text, **options):
    return list(Tokenizer(**{"stop_words": None, **options})(text))


def obvious_runs(text):
    """Letter by letter: what split_tokens promises for text without combining marks."""
    spaced = "".join(letter if letter.isalnum() else " " for letter in text)
    return spaced.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tax on small farms", ["tax", "on", "small", "farms"]),
        ("fire_engine __init__", ["fire", "engine", "init"]),
        ("café_au_lait", ["café", "au", "lait"]),
        ("the baker's o'clock l’été", ["the", "baker", "clock", "été"]),
        ("a b c", []),
        ("3d mp3 2nd 1984 h2o", ["mp3", "h2o"]),
        ("²³ ½x ①② m² H₂O km² x²y", ["m2", "h2o", "km2", "x2y"]),
        ("dark energy² is¹² ¹Department 10³kg sin²x CO₂³", ["dark", "energy", "is12", "department", "kg", "sin", "co2"]),
        ("x" * 64 + " " + "y" * 65, ["x" * 64]),
        ("", []),
        ("... \0 \ud800 🙂 --", []),
        ("नमस्ते हिन्दी पाठ", ["नमस्ते", "हिन्दी", "पाठ"]),
        ("İSTANBUL istanbul", ["istanbul", "istanbul"]),
    ],
)
def test_a_word_is_two_to_sixty_four_letters_and_digits_from_a_letter_on(text, expected):
    assert tokens(text) == expected


@given(st.text(alphabet=st.characters(max_codepoint=0x2FF)))
def test_runs_end_where_letters_and_digits_end(text):
    text = unicodedata.normalize("NFC", text)
    assert split_tokens(text, lowercase=False) == obvious_runs(text)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_text_is_cut_alike_beside_a_foreign_letter(text):
    assert split_tokens(text) == split_tokens(text + " é")[:-1]


@given(st.text())
def test_every_token_of_any_text_obeys_the_rule(text):
    assert all(
        is_token_or_ideograph(token) and token[0].isalpha() and "_" not in token and " " not in token for token in tokens(text)
    )


def test_composed_and_decomposed_letters_are_the_same_word():
    composed, decomposed = "Café T\u0308ür", unicodedata.normalize("NFD", "Café T\u0308ür")
    assert composed != decomposed
    assert tokens(composed) == tokens(decomposed) == ["café", "ẗür"]
    assert tokens("T\u0308ür") == tokens("ẗür")  # composes only once it is small: normalising comes after lowering


def test_capitals_stay_when_asked_to():
    assert tokens("Tax on Farms", lowercase=False) == ["Tax", "on", "Farms"]


def test_an_endless_word_is_cut_out_and_not_remembered():
    tokenizer = Tokenizer(None)
    assert list(tokenizer("ab " + "z" * 1_000_000 + " cd")) == ["ab", "cd"]
    assert set(tokenizer._keeps.__self__) == {"ab", "cd"}


@given(st.text(alphabet="ab \n\u3000é_", max_size=60), st.integers(1, 9))
def test_a_text_cut_in_pieces_has_the_same_words(text, length):
    pieces = list(cut_at_spaces(text, length))
    assert "".join(pieces) == text
    assert [run for piece in pieces for run in split_tokens(piece)] == split_tokens(text)


def test_a_text_of_many_pieces_is_read_to_its_end():
    text = "bread " * (2 * PIECE_LENGTH // 6 + 2) + "salt"
    assert Counter(Tokenizer()(text)) == {"bread": 2 * PIECE_LENGTH // 6 + 2, "salt": 1}


def test_english_stop_words_cover_what_contractions_leave_behind():
    assert list(Tokenizer()("I don't think we'll know; they've said it isn't, wasn't and wouldn't")) == [
        "think",
        "know",
        "said",
    ]


def test_english_stop_words_leave_subjects_alone():
    assert list(Tokenizer()("The fire bill is of interest to the system")) == ["fire", "bill", "interest", "system"]
    assert {"the", "and", "don", "ll"} <= ENGLISH_STOP_WORDS


def test_given_stop_words_are_split_like_text():
    assert tokens("We don't bake BREAD in Cafés", stop_words=["Don't", "bread", "Cafe\u0301s"]) == ["we", "bake", "in"]


def test_ngrams_bridge_the_stop_words_and_come_shortest_first():
    assert tokens("state of the art", stop_words=["of", "the"], ngram_range=(1, 2)) == ["state", "art", "state art"]
    assert tokens("one two three", ngram_range=(2, 3)) == ["one two", "two three", "one two three"]
    assert list(ngrams(["one"], 2, 3)) == []


@pytest.mark.parametrize("stop_words", ["french", 3, [1, 2], "english "])
def test_stop_words_that_are_none_are_refused(stop_words):
    with pytest.raises(BadParameter, match="stop_words"):
        Tokenizer(stop_words)


@pytest.mark.parametrize("ngram_range", [2, (1,), (0, 1), (2, 1), (1.0, 2), (1, 2, 3), None])
def test_ngram_ranges_that_are_none_are_refused(ngram_range):
    with pytest.raises(BadParameter, match="ngram_range"):
        Tokenizer(ngram_range=ngram_range)


@pytest.mark.parametrize("documents", ["one text", b"one text"])
def test_a_single_text_is_no_series_of_documents(documents):
    with pytest.raises(BadParameter, match="Pass a list"):
        check_documents(documents)


@pytest.mark.parametrize("documents", [None, 7, np.array("text"), np.array([["a"], ["b"]]), pd.DataFrame({"text": ["a"]})])
def test_what_cannot_be_a_series_of_documents_is_refused(documents):
    with pytest.raises(BadParameter, match="documents must be"):
        check_documents(documents)


@pytest.mark.parametrize("intruder", [None, b"bytes", 3, float("nan"), ["a list"]])
def test_a_document_that_is_no_text_is_named_by_its_position(intruder):
    with pytest.raises(BadData, match=f"document 2 must be a str, got {type(intruder).__name__}"):
        list(analyze_documents(["a", "b", intruder], str.split))


@pytest.mark.parametrize("analyze", [str.upper, len, lambda text: None])
def test_an_analyzer_that_gives_no_tokens_is_refused(analyze):
    with pytest.raises(BadData, match=r"analyzer must return an iterable of str.*document 0"):
        list(analyze_documents(["a b"], analyze))


def test_the_copied_list_of_stop_words_is_that_of_scikit_learn():
    assert set(_words.SCIKIT_LEARN_STOP_WORDS.split()) == text.ENGLISH_STOP_WORDS
