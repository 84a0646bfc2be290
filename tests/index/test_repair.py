"""Repair: each advice of check is a command that works, and what was readable is there afterwards."""

from __future__ import annotations

import shlex
import shutil

import pytest
from typer.testing import CliRunner

import vicinal
from tests.index.small import made
from tests.store.test_damage import sql
from vicinal._store import Settings, Store
from vicinal.cli._app import app
from vicinal.errors import DamagedIndex
from vicinal.index import check, repair, salvage

pytestmark = pytest.mark.damages


@pytest.fixture(scope="module", name="whole")
def sound_index(tmp_path_factory):
    return made(tmp_path_factory.mktemp("whole") / "small.vic", 5, added=1)


@pytest.fixture(name="path")
def own_copy(whole, tmp_path):
    return shutil.copy(whole, tmp_path / "news.vic")


def follow(advice, path):
    """Run the command that an advice of check names."""
    words = shlex.split(advice.removeprefix("Run: ").partition(",")[0])
    assert words[:2] == ["vicinal", "repair"]
    new = path.with_name("new.vic")
    done = CliRunner().invoke(app, [{"INDEX": str(path), "NEW": str(new)}.get(word, word) for word in words[1:]])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return new if "NEW" in words else path, done


DAMAGES = {
    "full text": ("DELETE FROM words_docsize", 0, set()),
    "block": ("UPDATE blocks SET bytes = zeroblob(length(bytes)) WHERE name LIKE 'rows/%'", 0, set()),
    "arrays": ("DELETE FROM arrays", 0, set()),
    "setting of the model": ("UPDATE settings SET value = '{}' WHERE name = 'model'", 0, set()),
    "all settings": ("DROP TABLE settings", 0, set()),
    "document": ("UPDATE documents SET text = 'x' WHERE id = 'cars-1'", 4, {"cars-1"}),
    "numbers": ("UPDATE sqlite_sequence SET seq = 2", 0, set()),
    "label": ("UPDATE labels SET label = 'x'", 0, set()),
    "table": ("CREATE TABLE more (x)", 0, set()),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_following_the_advice_of_check_gives_a_sound_index_that_answers(path, damage):
    statement, code, lost = DAMAGES[damage]
    sql(path, statement)
    advice = {each.do for each in check(path)}
    new, done = follow(max(advice, key=len), path)  # the longest: a salvage, if any damage needs one
    assert done.exit_code == code, done.output
    assert all(f"lost: {id}" in done.stdout for id in lost)
    assert check(new) == []
    with vicinal.open(new) as index:
        assert len(index) == 18 - len(lost)
        if index.info().generation == 0:
            index.fit()
        assert index.search("bread oven")[0].id.startswith("kitchen")
        assert len(index.clusters()) == 3
    assert check(new) == []


def test_a_repaired_model_has_the_parameters_of_the_last_fit_and_the_classes(path):
    sql(path, "DELETE FROM blocks")
    with pytest.raises(DamagedIndex), vicinal.open(path) as index:
        index.near("cars-1")
    repaired = repair(path)
    assert repaired.damages
    assert (repaired.fitted.n_clusters, repaired.fitted.n_components) == (3, 4)
    with vicinal.open(path) as index:
        assert index.info().unembedded == 0
        assert index.classify(["bread in the oven"])[0].label == "kitchen"


def test_clusters_of_a_repaired_model_get_numbers_that_were_never_given(path):
    with vicinal.open(path) as index:
        before = {cluster.number for cluster in index.clusters()}
    sql(path, "DELETE FROM blocks")
    repair(path)
    with vicinal.open(path) as index:
        assert before.isdisjoint(cluster.number for cluster in index.clusters())


def test_a_model_that_does_not_fit_together_is_fitted_again(path):
    with Store.open(path) as store:
        Settings(store).set("clusters", {"last": 2, "clusters": []})
    assert [each.where for each in check(path)] == ["the fitted model"]
    assert repair(path).fitted.n_clusters == 3
    assert check(path) == []


def test_an_index_that_was_open_all_the_while_answers_by_the_repaired_model(path):
    with vicinal.open(path) as reader:
        assert not reader.search("zeppelin")
        with vicinal.open(path) as writer:
            writer.add(vicinal.Document(f"sky-{i}", f"a zeppelin above the harbour in the wind {i}") for i in range(4))
        sql(path, "DELETE FROM arrays")
        assert repair(path).fitted is not None
        with vicinal.open(path) as fresh:
            expected = [str(hit) for hit in fresh.search("zeppelin wind")], fresh.info(), fresh.clusters()
        assert ([str(hit) for hit in reader.search("zeppelin wind")], reader.info(), reader.clusters()) == expected
        assert reader.search("zeppelin wind")[0].id.startswith("sky-")


def test_an_index_that_was_never_fitted_is_not_fitted_by_a_repair(tmp_path):
    path = tmp_path / "new.vic"
    with vicinal.open(path, create=True) as index:
        index.add([vicinal.Document("one", "bread")])
    sql(path, "DELETE FROM tallies WHERE name = 'commits'")
    repaired = repair(path)
    assert len(repaired.damages) == 1
    assert repaired.fitted is None
    assert check(path) == []


def test_what_is_beyond_repair_in_place_is_said_with_the_way_out(path):
    sql(path, "UPDATE documents SET text = 'x' WHERE id = 'cars-1'")
    done = CliRunner().invoke(app, ["repair", str(path)])
    assert done.exit_code == 4
    assert "--salvage NEW" in done.stderr
    assert salvage(path, path.with_name("saved.vic")).lost[0].id == "cars-1"


def test_the_command_says_what_it_did(path):
    run = CliRunner().invoke
    assert "no damage found, nothing was changed" in run(app, ["repair", str(path)]).stdout
    sql(path, "DELETE FROM words_docsize")
    assert "1 damage repaired" in run(app, ["repair", str(path)]).stdout
    sql(path, "DELETE FROM words_docsize")
    assert '"fit": null' in run(app, ["repair", str(path), "--json"]).stdout
    sql(path, "DELETE FROM documents WHERE id = 'cars-1'", "DELETE FROM words_docsize WHERE id = 1")
    done = run(app, ["repair", str(path), "--salvage", str(path.with_name("a.vic")), "--json"])
    assert (done.exit_code, '"lost": [' in done.stdout) == (4, True)
    done = run(app, ["repair", str(path), "--salvage", str(path.with_name("a.vic"))])
    assert (done.exit_code, "there already" in done.stderr) == (2, True)
