"""Readings of the text of Reuters-21578, chosen by printed numbers of terms; and memory, measured."""

from __future__ import annotations

import numpy as np
import pytest

from papers import __main__ as command
from papers import journal, memory, samples, texts
from papers.catalogue import PROCEDURES
from papers.draws import NUMBERS
from papers.journal import Result
from papers.plan import draws_of
from papers.printed import cells


def sized(ratios):
    """Sizes of every draw, as many documents as printed and so many times the terms."""
    printed = {(each.row, each.metric): each.mean for each in cells("aaai08", "Table 2") if each.method == "Reuters-21578"}
    found = {}
    for source, ratio in ratios.items():
        for c, rows in draws_of("aaai08", "reuters").items():
            size = {"documents": printed[c, "documents"], "terms": ratio * printed[c, "terms"]}
            for sample in (each.replace("reuters/", f"{source}/", 1) for each in rows):
                found[sample, "size"] = Result(sample, "size", {"": size}, 1.0, "")
    return found


RATIOS = {"reuters": 0.8, "reuters-numbers": 1.05, "reuters-stems": 0.6, "reuters-both": 0.9}


def test_the_reading_with_the_printed_number_of_terms_is_chosen(tmp_path):
    said = texts.told(sized(RATIOS), tmp_path / "none.png")
    assert "Nearest to print: numbers kept." in said
    assert "words alone 0.80 to 0.80; numbers kept 1.05 to 1.05; stemmed 0.60 to 0.60; both 0.90 to 0.90" in said
    assert "not run yet" in said
    assert not (tmp_path / "none.png").exists()


def test_draws_of_another_size_say_nothing_of_terms():
    results = sized(RATIOS)
    for sample in draws_of("aaai08", "reuters")[4]:
        size = {"documents": 900.0, "terms": 3000.0}
        results[sample, "size"] = Result(sample, "size", {"": size}, 1.0, "")
    assert len(texts.term_ratios(results, "reuters")) == len(NUMBERS) - 1
    del results[draws_of("aaai08", "reuters")[5][0], "size"]
    assert len(texts.term_ratios(results, "reuters")) == len(NUMBERS) - 2  # not all of its draws are in


def test_methods_are_compared_on_the_same_classes(tmp_path):
    results = sized(RATIOS)
    for number, (plain, other) in enumerate([("reuters", 0.5), ("reuters-stems", 0.6)]):
        for sample in draws_of("aistats12", "reuters")[2][:3]:
            accuracy = {"c-1": {"accuracy": other + 0.01 * number}}
            name = sample.replace("reuters/", f"{plain}/", 1)
            results[name, "rlpi-7"] = Result(name, "rlpi-7", accuracy, 1.0, "")
    assert "RLPI: stemmed +11.0 ± 0.0 (3 tests)" in texts.told(results, tmp_path / "none.png")


def test_what_kmeans_gains_on_the_draws_of_the_tables_is_said_where_all_are_in():
    results = {}
    for paper, source in (("icml05", "reuters-small"), ("aaai08", "reuters"), ("aistats12", "reuters")):
        for c, rows in draws_of(paper, source).items():
            for plain in rows:
                for sample, accuracy in ((plain, 0.5), (plain.replace("reuters", "reuters-numbers", 1), 0.5 + 0.01 * (c == 2))):
                    results[sample, "kmeans"] = Result(sample, "kmeans", {"": {"accuracy": accuracy}}, 1.0, "")
    assert "aaai08 +0.1 (+0.0 to +1.0 in a row)" in texts.as_hard(results)
    del results[draws_of("aaai08", "reuters")[5][0], "kmeans"]
    assert "icml05 +0.1" in texts.as_hard(results)
    assert "aaai08" not in texts.as_hard(results)


def test_the_chosen_reading_is_the_one_that_results_say_is_nearest():
    results, _ = journal.read(PROCEDURES)
    ratios = {source: texts.term_ratios(results, source) for source in texts.NAMES}
    assert texts.nearest(ratios) == texts.CHOSEN


def test_number_of_dimensions_is_that_of_the_classes_where_a_grid_has_it():
    new, old = (
        Result(f"{source}/4/0", "pca", {"3": {"accuracy": accuracy}}, 1.0, "") for source, accuracy in (("a", 0.7), ("b", 0.6))
    )
    results = {(each.sample, each.procedure): each for each in (new, old)}
    assert texts._paired(results, "pca", "c-1", "a/4/0", "b/4/0") == pytest.approx(10.0)


def test_without_sizes_nothing_is_said(tmp_path):
    assert texts.told({}, tmp_path / "none.png") == "No results yet."


def test_runs_of_digits_are_words_too_and_stop_words_are_not():
    found = samples.words_and_numbers("The 1987 report of Jan 5: oil at 18.50 dlrs, 2nd_quarter x")
    assert found == ["1987", "report", "jan", "oil", "18", "50", "dlrs", "2nd", "quarter"]


@pytest.mark.parametrize("name", ["reuters-numbers/2/0", "reuters-stems-small/10/99", "reuters-both/6/3"])
def test_readings_are_samples(name):
    assert samples.is_sample(name)


def test_the_command_runs_them(tmp_path, capsys):
    asked = ["--table", "reuters Text", "--method", "rlpi-7", "--tests", "1", "--list", "--results", str(tmp_path)]
    assert command.main(asked) == 0
    found = set(capsys.readouterr().out.split("\n"))
    assert {f"{source}/{draws_of('aistats12', 'reuters')[2][0].partition('/')[2]}\trlpi-7" for source in RATIOS} <= found


class TestMemory:
    def test_published_lpi_holds_a_square_of_the_documents_and_rlpi_does_not(self):
        lpi, rlpi = (memory.measured(name, 600) for name in ("LPI", "RLPI"))
        assert lpi.held > 600 * 600
        assert lpi.held > 3 * rlpi.held
        assert lpi.printed == 600 * (600 + 1200) + 600 * 7 + 1200 * 10
        assert rlpi.printed == 600 * 7 + (600 + 2 * 1200) + 10 * (600 + 1200)

    def test_powers_are_slopes_of_logarithms(self):
        found = [memory.Measured("a", m, 2 * m, 3.0 * m**1.5, 0.0) for m in (10, 100, 1000)]
        assert memory.power(found) == pytest.approx(1.5)

    def test_documents_have_length_one(self):
        X = memory.documents(20, 40)
        np.testing.assert_allclose(np.asarray(X.multiply(X).sum(axis=1)).ravel(), 1.0)

    def test_documents_on_disk_are_never_held_together(self):
        found = memory.from_disk(2400)
        assert found.blocks == 12
        assert found.held < found.on_disk
        assert found.apart < 1e-10
