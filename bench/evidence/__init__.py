"""What evidence besides terms is worth: Topics with an encoder's vectors, with random vectors, and with links of known noise."""
