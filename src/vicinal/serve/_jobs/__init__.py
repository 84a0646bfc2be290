"""Jobs: long work on the index, one at a time, in a process of its own, so that answers go on and a cancelled job ends at once."""
