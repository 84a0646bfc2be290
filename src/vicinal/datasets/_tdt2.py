"""`load_tdt2`: counts of terms in the news stories of TDT2."""

from __future__ import annotations

import os

import numpy as np

from vicinal.corpus._files import existing
from vicinal.datasets._dataset import CountDataset
from vicinal.errors import BadData

#: The file has the class and, after it, the date in two columns behind the terms.
_N_TERMS, _CLASS_COLUMN = 36_771, 36_771


def load_tdt2(path: str | os.PathLike[str]) -> CountDataset:
    """Load TDT2 as the papers on LPI use it: counts of 36,771 terms in 9,394 news stories of 30 classes.

    The file has neither texts nor a vocabulary.

    Parameters
    ----------
    path : path
        The MATLAB file ``TDT2.mat`` with the variable ``fea``: the counts, and behind them the class and the date.

    Returns
    -------
    CountDataset
        Classes from the largest (1,844 stories) to the smallest (52); their names are the file's numbers, from "1".

    Raises
    ------
    NoSuchSource
        Nothing has that path.
    BadData
        It is not that file.

    References
    ----------
    D. Cai, X. He and J. Han, "Document clustering using locality preserving indexing", TKDE 2005, section 5.1.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import scipy.io
    >>> import scipy.sparse as sp
    >>> from vicinal.datasets import load_tdt2
    >>> story = sp.csc_array(([2.0, 1.0], ([0, 0], [5, 36_771])), shape=(1, 36_773))  # one term twice; class 1
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     scipy.io.savemat(Path(folder, "TDT2.mat"), {"fea": story})
    ...     dataset = load_tdt2(Path(folder, "TDT2.mat"))
    >>> dataset.counts.shape, dataset.labels.tolist(), dataset.label_names
    ((1, 36771), [0], ('1',))
    """
    import scipy.io
    import scipy.sparse as sp

    place = existing(path)
    try:
        table = sp.csc_array(scipy.io.loadmat(place)["fea"])
    except (KeyError, NotImplementedError, OSError, TypeError, ValueError) as error:
        raise BadData(f"{place} is not the file TDT2.mat, which has a variable 'fea': {error}. Check the path.") from None
    if table.shape[1] <= _CLASS_COLUMN:
        raise BadData(f"'fea' of {place} must have more than {_CLASS_COLUMN:,} columns, got {table.shape[1]:,}. Check the path.")
    counts = sp.csr_array(table[:, :_N_TERMS]).astype(np.float64)
    counts.sort_indices()
    labels = table[:, [_CLASS_COLUMN]].toarray().ravel().astype(np.int64) - 1
    return CountDataset(counts, labels, tuple(str(number + 1) for number in range(labels.max(initial=-1) + 1)))
