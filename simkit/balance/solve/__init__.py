"""Which number would make it fair."""
