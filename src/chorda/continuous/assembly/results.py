"""What the continuous model of an assembly returns."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from chorda.continuous.assembly.along import Nodes
from chorda.continuous.assembly.equations import Equations, Evaluation
from chorda.continuous.assembly.rigid import Configuration
from chorda.errors import InputError
from chorda.mechanics import Array, unknown
from chorda.results.status import Status


@dataclass(frozen=True, eq=False)
class AssemblyEquilibrium:
    """An assembly of rods at rest.

    efforts [N m or N] of what is actuated, positive along the coordinate; wrenches: moment [N m]
    and
    force [N] with which each rod pulls at its base, in the base's axes (6); multipliers by row of
    the closures; energy [J] of rods, weights, springs and dead forces. residual: the largest one,
    scaled by the rods' stiffness and length; iterations of Newton's method.
    """

    efforts: Mapping[str, float]
    wrenches: Mapping[str, Array]
    multipliers: Mapping[str, float]
    energy: float
    residual: float
    iterations: int
    status: Status
    equations: Equations = field(repr=False)
    configuration: Configuration = field(repr=False)
    evaluation: Evaluation = field(repr=False)

    @property
    def nodes(self) -> Nodes:
        """The rods at their nodes."""
        return self.configuration.nodes

    @property
    def position(self) -> dict[str, float]:
        """Coordinates of the rigid joints by name."""
        s, x = self.equations.structure, self.configuration
        values = {joint.name: float(q) for joint, q in zip(s.axes, x.axes, strict=True)}
        for joint, R, p in zip(s.free, x.free_R, x.free_p, strict=True):
            ex, ey, ez, ew = Rotation.from_matrix(R).as_quat()
            names = ("ew", "ex", "ey", "ez", "x", "y", "z")
            for name, value in zip(names, (ew, ex, ey, ez, *p), strict=True):
                values[f"{joint.name}.{name}"] = float(value)
        return values

    def frame(self, name: str) -> tuple[Array, Array]:
        """Position (3) [m] and rotation (3, 3) of a frame, such as rod.tip, in the world."""
        rigid = self.equations.rigid
        if name not in rigid.frames:
            raise InputError(unknown("frame", name, rigid.frames))
        R, p, _ = rigid.frame(name, self.configuration)
        return p, R

    def strains(self, rod: str) -> tuple[Array, Array]:
        """Places along a rod (k) [m] and its strains there (k, 6) in the order of STRAINS."""
        i = self._rod(rod)
        nodes, bundle = self.nodes, self.equations.bundle
        found = bundle.strains(bundle.rest(nodes.share), nodes.m, nodes.n)[:, i]
        return nodes.share * bundle.length[i], found - np.array([0, 0, 0, 1.0, 0, 0])

    def line(self, rod: str) -> Array:
        """Centre line of a rod (k, 3) [m] in the world."""
        return self.nodes.p[:, self._rod(rod)]

    def _rod(self, name: str) -> int:
        names = tuple(f.name for f in self.equations.bundle.fibres)
        if name not in names:
            raise InputError(unknown("rod", name, names))
        return names.index(name)

    def __repr__(self) -> str:
        s = self.equations.structure
        return f"<AssemblyEquilibrium of {s.robot.name}, {len(s.rods)} rods: {self.status}>"
