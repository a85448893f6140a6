"""The ground floor: dice, random draws, records and compiled kernels; it knows no game."""
