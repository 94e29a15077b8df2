"""Parameters of a robot from measured data, with their uncertainty."""
