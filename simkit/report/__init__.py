"""The report of a run: its page, its plots and the words they use."""
