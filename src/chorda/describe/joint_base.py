"""What all joints have."""

from pydantic import Field

from chorda.describe.geometry import Placement
from chorda.describe.names import Name
from chorda.describe.quantity import Record


class JointBase(Record):
    """What all joints have: a name, the frame they stand in, and where."""

    name: Name
    parent: str = Field("world", description="'world', a joint's name, or joint.frame (x1.top)")
    placement: Placement = Placement()

    @property
    def standing(self) -> Placement:
        """Where it stands in its parent's frame."""
        return self.placement
