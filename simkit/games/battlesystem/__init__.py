"""Battlesystem: cavalry, chariots, shield walls, set spears and terrain of the 1985 mass combat game."""
