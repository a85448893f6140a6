"""How much room the records of a battle have, and the codes of the map's grid."""

SIDE = 12
"""Most jugs a side."""

JUGS = 24
"""Most jugs in a battle."""

WEAPONS = 20
"""Most weapons of one jug."""

PIECES = 32
"""Most pieces of equipment of one jug that can be destroyed."""

REACH = 16
"""Ranges 0 to 15: the longest range in the weapon tables, and adjacent = 1."""

EDGE = 32
"""Axial coordinates lie between -32 and 32."""

ACROSS = 2 * EDGE + 1
"""Columns of the map's grid: a hex is at ``(q + EDGE) * ACROSS + (r + EDGE)``."""

WALLS = 128
"""Most stone walls on a map."""

HASTES = 1024
"""Most turns that a cast of haste may last."""

HOLDS = 512
FIRES = 2048
ROPES = 256
SHOTS = 1024
"""Room for the declarations of one moment: of 24 jugs with 20 weapons, a kick and at most 20 spells each, 984."""
WRECKS = 64
STEPS = 32
"""Room for the actions of one planned move."""

EVENTS = 8192
"""Room for the events of one trial that is traced."""

OBSTACLE = -1
OUTSIDE = -2
FIRST_WALL = -10
OPAQUE = 64
"""Codes of the map's grid: 0 plain, above 0 the velocity lost on entry, and ``OPAQUE`` more for forests and houses,
where sight ends; wall number k is ``FIRST_WALL - k``."""


DICE = 64
"""Room for dice tables: one a purpose, and one for every kind of weapon damage that is aboard (size included where
an oversize weapon throws more dice)."""

FOES = 3
"""How many enemies a player keeps in mind at once: the nearest."""

CANDIDATES = 8
"""Most moves that are thought through."""
