"""Every claim of the five papers that can be tested: theorems on made-up documents, orderings on what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from papers.claims import findings, sparse_theorems, theorems
from papers.claims.orderings import FEWEST, Order, Place, gains, in_tables, place
from papers.claims.verdicts import Claim, Evidence, Verdict
from papers.compare import Comparison

Check = Callable[[Evidence], Verdict]

BLOCKS = ("Table 4, NC", "Table 4, kNN", "Table 4, SVM")
BOTH = ("Table 1", "Table 2")
NEARLY = 1.0  # points within which two methods are called level
NEARLY_EVERYWHERE = 0.9  # share of places
FEW_CLUSTERS, MANY_CLUSTERS = (2, 3, 4), (8, 9, 10)  # clusters


def _theorem(experiment: Callable[[], Verdict], *more: Callable[[Evidence], str]) -> Check:
    """A theorem needs no results, and one look; ``more`` adds what results have to say."""
    answer = cache(experiment)

    def check(evidence: Evidence) -> Verdict:
        verdict = answer()
        return replace(verdict, evidence=verdict.evidence + "".join(each(evidence) for each in more))

    return check


def _ordering(paper: str, tables: tuple[str, ...], *orders: Order, note: str = "", enough: float = 1.0) -> Check:
    def check(evidence: Evidence) -> Verdict:
        verdict = in_tables(evidence, paper, tables, orders, enough=enough)
        return replace(verdict, evidence=f"{verdict.evidence} {note}".strip())

    return check


def _above(better: str, *others: str) -> tuple[Order, ...]:
    return tuple(Order(better, other) for other in others)


def _categorisation(evidence: Evidence) -> Verdict:
    """CIKM'07, 9."""
    orders = (*_above("Baseline", "LSI", "PLSI"), *(Order(name, "Baseline") for name in ("LPI", "RLPI")))
    blocks = [evidence.comparisons["cikm07", name] for name in BLOCKS if ("cikm07", name) in evidence.comparisons]
    return in_tables(evidence, "cikm07", BLOCKS, orders, _between_classifiers(blocks) if len(blocks) == len(BLOCKS) else ())


def _between_classifiers(blocks: list[Comparison]) -> Iterator[Place]:
    """Gains of RLPI over the baseline, largest for simple classifiers, and all three classifiers level in its space."""
    for row in blocks[0].table.rows:
        worth = [gains(block, "RLPI", "Baseline", [row]) for block in blocks]
        if all(map(len, worth)) and len(blocks[0].tested(row)) >= min(FEWEST, len(blocks[0].table.rows[row])):
            yield place("RLPI gains more for NC than for SVM", "Table 4", row, worth[0] - worth[2])
            yield place("RLPI gains more for kNN than for SVM", "Table 4", row, worth[1] - worth[2])
            means = [block.cell(row, "RLPI").mean for block in blocks]
            yield Place(f"classifiers within {NEARLY:g} point in RLPI's space", "Table 4", str(row), float(np.ptp(means)) <= NEARLY)


def _over_fitting(evidence: Evidence) -> Verdict:
    """CIKM'07, 10: the ordering where it was measured, the reason on made-up documents; true where both are."""
    reason = theorems.cikm_10()
    measured = in_tables(evidence, "cikm07", BLOCKS, _above("RLPI", "LPI"), rows=("5%", "10%"))
    if measured.holds == "not tested":
        return reason
    weaker = reason if measured.holds == "true" else measured
    return replace(weaker, evidence=f"{measured.evidence} The reason: {reason.evidence}")


def _lpi_and_selection(evidence: Evidence) -> Verdict:
    """AISTATS'12, 9."""
    tables = [evidence.comparisons["aistats12", name] for name in BOTH if ("aistats12", name) in evidence.comparisons]
    more = [each for table in tables for each in (*_few_and_many(table), *_sometimes(table))]
    return in_tables(evidence, "aistats12", BOTH, (Order("LPI", "LS"), Order("LPI", "SLPI", NEARLY)), more)


def _few_and_many(table: Comparison) -> Iterator[Place]:
    for other in ("Baseline", "LSI"):
        few, many = (gains(table, "LPI", other, rows) for rows in (FEW_CLUSTERS, MANY_CLUSTERS))
        if len(few) == len(FEW_CLUSTERS) and len(many) == len(MANY_CLUSTERS):
            yield Place(
                f"LPI's gain over {other} larger for 8 to 10 clusters than for 2 to 4",
                table.table.name,
                "means",
                bool(many.mean() > few.mean()),
            )


def _sometimes(table: Comparison) -> Iterator[Place]:
    rows = list(table.table.rows)
    found, joint = gains(table, "LS+LPI", "LPI", rows), gains(table, "LPFL", "LS+LPI", rows)
    if len(found):
        yield Place(
            "LS+LPI > LPI in some row", table.table.name, f"{int((found > 0).sum())} of {len(found)} rows", bool((found > 0).any())
        )
        yield place("LPFL > LS+LPI on average", table.table.name, "means", joint)


