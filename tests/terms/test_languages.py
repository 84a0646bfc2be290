"""Languages: recognised, split, stemmed and joined; English text has the tokens that it always had."""

from __future__ import annotations

import pytest

from tests.languages import SAMPLES, texts_of
from vicinal import Topics, Vectorizer
from vicinal._scripts import fold, plain_characters
from vicinal.datasets import load_docstrings
from vicinal.errors import BadParameter
from vicinal.metrics import normalized_mutual_info
from vicinal.terms import ENGLISH_STOP_WORDS, Tokenizer
from vicinal.terms._languages import LANGUAGES, check_languages, detect_language, detect_languages, stop_words_of
from vicinal.terms._stems import available_stemmers, terms_of


@pytest.mark.parametrize("code", SAMPLES)
def test_a_language_is_recognised_and_its_subjects_are_told_apart(code):
    texts, subjects = texts_of(code)
    assert detect_languages(texts).codes == (code,)
    topics = Topics(2, random_state=0).fit(texts)
    assert normalized_mutual_info(subjects, topics.labels_) == pytest.approx(1)


def test_stop_words_of_the_language_leave_what_english_ones_do_not():
    texts, _ = texts_of("de")
    assert {"und", "das", "nicht"} <= set(Vectorizer(min_df=1, max_df=1.0, language="en").fit(texts).terms_)
    assert not {"und", "das", "nicht"} & set(Vectorizer(min_df=1, max_df=1.0).fit(texts).terms_)


def test_english_text_has_the_tokens_that_it_had_before_languages():
    texts = [document.text for document in load_docstrings(["numpy"])]
    assert detect_languages(texts).codes == ("en",)
    before, now = Tokenizer("english", language=None), Tokenizer()
    assert all(list(before(text)) == list(now(text)) for text in texts)
    old, new = Vectorizer(stop_words="english", language=None).fit(texts), Vectorizer().fit(texts)
    assert new.language_ == ("en",)
    assert list(old.terms_) == list(new.terms_)
    assert (old.transform(texts[:50]) != new.transform(texts[:50])).nnz == 0


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("火车站", ["火车", "车站"]),
        ("坐火车去 Bern 站", ["坐火", "火车", "车去", "bern", "站"]),
        ("GPU显卡3D打印", ["gpu", "显卡", "打印"]),
        ("電車に乗る", ["電車", "車に", "に乗", "乗る"]),
        ("ﾃﾞｰﾀ", ["デー", "ータ"]),
        ("รถไฟ", ["รถ", "ถไ", "ไฟ"]),
        ("ที่ดิน", ["ที่ดิ", "ดิน"]),
        ("기차가", ["기차", "차가"]),
        ("ＡＢＣ", ["abc"]),
        ("ﬁnal eﬃcient", ["final", "efficient"]),
        ("exam\u00adple", ["example"]),
    ],
)
def test_scripts_without_spaces_become_pairs_and_presentation_forms_letters(text, tokens):
    assert list(Tokenizer(None)(text)) == tokens
    assert list(Tokenizer(None, language=None)(text)) != tokens


@pytest.mark.parametrize(
    ("code", "one", "other"),
    [
        ("ar", "أحمد", "احمد"),
        ("ar", "كِتَاب", "كتاب"),
        ("ar", "مكتبة", "مكتبه"),
        ("fa", "كتابي", "کتابی"),
        ("he", "שָׁלוֹם", "שלום"),
        ("hi", "हिन्दी", "हिंदी"),
        ("hi", "ज़मीन", "जमीन"),
        ("el", "ΣΤΑΘΜΌΣ", "σταθμος"),
        ("ru", "ещё ёлка", "еще елка"),
        ("tr", "ISPARTA", "ısparta"),
        ("tr", "İZMİR", "izmir"),
    ],
)
def test_spellings_of_one_word_are_one_term(code, one, other):
    first, second = (terms_of(list(Tokenizer(None, language=code)(text)), None, (code,)) for text in (one, other))
    assert first == second != []
    without = [list(Tokenizer(None, language=None)(text)) for text in (one, other)]
    assert code == "tr" or without[0] != without[1]


