"""Forces and moments on frames that are inputs: a hand that pushes, a thruster, a disturbance."""

from typing import Literal

from pydantic import Field, model_validator

from chorda.describe.geometry import Direction, Point
from chorda.describe.names import Name
from chorda.describe.quantity import Record, quantity

Component = Literal["fx", "fy", "fz", "mx", "my", "mz"]
UNITS = {"f": "N", "m": "N m"}


class WrenchActuator(Record):
    """A force or moment at a point of a frame, as inputs; not given, it is zero.

    `components: [fx, fy, mz]` makes the inputs NAME.fx and NAME.fy [N] and NAME.mz [N m];
    `force_along` or `moment_about` a single one, NAME, along or about a direction.

    See Also
    --------
    Load : constant.

    Examples
    --------
    >>> from chorda.describe import Point, WrenchActuator
    >>> WrenchActuator(name="push", at=Point(frame="tip"), components=("fx",)).kind
    'wrench'
    """

    kind: Literal["wrench"] = "wrench"
    name: Name
    at: Point
    components: tuple[Component, ...] = Field(
        (), description="which components are inputs: fx, fy, fz [N], mx, my, mz [N m]"
    )
    force_along: Direction | None = quantity(
        "-", "one input: a force [N] along this direction, a unit vector", default=None
    )
    moment_about: Direction | None = quantity(
        "-", "one input: a moment [N m] about this direction, a unit vector", default=None
    )
    follows: bool = Field(False, description="true: axes turn with the body; false: world axes")

    @model_validator(mode="after")
    def _is_one_wrench(self) -> "WrenchActuator":
        ways = ("components", "force_along", "moment_about")
        given = [x for x in ways if getattr(self, x)]
        if len(given) != 1:
            raise ValueError(
                f"expected one of {', '.join(ways)}, got {' and '.join(given) or 'none'}; take "
                "components: [fx, fy] for several inputs, force_along: [1, 0, 0] for one"
            )
        if len(set(self.components)) < len(self.components):
            raise ValueError(
                f"components: expected each once, got {list(self.components)}; leave one out"
            )
        if self.at.frame == "world":
            raise ValueError(
                "at.frame: a force on the world moves nothing; expected a frame of a joint"
            )
        return self

    def inputs(self) -> list[tuple[str, str, Direction, bool]]:
        """List its inputs.

        Returns
        -------
        list of (str, str, (float, float, float), bool)
            Of each: name, unit, direction, and whether it is a moment.
        """
        axes: dict[str, Direction] = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
        found = [
            (f"{self.name}.{x}", UNITS[x[0]], axes[x[1]], x[0] == "m") for x in self.components
        ]
        if self.force_along is not None:
            found.append((self.name, "N", self.force_along, False))
        if self.moment_about is not None:
            found.append((self.name, "N m", self.moment_about, True))
        return found
