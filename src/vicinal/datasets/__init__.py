"""Datasets: corpora that can be loaded, from installed packages or from a path that is given."""

from vicinal.datasets._arxiv import load_arxiv
from vicinal.datasets._dataset import CountDataset, Dataset, RetrievalDataset
from vicinal.datasets._docstrings import load_docstrings
from vicinal.datasets._folder import load_folder
from vicinal.datasets._newsgroups import load_newsgroups
from vicinal.datasets._python_source import PACKAGES
from vicinal.datasets._reuters import load_reuters
from vicinal.datasets._smart import load_smart
from vicinal.datasets._tdt2 import load_tdt2

__all__ = [
    "PACKAGES",
    "CountDataset",
    "Dataset",
    "RetrievalDataset",
    "load_arxiv",
    "load_docstrings",
    "load_folder",
    "load_newsgroups",
    "load_reuters",
    "load_smart",
    "load_tdt2",
]
