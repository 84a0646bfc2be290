"""The page on reliability: every test that it names is there, and every command is a target of the Makefile."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.unsafe import VARIANTS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reliability.md"


#: Promises for which no unsafe variant is kept, by a test of each. Their tests run in processes or mounts of their own, where
#: nothing can be taken away from outside, or the promise is that something works at all.
NO_VARIANT = {
    "test_a_disk_without_room_is_read_and_checked",
    "test_a_compaction_without_room_names_the_disk_that_is_full",
    "test_an_index_that_was_ended_and_run_again_is_that_of_one_run_bit_for_bit",
    "test_a_file_that_does_harm_is_one_line_and_the_next_files_are_read",
    "test_documents_skips_notes_and_summary_are_those_of_this_process",
    "test_ctrl_c_ends_the_process_too",
    "test_text_in_no_encoding_is_read_with_replacement_and_counted",
    "test_a_zip_bomb_is_one_line",
    "test_tables_with_too_many_columns_and_open_quotes_are_refused_with_the_row",
    "test_mail_that_takes_for_ever_is_one_line",
    "test_marks_without_end_and_turned_writing_are_counted",
    "test_two_runs_on_one_and_two_threads_of_ours_and_of_the_libraries_give_the_same_bits",
    "test_every_package_that_ci_installs_has_a_version_and_hashes",
    "test_no_secret_and_no_query_is_in_a_log",
    "test_no_get_changes_the_index",
    "test_a_burst_is_counted_before_any_of_it_was_read",
    "test_headers_of_a_second_request_have_a_limit_too_and_bytes_one_by_one_do_not_renew_it",
    "test_the_page_is_opened_where_that_is_wanted_and_no_list_of_processes_shows_the_link",
    "test_readers_see_whole_states_while_somebody_writes",
    "test_a_worker_ends_when_it_is_told_to_and_when_its_server_is_gone",
    "test_clusters_are_described_once_for_all_who_ask",
    "test_no_error_tells_where_the_index_lies_on_this_machine",
    "test_answers_are_as_they_are_described",
}
#: Tests of a promise that check an unsafe variant by themselves.
BY_THEMSELVES = {
    "test_a_thread_gets_the_fit_of_the_state_that_it_reads",
    "test_no_value_is_longer_than_the_file",
    "test_a_wheel_is_the_same_bytes_twice_and_another_source_is_another_wheel",
    "test_an_audit_that_was_not_done_is_told_from_one_that_found_nothing",
}
DAMAGING = """
import sqlite3
import vicinal

def test_that_leaves_a_damaged_index(tmp_path):
    path = tmp_path / "a.vic"
    with vicinal.open(path, create=True) as index:
        index.add([vicinal.Document("a", "wheat exports fell")])
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DELETE FROM documents")
    connection.close()
"""


def wrong(page):
    """What a page names and the tree does not have."""
    missing = []
    for name in re.findall(r"`(tests/[^`]+)`", page):
        path, _, test = name.partition("::")
        text = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).is_file() else ""
        if not text or (test and not re.search(rf"def {test}\(", text)):
            missing.append(name)
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    return missing + [name for name in re.findall(r"`make ([a-z]+)[^`]*`", page) if name not in targets]


def test_every_test_and_command_of_the_page_is_there():
    page = PAGE.read_text(encoding="utf-8")
    assert wrong(page) == []
    assert wrong(page.replace("test_kill.py::test_nothing", "test_kill.py::test_something")) != []
    assert wrong(page.replace("make cuts", "make puts")) == ["puts"]


def test_every_row_of_the_page_names_a_test():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    rows = [row for row in rows if not row.startswith(("| promise", "| ---"))]
    assert len(rows) > 25
    assert [row for row in rows if "`tests/" not in row] == []


def rows_of(page):
    """The rows of each promise together with those below it that begin with an ellipsis."""
    found = []
    for line in page.splitlines():
        if line.startswith("| …"):
            found[-1] += line
        elif line.startswith("| ") and not line.startswith(("| promise", "| ---")):
            found.append(line)
    return found


def test_every_promise_has_an_unsafe_variant_that_turns_its_test_red_or_stands_among_those_without():
    rows = [set(re.findall(r"::(\w+)`", row)) for row in rows_of(PAGE.read_text(encoding="utf-8"))]
    varied = {name.partition("::")[2] for name in VARIANTS} | BY_THEMSELVES
    without = [names for names in rows if not names & varied and not any(re.search("_would_(not_)?be_", name) for name in names)]
    assert [names for names in without if not names & NO_VARIANT] == [{"sound_when_it_is_over"}]  # below
    assert set.union(*without) >= NO_VARIANT, "a promise that has a variant by now, or is gone"
    assert varied <= set.union(*rows), "a variant of what the page does not promise"


@pytest.mark.no_cover
def test_every_safeguard_that_is_taken_away_turns_a_test_red():
    done = subprocess.run([sys.executable, "-m", "tools.unsafe"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert done.stdout.splitlines()[-1].startswith(f"{len(VARIANTS)} of {len(VARIANTS)} ")


def test_a_test_that_leaves_a_damaged_index_is_an_error(tmp_path):
    (tmp_path / "test_damaging.py").write_text(DAMAGING)
    options = [
        "-q",
        "-p",
        "tests.conftest",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        "-c",
        str(ROOT / "pyproject.toml"),
    ]
    command = [sys.executable, "-m", "pytest", *options, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "1 passed, 1 error" in done.stdout, done.stdout[-2000:]
    assert "table='documents'" in done.stdout
