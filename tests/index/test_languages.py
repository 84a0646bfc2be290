"""An index in any language: search finds other forms and scripts without spaces, before a fit and after it."""

from __future__ import annotations

import re

import pytest

import vicinal
from tests.languages import SAMPLES, texts_of
from vicinal._store import Settings
from vicinal.index._stored import VOCABULARY

#: Without a stemmer or spellings that are joined, their queries find nothing.
FORMS = ["de", "ru", "el", "ar", "he", "hi"]


def documents_of(code):
    return [vicinal.Document(f"{subject}/{i}", text) for i, (text, subject) in enumerate(zip(*texts_of(code), strict=True))]


@pytest.fixture
def made(tmp_path):
    """Make an index of the sixty texts of a language, fitted."""

    def make(code, **options):
        index = vicinal.open(tmp_path / f"{code}.vic", create=True)
        index.add(documents_of(code))
        return index, index.fit(n_clusters=2, **options)

    return make


@pytest.mark.parametrize("code", SAMPLES)
def test_a_query_finds_its_subject_alone_and_clusters_are_the_subjects(made, code):
    pytest.importorskip("Stemmer")
    index, fitted = made(code)
    found = index.search(SAMPLES[code].query, 10)
    assert len(found) == 10
    assert {hit.id.split("/")[0] for hit in found} == {"trains"}
    subjects = [{hit.id.split("/")[0] for hit in index.members(each.number, limit=100)} for each in index.clusters()]
    assert sorted(map(len, subjects)) == [1, 1]
    assert any("is taken to be" in note for note in fitted.notes)


@pytest.mark.parametrize("code", FORMS)
def test_the_same_query_finds_nothing_where_the_language_is_not_known(made, code):
    index, _ = made(code, language="vi", stem="none")  # no stemmer, other stop words
    if code in {"el", "he"}:  # whose spellings are joined in any language
        assert index.search(SAMPLES[code].query)
    else:
        assert index.search(SAMPLES[code].query, correct=False) == []


@pytest.mark.parametrize(("code", "query"), [("zh", "火车"), ("ja", "電車"), ("th", "รถไฟ"), ("zh", "票")])
def test_a_word_inside_a_run_is_found_and_marked_before_a_fit_after_it_and_in_documents_that_came_later(tmp_path, code, query):
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        index.add(documents_of(code))
        before = index.search(query, 5)
        index.fit(n_clusters=2)
        after = index.search(query, 5)
        for hits in (before, after):
            assert len(hits) == 5
            assert all(hit.id.startswith("trains") for hit in hits)
        assert all(re.search(rf"\[[^]]*{query}", hit.snippet) for hit in (*before, *after))
        index.add([vicinal.Document("late", "北京烤鸭很有名")])
        assert [hit.id for hit in index.search("烤鸭")] == ["late"]
        assert index.search("鲸鱼") == []


def test_the_languages_are_kept_and_a_refit_can_change_them(made):
    index, _ = made("de")
    assert Settings(index._store).get(VOCABULARY)["language"] == ["de"]
    with vicinal.open(index.path) as again:
        assert again.search("Zug")
        again.fit(language="en")
        assert not again.search("Zug")
        assert again.search("und")
        again.fit()
        assert Settings(again._store).get(VOCABULARY)["language"] == ["en"]


def test_a_mixed_index_answers_in_each_of_its_languages(tmp_path):
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        for code in ("ru", "zh", "de"):
            index.add(vicinal.Document(f"{code}/{each.id}", each.text) for each in documents_of(code))
        index.fit(n_clusters=6)
        for code in ("ru", "zh", "de"):
            assert {hit.id.split("/trains")[0] for hit in index.search(SAMPLES[code].query, 10)} == {code}


@pytest.mark.parametrize("code", SAMPLES)
def test_a_passage_marks_the_words_that_a_query_found_in_another_form(made, code):
    pytest.importorskip("Stemmer")
    index, _ = made(code)
    query = SAMPLES[code].query
    found = index.search(query, 5)
    assert [hit.id for hit in found if not hit.passage.matches] == []
    assert [[hit.passage for hit in hits] for hits in index.search_many([query] * 5, 5)] == [[hit.passage for hit in found]] * 5
    assert "[" in index.show(found[0].id, query).marked


def test_a_passage_marks_häuser_where_haus_was_asked_for_and_nothing_else(tmp_path):
    pytest.importorskip("Stemmer")
    with vicinal.open(tmp_path / "de.vic", create=True) as index:
        index.add(
            vicinal.Document(f"d{i}", text)
            for i, text in enumerate(
                ["Die Häuser und das Haus der Hausfrau", "Ein Baum im Wald", "Das Haus am Wald", "Die Bäume der Straße", "Im Wald"]
            )
        )
        index.fit(language="de")
        assert {hit.id: hit.snippet for hit in index.search("Haus")}["d0"] == "Die [Häuser] und das [Haus] der Hausfrau"
        assert index.show("d0", "Haus").marked == "Die [Häuser] und das [Haus] der Hausfrau"
        assert {hit.id: hit.snippet for hit in index.search('"das Haus"')}["d0"] == "Die [Häuser] und [das Haus] der Hausfrau"


