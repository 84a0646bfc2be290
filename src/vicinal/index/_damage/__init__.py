"""Damage to an index: what is looked for and repaired, and what is answered where a part is damaged."""
