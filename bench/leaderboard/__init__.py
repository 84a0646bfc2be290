"""Vicinal and its peers on the same texts in the same run: one line per job, one page from all lines."""
