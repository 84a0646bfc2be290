"""Words that the documentation of any program has in it, whatever the program is about."""

from __future__ import annotations

from vicinal.terms import ENGLISH_STOP_WORDS

SIGNATURES = """
    arg arg1 arg2 arg3 args argument arguments array arrays bool boolean class classes default defaults false float function
    functions input inputs instance instances int integer kwargs list method methods name names none number numbers object objects
    optional output outputs param parameter parameters params self str string strings true type types value values x1 x2
"""
SENTENCES = """
    allow allows based behavior behaviour call called calling calls case cases code contain containing contains
    corresponding defined depend depends details different equivalent example examples follow following follows given
    ignored implementation implemented like means new non note notes pass passed possible present provided raise raised
    raises raising refer result results return returned returning returns set sets specified specify support supported
    supports use used uses using
"""
REFERENCES = """
    acm algorithm api cambridge com conference consistency convention deprecated developers docs docstring documentation doi dover
    edition edu eds guide handbook html http https ieee international isbn john journal libraries library nt org people pp press
    proceedings read reference references research sciences siam sons springer src trans transactions university user version
    versions vol wiki wikipedia wiley www york
"""
PACKAGES = "learn np numpy python scikit scipy sklearn"
#: The authors, titles and addresses that every special function of SciPy refers to.
SOURCES = """
    abramowitz boost cephes dlmf f77 formulas fsu graphs irene jburkardt jianming jin mathematical milton nist sc shanjie stegun
    tables zhang
"""

STOP_WORDS: frozenset[str] = ENGLISH_STOP_WORDS.union(
    *(words.split() for words in (SIGNATURES, SENTENCES, REFERENCES, PACKAGES, SOURCES))
)
