"""Pig Tickler on a table: whole matches of several lancers after one mechanical pig."""
