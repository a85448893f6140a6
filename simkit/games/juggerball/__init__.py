"""Juggerball: seven jugs a side, a very large ball, three goals; built on the battles of Jugger."""
