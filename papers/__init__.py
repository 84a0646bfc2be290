"""The five papers, reproduced: `python -m papers` measures what they print and writes REPORT.md beside it."""
