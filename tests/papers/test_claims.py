"""Every claim has a verdict: of theorems the one that was found by hand, of orderings the one that results call for."""

from __future__ import annotations

import re

import pytest

from papers import aaai08, aistats12, cikm07, icml05
from papers.claims import CLAIMS, Evidence, findings
from papers.claims.orderings import Order, judged, place
from papers.compare import Comparison
from papers.journal import Result

NUMBERS = {"cikm07": 13, "sigir05": 5, "icml05": 8, "aistats12": 9, "aaai08": 9}
TRUE, FALSE, CONDITIONAL = "true", "false", "conditional"
PROVED = {
    "cikm07": {1: TRUE, 2: TRUE, 3: TRUE, 4: TRUE, 5: TRUE, 7: TRUE, 10: CONDITIONAL, 12: TRUE, 13: TRUE},
    "sigir05": {1: CONDITIONAL, 2: TRUE, 3: TRUE},
    "icml05": {1: TRUE, 2: TRUE, 3: TRUE, 4: TRUE, 5: CONDITIONAL},
    "aistats12": {1: TRUE, 2: TRUE, 3: CONDITIONAL, 4: FALSE, 5: FALSE, 6: CONDITIONAL, 7: FALSE},
    "aaai08": {1: TRUE, 2: TRUE, 3: TRUE, 4: CONDITIONAL, 5: FALSE, 6: TRUE, 7: TRUE},
}
#: What each procedure scores where all papers are right; dimensions, neighbours and words beyond the best cost a little.
BEST = {
    "kmeans": 0.6,
    "lsi": 0.55,
    "lsi centred": 0.55,
    "plsi": 0.5,
    "lpi-7": 0.8,
    "rlpi-7": 0.85,
    "nmf-ncw": 0.7,
    "pca": 0.6,
    "lpp-15": 0.8,
    "le-15": 0.8,
    "lpi-5": 0.8,
    "ls-5": 0.5,
    "slpi-5": 0.75,
    "ls+lpi-5": 0.82,
    "fssl-5": 0.6,
    "lpfl-5": 0.9,
    "spca": 0.4,
    "lsi more": 0.5,
    "nmf-ncw random": 0.7,
    "spca more": 0.4,
    "spg-7": 0.9,
    "spg-7 grid": 0.9,
    "news baseline": 0.7,
    "news lsi": 0.6,
    "news plsi": 0.5,
    "news lpi": 0.8,
    "news rlpi": 0.85,
    "lpi-7 dimensions": 0.8,
    "olpi-7 dimensions": 0.8,
    "lsi dimensions": 0.55,
    "lpp p": 0.8,
    "lpp complete": 0.5,
    "spg-7 words": 0.8,
    "spca words": 0.8,
    "in turn": 0.5,
    "size": 0.5,
}
TIMED = ("kmeans", "lsi", "plsi", "lpi-7", "rlpi-7", "nmf-ncw")
#: Seconds of each procedure for a thousand documents, and the power of their number that they grow with.
SECONDS = {"lsi": (0.01, 2), "rlpi-7": (0.02, 2), "kmeans": (0.04, 2), "plsi": (0.04, 2), "lpi-7": (100.0, 3)}


def tables():
    blocks = [cikm07.table4(each) for each in ("NC", "kNN", "SVM")]
    return [
        cikm07.table2(),
        *blocks,
        icml05.table1(),
        icml05.table2(),
        aistats12.table1(),
        aistats12.table2(),
        aaai08.table3(),
        aaai08.table4(),
    ]


def samples():
    names = [sample for table in tables() for row in table.rows.values() for sample in row[:3]]
    return list(dict.fromkeys([*names, *(f"top20/{c}/{test}" for c in (2, 5, 10) for test in range(3))]))


def falling(procedure, setting, sample):
    """What a setting beyond the best one costs."""
    c, test = (int(part) for part in sample.split("/")[1:])
    test %= 3
    if procedure == "pca":
        return 0.0003 * abs(setting - (25, 40, 60)[test])
    if procedure in ("lpi-7 dimensions", "lpp-15"):
        return 0.03 * abs(setting - c + 1)
    return 0.001 * abs(setting - c + 1) if "dimensions" in procedure else 0.0001 * setting


