"""How good are topics, on which corpora, against which settings: one line per corpus and setting, one page from all lines."""
