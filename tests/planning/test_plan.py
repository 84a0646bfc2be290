"""A plan: what an index will cost, from numbers, from files, from an index and from documents in memory."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import vicinal
from vicinal.cli._app import app
from vicinal.errors import BadParameter, EmptyCorpus, NoSuchSource
from vicinal.planning import MachineSpeed, measure_speed, plan_of
from vicinal.planning._stage_costs import STAGES

ONE = MachineSpeed(1.0, 1.0, 1.0, n_threads=1)
WORDS = [f"word{number}" for number in range(300)]


def texts(n_documents):
    """Documents of twenty words, each of them in one document of fifteen."""
    return [" ".join(WORDS[(7 * row + 11 * place) % 300] for place in range(20)) for row in range(n_documents)]


@pytest.fixture(name="index")
def index_of_texts(tmp_path):
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        index.add(vicinal.Document(str(row), text) for row, text in enumerate(texts(60)))
        yield index


def stage(planned, name):
    return next(each for each in planned.stages if each.name == name)


def test_a_plan_has_the_stages_in_their_order_and_their_sums():
    planned = vicinal.plan(50_000, machine=ONE)
    assert [each.name for each in planned.stages] == [each.name for each in STAGES]
    assert planned.seconds == pytest.approx(sum(each.seconds for each in planned.stages))
    assert planned.memory == max(each.memory for each in planned.stages)
    assert planned.disk == sum(each.disk for each in planned.stages)
    assert "layout" not in [each.name for each in vicinal.plan(50_000, layout=False, machine=ONE).stages]


def test_neighbours_grow_with_the_square_of_the_corpus_and_words_with_the_corpus():
    small, large = vicinal.plan(100_000, machine=ONE), vicinal.plan(1_000_000, machine=ONE)
    assert stage(large, "neighbours").seconds / stage(small, "neighbours").seconds == pytest.approx(100, rel=0.05)
    assert stage(large, "terms").seconds / stage(small, "terms").seconds == pytest.approx(10, rel=0.05)
    assert large.longest.name == "neighbours"


def test_clusters_stop_growing_with_the_documents_that_views_are_taken_of():
    at = [stage(vicinal.plan(n, machine=ONE), "clusters").seconds for n in (15_000, 30_000, 60_000)]
    assert at[1] / at[0] > 2.2
    assert at[2] / at[1] < 1.1


def test_a_machine_that_is_twice_as_slow_takes_twice_as_long():
    slow = vicinal.plan(50_000, machine=MachineSpeed(2.0, 2.0, 2.0, n_threads=1))
    assert slow.seconds == pytest.approx(2 * vicinal.plan(50_000, machine=ONE).seconds)


def test_threads_divide_the_search_for_neighbours_and_not_the_reading_of_words():
    one, four = vicinal.plan(50_000, machine=ONE), vicinal.plan(50_000, machine=MachineSpeed(1.0, 1.0, 1.0, n_threads=4))
    assert stage(one, "neighbours").seconds / stage(four, "neighbours").seconds > 3
    assert stage(one, "terms").seconds == stage(four, "terms").seconds
    assert one.cpu_seconds == pytest.approx(four.cpu_seconds)


def test_the_speed_of_this_machine_is_measured():
    speed = measure_speed()
    assert all(0.01 < each < 100 for each in (speed.text, speed.lists, speed.products))
    assert measure_speed(n_jobs=3).n_threads == 3
    assert vicinal.plan(10).machine == speed


def test_numbers_out_of_range_are_refused():
    for wrong in ({"n_documents": 0}, {"n_documents": 10, "nnz": 0}, {"n_documents": 10, "overlap": 1.5}):
        with pytest.raises(BadParameter, match=list(wrong)[-1]):
            vicinal.plan(**wrong, machine=ONE)


def test_documents_in_memory_are_counted_as_they_are():
    size = plan_of(texts(300), machine=ONE).size
    assert (size.n_documents, size.nnz, size.n_terms) == (300, 6_000, 300)
    assert size.n_characters == sum(map(len, texts(300)))
    assert size.overlap == pytest.approx(20 / 300, rel=0.06)


def test_a_sample_tells_the_size_of_a_large_corpus():
    whole = plan_of(texts(9_000), machine=ONE)
    assert whole.size.n_documents == 9_000
    assert whole.size.nnz == pytest.approx(180_000, rel=0.01)
    assert whole.size.overlap == pytest.approx(20 / 300, rel=0.06)
    assert not whole.estimated


def test_an_index_is_planned_by_its_documents_open_or_by_its_path(index):
    assert plan_of(index, machine=ONE) == plan_of(index.path, machine=ONE)
    assert plan_of(index, machine=ONE).size.n_documents == 60


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_how_many_documents_a_large_file_has_follows_from_its_bytes(tmp_path, name):
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"text": texts(4_000)})
    getattr(table, f"write_{name.partition('.')[2]}")(tmp_path / name)
    planned = plan_of(tmp_path / name, machine=ONE, text="text")
    assert planned.estimated
    assert planned.size.n_documents == pytest.approx(4_000, rel=0.05)
    polars.DataFrame({"text": texts(40)}).write_csv(tmp_path / "few.csv")
    few = plan_of(tmp_path / "few.csv", machine=ONE)
    assert (few.size.n_documents, few.estimated) == (40, False)


def test_nothing_to_plan_for_is_an_error(tmp_path):
    with pytest.raises(NoSuchSource):
        plan_of(tmp_path / "nowhere")
    with pytest.raises(EmptyCorpus, match="no document to plan for"):
        plan_of([])


def test_the_command_prints_a_table_and_the_same_as_json(index):
    done = CliRunner().invoke(app, ["plan", index.path])
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[0].startswith("60 documents, 1,200 entries")
    assert [line.split()[0] for line in done.output.splitlines()[2:]] == [*(each.name for each in STAGES), "all"]
    found = json.loads(CliRunner().invoke(app, ["plan", index.path, "--json", "--no-map"]).output)
    assert found["size"]["n_documents"] == 60
    assert found["disk"] == sum(each["disk"] for each in found["stages"])
    assert "layout" not in [each["name"] for each in found["stages"]]


def test_a_path_that_is_not_there_ends_the_command_with_three(tmp_path):
    done = CliRunner().invoke(app, ["plan", str(tmp_path / "nowhere")])
    assert done.exit_code == 3


def test_how_to_read_is_refused_where_no_file_is_read(index):
    for documents in (texts(4), index, index.path):
        with pytest.raises(BadParameter, match="text='body' tells how files are read, got"):
            plan_of(documents, machine=ONE, text="body")
    with pytest.raises(TypeError, match="n_component"):
        plan_of(texts(4), machine=ONE, n_component=5)