CIKM = (
    Claim(
        "cikm07",
        1,
        "Theorem 1: an eigenvector y of the graph that words express exactly, Xᵀa = y, makes a an eigenvector of LPI with the "
        "same eigenvalue.",
        _theorem(theorems.cikm_1),
    ),
    Claim(
        "cikm07",
        2,
        "Theorem 2, corollary 3: where y is in the row space of X, ridge regression tends to an LPI direction as α tends to 0; "
        "for independent documents all directions do.",
        _theorem(theorems.cikm_2),
    ),
    Claim(
        "cikm07",
        3,
        "The largest eigenvalue is 1, of a constant; a class graph has as many eigenvalues 1 as classes and 0 otherwise, with "
        "any basis of the span.",
        _theorem(theorems.cikm_3),
    ),
    Claim(
        "cikm07",
        4,
        "With labels, LPI maps independent training documents of one class to one point.",
        _theorem(theorems.cikm_4),
    ),
    Claim(
        "cikm07",
        5,
        "Maximising with W and minimising with L give the same directions, with eigenvalues λ and 1 - λ.",
        _theorem(theorems.cikm_5),
    ),
    Claim(
        "cikm07",
        6,
        "LPI costs the cube of the number of documents, RLPI the square, and RLPI with labels grows linearly.",
        findings.cikm_6,
    ),
    Claim("cikm07", 7, "15 iterations of LSQR are enough.", _theorem(theorems.cikm_7)),
    Claim(
        "cikm07",
        8,
        "Clustering TDT2: LPI and RLPI above NMF-NCW, above the baseline, above LSI, above PLSI; RLPI not below LPI.",
        _ordering(
            "cikm07",
            ("Table 2",),
            *(Order(name, "NMF-NCW") for name in ("LPI", "RLPI")),
            *(
                Order(*pair)
                for pair in (("NMF-NCW", "Baseline"), ("Baseline", "LSI"), ("LSI", "PLSI"), ("Baseline", "PLSI"), ("RLPI", "LPI"))
            ),
        ),
    ),
    Claim(
        "cikm07",
        9,
        "Categorisation: LSI and PLSI hurt every classifier; LPI and RLPI help, most the simple ones, and in RLPI's space all "
        "classifiers are level.",
        _categorisation,
    ),
    Claim(
        "cikm07",
        10,
        "With few documents to learn from RLPI is better than LPI, because α > 0 limits over-fitting.",
        _over_fitting,
    ),
    Claim(
        "cikm07",
        11,
        "Seconds in all: LSI below RLPI below LPI; RLPI below the baseline and PLSI; the slowest is LPI for 2 and 3 classes, "
        "NMF-NCW from 4 on.",
        findings.cikm_11,
    ),
    Claim(
        "cikm07",
        12,
        "Beside the documents LPI takes memory that grows with the square of their number, RLPI with their number.",
        _theorem(findings.cikm_12),
    ),
    Claim(
        "cikm07", 13, "RLPI can be fitted where the documents are on disk and do not fit into memory.", _theorem(findings.cikm_13)
    ),
)

SIGIR = (
    Claim(
        "sigir05",
        1,
        "OLPI's directions are orthogonal, so that all of them together are a rotation that keeps distances.",
        _theorem(theorems.sigir_1),
    ),
    Claim("sigir05", 2, "LPI's directions are orthogonal with respect to XDXᵀ.", _theorem(theorems.sigir_2)),
    Claim(
        "sigir05",
        3,
        "OLPI's eigenvalues never exceed LPI's, position by position.",
        _theorem(theorems.sigir_3, findings.excess),
    ),
    Claim(
        "sigir05",
        4,
        "OLPI hardly depends on the number of dimensions; LPI falls after its best, even below the baseline, and OLPI stays "
        "above it.",
        findings.sigir_4,
    ),
    Claim(
        "sigir05",
        5,
        "LPI and OLPI are best with very few dimensions and beat LSI there; LSI does not beat the baseline in clustering.",
        findings.sigir_5,
    ),
)

ICML = (
    Claim(
        "icml05",
        1,
        "Theorem 3.1: the covariance of pairs within a radius tends to the covariance as the radius grows.",
        _theorem(theorems.icml_1),
    ),
    Claim(
        "icml05",
        2,
        "Theorem 3.2: XLXᵀ of a radius graph, divided by n²β, tends to that local covariance as documents are added.",
        _theorem(theorems.icml_2),
    ),
    Claim("icml05", 3, "Weights 1/n² for all pairs make XLXᵀ the covariance matrix.", _theorem(theorems.icml_3)),
    Claim(
        "icml05",
        4,
        "Proposition 4.1: where X is square and of full rank, LPP and Laplacian eigenmaps are the same.",
        _theorem(theorems.icml_4, findings.same_as_eigenmap),
    ),
    Claim(
        "icml05",
        5,
        "A complete graph of inner products makes LPP similar to principal components, for centred documents with degrees near 1.",
        _theorem(theorems.icml_5),
    ),
    Claim(
        "icml05",
        6,
        "LPP's best number of dimensions is near k - 1 and spreads little; that of PCA is not and does.",
        findings.icml_6,
    ),
    Claim(
        "icml05",
        7,
        "LPP clusters better than PCA, as well as Laplacian eigenmaps, and slightly better than NMF-NCW.",
        _ordering("icml05", BOTH, *_above("LPP", "PCA"), Order("LPP", "LE", NEARLY, level=True), *_above("LPP", "NMF-NCW")),
    ),
    Claim("icml05", 8, "Local beats global: LPP on a few neighbours is better than on the complete graph.", findings.icml_8),
)

