"""What drives an answer: readings of the rules, factors together, numbers over their ranges."""
