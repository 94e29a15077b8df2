"""The continuous problem of rods that are joined: parallel robots without modes [Briot2022]."""

from chorda.solve.assemblies.conjugate import ConjugatePoints, conjugate_points, joint_stiffness
from chorda.solve.assemblies.differences import finite_differences
from chorda.solve.assemblies.results import AssemblyEquilibrium
from chorda.solve.assemblies.shooting import follow, shooting

__all__ = [
    "AssemblyEquilibrium",
    "ConjugatePoints",
    "conjugate_points",
    "finite_differences",
    "follow",
    "joint_stiffness",
    "shooting",
]
