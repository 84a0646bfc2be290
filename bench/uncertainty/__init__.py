"""Is the uncertainty of clusters honest? Probabilities against classes, and wrong documents among the most uncertain ones."""
