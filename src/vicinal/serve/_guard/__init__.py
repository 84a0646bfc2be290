"""The guard: who may ask, how much at once, and what every answer tells the browser; it stands before all routes."""
