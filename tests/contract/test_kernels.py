"""Other processors: with another kernel of BLAS the numbers agree to the promised digits, and clusters and neighbours stay."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg

ROOT = Path(__file__).parents[2]
#: Prints, as an archive of NumPy, what is learnt of three subjects with words in common.
LEARN = """
import io, runpy, sys
import numpy as np
import vicinal
X = runpy.run_path(sys.argv[1])["corpus"]()
model = vicinal.RLPI(n_components=8, n_neighbors=7).fit(X)
Z = model.transform(X)
Z = Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1e-12)
near = np.argsort(-(Z @ Z.T).round(9), axis=1, kind="stable")[:, 1:11]
eigen = vicinal.LaplacianEigenmap(n_components=8, n_neighbors=7).fit(X)
labels = vicinal.Topics(n_clusters=4).fit(X).labels_
out = io.BytesIO()
np.savez(out, eigenvalues=eigen.eigenvalues_, Z=Z, near=near, labels=labels)
sys.stdout.buffer.write(out.getvalue())
"""


def learnt_with(kernel):
    command = [sys.executable, "-c", LEARN, str(Path(__file__).with_name("fingerprints.py"))]
    done = subprocess.run(command, env={**os.environ, "OPENBLAS_CORETYPE": kernel}, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return dict(np.load(io.BytesIO(done.stdout)))


def differences(one, other):
    """Relative difference of eigenvalues, angle between subspaces, share of other labels, and of other neighbours."""
    near = [len(set(a) & set(b)) / 10 for a, b in zip(one["near"], other["near"], strict=True)]
    return {
        "eigenvalues": float(np.max(np.abs(one["eigenvalues"] - other["eigenvalues"]) / np.abs(one["eigenvalues"]).max())),
        "angle": float(scipy.linalg.subspace_angles(one["Z"], other["Z"]).max()),
        "labels": float(np.mean(one["labels"] != other["labels"])),
        "neighbours": 1 - float(np.mean(near)),
    }


#: What is promised between processors.
PROMISED = {"eigenvalues": 1e-8, "angle": 1e-6, "labels": 0.001, "neighbours": 0.01}


def runs_here(kernel):
    """Whether this processor has the instructions of a kernel."""
    known = Path("/proc/cpuinfo")
    return kernel != "SkylakeX" or (known.exists() and "avx512f" in known.read_text())


@pytest.fixture(scope="module", name="learnt_by_haswell")
def what_one_kernel_learns():
    return learnt_with("Haswell")


@pytest.mark.skipif(sys.platform != "linux" or os.uname().machine != "x86_64", reason="kernels of x86-64")
@pytest.mark.parametrize("kernel", ["Nehalem", "Sandybridge", "SkylakeX"])
def test_another_kernel_of_blas_learns_the_same_to_the_digits_that_are_promised(learnt_by_haswell, kernel):
    if not runs_here(kernel):
        pytest.skip(f"this processor has not the instructions of {kernel}")
    found = differences(learnt_by_haswell, learnt_with(kernel))
    sys.stdout.write(f"Haswell and {kernel} differ by {found}\n")
    assert {name: value for name, value in found.items() if value > PROMISED[name]} == {}


def test_other_numbers_would_be_seen():
    chance = np.random.default_rng(0)
    one = {
        "eigenvalues": np.linspace(0.1, 1, 8),
        "Z": chance.normal(size=(50, 8)),
        "near": np.tile(np.arange(10), (50, 1)),
        "labels": np.zeros(50, int),
    }
    other = {
        "eigenvalues": one["eigenvalues"] + 1e-7,
        "Z": one["Z"] + 1e-4 * chance.normal(size=(50, 8)),
        "near": one["near"] + 1,
        "labels": np.ones(50, int),
    }
    assert all(value <= PROMISED[name] for name, value in differences(one, one).items())
    assert all(value > PROMISED[name] for name, value in differences(one, other).items())
