"""The strongest builds and the best answers to them, each played as well as it can be."""
