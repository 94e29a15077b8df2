"""Contact between shapes: where they are, how far apart, and in which direction they push."""
