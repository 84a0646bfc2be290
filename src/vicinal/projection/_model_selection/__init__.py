"""Automatic choice of penalties, numbers of words and numbers of components, by validation."""
