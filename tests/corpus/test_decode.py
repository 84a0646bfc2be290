from __future__ import annotations

import codecs
import contextlib
import sys
import unicodedata

import numpy as np
import pytest

from tests.languages import SAMPLES, texts_of
from vicinal.corpus._decode import _MAY_BE_LONG_RUN, MOST_MARKS, Tally, _long_runs, checked_encoding, clean, decode, one_line, sniff
from vicinal.errors import BadParameter

GREEK = "Ἐν ἀρχῇ ἦν ὁ λόγος, and a café.\n"
PROSE = "The oven is hot, the bread is in it, and the kitchen smells of butter.\n"


def decoded(data: bytes, **options) -> tuple[str, Tally]:
    tally = Tally()
    return decode(data, tally, **options), tally


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_names_the_encoding_and_is_no_part_of_the_text(mark, encoding):
    assert decoded(mark + GREEK.encode(encoding)) == (GREEK, Tally())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [PROSE, "Привет, мир! Как дела сегодня?\nХорошо, спасибо, a у вас?\n"])
def test_utf_16_without_a_mark_is_recognised(encoding, text):
    assert decoded(text.encode(encoding)) == (text, Tally())


def test_windows_1252_is_guessed_line_by_line_and_counted():
    data = "naïve “quotes” – café\n".encode("cp1252") + "and here UTF-8: é\n".encode() + b"plain\n"
    text, tally = decoded(data)
    assert text == "naïve “quotes” – café\nand here UTF-8: é\nplain\n"
    assert tally == Tally(guessed=5)
    assert list(tally.sentences()) == ["bytes that are not UTF-8 and were read as Windows-1252: 5"]


def test_bad_bytes_in_a_line_of_utf_8_are_replaced_and_counted():
    text, tally = decoded("é and ".encode() + b"\xff\xfe" + " è\n".encode())
    assert text == "é and \ufffd\ufffd è\n"
    assert tally == Tally(replaced=2)


def test_bytes_that_windows_1252_does_not_know_are_replaced():
    assert decoded(b"a caf\xe9 with \x81 in it") == ("a café with \ufffd in it", Tally(guessed=1, replaced=1))


def test_a_surrogate_written_as_utf_8_is_one_replacement():
    assert decoded("x \ud800 y".encode("utf-8", "surrogatepass")) == ("x \ufffd y", Tally(replaced=1))


def test_an_encoding_that_is_given_is_taken_at_its_word():
    assert decoded("été".encode("latin-1"), encoding="latin-1") == ("été", Tally())
    assert decoded(b"ab\xff", encoding="ascii") == ("ab\ufffd", Tally(replaced=1))


def test_what_a_document_says_of_itself_is_believed_only_where_it_is_not_utf_8():
    assert decoded("мир".encode("koi8-r"), hint="koi8-r")[0] == "мир"
    assert decoded("мир".encode(), hint="koi8-r")[0] == "мир"
    assert decoded(b"caf\xe9", hint="no-such-encoding") == ("café", Tally(guessed=1))


@pytest.mark.parametrize("name", ["no-such-encoding", "rot13", "zlib", "a\0b", 7])
def test_an_unknown_encoding_is_refused_before_anything_is_read(name):
    with pytest.raises(BadParameter, match="encoding must name an encoding of text, got"):
        checked_encoding(name)


