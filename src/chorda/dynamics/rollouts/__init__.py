"""Many motions at once: on all cores, or on a GPU."""
