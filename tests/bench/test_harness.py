"""The bench itself: turns, ratios, tables, and memory; with contenders that only write down when they ran."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import harness, report
from bench.harness import Answer, Contender, peak_memory, ratios, take_turns
from bench.report import section, table

ROOT = Path(harness.__file__).parents[1]


@pytest.fixture
def diary():
    return []


def contender(name, diary):
    """Somebody who notes each run and returns how many times they ran."""

    def run():
        diary.append(name)
        return diary.count(name)

    return Contender(name, run)


def test_contenders_warm_up_once_and_then_take_turns(diary):
    take_turns([contender("a", diary), contender("b", diary), contender("c", diary)], repeats=2)
    assert "".join(diary) == "abc" + "abcabc"


def test_each_contender_has_one_time_and_its_last_result(diary):
    seconds, results = take_turns([contender("a", diary), contender("b", diary)], repeats=3)
    assert list(seconds) == ["a", "b"]
    assert results == {"a": 4, "b": 4}
    assert all(value >= 0 for value in seconds.values())


def test_the_time_is_the_median_of_the_repeats_without_the_warm_up(monkeypatch):
    clock = iter([0.0, 5.0, 10.0, 11.0, 20.0, 22.0])  # three runs of 5, 1 and 2 seconds
    monkeypatch.setattr(harness.time, "perf_counter", lambda: next(clock))
    seconds, _ = take_turns([Contender("a", lambda: None)], repeats=3)
    assert seconds == {"a": 2.0}


def test_an_error_of_a_contender_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        take_turns([Contender("a", lambda: 1 / 0)])


def test_ratios_are_multiples_of_our_time_in_the_order_of_the_contenders():
    rows = ratios({"peer": 0.30004, "ours": 0.1, "fast": 0.05}, "ours")
    assert rows == [
        {"who": "peer", "seconds (median)": 0.3, "times ours": 3.0},
        {"who": "ours", "seconds (median)": 0.1, "times ours": 1.0},
        {"who": "fast", "seconds (median)": 0.05, "times ours": 0.5},
    ]


def test_a_ratio_is_taken_before_rounding():
    assert ratios({"ours": 0.0004, "peer": 0.0010}, "ours")[1]["times ours"] == 2.5


def test_ratios_to_nobody_are_refused():
    with pytest.raises(KeyError):
        ratios({"peer": 1.0}, "ours")


def test_an_answer_is_saved_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(harness, "RESULTS", tmp_path / "results")
    Answer("How fast?", "toys", [{"who": "ours", "s": 1.5}], ["same answer"], "2 cores").save("speed")
    assert json.loads((tmp_path / "results" / "speed.json").read_text()) == {
        "question": "How fast?",
        "setting": "toys",
        "rows": [{"who": "ours", "s": 1.5}],
        "checks": ["same answer"],
        "machine": "2 cores",
    }


def test_an_answer_says_what_machine_gave_it():
    assert "cores, Python 3." in Answer("", "", []).machine


def test_rows_become_a_markdown_table_and_a_missing_cell_stays_empty():
    assert table([{"who": "ours", "s": 1.5}, {"who": "peer"}]).splitlines() == [
        "| who | s |",
        "| --- | --- |",
        "| ours | 1.5 |",
        "| peer |  |",
    ]


def test_a_column_that_the_first_row_does_not_have_is_shown_too():
    assert "9 MB" in table([{"who": "ours"}, {"who": "peer", "memory": "9 MB"}])


def test_a_section_holds_question_setting_source_table_and_checks():
    answer = {"question": "How fast?", "setting": "toys", "machine": "2 cores", "rows": [{"who": "ours"}], "checks": ["one", "two"]}
    assert section(answer, "speed.json") == (
        "## How fast?\n\ntoys (2 cores; `bench/results/speed.json`)\n\n| who |\n| --- |\n| ours |\n\n- one\n- two"
    )


def test_the_page_has_one_section_per_result_in_the_order_of_their_names(tmp_path, monkeypatch):
    monkeypatch.setattr(harness, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(report, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(report, "__file__", str(tmp_path / "report.py"))
    for name in ("zebra", "ant"):
        Answer(f"What about the {name}?", "zoo", [{"who": "ours"}]).save(name)
    report.write()
    page = (tmp_path / "README.md").read_text()
    assert page.startswith("# Benchmarks\n")
    assert page.index("## What about the ant?") < page.index("## What about the zebra?")
    assert page.endswith("| ours |\n")


HUNGRY = """
def prepare(size):
    kept, thrown_away = b"x" * 2**26, b"x" * 2**28
    return lambda: (kept, b"x" * (int(size) * 2**20))
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the high-water mark of memory is read from Linux")
def test_memory_is_that_of_the_job_beyond_its_preparation(tmp_path, monkeypatch):
    (tmp_path / "hungry.py").write_text(HUNGRY)
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert 48 <= peak_memory("hungry", "prepare", "50") < 120
    assert peak_memory("hungry", "prepare", "0") < 20
