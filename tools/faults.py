"""Kill worker processes of a Dask cluster at random moments of a fit, and compare the answer with that of a fit in memory.

``python -m tools.faults`` kills 20 times; ``python -m tools.faults 100`` more often. Exits with 1 at the first difference.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
from distributed import Client, LocalCluster

import vicinal
from vicinal import RLPI
from vicinal.terms import RowBlocks


def documents(n_documents: int = 9_000, n_terms: int = 900, n_classes: int = 6) -> tuple[Any, Any]:
    """Short made-up documents of a few classes."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, n_classes, n_documents)
    shares = rng.gamma(0.1, 1.0, (n_classes, n_terms))
    shares = 0.7 * shares / shares.sum(axis=1, keepdims=True) + 0.3 / n_terms
    return sp.csr_array(np.array([rng.multinomial(12, shares[label]) for label in y], dtype=np.float64)), y


def kill_one(client: Client) -> None:
    """End the process of one worker; its nanny starts another."""
    os.kill(random.choice(list(client.run(os.getpid).values())), signal.SIGKILL)


def main() -> int:
    """Fit with and without labels in turn, each with one worker killed somewhere."""
    warnings.simplefilter("ignore")
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    X, y = documents()
    labels: list[Any] = [None, y]
    whole = [RLPI(5).fit(X, each) for each in labels]
    with LocalCluster(2, 1, dashboard_address=None, silence_logs=50) as cluster, Client(cluster) as client:
        usual = [_seconds(client, X, each)[0] for each in labels]
        for number in range(times):
            which = number % 2
            moment = random.uniform(0.0, usual[which])
            client.wait_for_workers(2)
            killer = threading.Timer(moment, kill_one, [client])
            killer.start()
            seconds, model = _seconds(client, X, labels[which])
            killer.join()
            same = np.array_equal(model.components_, whole[which].components_)
            answer = "same bits" if same else "ANOTHER ANSWER"
            print(f"kill {number + 1} after {moment:.2f} s of {usual[which]:.2f}: {seconds:.2f} s, {answer}", flush=True)
            if not same:
                return 1
    return 0


def _seconds(client: Client, X: Any, y: Any) -> tuple[float, RLPI]:
    start = time.perf_counter()
    with vicinal.engine("dask", client=client):
        blocks: Any = RowBlocks.of(X, 700)
        model = RLPI(5).fit(blocks, y)
    return time.perf_counter() - start, model


if __name__ == "__main__":
    sys.exit(main())
