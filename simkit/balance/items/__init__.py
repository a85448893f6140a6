"""What is overpowered: items over all builds of a budget, and rule options."""
