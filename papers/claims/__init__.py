"""Every claim of the five papers, checked: theorems on made-up documents, orderings and findings on what was measured."""

from papers.claims.table import CLAIMS
from papers.claims.verdicts import Claim, Evidence, Holds, Verdict

__all__ = ["CLAIMS", "Claim", "Evidence", "Holds", "Verdict"]
