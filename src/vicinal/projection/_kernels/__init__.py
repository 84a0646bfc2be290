"""Kernels: similarities between documents, and regression on them in place of terms."""
