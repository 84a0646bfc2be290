"""Golden indexes: a file of every format that ever was answers fifty questions as it did, before and after it is migrated."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import vicinal
from tests.data.make_golden import QUERIES, answers_of, ask, golden
from vicinal._store import schema
from vicinal.corpus import Document
from vicinal.errors import NewerIndex

pytestmark = pytest.mark.damages
FORMATS = range(1, schema.FORMAT + 1)
#: Scores are reckoned in single precision, in an order that may depend on the processor.
DIGITS = 1e-5


@pytest.fixture(name="file", params=FORMATS)
def own_copy(request, tmp_path):
    return request.param, Path(shutil.copy(golden(request.param), tmp_path / "golden.vic"))


def format_of(path):
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        return schema.pragma(connection, "user_version")


def different(found, kept):
    """The queries whose first ten documents, or their scores or clusters, are others."""
    assert list(found) == list(kept)
    return [query for query in kept if not same(found[query], kept[query])]


def same(found, kept):
    """The same documents with the same scores and clusters; documents with one score may change places."""
    of_kept = {id: (pytest.approx(score, rel=DIGITS), cluster) for id, score, cluster in kept}
    scores = [[score for _, score, _ in each] for each in (found, kept)]
    return (
        {id for id, *_ in found} == of_kept.keys()
        and scores[0] == pytest.approx(scores[1], rel=DIGITS)
        and all((score, cluster) == of_kept[id] for id, score, cluster in found)
    )


def test_there_is_an_index_of_every_format_and_fifty_questions():
    assert len(set(QUERIES)) == 50
    for format in FORMATS:
        assert format_of(golden(format)) == format, f"python -m tests.data.make_golden makes that of format {format}"
        assert golden(format).stat().st_size < 200_000
        assert list(json.loads(answers_of(format).read_text(encoding="utf-8"))) == list(QUERIES)


def test_it_answers_fifty_questions_as_it_did_and_no_byte_changes(file):
    format, path = file
    kept = json.loads(answers_of(format).read_text(encoding="utf-8"))
    before = path.read_bytes()
    assert different(ask(path), kept) == []
    assert path.read_bytes() == before
    assert format_of(path) == format


def test_after_the_first_change_it_has_the_present_format_and_the_same_answers(file):
    format, path = file
    kept = json.loads(answers_of(format).read_text(encoding="utf-8"))
    with vicinal.open(path) as index:
        index.label({"river/1": "water"})
    assert format_of(path) == schema.FORMAT
    assert different(ask(path), kept) == []
    with vicinal.open(path) as index:
        assert index.add([Document("new", "a boat with strings")]).added == 1
        assert index.check() == []


def test_another_answer_would_be_seen():
    kept = json.loads(answers_of(schema.FORMAT).read_text(encoding="utf-8"))
    other_score, other_place, other_cluster, fewer = (json.loads(json.dumps(kept)) for _ in range(4))
    other_score["boat"][0][1] *= 1.001
    other_place["boat"][0][0], other_place["boat"][1][0] = other_place["boat"][1][0], other_place["boat"][0][0]
    other_cluster["boat"][0][2] += 1
    fewer["boat"].pop()
    assert [different(each, kept) for each in (other_score, other_place, other_cluster, fewer)] == [["boat"]] * 4


def test_one_version_more_is_refused_and_not_changed(file):
    _, path = file
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {schema.FORMAT + 1:d}")
    before = path.read_bytes()
    with pytest.raises(NewerIndex, match=f"has format {schema.FORMAT + 1}"):
        vicinal.open(path)
    assert path.read_bytes() == before
