"""The benchmark of an index reads the steps that the command line prints."""

from __future__ import annotations

from bench import index
from tests.index.small import documents


def test_every_step_that_the_command_line_prints_is_a_row(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for number, document in enumerate(documents(range(8))):
        (folder / f"{number}.txt").write_text(document.text, encoding="utf-8")
    printed, _, memory = index.vicinal("index", str(folder), "-o", str(tmp_path / "small.vic"))
    assert [row["stage"] for row in index.stages(printed, memory)] == list(index.LIMITS)
