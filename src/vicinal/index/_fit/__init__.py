"""Fit: from all documents of an index to its model, embedded rows and clusters."""