def values(procedure, sample, best):
    """The same score under every variant there may be, with a little noise that all methods share."""
    c, test = (int(part) for part in sample.split("/")[1:])
    test %= 3
    level = best + 0.01 * test + (0.002 * c * (best - 0.5) if procedure.endswith("-5") else 0.0)
    settings = range(1, 21) if "dimensions" in procedure else (*range(1, 21), 25, 40, 60, 100, 400, 1000)
    by_setting = {str(each): level - falling(procedure, each, sample) for each in settings}
    named = dict.fromkeys(["", "best", "c", "c-1", "c best", "c-1 best", "k-means best", "NC", "kNN 1", "SVM 1"], level)
    if procedure.endswith(" more"):
        by_setting = {"+0": level, "+5": level}
    if procedure == "news baseline":  # a stronger classifier leaves less to gain
        named["SVM 1"] = level + 0.05
    if procedure == "size":
        return {"": {"documents": documents(c, int(sample.split("/")[2])), "terms": 1000.0}}
    if procedure == "in turn":
        return {name: {"reduction": spent(name, sample, c), "clustering": 0.0} for name in TIMED}
    scores = {**named, **by_setting, **{f"{name} best": each for name, each in by_setting.items()}}
    found = {name: {"accuracy": each, "nmi": each - 0.1, "sparsity": 0.9} for name, each in scores.items()}
    return found | {"seconds": {"reduction": spent(procedure, sample, c), "clustering": 0.0}}


def documents(c, test):
    """A size that a draw may have."""
    return 100 * c + 7 * test


def spent(procedure, sample, c):
    """Seconds that grow as the paper says: with labels like the share of documents to learn from."""
    if not sample.startswith("tdt2"):
        return float(c)
    thousands = documents(c, int(sample.split("/")[2])) / 1000
    if procedure == "nmf-ncw":  # half or twice of LPI's
        return 100.0 * thousands**3 * (0.5 if c < 4 else 2.0)
    factor, power = SECONDS.get(procedure, (1.0, 1))
    return factor * thousands**power


def evidence(score=lambda best: best, changed=()):
    """Results of every procedure on three tests of every row; ``changed`` has scores by sample and procedure."""
    changed = dict(changed)
    results = {
        (sample, name): Result(sample, name, values(name, sample, changed.get((sample, name), score(best))), 1.0, "")
        for sample in samples()
        for name, best in BEST.items()
    }
    return Evidence({(each.paper, each.title_of_block): Comparison(each, results) for each in tables()}, results)


def verdict(paper, number, given):
    return next(each for each in CLAIMS if (each.paper, each.number) == (paper, number)).check(given)


@pytest.fixture(name="agreeing", scope="module")
def results_that_agree():
    return evidence()


NOTHING = Evidence({(each.paper, each.title_of_block): Comparison(each, {}) for each in tables()}, {})
ORDERINGS = [(each.paper, each.number) for each in CLAIMS if each.number not in PROVED[each.paper]]


def test_every_claim_is_there_once_in_own_words():
    assert [(each.paper, each.number) for each in CLAIMS] == [
        (paper, n) for paper, count in NUMBERS.items() for n in range(1, count + 1)
    ]
    assert all(each.text.endswith(".") and "|" not in each.text for each in CLAIMS)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda each: f"{each.paper} {each.number}")
def test_without_results_theorems_have_their_answer_and_orderings_are_not_tested(claim):
    found = claim.check(NOTHING)
    assert found.holds == PROVED[claim.paper].get(claim.number, "not tested"), found.evidence
    assert found.evidence
    assert "|" not in found.evidence
    assert claim.check(Evidence({}, {})).holds == found.holds


@pytest.mark.parametrize(("paper", "number"), ORDERINGS)
def test_results_as_the_papers_say_make_orderings_true(paper, number, agreeing):
    found = verdict(paper, number, agreeing)
    assert found.holds == TRUE, found.evidence


@pytest.mark.parametrize(
    ("paper", "number"), [("cikm07", 8), ("cikm07", 9), ("icml05", 7), ("icml05", 8), ("aistats12", 8), ("aaai08", 8)]
)
def test_results_the_other_way_round_make_orderings_false(paper, number):
    found = verdict(paper, number, evidence(lambda best: 1.2 - best))
    assert found.holds == FALSE, found.evidence


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda each: f"{each.paper} {each.number}")
def test_results_of_some_rows_are_enough_for_a_verdict(claim, agreeing):
    few = {job: each for job, each in agreeing.results.items() if "/2/" in job[0] or job[0] == "news/5/0"}
    given = Evidence({key: Comparison(each.table, few) for key, each in agreeing.comparisons.items()}, few)
    assert claim.check(given).evidence


