"""Topics: the estimator, what it is given, and the order of its steps."""
