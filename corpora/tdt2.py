"""TDT2 as the papers used it: counts of 36,771 words in 9,394 news stories on 30 topics. No text, no vocabulary."""

from __future__ import annotations

import numpy as np
import scipy.io
import scipy.sparse as sp

from corpora.place import locate
from vicinal._typing import IntArray, Terms

N_TERMS = 36_771
_CLASS_COLUMN = N_TERMS  # the file carries the class and, after it, the date in two columns behind the words


def load() -> tuple[Terms, IntArray]:
    """Return counts and classes.

    Returns
    -------
    X : csr_array of float64, 9,394 x 36,771
        How often each word stands in each story.
    y : array of int64
        The topic, 0 to 29 from the largest (1,844 stories) to the smallest (52); the file numbers them from 1.
    """
    table = sp.csc_array(scipy.io.loadmat(locate("tdt2"))["fea"])
    counts = sp.csr_array(table[:, :N_TERMS]).astype(np.float64)
    counts.sort_indices()
    return counts, table[:, [_CLASS_COLUMN]].toarray().ravel().astype(np.int64) - 1
