"""Jugger: giant war machines of wood and iron that ram, burn, grab and topple one another on a hex map."""
