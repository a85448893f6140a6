"""Slow twins of the games, read afresh from the rules and sharing nothing with the package."""