def test_a_required_word_is_found_in_its_other_forms_as_in_english(tmp_path):
    pytest.importorskip("Stemmer")
    titled = [
        ("Die Häuser", "am Rand der Stadt"),
        ("Bäume", "neben einem Haus im Wald"),
        ("Der Wald", "mit alten Bäumen und Wegen"),
        ("Wege", "im Wald"),
    ]
    with vicinal.open(tmp_path / "de.vic", create=True) as index:
        index.add(vicinal.Document(f"d{i}", text, title=title) for i, (title, text) in enumerate(titled))
        index.fit(language="de")
        index.add([vicinal.Document("later", "zwei Häuser im Tal", title="Ein Tal")])

        def found(query):
            return {hit.id for hit in index.search(query)}

        assert found("+Haus") == {"d0", "d1", "later"}
        assert found("+Haus Wald") == {"d0", "d1", "later"}
        assert found("title:Haus") == {"d0"}
        assert found("Wald -Haus") == {"d2", "d3"}
        assert found('+"Haus"') == {"d1"}  # a phrase is taken as it is written
        assert found("text:Haus") == {"d1"}


RAISED = {
    "square": "The house has 90 m² and a garden.",
    "water": "H₂O boils at a hundred degrees.",
    "plain": "A room of 30 m2, H2O and heat",
    "note": "The theory of dark energy² is young.",
    "bare": "Dark energy drives the expansion.",
    "other": "A train to the north",
}


@pytest.fixture(params=["before a fit", "after it", "added to a fitted index"])
def with_figures(request, tmp_path):
    """Some texts with raised and lowered figures, and marks of footnotes."""
    with vicinal.open(tmp_path / "figures.vic", create=True) as index:
        if request.param == "added to a fitted index":
            index.add({f"{id} {i}": text for id, text in RAISED.items() for i in range(2)})
            index.fit(n_clusters=2)
        index.add(RAISED)
        if request.param == "after it":
            index.fit(n_clusters=2)
        yield index


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("+m2", {"square", "plain"}),
        ("+m²", {"square", "plain"}),
        ("H2O", {"water", "plain"}),
        ("H₂O", {"water", "plain"}),
        ('"90 m2"', {"square"}),
        ('"30 m²"', {"plain"}),
        ("+energy", {"note", "bare"}),
        ("+energy²", {"note", "bare"}),
        ('"dark energy"', {"note", "bare"}),
        ("text:energy -expansion", {"note"}),
    ],
)
def test_raised_and_lowered_figures_are_plain_ones_and_footnote_marks_no_part_of_a_word(with_figures, query, expected):
    found = {hit.id: hit for hit in with_figures.search(query, 30, correct=False) if hit.passage.matches}
    assert found.keys() & RAISED.keys() == expected
    assert all(found[id].passage.text in RAISED[id] for id in expected)  # as it is written


def test_a_passage_marks_raised_figures_and_the_word_before_a_footnote_mark(with_figures):
    def snippet(id, query):
        return {hit.id: hit.snippet for hit in with_figures.search(query, 30)}[id]

    assert snippet("square", "+m2") == "The house has 90 [m²] and a garden."
    assert snippet("water", "H2O").startswith("[H₂O] boils")
    assert snippet("note", "+energy") == "The theory of dark [energy]² is young."
    assert with_figures.show("note", "energy").marked == "The theory of dark [energy²] is young."
    assert with_figures.show("note", "theory").marked == "The [theory] of dark energy² is young."


@pytest.mark.parametrize("fit", [False, True])
@pytest.mark.parametrize(
    ("query", "id"), [("елка", "tree"), ("ёлка", "tree"), ("ёжик", "hedgehog"), ("+идет", "train"), ('"поезд идет"', "train")]
)
def test_yo_is_found_and_marked_as_ye_and_the_other_way_round_in_an_index_of_english_too(tmp_path, fit, query, id):
    texts = {"tree": "Зелёная ёлка", "hedgehog": "Ежик в тумане", "train": "Поезд идёт в Москву"}
    with vicinal.open(tmp_path / "yo.vic", create=True) as index:
        index.add({**texts, **{f"{name} {i}": f"{text} {i}" for i in range(2) for name, text in texts.items()}})
        index.add({f"en{i}": f"the train and the garden of number {i}" for i in range(8)})
        if fit:
            index.fit(n_clusters=2, language="en")
        marked = {hit.id: hit.snippet for hit in index.search(query, 20, correct=False) if hit.passage.matches}
        assert {each.split()[0] for each in marked} == {id}
        assert "[" in index.show(id, query).marked
