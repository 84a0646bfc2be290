"""Solvers: one method of numerical optimisation or linear algebra per file."""
