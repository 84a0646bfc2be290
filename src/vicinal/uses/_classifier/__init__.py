"""Classifier: the estimator, its rule, and what the rule is fitted with."""
