"""Pig Tickler: unicycle lancers, hills, bogs and fences."""
