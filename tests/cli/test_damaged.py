"""Damage, through the command line: check names it with exit code 4, and no reading verb ever answers with a traceback."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli.commands import READING, filled
from tests.index.small import made
from vicinal._store import Origins, Store
from vicinal._store.checksums import checksum
from vicinal._store.origins import Origin, Root
from vicinal._store.schema import TABLES
from vicinal.cli._app import app

pytestmark = pytest.mark.damages

#: A cluster is opened with the recipe of the fit, and the tree is in arrays that nothing else reads.
COMMANDS = {
    **READING,
    "clusters --open": ["clusters", "FILE", "--open", "0", "--documents", "2"],
    "clusters --tree": ["clusters", "FILE", "--tree"],
}


def invoke(arguments, path):
    return CliRunner().invoke(app, filled(arguments, path), env={"COLUMNS": "100"})


@pytest.fixture(scope="session", name="whole")
def sound_file(tmp_path_factory):
    path = made(tmp_path_factory.mktemp("whole") / "small.vic")
    with Store.open(path) as store, store.writing():
        Origins(store).put_root(Root(1, "/home/notes", "../notes", "notes"))
        Origins(store).put({3: Origin(1, "garden.txt", ""), 4: Origin(1, "cars.txt", "")})
    return path


@pytest.fixture(name="file")
def own_copy(whole, tmp_path):
    return Path(shutil.copy(whole, tmp_path / "hurt.vic"))


def sql(path, statement, values=()):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = OFF")
    rows = connection.execute(statement, values).fetchall()
    connection.close()
    return rows


def exits(path):
    """The exit code of each reading verb, none of which may end by an exception, or with more or less than one line if it fails."""
    return {verb: done.exit_code for verb, done in asked(path).items()}


def asked(path, verbs=tuple(COMMANDS)):
    """What verbs that read say, with the same promise."""
    said = {}
    for verb in verbs:
        done = invoke(COMMANDS[verb], path)
        assert done.exception is None or isinstance(done.exception, SystemExit), (verb, done.exception)
        assert "Traceback" not in done.output
        if done.exit_code > 1:
            lines = done.stderr.splitlines()
            assert lines[0].startswith(f"vicinal {verb.split()[0]}: "), (verb, lines)
            warned = lines[0].startswith(f"vicinal {verb.split()[0]}: warning: ")  # an answer that does without what is damaged
            assert len(lines) == 1 or warned, (verb, lines)
            assert done.stdout == "" or warned, verb
        said[verb] = done
    return said


def named(path, *names):
    """That check exits with 4 and each of the names stands in what it says."""
    done = invoke(["check", "FILE", "--json"], path)
    assert done.exit_code == 4, done.output
    assert isinstance(done.exception, SystemExit)
    said = json.loads(done.stdout)["damages"]
    assert all(each["table"] and each["where"] and each["what"] and each["do"] for each in said)
    text = "\n".join(" ".join(each.values()) for each in said)
    assert [name for name in names if name not in text] == [], text


def test_a_sound_index_answers_everything(file):
    assert set(exits(file).values()) == {0}
    assert invoke(["check", "FILE"], file).exit_code == 0


ARRAYS = sorted(
    [f"rows/{name}" for name in ("numbers", "counts", "places", "topics", "doubt", "lenders")]
    + ["drift/fit", "drift/rows"]
    + [f"search/{name}" for name in ("fit", "later", "left", "lengths", "norms", "postings")]
    + ["layout/fit", "layout/points"]
    + [f"words/{name}" for name in ("terms", "forms", "frequencies", "columns", "shared")]
    + [f"{name}/{part}" for name in ("space", "topics") for part in ("weights", "offset")]
    + ["space/values"]
    + ["topics/shares", "classes/weights", "classes/offset", "classes/middles"]
    + [f"tree/{name}" for name in ("leaves", "merges", "heights", "edges", "clusters", "ids")]
    + [f"tree/{name}/{part}" for name in ("distinguishing", "apart") for part in ("terms", "weights")]
)
#: Read where clusters are changed and where documents are added; by no verb that reads.
UNREAD = ("tree/edges", "search/norms")
#: Where one of these is gone, what it says is computed, or not known.
COMPUTED = ("search/fit", "search/later", "search/left", "drift/fit", "layout/fit", "layout/points", *UNREAD)


def test_no_array_is_left_out_below(whole):
    assert [name for (name,) in sql(whole, "SELECT name FROM arrays ORDER BY name")] == ARRAYS


def flipped(data):
    """The same bytes with one bit turned, somewhere in the middle."""
    place = len(data) // 2
    return data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]


def answer(done):
    """What was said, without the path and what comes of it."""
    named = ("index ", "size ", "Report on "), (" written to ", " on the map: ")
    return [
        line for line in done.stdout.splitlines() if not line.startswith(named[0]) and not any(each in line for each in named[1])
    ]


@pytest.fixture(scope="session", name="truth")
def sound_answers(whole):
    return {verb: answer(done) for verb, done in asked(whole).items()}


@pytest.mark.parametrize("name", ARRAYS)
def test_a_flipped_bit_of_any_block_is_named_and_no_answer_is_wrong(whole, truth, tmp_path, name):
    for block, part, data in sql(whole, "SELECT block, part, bytes FROM blocks WHERE name = ?", (name,)):
        path = Path(shutil.copy(whole, tmp_path / "hurt.vic"))
        sql(path, "UPDATE blocks SET bytes = ? WHERE block = ?", (flipped(data), block))
        named(path, "blocks", f"array '{name}', {part}, rows")
        said = asked(path)
        codes = {done.exit_code for done in said.values()}
        assert codes in ({0, 4}, {4}, {0} if name in UNREAD else {4}), "nothing reads this block, or an error is another's"
        assert all(answer(done) == truth[verb] for verb, done in said.items() if done.exit_code == 0)


#: Verbs load what they need: one that reads an array, by its name or the beginning of it; all others are read by classify.
READ_BY = {
    "tree": "clusters --tree",
    "drift": "info",
    "rows": "clusters",
    "rows/counts": "near",
    "rows/places": "near",
    "layout": "map",
}
SEARCHED = {"rows/lenders", *(name for name in ARRAYS if name.startswith("search/"))}


@pytest.mark.parametrize("table", ["arrays", "blocks"])
def test_an_array_without_its_header_or_its_blocks_is_named(whole, tmp_path, table):
    for (name,) in sql(whole, f"SELECT DISTINCT name FROM {table}"):
        path = Path(shutil.copy(whole, tmp_path / "hurt.vic"))
        sql(path, f"DELETE FROM {table} WHERE name = ?", (name,))
        named(path, table)
        read = name not in UNREAD and (name not in COMPUTED or table == "blocks")
        read = read or (name, table) == ("tree/edges", "arrays")  # a tree is whole, or it is damaged
        verb = "search" if name in SEARCHED else READ_BY.get(name) or READ_BY.get(name.split("/")[0], "classify")
        assert ({done.exit_code for done in asked(path, (verb,)).values()} == {4}) == read, name


CHANGED = {
    "documents": "UPDATE documents SET text = 'x' || text WHERE id = 'garden-3'",
    "labels": "UPDATE labels SET label = label || 'x' WHERE document = 3",
    "roots": "UPDATE roots SET name = name || 'x' WHERE root = 1",
    "origins": "UPDATE origins SET path = path || 'x' WHERE document = 3",
    "arrays": "UPDATE arrays SET shape = '[3]' WHERE name = 'rows/topics'",
    "blocks": "UPDATE blocks SET first_row = 1 WHERE name = 'rows/topics' AND first_row = 0",
    "settings": "UPDATE settings SET value = replace(value, '1', '2') WHERE name = 'model'",
    "tallies": "UPDATE tallies SET total = total + 1 WHERE name = 'documents'",
    "words": "UPDATE words_data SET block = zeroblob(length(block)) WHERE id > 10",
}
NAMES = {
    "documents": ["documents", "number 11"],
    "labels": ["labels", "document 3"],
    "roots": ["roots", "root 1"],
    "origins": ["origins", "document 3"],
    "arrays": ["arrays", "rows/topics"],
    "blocks": ["rows/topics"],
    "settings": ["settings", "'model'"],
    "tallies": ["documents", "as the sum of their checksums must be there"],
    "words": ["words"],
}


@pytest.mark.parametrize("table", TABLES)
def test_a_changed_row_of_any_table_is_named(file, table):
    sql(file, CHANGED[table])
    named(file, *NAMES[table])
    lines = invoke(["check", "FILE"], file).stdout
    assert all(name in lines for name in NAMES[table])
    assert set(exits(file).values()) <= {0, 4}


@pytest.mark.parametrize("rows", ["some", "all"])
@pytest.mark.parametrize("table", [table for table in TABLES if table != "words"])
def test_rows_that_are_gone_from_any_table_are_named(file, table, rows):
    some = {"documents": "id LIKE 'garden-3'", "labels": "document = 3", "arrays": "name = 'rows/places'"}
    some |= {"roots": "root = 1", "origins": "document = 3"}
    some |= {"blocks": "name = 'rows/places'", "settings": "name = 'clusters'", "tallies": "name = 'blocks'"}
    sql(file, f"DELETE FROM {table} WHERE {some[table] if rows == 'some' else 'TRUE'}")
    named(file, table)
    codes = set(exits(file).values())
    if rows == "all" and table == "documents":
        codes -= {2}  # what was asked for is not there
    if rows == "all" and table == "settings":
        codes -= {3}  # nothing is learnt, as far as can be seen
    assert codes <= {0, 1, 4}


PARTS = ("words_data", "words_docsize", "words_config")


@pytest.mark.parametrize("table", [*TABLES, *PARTS])
def test_a_table_that_is_gone_is_named_by_every_verb(file, table):
    if table in PARTS:  # which SQLite itself lets nobody drop
        sql(file, f"DELETE FROM {table}")
        named(file, "words")
        assert set(exits(file).values()) <= {0, 1, 4}
        return
    sql(file, f"DROP TABLE {table}")
    named(file, f"{table} is missing")
    assert set(exits(file).values()) == {4}


SETTINGS = ["classes", "clusters", "model", "recipe", "vectors given", "words"]


def set_to(path, name, value):
    """Write a setting as if it had always been so: only what it says can tell that it is wrong."""
    written = json.dumps(value, separators=(",", ":"))
    [[before]] = sql(path, "SELECT checksum FROM settings WHERE name = ?", (name,))
    after = checksum(name, written)
    sql(path, "UPDATE settings SET value = ?, checksum = ? WHERE name = ?", (written, after, name))
    sql(path, "UPDATE tallies SET total = total + ? WHERE name = 'settings'", (after - before,))


def test_no_setting_is_left_out_below(whole):
    assert [name for (name,) in sql(whole, "SELECT name FROM settings ORDER BY name")] == SETTINGS


def nonsense(value):
    """Values of another kind, and the same value with one of its parts gone or of another kind."""
    yield from ([], "x")
    for key, part in value.items():
        yield {each: other for each, other in value.items() if each != key}
        yield {**value, key: [7] if part is None or isinstance(part, str) else "x"}


@pytest.mark.parametrize("name", [name for name in SETTINGS if name != "vectors given"])  # of which only a fit asks, yes or no
def test_a_setting_that_says_nonsense_with_a_right_checksum_is_no_traceback(whole, tmp_path, name):
    value = json.loads(sql(whole, "SELECT value FROM settings WHERE name = ?", (name,))[0][0])
    found = 0
    for wrong in nonsense(value):
        path = Path(shutil.copy(whole, tmp_path / "hurt.vic"))
        set_to(path, name, wrong)
        codes = {done.exit_code for done in asked(path, ("info", "clusters", "clusters --open", "classify")).values()}
        assert codes <= {0, 4}, wrong
        if 4 in codes:
            found += 1
            named(path)
    assert found > 1


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_with_other_json_is_named(file, name):
    sql(file, "UPDATE settings SET value = value || ' ' WHERE name = ?", (name,))  # the same value, written otherwise
    named(file, "settings", repr(name))
    assert set(exits(file).values()) <= {0, 4}


def advised(path):
    """The commands that the lines of check advise, as a shell would take them."""
    said = invoke(["check", "FILE"], path).stdout
    return [shlex.split(command)[1:] for command in set(re.findall(r"Run: (vicinal [^,\n]*)", said))]


def test_the_advice_of_check_repairs_as_it_is_written(whole, tmp_path):
    path = Path(shutil.copy(whole, tmp_path / "hurt now.vic"))
    sql(path, "DELETE FROM blocks")
    [command] = advised(path)
    assert invoke(command, path).exit_code == 0
    assert invoke(["check", "FILE"], path).exit_code == 0


def test_the_advice_of_check_names_the_file_to_salvage(file):
    sql(file, "DELETE FROM documents WHERE number = 1")
    assert ["repair", str(file), "--salvage", "NEW"] in advised(file)


def test_check_does_not_advise_itself(file):
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = 'CREATE' WHERE name = 'tallies'")
    connection.commit()
    connection.close()
    done = invoke(["check", "FILE"], file)
    assert done.exit_code == 4
    assert "malformed" in done.stdout
    assert "Run vicinal check" not in done.stdout


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.01, 0.3, 0.7, 0.99])
def test_a_file_cut_short_is_named_and_refused_by_every_verb(file, share):
    file.write_bytes(file.read_bytes()[: int(share * file.stat().st_size)])
    named(file)
    assert set(exits(file).values()) in ({4}, {0, 4} if share == 0.99 else {4})  # a part of the last page is seen by who reads it


@pytest.mark.parametrize("kind", ["text", "empty", "another database", "folder"])
def test_a_file_of_something_else_is_named_and_refused_and_left_alone(tmp_path, kind):
    path = tmp_path / "foreign.vic"
    if kind == "another database":
        sql(path, "CREATE TABLE documents (number)")
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"Dear reader,\n" * 500 if kind == "text" else b"")
    before = None if path.is_dir() else path.read_bytes()
    named(path, str(path))
    assert set(exits(path).values()) == {4}
    assert path.is_dir() or path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["foreign.vic"]


def test_a_verb_that_ends_by_an_exception_would_be_seen(file, monkeypatch):
    def broken(*_):
        raise KeyError("generation")

    monkeypatch.setattr("vicinal.index._index_state.load_cluster_table", broken)
    monkeypatch.setattr("vicinal.index._stored.DamagedIndex", RuntimeError)
    with pytest.raises(AssertionError, match="RuntimeError"):
        exits(file)
