"""The tests; run from the root of the project."""
