"""Rule sets side by side."""
