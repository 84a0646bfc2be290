"""Media: a full disk and one that cannot be written give one clear line, and leave the index usable."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.samples import contents, documents, made
from vicinal._store import Documents, Settings, Store, check
from vicinal.errors import DiskFull, ReadOnlyIndex

ROOT = Path(__file__).parents[2]


def mounted(script, folder):
    """Run a shell script where a file system can be mounted without being root, or skip."""
    able = (
        shutil.which("unshare")
        and not subprocess.run(
            ["unshare", "-Umr", "mount", "-t", "tmpfs", "none", folder], capture_output=True, check=False
        ).returncode
    )
    if not able:
        pytest.skip("a file system cannot be mounted here")
    done = subprocess.run(
        ["unshare", "-Umr", "sh", "-ec", script, "sh", sys.executable, str(folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


GROW = """
import sys
from tests.store.samples import contents, documents, made
from vicinal.errors import DiskFull
from vicinal._store import Arrays, Documents, Store, check, match
path = made(sys.argv[1] + "/news.vic")
with Store.open(path) as store:
    before, full = contents(store), 0
    for n in (10, 100, 20_000, 20_000):
        try:
            with store.writing():
                Documents(store).add(documents(n, 1000))
        except DiskFull as error:
            assert str(path) in str(error) and "\\n" not in str(error), error
            assert contents(store) == before
            assert check(store) == []
            full += 1
        else:
            before = contents(store)
    assert full == 2, full
    Documents(store).remove(["doc-1000", "doc-1001"])
    assert Documents(store).count() == 128
assert check(path) == []
print("sound")
"""


def test_a_full_disk_leaves_the_index_as_it_was(tmp_path):
    script = f'mount -t tmpfs -o size=2m none "$2"; "$1" -c \'{GROW}\' "$2"'
    assert mounted(script, tmp_path) == "sound\n"


FULL = """
import os, sys
from tests.store.samples import made
from vicinal._store import Documents, Store, check
path = made(sys.argv[1] + "/news.vic")
with open(sys.argv[1] + "/junk", "wb", buffering=0) as junk:
    try:
        while True:
            junk.write(bytes(4096))
    except OSError:
        pass
with Store.open(path) as store:
    assert Documents(store).count() == 30
    assert not store.writable
assert check(path) == []
print(sum(os.path.getsize(os.path.join(sys.argv[1], name)) for name in os.listdir(sys.argv[1]) if name.endswith("-wal")))
"""


def test_a_disk_without_room_is_read_and_checked(tmp_path):
    script = f'mount -t tmpfs -o size=1m none "$2"; "$1" -c \'{FULL}\' "$2"'
    assert mounted(script, tmp_path) == "0\n"


READ = """
import sys
from tests.store.samples import contents
from vicinal.errors import ReadOnlyIndex
from vicinal._store import Settings, Store, check
with Store.open(sys.argv[1] + "/news.vic") as store:
    contents(store)
    assert not store.writable
    try:
        Settings(store).set("a", 1)
    except ReadOnlyIndex as error:
        print(error)
    assert check(store) == []
"""


def test_a_medium_that_cannot_be_written_is_read_and_checked(tmp_path):
    made(tmp_path / "news.vic")
    script = f'mount --bind "$2" "$2"; mount -o remount,ro,bind "$2"; "$1" -c \'{READ}\' "$2"'
    said = mounted(script, tmp_path)
    assert said.count("\n") == 1
    assert f"{tmp_path / 'news.vic'} cannot be written" in said
    assert [each.name for each in tmp_path.iterdir()] == ["news.vic"]


LEFT = """
import os, sys
from tests.store.samples import documents
from vicinal._store import Documents, Store
store = Store.open(sys.argv[1] + "/news.vic", create=True)
Documents(store).add(documents(3))
os._exit(0)
"""
REFUSED = """
import sys
from vicinal.errors import ReadOnlyIndex
from vicinal._store import Documents, Store
try:
    with Store.open(sys.argv[1] + "/news.vic") as store:
        print(Documents(store).count())
except ReadOnlyIndex as error:
    print("journal" in str(error))
