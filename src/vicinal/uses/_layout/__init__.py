"""Layout: a point in the plane for each document, near those of its neighbours. The formulas are in docs/maths/layout.md."""
