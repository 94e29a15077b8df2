"""Virtual experiments: a simulated robot, seen through sensors."""
