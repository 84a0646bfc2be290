"""Drift: how documents that came since the fit differ from those of it, and what of each document is kept to tell."""
