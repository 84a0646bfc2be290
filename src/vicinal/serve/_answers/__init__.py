"""Answers that are made for the app from one state of an index: each file answers one question."""
