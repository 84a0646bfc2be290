"""kill -9 in the middle of adding: nothing acknowledged is lost, nothing half-done is seen, and the rest can be added again."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np

from tests.store.samples import documents
from vicinal._store import Arrays, Counts, Documents, Settings, Store, check

BATCH = 7
WRITE = """
import sys
import numpy as np
from tests.store.samples import documents
from vicinal._store import Arrays, Documents, Settings, Store
store = Store.open(sys.argv[1], create=True)
for start in range(0, 7000, 7):
    with store.writing():
        Documents(store).add(documents(7, start))
        Arrays(store).put("rows", np.arange(float(start + 7)))
        Settings(store).set("documents", start + 7)
    print(start + 7, flush=True)
"""


def run_and_kill(path, seconds):
    """Acknowledged documents of a writer that was killed after some time."""
    with subprocess.Popen([sys.executable, "-c", WRITE, path], stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        time.sleep(seconds)
        process.kill()
        acknowledged = process.stdout.read().split()
    return int(acknowledged[-1]) if acknowledged else BATCH


def test_a_writer_that_is_killed_loses_nothing_acknowledged_and_leaves_nothing_half_done(tmp_path):
    moments = np.random.default_rng(3).uniform(0.0, 0.12, 10)
    for moment in moments:
        path = tmp_path / f"{moment}.vic"
        acknowledged = run_and_kill(path, moment)
        with Store.open(path) as store:
            count = Documents(store).count()
            assert acknowledged <= count <= acknowledged + BATCH, f"killed after {moment} s"
            assert count % BATCH == 0
            assert [each.document for chunk in Documents(store).chunks() for each in chunk] == documents(count)
            assert Settings(store).get("documents") == count
            assert np.array_equal(Arrays(store).get("rows"), np.arange(count))
            assert check(store) == []
            assert Documents(store).add(documents(count + 3)) == Counts(added=3, unchanged=count)
        assert check(path) == []
