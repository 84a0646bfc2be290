"""Everything that is reproduced, in the order of the report."""

from __future__ import annotations

from papers import aaai08, aistats12, cikm07, icml05, sigir05, texts
from papers.categorise import CATEGORISATION
from papers.checks import CHECKS
from papers.curves import CURVES
from papers.plan import Figure, Table
from papers.procedures import PROCEDURES as OF_TABLES
from papers.procedures import Procedure
from papers.times import TimeTable

PROCEDURES: dict[str, Procedure] = OF_TABLES | CHECKS | CATEGORISATION | CURVES

TABLES: tuple[Table, ...] = (
    icml05.table1(),
    icml05.table2(),
    cikm07.table2(),
    *(cikm07.table4(classifier) for classifier in ("NC", "kNN", "SVM")),
    aaai08.table3(),
    aaai08.table4(),
    aistats12.table1(),
    aistats12.table2(),
)
TIMES: tuple[TimeTable, ...] = (cikm07.table3(), cikm07.table4_times(), cikm07.table5())
FIGURES: tuple[Figure, ...] = (
    sigir05.figure1(),
    sigir05.figure2(),
    sigir05.figure3(),
    sigir05.figure4(),
    icml05.figure1(),
    icml05.figure2(),
    cikm07.figure1(),
    cikm07.figure2(),
    cikm07.figure3(),
    cikm07.figure4(),
    aaai08.figure1(),
    aaai08.figure2(),
    aistats12.figure1(),
    aistats12.figure2(),
    texts.figure(),
)
