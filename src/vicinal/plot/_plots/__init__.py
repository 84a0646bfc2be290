"""Plots by matplotlib beside that of the map: tree, words, clusters over time, clusters by class."""