def test_a_row_that_fails_is_named_and_makes_a_claim_conditional():
    found = verdict("aaai08", 8, evidence(changed={(sample, "spg-7 grid"): 0.58 for sample in aaai08.table4().rows[6][:3]}))
    assert found.holds == CONDITIONAL
    assert "SPG > NMF: 34 of 36, 34 at 95 %, 2 against at 95 % (not Table 4, accuracy: 6, Table 4, nmi: 6)." in found.evidence


def test_contradictions_in_the_printed_numbers_are_named(agreeing):
    assert "SPG > LSI at Table 4, accuracy: 6, Table 4, nmi: 2 3 6" in verdict("aaai08", 8, agreeing).evidence
    assert "LPFL > LPI at Table 1, accuracy: 7" in verdict("aistats12", 8, agreeing).evidence
    assert "LPP > NMF-NCW at Table 1, accuracy: 2 6 8 10, Table 1, nmi: 2" in verdict("icml05", 7, agreeing).evidence
    assert "LSI > PLSI at Table 2, accuracy: 30, Table 2, nmi: 30" in verdict("cikm07", 8, agreeing).evidence


def test_where_few_documents_were_categorised_the_ordering_is_judged_and_the_reason_told(agreeing):
    found = verdict("cikm07", 10, agreeing)
    assert found.holds == CONDITIONAL  # the ordering is true, its reason holds under a condition
    assert "RLPI > LPI: 6 of 6" in found.evidence
    assert "over-fitting is worst" in found.evidence


def test_powers_of_the_number_of_documents_are_read_off_seconds(agreeing):
    found = verdict("cikm07", 6, agreeing).evidence
    assert re.search(
        r"the power 3\.0 of the documents for LPI as published \(\d+ draws of TDT2\), 2\.0 for RLPI \(\d+ draws\)", found
    )


def test_an_ordering_within_noise_holds_in_means_but_not_surely():
    found = place("a > b", "t", 2, [3.0, -1.0, 0.5])
    assert (found.holds, found.sure, found.against) == (True, False, False)
    assert judged([found]).evidence == "a > b: 1 of 1."


def test_methods_that_should_be_level_may_be_neither_above_nor_below(agreeing):
    table = agreeing.comparisons["icml05", "Table 1"]
    assert all(each.holds for each in Order("LPP", "LE", 1.0, level=True).places(table))
    assert not any(each.holds for each in Order("LPP", "PCA", 1.0, level=True).places(table))


def test_a_curve_settles_where_it_stays_near_its_end():
    numbers = {"objective": {str(i): each for i, each in enumerate([0.0, 5.0, 2.0, 1.0, 1.001, 1.0], 1)}}
    given = Evidence({}, {("tdt2/2/0", "lpfl history"): Result("tdt2/2/0", "lpfl history", numbers, 1.0, "")})
    assert "from step 4 on" in findings.settled(given)


def test_eigenvalues_of_real_subsets_are_told_of():
    found = {"claim": {"excess": -0.001}}
    given = Evidence({}, {("word/0", "subset"): Result("word/0", "subset", found, 1.0, "")})
    assert "On 1 subset of" in findings.excess(given)


def test_seconds_of_draws_that_were_not_counted_tell_no_growth(agreeing):
    uncounted = {job: each for job, each in agreeing.results.items() if job[1] != "size"}
    assert findings.growth(agreeing.results, "lpi-7")[1] > 0
    assert findings.growth(uncounted, "lpi-7")[1] == 0


@pytest.mark.parametrize(("paper", "number"), [("sigir05", 4), ("sigir05", 5), ("icml05", 8), ("aaai08", 9)])
def test_one_test_decides_nothing(paper, number, agreeing):
    rows = [samples for table in tables() if table.paper == paper for samples in table.rows.values()]
    first = {samples[0] for samples in rows} | {f"top20/{c}/0" for c in (2, 5, 10)}
    alone = {job: each for job, each in agreeing.results.items() if job[0] in first}
    found = verdict(paper, number, Evidence({}, alone))
    assert found.holds == "undecided"
    assert "Tests of each number of classes: 1." in found.evidence


def test_rows_of_one_test_are_not_looked_at_beside_rows_of_several(agreeing):
    fewer = {job: each for job, each in agreeing.results.items() if job[0] not in ("top20/2/1", "top20/2/2")}
    found = verdict("sigir05", 5, Evidence({}, fewer))
    assert found.holds == verdict("sigir05", 5, agreeing).holds
    assert "Tests of each number of classes: 3." in found.evidence
