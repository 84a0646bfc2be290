"""Automatic choice of penalties, numbers of terms and numbers of components, by validation."""