@pytest.mark.parametrize(
    ("code", "one", "other"),
    [("de", "Häuser", "Haus"), ("fr", "chevaux", "cheval"), ("ru", "поездов", "поезда"), ("ar", "القطار", "قطار")],
)
def test_forms_of_one_word_are_one_term_by_the_stemmer_of_the_language(code, one, other):
    pytest.importorskip("Stemmer")
    stem = available_stemmers((code,))
    forms = [terms_of(list(Tokenizer(language=code)(text)), stem, (code,)) for text in (one, other)]
    assert forms[0] == forms[1]


def test_each_script_of_a_mixed_corpus_has_its_own_stemmer():
    pytest.importorskip("Stemmer")
    assert available_stemmers(("en", "ru", "zh", "fr")) == ("english", "russian")
    vectorizer = Vectorizer(stem="auto", min_df=1, max_df=1.0, language=["en", "ru", "zh"]).fit(["trains поездов 火车站"])
    assert list(vectorizer.terms_) == ["train", "поезд", "火车", "车站"]


def test_of_several_languages_in_one_script_a_text_has_the_stop_words_of_its_own():
    tokenizer = Tokenizer(language=["en", "de"])
    assert list(tokenizer("Die Katze hat den Hut und war mit dem Hund da")) == ["katze", "hut", "hund"]
    assert list(tokenizer("They were to die in the war of the hat")) == ["die", "war", "hat"]


def test_a_corpus_of_several_languages_has_them_in_the_order_of_their_shares():
    texts = texts_of("ru")[0][:30] + texts_of("zh")[0][:20] + texts_of("fr")[0][:10] + ["The cat and the dog are in the house"]
    found = detect_languages(texts)
    assert found.codes == ("ru", "zh", "fr")
    assert "Russian (49% of the documents) and Chinese (33%" in found.sentence()
    vectorizer = Vectorizer(min_df=1).fit(texts)
    assert vectorizer.language_ == ("ru", "zh", "fr")
    assert vectorizer.transform(["火车"]).nnz == 1


@pytest.mark.parametrize("text", ["", "x = y + 1", "12 34 56", "wheat corn", "— … ★"])
def test_where_nothing_is_recognised_english_is_assumed_and_said(text):
    assert detect_language(text) == ""
    found = detect_languages([text])
    assert found.codes == ("en",)
    assert "English is assumed" in found.sentence()
    assert detect_languages(["This is what they have, and it was there."]).sentence() == ""


def test_german_words_in_an_english_text_do_not_make_it_german():
    assert detect_language("The zeitgeist and the weltanschauung of the time were in what they called die Welt") == "en"


def test_one_word_that_french_has_too_makes_no_text_french_and_short_texts_are_looked_at_together():
    assert detect_languages(["car garage car wheel", "car car tulip"] * 10).numbers == {}
    assert detect_languages(["der Zug", "die Bahn", "nach Bern", "mit Brot", "und Salz"]).codes == ("de",)


@pytest.mark.parametrize("given", ["de", "DE", "German", "de-AT", ["de"], ("german", "de")])
def test_a_language_is_given_by_code_or_name(given):
    assert check_languages(given) == ("de",)


@pytest.mark.parametrize("given", ["klingon", 7, [], [7], None])
def test_a_language_that_is_not_known_is_refused_with_those_that_are(given):
    with pytest.raises(BadParameter, match="language"):
        check_languages(given)


def test_every_language_but_english_has_stop_words_that_the_tokenizer_would_keep_otherwise():
    assert stop_words_of("en") is ENGLISH_STOP_WORDS
    for code in LANGUAGES:
        assert len(stop_words_of(code)) > 30, code
        text = " ".join(stop_words_of(code))
        assert list(Tokenizer(language=code)(text)) == [], code


def test_plain_text_is_left_as_it_is():
    text = "Grüße, naïve Ærø x½ straße Ωmega"
    assert plain_characters(text) == text
    assert [fold(word) for word in ("straße", "naïve", "ærø", "x²")] == ["straße", "naïve", "ærø", "x²"]