"""


def test_a_journal_that_was_left_is_never_passed_over_where_nothing_can_be_written(tmp_path):
    subprocess.run([sys.executable, "-c", LEFT, tmp_path], cwd=ROOT, check=True)
    assert (tmp_path / "news.vic-wal").stat().st_size
    (tmp_path / "news.vic-shm").unlink()
    script = f'mount --bind "$2" "$2"; mount -o remount,ro,bind "$2"; "$1" -c \'{REFUSED}\' "$2"'
    assert mounted(script, tmp_path) in ("True\n", "3\n")
    with Store.open(tmp_path / "news.vic") as store:
        assert Documents(store).count() == 3


def test_a_limit_on_pages_is_a_full_disk_and_nothing_of_the_change_is_kept(tmp_path):
    path = made(tmp_path / "news.vic")
    with Store.open(path) as store:
        before = contents(store)
        [[pages]] = store.rows("PRAGMA page_count")
        for more in range(0, 60, 6):
            store.rows(f"PRAGMA max_page_count = {pages + more}")
            with (
                pytest.raises(DiskFull, match=r"is full: .* bytes are free.*was undone.*The index has 30 documents"),
                store.writing(),
            ):
                Documents(store).add(documents(3000, 1000))
            assert contents(store) == before
        store.rows(f"PRAGMA max_page_count = {pages + 10_000}")
        Documents(store).add(documents(500, 1000))
    assert check(path) == []


def test_a_store_for_reading_says_so_once_and_is_checked_by_a_copy(tmp_path):
    path = made(tmp_path / "news.vic")
    with Store(path, False, "mode=ro&immutable=1") as store:
        with pytest.raises(ReadOnlyIndex, match="read-only"):
            Settings(store).set("a", 1)
        assert Documents(store).count() == 30
        assert check(store) == []
    assert [each.name for each in tmp_path.iterdir()] == ["news.vic"]


COMPACT = """
import re, shutil, sys
from tests.store.samples import contents, made
from vicinal._store import Documents, Store, check, compact_index
from vicinal.corpus import Document
from vicinal.errors import DiskFull
disk, temporary = sys.argv[1] + "/disk", sys.argv[1] + "/temporary"
path = made(disk + "/news.vic")
with Store.open(path) as store:
    Documents(store).add([Document(f"long-{i}", "wheat and corn " * 500) for i in range(800)])
    Documents(store).remove([f"long-{i}" for i in range(100)])
    before = contents(store)
full = sys.argv[2]
with open(full + "/junk", "wb") as junk:
    junk.write(bytes(shutil.disk_usage(full).free - 4_000_000))
with Store.open(path) as store:
    try:
        compact_index(store)
    except DiskFull as error:
        told = str(error)
    assert contents(store) == before
    assert check(store) == []
free = {place: int(n.replace(",", "")) for n, place in re.findall(r"([0-9,]+) in (\\S+?)(?=[. ])", told)}
assert set(free) == {disk, temporary}, told
print(min(free, key=free.get) == full)
"""


@pytest.mark.parametrize("full", ["disk", "temporary"])
def test_a_compaction_without_room_names_the_disk_that_is_full(tmp_path, full):
    mounts = "; ".join(f'mkdir "$2/{name}"; mount -t tmpfs -o size=40m none "$2/{name}"' for name in ("disk", "temporary"))
    script = f'{mounts}; SQLITE_TMPDIR="$2/temporary" "$1" -c \'{COMPACT}\' "$2" "$2/{full}"'
    assert mounted(script, tmp_path) == "True\n"


NEW = """
import os, sys
from tests.store.samples import documents
from vicinal._store import Documents, Store, copy_index, salvage
from vicinal.errors import DiskFull
old, small = sys.argv[1] + "/news.vic", sys.argv[1] + "/small"
for make in (copy_index, salvage):
    with Store.open(old) as store:
        try:
            make(store, small + "/new.vic")
        except DiskFull as error:
            assert f"the disk of {small}/new.vic is full" in str(error), error
            assert "Nothing was left at that path" in str(error), error
            assert os.listdir(small) == [], os.listdir(small)
            print("refused")
"""


def test_a_copy_and_a_salvage_without_room_name_the_disk_that_is_full_and_leave_nothing(tmp_path):
    with Store.open(made(tmp_path / "news.vic")) as store:
        Documents(store).add(documents(3_000, 1_000))
    (tmp_path / "small").mkdir()
    script = f'mount -t tmpfs -o size=300k none "$2/small"; "$1" -c \'{NEW}\' "$2"'
    assert mounted(script, tmp_path) == "refused\nrefused\n"
