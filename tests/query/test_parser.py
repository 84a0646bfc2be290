"""The query language: every construct, plain text that never fails, errors with a position, and the printed form."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vicinal._query import Both, Either, Field, Must, Not, Phrase, Prefix, SideBySide, Word, parse_query
from vicinal._query.nodes import requirements, sought
from vicinal.errors import BadQuery

FIELDS = ("title", "text", "author")


def is_plain(node):
    """Whether a node is made of plain words alone, so that it only ranks."""
    return isinstance(node, Word) or (isinstance(node, SideBySide) and all(map(is_plain, node.nodes)))


def parsed(text):
    return parse_query(text, FIELDS).nodes


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("dark matter", (Word("dark"), Word("matter"))),
        ('"dark matter" halo', (Phrase("dark matter"), Word("halo"))),
        ("“dark matter”", (Phrase("dark matter"),)),
        ("+dark -matter", (Must(Word("dark")), Not(Word("matter")))),
        ("dark NOT matter", (Word("dark"), Not(Word("matter")))),
        ("dark AND NOT matter", (Both((Word("dark"), Not(Word("matter")))),)),
        ("cold dark OR hot", (Word("cold"), Either((Word("dark"), Word("hot"))))),
        ("a AND b OR c", (Either((Both((Word("a"), Word("b"))), Word("c"))),)),
        ("(a b) OR c", (Either((SideBySide((Word("a"), Word("b"))), Word("c"))),)),
        ("a AND (b OR c)", (Both((Word("a"), Either((Word("b"), Word("c"))))),)),
        ("grain (wheat), corn", (Word("grain"), SideBySide((Word("wheat"),)), Word("corn"))),
        ("neuro* imaging", (Prefix("neuro"), Word("imaging"))),
        ("Title:halo", (Field("title", Word("halo")),)),
        ('author:"Ada Lovelace" engine', (Field("author", Phrase("Ada Lovelace")), Word("engine"))),
        ("title:(dark OR hot)", (Field("title", Either((Word("dark"), Word("hot")))),)),
        ('-title:"dark matter"', (Not(Field("title", Phrase("dark matter"))),)),
        ("-(a b)", (Not(SideBySide((Word("a"), Word("b")))),)),
        ("BERT OR GPT", (Either((Word("BERT"), Word("GPT"))),)),
        ("火车 OR 飞机 OR 船 OR 汽车", (Either((Word("火车"), Word("飞机"), Word("船"), Word("汽车"))),)),
    ],
)
def test_each_construct_has_its_tree(text, nodes):
    assert parsed(text) == nodes


@pytest.mark.parametrize(
    "text",
    [
        "what is state-of-the-art in low-cost air-to-air radar?",
        "don't the dogs' owners' say it's o'clock",
        'a 5" pipe and a 3" one',
        'an unclosed "quotation',
        "note: this is at 10:30, see http://example.org/a?b=c",
        "unknown:word",
        "f(x) = (x+1)*(x-1) for x in (0, 1]",
        "a smile :-) and 1) a list",
        "minus -5 degrees, plus +49 30 1234, a -- b, a - b, rock -n- roll? C++ and a+b",
        "to be or not to be and so on",
        "TO BE OR NOT TO BE IS THE QUESTION",
        "**bold** and a* and *x",
        '- + ( ) " * :',
        "()",
        'A paper says that "dark matter" is not -dash as was (then) believed -dash a neuro* of some title:kind in 1998',
    ],
)
def test_plain_text_is_plain_words(text):
    query = parse_query(text, FIELDS)
    assert is_plain(query)
    assert requirements(query) == ()


@pytest.mark.parametrize(
    ("text", "position", "said"),
    [
        ("dark OR", 5, "OR has nothing behind it"),
        ("AND dark", 0, "AND has nothing before it"),
        ("dark AND OR matter", 5, "AND has nothing behind it"),
        ("dark NOT", 5, "NOT has nothing behind it"),
        ("(dark OR matter", 0, "the parenthesis is never closed"),
        ("dark OR matter)", 14, "the parenthesis was never opened"),
        ('dark OR "matter', 8, "the quotation mark is never closed"),
        ("dark OR ()", 8, "the parentheses are empty"),
        ("a OR " + "(" * 60 + "b" + ")" * 60, 55, "more than 50"),
    ],
)
def test_an_error_says_where_it_is(text, position, said):
    with pytest.raises(BadQuery, match=said) as caught:
        parse_query(text, FIELDS)
    assert caught.value.position == position
    assert f"at character {position + 1}," in str(caught.value)


def test_a_long_phrase_and_a_long_query_with_operators_are_no_prose():
    sentence = "a sentence that somebody pasted into a search to find the one document that has it word for word"
    assert parsed(f'"{sentence}"') == (Phrase(sentence),)
    many = " OR ".join(f"+w{i}" for i in range(20))
    assert parsed(many) == (Either(tuple(Must(Word(f"w{i}")) for i in range(20))),)


PIECES = st.sampled_from(
    ["dark", "matter", "AND", "OR", "NOT", "(", ")", '"', "“", "”", "+", "-", "*", "neuro*", "title:", "author:", "x:", " ", "  ",
     "'", "é", "火车", "5", ",", ".", "?", "/", "\n", "«", "»", "„"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=14).map("".join), st.lists(PIECES, max_size=14).map(" ".join))


def outcome(text):
    try:
        return parse_query(text, FIELDS), None
    except BadQuery as error:
        return None, error


@settings(max_examples=600, deadline=None)
@given(TEXTS)
@example("0 AND 0(")
@example("0 AND TITLE:")
@example("„0“AND")
@example("-(")
@example("NOT NOT 0")
def test_nothing_but_its_own_error_is_raised_and_the_printed_form_is_parsed_into_the_same_tree(text):
    query, error = outcome(text)
    if error is not None:
        assert 0 <= error.position < max(len(text), 1)
        assert any(name in text for name in ("AND", "OR", "NOT"))
    else:
        assert parse_query(query.inner(), FIELDS) == query


@settings(max_examples=500, deadline=None)
@given(TEXTS.map(str.lower))
def test_without_capitals_no_text_fails(text):
    parse_query(text, FIELDS)


def leaves():
    word = st.sampled_from(["dark", "matter", "halo"])
    return st.one_of(word.map(Word), st.lists(word, min_size=1, max_size=2).map(" ".join).map(Phrase), word.map(Prefix))


def compound(inner):
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    unsigned = inner.filter(lambda node: not isinstance(node, Not | Must))
    signed = st.one_of(unsigned, unsigned.map(lambda node: Field("title", node)))
    return st.one_of(several.map(Both), several.map(Either), several.map(SideBySide), signed.map(Not), signed.map(Must), signed)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.recursive(leaves(), compound, max_leaves=8), min_size=1, max_size=4).map(tuple).map(SideBySide))
def test_every_tree_is_printed_as_a_query_that_is_parsed_into_it(query):
    assert parse_query(query.inner(), FIELDS) == query


def test_plain_words_require_nothing_and_marked_ones_do():
    query = parse_query('cold dark +matter -halo "big bang" (red shift) title:galaxy', FIELDS)
    assert requirements(query) == (Must(Word("matter")), Not(Word("halo")), Phrase("big bang"), Field("title", Word("galaxy")))


def test_words_that_are_excluded_or_in_other_fields_are_not_sought():
    query = parse_query('cold NOT (dark OR hot) author:"Ada L" title:neuro*', FIELDS)
    assert list(sought(query, frozenset({"title", "text"}))) == [Word("cold"), Prefix("neuro")]
