"""Search in an index: operators, fields, filters, suggestions, relevance, pages, facets and passages; before a fit and after."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import vicinal
from vicinal.corpus import Document
from vicinal.errors import BadParameter, BadQuery, TooFewDocuments
from vicinal.index._search import many_queries

TEXTS = {
    "halo": ("Dark matter halos", "Dark matter forms a halo around every galaxy.", "Vera Rubin", "2015-03-09", "news/space"),
    "energy": (
        "Dark energy",
        "The expansion of space is driven by dark energy, not by matter.",
        "Ada Rubin",
        "2016-01-01",
        "news/space",
    ),
    "neuron": (
        "Neurons",
        "Neuroscience studies neurons and the grey matter of the brain.",
        "Ramón Cajal",
        "1998-05-05",
        "news/brain",
    ),
    "neural": ("Neural networks", "Neural networks learn to see; the dark rooms of vision.", "Ada Lovelace", "1999", "news/brain"),
    "bread": ("Bread", "Bake the bread in a hot oven; the flour matters.", "Vera Baker", "2001", "food"),
    "oven": ("Ovens", "An oven bakes bread and cake with flour.", "Vera Baker", "2003", "food"),
    "cake": ("Cake", "A cake of flour, butter and sugar from the oven.", "Paul Baker", "2004", "food"),
    "galaxy": ("Galaxies", "A galaxy is a system of stars in space, often with a halo.", "Edwin Hubble", "2014", "news/space"),
}


def made(path, fit=True):
    index = vicinal.open(path, create=True)
    index.add(
        Document(id, text, title, metadata={"author": author, "created": created, "folder": folder, "size": len(text)})
        for id, (title, text, author, created, folder) in TEXTS.items()
    )
    if fit:
        index.fit(n_clusters=2, n_components=2, n_neighbors=3)
        index.label({"halo": "physics", "energy": "physics", "bread": "kitchen"})
    return index


@pytest.fixture(scope="module", params=[True, False], ids=["fitted", "before a fit"])
def either(request, tmp_path_factory):
    with made(tmp_path_factory.mktemp("search") / "x.vic", fit=request.param) as index:
        yield index


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    with made(tmp_path_factory.mktemp("search") / "x.vic") as index:
        yield index


def ids(hits):
    return {hit.id for hit in hits}


def having(*words):
    """Ids of the documents whose title or text has one of some words, looked for plainly."""
    return {id for id, (title, text, *_) in TEXTS.items() if any(word in f"{title} {text}".lower() for word in words)}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('"dark matter"', {"halo"}),
        ("“dark matter” halo", {"halo"}),
        ("dark -matter", None),
        ("+dark +matter", {"halo", "energy"}),
        ("dark AND matter", {"halo", "energy"}),
        ("dark AND NOT matter", {"neural"}),
        ("(bread OR cake) AND butter", {"cake"}),
        ("bread OR galaxy", {"bread", "oven", "galaxy", "halo"}),
        ("neuro*", {"neuron"}),
        ("neur*", {"neuron", "neural"}),
        ("title:dark", {"halo", "energy"}),
        ('title:"dark matter"', {"halo"}),
        ("title:(bread OR cake)", {"bread", "cake"}),
        ("author:rubin dark", {"halo", "energy"}),
        ('author:"ada lovelace"', {"neural"}),
        ("author:ramon", {"neuron"}),
        ("author:baker -author:paul", {"bread", "oven"}),
        ("folder:food", {"bread", "oven", "cake"}),
        ("text:galaxies -title:galaxies", {"halo"}),
        ("-dark -flour", {"neuron", "galaxy"}),
        ("+unheardof", set()),
        ("dark AND ?", {"halo", "energy", "neural"}),
        ("dark OR (? !)", {"halo", "energy", "neural"}),
        ("+dark NOT ?", {"halo", "energy", "neural"}),
    ],
)
def test_what_is_marked_must_hold(either, query, found):
    hits = either.search(query, 20)
    if found is not None:
        assert ids(hits) == found
        assert hits.total == len(found)
    else:
        assert "halo" not in ids(hits)
        assert "neural" in ids(hits)


def test_a_negation_is_no_longer_the_same_as_the_words(either):
    phrase, words, without = (either.search(query, 20) for query in ('"dark matter"', "dark matter", "dark NOT matter"))
    assert ids(phrase) == {"halo"}
    assert {"halo", "energy"} <= ids(words)
    assert not ids(without) & {"halo", "energy", "neuron", "bread"}
    assert "neural" in ids(without)


@pytest.mark.parametrize(
    "query", ["dark matter", "what's the dark-matter halo of a galaxy?", 'a 5" oven: how hot (really)?', "note: bread"]
)
def test_plain_text_ranks_as_its_words_alone(either, query):
    plain = " ".join(word for word in "".join(c if c.isalnum() else " " for c in query).split())
    if either.info().generation:
        assert [(hit.id, hit.score) for hit in either.search(query)] == [(hit.id, hit.score) for hit in either.search(plain)]
    assert either.search(query)


@pytest.mark.parametrize("query", ['"dark matter" -halo title:bread neur*', "dark NOT matter", "dark OR"])
def test_a_plain_query_has_no_syntax(fitted, query):
    words = "".join(c if c.isalnum() else " " for c in query).lower()
    assert [(h.id, h.score) for h in fitted.search(query, plain=True)] == [(h.id, h.score) for h in fitted.search(words)]
    assert [h.id for h in fitted.search_many([query], plain=True)[0]] == [h.id for h in fitted.search(words)]


def test_every_document_that_meets_a_requirement_is_found_however_common_its_word(fitted):
    assert ids(fitted.search("+the", 20)) == {
        id for id, (_, text, *_) in TEXTS.items() if "the" in text.lower().replace(".", " ").split()
    }


def test_scores_with_operators_are_still_sums_of_their_terms(fitted):
    for query in ("neur* dark -halo", '"dark matter" galaxy', "title:dark OR bread"):
        for hit in fitted.search(query, 20):
            assert math.fsum(hit.why.parts) == pytest.approx(hit.score, abs=1e-9)
    assert "neur*" in fitted.search("neur*")[0].why.terms


def test_a_phrase_that_no_document_has_is_searched_as_words_with_a_note(either):
    hits = either.search('"galaxy halo bread"')
    assert hits
    assert hits.notes == ('no document has the phrase "galaxy halo bread"; its words were searched instead',)


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("created>=2014", {"halo", "energy", "galaxy"}),
        ("created in (1998, 1999)", {"neuron", "neural"}),
        ("folder=food AND created>2001", {"oven", "cake"}),
        ("size>60 AND NOT folder=food", {"energy", "neuron"}),
        ({"folder": ["food"]}, {"bread", "oven", "cake"}),
        ("author~Rubin OR id=cake", {"halo", "energy", "cake"}),
    ],
)
def test_an_empty_query_with_a_filter_lists_the_documents_in_their_order(either, where, found):
    hits = either.search("", 20, where=where)
    assert [hit.id for hit in hits] == [id for id in TEXTS if id in found]
    assert hits.total == len(found)
    assert {hit.relevance for hit in hits} == {1.0}


@pytest.mark.parametrize("query", ["", "  \n"])
def test_an_empty_query_without_a_filter_is_an_error_that_says_so(either, query):
    with pytest.raises(BadParameter, match="the query is empty"):
        either.search(query)


def test_filters_know_clusters_and_labels(fitted):
    number = fitted.search("bread oven")[0].cluster
    members = {hit.id for hit in fitted.members(number, 20)}
    assert ids(fitted.search("", 20, where=f"cluster={number}")) == members
    assert ids(fitted.search("", 20, where=f"cluster!={number}")) == set(TEXTS) - members
    assert ids(fitted.search("", 20, where=f"cluster in ({number}, 99)")) == members
    assert ids(fitted.search(f"cluster:{number} flour", 20)) <= members
    assert ids(fitted.search("", where="label=physics")) == {"halo", "energy"}
    assert ids(fitted.search("dark", where="label=physics AND NOT id=halo")) == {"energy"}
    with pytest.raises(BadParameter, match="Use its number for >"):
        fitted.search("", where="cluster>bread")
    for condition in (f"cluster={number}.1", f"cluster in ({number}, {number}.5)"):
        with pytest.raises(BadParameter, match="clusters have whole numbers"):
            fitted.search("", where=condition)
    assert ids(fitted.search("", 20, where=f"cluster={number}.0")) == members


def test_clusters_cannot_be_asked_for_before_a_fit(tmp_path):
    with made(tmp_path / "x.vic", fit=False) as index, pytest.raises(TooFewDocuments, match="not fitted"):
        index.search("", where="cluster=0")


@pytest.mark.parametrize(("query", "where"), [("dark OR", ()), ("dark", "folder=food AND"), ("", "(folder=food")])
def test_syntax_errors_say_where(either, query, where):
    with pytest.raises(BadQuery, match=r"at character \d+"):
        either.search(query, where=where)


class TestSuggestions:
    def test_a_word_that_nobody_has_gets_one_and_other_hits_stay(self, either):
        hits = either.search("galaxi breed", 20)
        assert hits.suggestions == {"breed": "bread"}
        assert hits.corrected == ""
        assert "galaxy" in ids(hits)

    def test_before_a_fit_a_word_is_suggested_as_documents_have_it_and_not_its_stem(self, either):
        for typed, meant in {"neuorscience": "neuroscience", "expansoin": "expansion", "sapce": "space"}.items():
            assert either.search(typed).suggestions == {typed: meant}

    def test_corrected_hits_come_where_nothing_else_is_found(self, either):
        hits = either.search("Buttre")
        assert (hits.suggestions, hits.corrected) == ({"buttre": "butter"}, "butter")
        assert [(hit.id, hit.score) for hit in hits] == [(hit.id, hit.score) for hit in either.search("butter")]

    def test_or_when_asked_for_and_never_when_refused(self, either):
        asked = either.search("galaxy buttre", 20, correct=True)
        assert asked.corrected == "galaxy butter"
        assert "cake" in ids(asked)
        refused = either.search("buttre", correct=False)
        assert (list(refused), refused.suggestions) == ([], {"buttre": "butter"})

    def test_a_word_that_is_near_to_none_has_none(self, either):
        hits = either.search("zeppelin")
        assert (list(hits), hits.suggestions) == ([], {"zeppelin": ""})


class TestRelevance:
    @pytest.mark.parametrize(
        "query", ["dark matter", "bread", "the", "dark matter halo galaxy", "neur* vision", "Neural networks learn to see"]
    )
    def test_it_is_between_0_and_1_and_falls_with_the_score(self, either, query):
        hits = either.search(query, 20)
        shares = [hit.relevance for hit in hits]
        assert hits
        assert all(0 <= share <= 1 for share in shares)
        assert shares == sorted(shares, reverse=True)

    def test_a_document_with_all_words_is_more_relevant_than_the_best_for_a_query_that_it_half_answers(self, either):
        whole, half = either.search("bread oven")[0], either.search("bread oven zeppelin steam")[0]
        assert whole.id == half.id
        assert whole.relevance > 0.75
        assert half.relevance < 0.8 * whole.relevance

    def test_it_does_not_depend_on_how_rare_the_words_are_as_the_score_does(self, fitted):
        rare, common = fitted.search("butter sugar", by="terms")[0], fitted.search("flour oven", by="terms")[0]
        assert rare.score > 1.5 * common.score
        assert rare.relevance == pytest.approx(common.relevance, abs=0.25)

    def test_near_documents_have_their_similarity(self, fitted):
        for hit in fitted.near("bread"):
            assert hit.relevance == pytest.approx(np.clip(hit.score, 0, 1))


def test_pages_follow_each_other(either):
    for query, where in (("dark matter bread", ()), ("dark OR bread", ()), ("", "size>0")):
        whole = either.search(query, 50, where=where)
        pages = [either.search(query, 2, offset=start, where=where) for start in range(0, len(whole) + 2, 2)]
        assert [hit.id for page in pages for hit in page] == [hit.id for hit in whole]
        assert {page.total for page in pages} == {len(whole)}
        assert pages[-1] == []
    with pytest.raises(BadParameter, match="offset must be a whole number of at least 0"):
        either.search("dark", offset=-1)


def every_bit(hits):
    """All that a search found, to the last bit."""
    return (
        *(hits.total, hits.near, hits.offset, hits.notes, hits.suggestions, hits.corrected, hits.facets),
        [(hit.id, hit.score, hit.relevance, hit.why.terms, hit.why.parts.tolist(), hit.passage, hit.cluster) for hit in hits],
    )


@pytest.mark.parametrize(
    "options", [{}, {"by": "terms"}, {"where": "size>0", "facets": ["folder"]}, {"offset": 1, "correct": False}]
)
@pytest.mark.parametrize("worth_loading", [0, 10**9])
def test_many_queries_are_answered_as_each_by_itself(either, monkeypatch, options, worth_loading):
    monkeypatch.setattr(many_queries, "_WORTH_LOADING", worth_loading)
    queries = ["dark matter", "bread -oven", "zeppelin", '"dark matter"', "dark NOT matter", "neur*", "drak matter", "flour oven"]
    alone = [every_bit(either.search(query, 3, **options)) for query in queries]
    assert [every_bit(hits) for hits in either.search_many(queries, 3, **options)] == alone
    assert [every_bit(hits) for hits in either.search_many(queries[:2], 3, **options)] == alone[:2]
    with pytest.raises(BadParameter, match="queries must be a list"):
        either.search_many("dark")


def test_more_queries_than_are_answered_at_once_keep_their_order(fitted, monkeypatch):
    monkeypatch.setattr(many_queries, "_AT_ONCE", 2)
    queries = ["dark", "bread", "matter", "oven", "flour"]
    assert [every_bit(hits) for hits in fitted.search_many(queries)] == [every_bit(fitted.search(query)) for query in queries]
    with pytest.raises(BadParameter, match="the query is empty"):
        fitted.search_many([*queries, " "])


def test_what_is_made_when_asked_for_outlives_the_index(tmp_path):
    with made(tmp_path / "x.vic") as index:
        at_once = [every_bit(index.search(query)) for query in ("dark matter", "zeppelin oven", "neur*", "")[:3]]
        later = index.search_many(["dark matter", "zeppelin oven", "neur*", "oven"])[:3]
        again = [index.search(query) for query in ("dark matter", "zeppelin oven", "neur*")]
        index.remove(["halo", "oven", "neuron"])
    assert [every_bit(hits) for hits in later] == at_once
    kept = pickle.loads(pickle.dumps(list(again[0])))
    assert [(hit.id, hit.score, hit.snippet, hit.why.terms) for hit in kept] == [
        (hit.id, hit.score, hit.snippet, hit.why.terms) for hit in again[0]
    ]
    assert repr(again[1][0]) == repr(later[1][0])
    assert replace(again[2][0], cluster=7).snippet == again[2][0].snippet
    with pytest.raises(AttributeError, match=r"a Hit has no attribute 'text'\. It has id, title, source, score"):
        _ = again[0][0].text


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(
        st.text(max_size=20),
        st.lists(
            st.sampled_from(["dark", "matter", "AND", "OR", "NOT", "(", ")", '"', "+", "-", "neur*", "author:", "label:x", "\0"])
        ).map(" ".join),
    ),
    st.sampled_from(["both", "terms"]),
)
def test_no_query_fails_but_by_an_error_that_says_why(either, query, by):
    try:
        hits = either.search(query, 3, by=by)
    except BadParameter:
        return
    assert len(hits) <= min(3, hits.total)


def test_a_word_is_meant_that_other_documents_than_the_first_have_so(tmp_path):
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add(
            {"a": "galaxies form", "b": "a galaxy", "c": "the galaxy", "d": "gallax is a name", "e": "families", "f": "a family"}
        )
        meant = {word: index.search(word).suggestions for word in ("galaxxy", "galxy", "gallaxy", "galaxxies", "familly")}
    assert [found[word] for word, found in meant.items()] == ["galaxy", "galaxy", "galaxy", "galaxies", "family"]


def test_an_unknown_facet_is_said_with_the_cluster_among_those_that_are_known(fitted):
    with pytest.raises(BadParameter, match=r"no column 'nope'\. Known are id, title, source, label, cluster, "):
        fitted.search("flour", facets=["nope"])


def test_a_search_without_a_query_lists_what_passes(fitted):
    assert [hit.id for hit in fitted.search(where="size>0")] == [hit.id for hit in fitted.search("", where="size>0")]


def test_words_in_full_width_are_found_by_plain_ones_and_the_other_way_round(tmp_path):
    with vicinal.open(tmp_path / "wide.vic", create=True) as index:
        index.add({"a": "\uff34\uff36 \uff12\uff10\uff11\uff15 engine", "b": "TV 2015 show", "c": "another text"})
        for query in ("tv", "\uff34\uff36", "2015", "+tv", '"tv 2015"', "text:2015", "201*"):
            hits = index.search(query)
            assert {hit.id for hit in hits} == {"a", "b"}, query
            assert all("[" in hit.snippet for hit in hits if query != "201*"), query


def test_facets_count_the_documents_that_have_a_term_of_the_query(fitted):
    hits = fitted.search("flour oven", 1, facets=["folder", "created", "label", "cluster"])
    assert hits.facets["folder"] == {"food": 3}
    assert hits.facets["created"] == {"2001": 1, "2003": 1, "2004": 1}
    assert hits.facets["label"] == {"kitchen": 1}
    assert sum(hits.facets["cluster"].values()) == 3
    assert fitted.search("", where="created>=2015", facets=["created"]).facets["created"] == {"2015": 1, "2016": 1}
    with pytest.raises(BadParameter, match="no column 'colour'"):
        fitted.search("flour", facets=["colour"])


@pytest.mark.parametrize("query", ["flour oven", "dark", "dark matter", "neur*", '"dark matter"', "dark -energy"])
def test_documents_found_apart_from_near_ones_are_those_that_facets_count(either, query):
    for hits in (either.search(query, 1, facets=["folder"]), *either.search_many([query], 1, facets=["folder"])):
        assert sum(hits.facets["folder"].values()) == hits.total - hits.near > 0


@pytest.mark.parametrize("n_documents", [5, 8])
@pytest.mark.parametrize("query", ["wheat", "goal", "won", "harvest"])
def test_of_equal_scores_that_of_a_document_with_the_word_comes_first(tmp_path, n_documents, query):
    texts = ["wheat and corn in the field", "corn harvest this year", "a goal in the match", "the match was won"]
    texts += ["bread from the oven", "flour and bread", "the oven is hot", "cats and dogs"]
    with vicinal.open(tmp_path / "tiny.vic", create=True) as index:
        index.add(Document(str(number), text) for number, text in enumerate(texts[:n_documents]))
        index.fit(n_clusters=2)
        for hits in (index.search(query), index.search_many([query] * 5)[0]):
            assert hits[0].score == pytest.approx(hits[1].score)  # its only neighbour borrows all that the word is worth
            assert [query in texts[int(hit.id)] for hit in hits] == [True, False]
        assert [hit.id for hit in index.search(query, 1)] == [hits[0].id]
        assert [hit.id for hit in index.search(query, 1, offset=1)] == [hits[1].id]


def test_documents_without_a_word_of_the_query_are_told_apart(fitted):
    near = 0
    for word in ("flour", "halo", "energy", "oven", "galaxy", "bread", "salt"):
        hits = fitted.search(word, 100, correct=False)
        without = [hit.id for hit in hits if word not in " ".join(TEXTS[hit.id][:2]).lower().replace("galaxies", "galaxy")]
        assert (len(without), len(hits)) == (hits.near, hits.total)
        near += hits.near
    assert near > 0


def test_stop_words_find_nothing_before_a_fit_unless_there_are_no_others(tmp_path):
    with made(tmp_path / "x.vic", fit=False) as index:
        asked, bare = index.search("The bread, of the oven", 50), index.search("bread oven", 50)
        assert [(hit.id, hit.score, hit.relevance) for hit in asked] == [(hit.id, hit.score, hit.relevance) for hit in bare]
        assert index.search("the", 50).total > asked.total


def test_passages_have_the_positions_of_the_words(either):
    hits = either.search('"dark matter" neur*', 5)
    for hit in hits:
        text = TEXTS[hit.id][1]
        assert hit.passage.matches
        assert hit.snippet == hit.passage.marked()
        assert {text[start:end].lower()[:4] for start, end in hit.passage.matches} <= {"dark", "matt", "neur"}
