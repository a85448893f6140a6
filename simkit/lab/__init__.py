"""Experiments: their files, plans, runs and store."""
