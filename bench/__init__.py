"""Speed and memory against peers: one file, one question. ``python -m bench`` asks them all."""
