"""What a controller is: a law (t, q, v, w, p) -> u in symbols, fed by a signal w over time."""

from typing import Any, Protocol, runtime_checkable

from chorda.mechanics import Array, System


@runtime_checkable
class Controller(Protocol):
    """What `control` of the verbs may be; its output is held over each step."""

    def law(self, system: System) -> Any:
        """A CasADi function (t, q, v, w, p) -> u of that system."""
        ...

    def signal(self, system: System, t: Array) -> Array:
        """The signal w that the law needs, a row for each time."""
        ...
