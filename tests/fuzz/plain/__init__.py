"""The mechanics of a described robot once more, in plain numpy: by differences, not by symbols.

Nothing here uses `chorda.mechanics`; only the records of `chorda.describe` are read. Velocities and
accelerations are differences of sixth order of positions, angular ones of rotation vectors.
"""
