"""The rule sets, one folder each, found by their place: a folder with a ``game.py`` is a game."""
