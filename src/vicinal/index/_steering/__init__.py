"""Steering: people change the clusters of an index; documents follow at once, and every later fit keeps what was decided."""
