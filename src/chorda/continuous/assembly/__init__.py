"""The continuous problem of rods that are joined: parallel robots without modes [Briot2022]."""

from chorda.continuous.assembly.conjugate import ConjugatePoints, conjugate_points, joint_stiffness
from chorda.continuous.assembly.differences import finite_differences
from chorda.continuous.assembly.results import AssemblyEquilibrium
from chorda.continuous.assembly.shooting import follow, shooting

__all__ = [
    "AssemblyEquilibrium",
    "ConjugatePoints",
    "conjugate_points",
    "finite_differences",
    "follow",
    "joint_stiffness",
    "shooting",
]
