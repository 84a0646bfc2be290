"""What reaches the screen: shown and never obeyed, within its width, and pretty in a file too."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from vicinal.cli._demo.demo_report import report
from vicinal.cli._terminal.output import console, without_trailing_spaces
from vicinal.cli._terminal.text import aligned, apportion, clipped, fitting, visible
from vicinal.corpus import Document

HOSTILE = "\x1b]0;pwned\x07\x1b[2J[bold red]axis[/bold red] :smile: sum of elements \u202eevil\u200b \x9b31m along the axis"


@pytest.fixture(name="shown")
def report_as_shown(monkeypatch):
    """The report as a screen of some width shows it."""

    def shown(findings, width=80, **options):
        monkeypatch.setenv("COLUMNS", str(width))
        screen = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False, **options)
        with without_trailing_spaces(screen):
            report(findings, screen)
        return screen.file.getvalue()

    return shown


@pytest.fixture(scope="module")
def hostile(run, documents):
    """A question and a document that try to take over the terminal; the document's title, name and module do too."""
    enemy = Document(f"enemy{HOSTILE}", f"{HOSTILE} elements sum axis", f"enemy{HOSTILE}", metadata={"module": "\x1b[31mmodule"})
    return run([*documents, enemy, replace(enemy, id="twin", text=f"{enemy.text} twin")], [f"sum elements axis {HOSTILE}"])


def test_escape_sequences_in_a_document_are_shown_and_not_obeyed(hostile, shown):
    assert any("\x1b" in hit.id for hit in hostile.answers[0].hits)
    text = shown(hostile, width=120)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b]", text)
    assert r"\x1b]0;pwned\x07\x1b[2J" in text


def test_markup_in_a_document_is_text(hostile, shown):
    text = shown(hostile, width=120)
    assert "[bold red]axis[/bold red] :smile:" in text


def test_on_a_terminal_too_every_escape_is_one_of_ours(hostile, shown):
    text = shown(hostile, width=120, force_terminal=True, color_system="standard")
    assert set(re.findall(r"\x1b.{0,2}", text)) <= {"\x1b[0", "\x1b[1", "\x1b[2", "\x1b[3"}
    assert "\x1b" not in re.sub(r"\x1b\[[\d;]*m", "", text)


def test_a_document_printed_as_it_is_would_be_obeyed(hostile):
    """The check above, shown to fail without ``visible``."""
    screen = Console(file=io.StringIO(), markup=False)
    screen.print(HOSTILE)
    assert "\x1b[2J" in screen.file.getvalue()


@pytest.mark.parametrize("width", [30, 40, 63, 64, 80, 109, 110, 120])
def test_no_line_is_wider_than_the_screen(findings, hostile, width, shown):
    for each in (findings, hostile):
        assert max(cell_len(line) for line in shown(each, width).splitlines()) <= width


def test_a_file_gets_plain_text_without_trailing_spaces(findings, shown):
    text = shown(findings)
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_everything_that_was_found_is_shown(findings, shown):
    text = shown(findings, width=120)
    for cluster in findings.clusters:
        assert cluster.terms[0][0] in text
    assert all(step.name in text for step in findings.steps)
    assert f"{findings.agreement.nmi:.2f}" in text
    assert f"the {findings.agreement.modules} modules that have 50 documents or more" in text
    for hit in findings.answers[0].hits:
        assert hit.id in text
        assert f"{hit.score:.2f}" in text
    assert f"by cross-validation over them: {findings.lesson.labelled.accuracy:.0%}." in " ".join(text.split())
    assert findings.lesson.text in text
    assert findings.lesson.prediction.label in text


def test_the_parts_of_a_score_add_up_as_printed(findings, shown):
    lines = shown(findings, width=120).splitlines()
    sums = [line for line in lines if re.match(r" +\d+\.\d\d = ", line)]
    assert len(sums) == len([line for line in lines if re.match(r" +\d+%  ", line)]) == 2
    for line in sums:
        score = float(line.split()[0])
        parts = re.findall(r"([−+=]) (?:\([^)]+\)|\S+) (\d+\.\d\d)", line)
        total = sum(-float(part) if sign == "−" else float(part) for sign, part in parts)
        assert total == pytest.approx(score, abs=1e-9)


def test_a_question_with_many_words_is_cut_to_those_that_matter(run, documents, shown):
    question = "sum elements axis bytes file stream decimal operand estimator samples"
    assert re.search(r"\d more", shown(run(documents, [question]), width=120))


def test_what_was_picked_for_its_answer_is_said_to_be(findings, shown):
    text = " ".join(shown(findings).split())
    assert "The queries of the demo were selected" in text
    assert "The text was selected among several for its clear answer" in text


def test_nothing_found_is_said(run, documents, shown):
    assert "Nothing found" in shown(run(documents, ["zeppelin"]))


def test_what_could_not_be_compared_or_taught_is_said(findings, shown):
    text = shown(replace(findings, agreement=None, lesson=None))
    assert text.count("Too few documents") == 2


def test_the_ending_has_commands_that_fit_what_was_kept(findings, shown):
    assert "vicinal demo -o demo.vic" in shown(findings)
    text = shown(replace(findings, options=replace(findings.options, keep="my demo.vic")))
    assert "vicinal search 'my demo.vic' " in text
    assert f"vicinal near 'my demo.vic' {findings.answers[0].hits[0].id}" in text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\nb\tc", "a b c"),
        ("\x1b[31m", r"\x1b[31m"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202e", r"\u202e"),
        ("naïve 日本 — ok", "naïve 日本 — ok"),
        ("\ud800", r"\ud800"),
        ("[red]", "[red]"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text, seen):
    assert visible(text) == seen


def test_wide_letters_are_counted_as_wide():
    assert cell_len(clipped("日本語の文書", 7).plain) <= 7
    assert cell_len(aligned([(clipped("日本語", 9), 4), (clipped("x", 9), 3)]).plain) == 9


def test_whole_words_are_fitted_and_the_beginning_of_the_first_where_not_even_that_fits():
    assert fitting(["spline", "knots", "piecewise"], 15) == "spline knots"
    assert fitting(["spline"], 3) == "sp…"
    assert fitting([], 3) == ""


@pytest.mark.parametrize(
    ("parts", "rounded"),
    [
        ([0.004, 0.004], [0.01, 0.0]),
        ([0.333, 0.333, 0.334], [0.33, 0.33, 0.34]),
        ([0.126, -0.006], [0.13, -0.01]),
        ([0.29], [0.29]),
        ([], []),
    ],
)
def test_rounded_parts_add_up_to_the_rounded_whole(parts, rounded):
    assert apportion(parts, sum(parts)) == rounded
    assert sum(rounded) == pytest.approx(round(sum(parts), 2), abs=1e-9)


def test_the_console_is_never_wider_than_one_can_read(monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    assert console().width == 120