def test_binary_is_told_from_text():
    assert sniff(bytes(range(256))) is None
    assert sniff(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01") is None
    assert sniff(b"\x89PNG\r\n\x1a\n" + b"0" * 50) is None
    assert sniff(b"GIF89a" + b"0" * 50) is None
    assert sniff(b"\xff\xd8\xff\xe0" + b"0" * 50) is None
    assert sniff(bytes(8) * 100) is None
    assert sniff(b"\x1f\x8b\x08\0" + bytes(i * 37 % 256 for i in range(5000))) is None
    assert sniff(b"\x1b[31mred\x1b[0m text\r\n\tindented\f\n") == "utf-8"
    assert sniff(PROSE.encode() + b"\0" + PROSE.encode()) == "utf-8"


def test_a_table_of_small_numbers_is_no_utf_16():
    assert sniff(b"".join(number.to_bytes(2, "little") for number in range(1, 200))) is None


def test_a_nul_becomes_a_space_and_is_counted():
    tally = Tally()
    assert clean("a\0b", tally) == "a b"
    assert tally.replaced == 1


def test_halves_of_characters_are_replaced_and_counted():
    tally = Tally()
    assert clean("x\ud800y\udfff", tally) == "x\ufffdy\ufffd"
    assert tally.replaced == 2


def test_text_is_composed_and_lines_end_alike():
    assert clean("e\u0301a\r\nb\rc", Tally()) == "éa\nb\nc"
    assert clean("a\r\nb", Tally()) == "a\nb"


def test_a_tower_of_a_million_marks_is_cut_before_it_is_put_in_order():
    tally = Tally()
    text = clean("a" + "\u0301\u0327" * 500_000 + "b", tally)
    assert len(text) <= MOST_MARKS + 2
    assert tally.marks == 1_000_000 - MOST_MARKS
    assert text == unicodedata.normalize("NFC", text)


def test_the_quick_look_misses_no_combining_character():
    marks = [chr(point) for point in range(sys.maxunicode + 1) if unicodedata.combining(chr(point))]
    assert [mark for mark in marks if not _MAY_BE_LONG_RUN.search(mark * (MOST_MARKS + 1))] == []
    assert [mark for mark in marks if not _long_runs().search(mark * (MOST_MARKS + 1))] == []


def test_marks_that_languages_use_are_kept():
    tally = Tally()
    vietnamese = unicodedata.normalize("NFD", "Tiếng Việt")
    assert clean(vietnamese, tally) == "Tiếng Việt"
    assert tally == Tally()


def test_invisible_characters_are_kept_and_counted():
    tally = Tally()
    assert clean("a\u202eb\u200bc", tally) == "a\u202eb\u200bc"
    assert tally.invisible == 2


def test_a_line_for_people_has_no_line_ends_escapes_or_turned_writing():
    assert one_line("a\nb\x1b[31m\u202e") == "a\\nb\\x1b[31m\\u202e"
    assert len(one_line("x" * 5000)) == 200


@pytest.mark.parametrize(
    "data", [b"grain \0 one and corn", b"a\0b c d e f g h i j k l m", b"one word\0another word\0and more words" * 9]
)
def test_a_few_zeros_between_letters_do_not_make_it_utf_16(data):
    tally = Tally()
    text = clean(decode(data, tally), tally)
    assert text == data.decode().replace("\0", " ")
    assert tally.replaced == data.count(0)


@pytest.mark.parametrize("text", ["Wheat prices rose", "Цены на пшеницу растут", "ab"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_read_as_such(text, encoding):
    assert decode((text * 20).encode(encoding), Tally()) == text * 20


ENCODINGS = {
    "ru": ("koi8-r", "cp1251", "cp866", "iso8859_5"),
    "el": ("iso8859_7", "cp1253"),
    "he": ("cp1255",),
    "ar": ("cp1256",),
    "th": ("cp874",),
    "zh": ("gbk", "gb18030", "big5"),
    "ja": ("shift_jis", "euc_jp"),
    "ko": ("euc_kr",),
}


def in_encoding(texts, encoding):
    """Texts with their bytes in an encoding, where it has their characters."""
    for text in texts:
        with contextlib.suppress(UnicodeEncodeError):
            yield text, text.encode(encoding)


@pytest.mark.parametrize("code", SAMPLES)
def test_each_of_sixty_short_texts_is_read_right_in_every_encoding_of_its_language(code):
    texts = texts_of(code)[0]
    for encoding in (*ENCODINGS.get(code, ("cp1252",)), "utf-16-le", "utf-16-be"):
        assert [text for text, data in in_encoding(texts, encoding) if decode(data, Tally()) != text] == []


@pytest.mark.parametrize(
    "text", ["Привет", "רכבת", "รถไฟไทย", "火车从北京开往上海\n车票在车站买", "火車從臺北開往高雄", "id,text\n1,北京开往上海\n"]
)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_few_words_of_utf_16_without_a_mark_are_read_right(text, encoding):
    assert decode(text.encode(encoding), Tally()) == text


def test_ukrainian_letters_are_no_lines_of_a_box():
    text = "Історія залізниць України починається у дев'ятнадцятому столітті."
    assert decode(text.encode("koi8-u"), Tally()) == text


@pytest.mark.parametrize("number", [1, 3, 4, 5, 6, 14])
def test_numbers_of_two_bytes_are_no_text(number):
    counts = np.random.default_rng(0).integers(0, number + 1, 500).astype("<u2").tobytes()
    assert sniff(counts) is None
    assert sniff(bytes([number, number]) * 200) is None
