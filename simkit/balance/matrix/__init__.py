"""Everybody against everybody: who has met whom, and how they stand."""