AISTATS = (
    Claim(
        "aistats12",
        1,
        "Theorem 1: words that reach the eigenvectors exactly, Xᵀdiag(p)A = Y, solve the problem restricted to them with the "
        "same eigenvalues.",
        _theorem(sparse_theorems.aistats_1),
    ),
    Claim(
        "aistats12",
        2,
        "Theorem 2: keeping the m longest rows solves the projection step exactly.",
        _theorem(sparse_theorems.aistats_2),
    ),
    Claim(
        "aistats12",
        3,
        "Theorem 3: LPFL's objective lies between the sums of the first eigenvalues of LPI and of those d - m places later.",
        _theorem(sparse_theorems.aistats_3),
    ),
    Claim(
        "aistats12",
        4,
        "The objectives of LPI and of the Laplacian score bound LPFL's from above.",
        _theorem(sparse_theorems.aistats_4),
    ),
    Claim(
        "aistats12",
        5,
        "Theorem 4: the alternating direction method reaches the global optimum with a schedule like the published one.",
        _theorem(sparse_theorems.aistats_5),
    ),
    Claim(
        "aistats12",
        6,
        "Theorem 5: the mean of the iterates is within O(1/t) of the optimum, in a norm made of I - μXXᵀ.",
        _theorem(sparse_theorems.aistats_6),
    ),
    Claim("aistats12", 7, "The method converges in about 130 iterations.", _theorem(sparse_theorems.aistats_7, findings.settled)),
    Claim(
        "aistats12",
        8,
        "LPFL is better than all other methods nearly everywhere.",
        _ordering(
            "aistats12", BOTH, *_above("LPFL", "Baseline", "LSI", "LPI", "LS", "SLPI", "LS+LPI", "FSSL"), enough=NEARLY_EVERYWHERE
        ),
    ),
    Claim(
        "aistats12",
        9,
        "LPI is close to k-means and LSI for few clusters and far better for many; the Laplacian score is below LPI, SLPI about "
        "level or below, LS+LPI sometimes above, and LPFL above LS+LPI on average.",
        _lpi_and_selection,
    ),
)

AAAI = (
    Claim(
        "aaai08",
        1,
        "Theorem 1, as in CIKM'07: what words express exactly is an eigenvector of the projection.",
        _theorem(sparse_theorems.aaai_1),
    ),
    Claim(
        "aaai08",
        2,
        "The smallest eigenvectors with L are the largest with W.",
        _theorem(sparse_theorems.aaai_2),
    ),
    Claim(
        "aaai08",
        3,
        "The graph of discriminant analysis has D = I and as many eigenvalues 1 as classes; two classes give the responses m/m₁ "
        "and -m/m₂.",
        _theorem(sparse_theorems.aaai_3),
    ),
    Claim(
        "aaai08",
        4,
        "A graph of all ones gives principal components, weights 1/m_t inside classes give discriminant analysis.",
        _theorem(sparse_theorems.aaai_4),
    ),
    Claim(
        "aaai08",
        5,
        "Equation 2: the weighted sum of squared differences over all pairs is aᵀXLXᵀa.",
        _theorem(sparse_theorems.aaai_5),
    ),
    Claim(
        "aaai08", 6, "Projections are uncorrelated with respect to D, before words are left out.", _theorem(sparse_theorems.aaai_6)
    ),
    Claim(
        "aaai08",
        7,
        "For any k some β leaves at most k words, and the path to them costs about k steps of least angle regression.",
        _theorem(sparse_theorems.aaai_7),
    ),
    Claim(
        "aaai08",
        8,
        "SPG clusters better than LSI, sparse PCA and NMF, and than the baseline.",
        _ordering(
            "aaai08",
            ("Table 3", "Table 4"),
            *_above("SPG", "LSI", "SPCA", "NMF", "Baseline"),
            note="The paper's conclusion also names LDA, which is in none of its experiments.",
        ),
    ),
    Claim("aaai08", 9, "Performance is best with few words per dimension.", findings.aaai_9),
)

#: All of them, paper by paper.
CLAIMS: tuple[Claim, ...] = (*CIKM, *SIGIR, *ICML, *AISTATS, *AAAI)
