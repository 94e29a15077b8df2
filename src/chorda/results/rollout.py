"""Rollout: the motions of many robots at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from chorda.checks import check_names
from chorda.compile.job import Exit
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.array_library import host
from chorda.plurals import many
from chorda.results.observe import observed
from chorda.results.path import counted
from chorda.results.status import OF_EXIT, Status


@dataclass(frozen=True, eq=False)
class Rollout:
    """States of members (first axis) at the times that were kept (second axis).

    Arrays that stayed on a GPU are CuPy's, which others read by DLPack; `on_host` copies them.

    Attributes
    ----------
    system : System
        The robot.
    time : array of shape (times,)
        That were kept [s].
    position : array of shape (members, times, nq)
        Coordinates [rad, m]; NaN after the step in which a member failed.
    velocity : array of shape (members, times, nv)
        Their rates.
    parameters : array of shape (members or 1, parameters)
        In the order of `system.parameter_names`.
    inputs : array of shape (members or 1, times, inputs)
        NaN where a controller chose them.
    done : array of int of shape (members,)
        Steps that a member took.
    code : array of int of shape (members,)
        0 where a member completed.
    device : str
        Where it was computed.
    seconds : float
        Which the loop alone took.
    by : array of shape (members, times, nq + nv, unknowns), or None
        Derivatives of (q, v), where they were asked for.
    unknowns : tuple of str
        By what `by` differentiates.
    provenance : mapping
        Versions, scheme and step.
    remark : str
        On a step that is not the one asked for, shapes that overlap, what was not looked at.
    final : array of shape (numbers of the scheme, members)
        The states in which the loop ended, from which another one goes on.
    why : callable
        Makes the status of a member.

    See Also
    --------
    chorda.rollout : makes it.
    Run : one motion, with all outputs.
    """

    system: System
    time: Array
    position: Array
    velocity: Array
    parameters: Array
    inputs: Array
    done: "np.typing.NDArray[np.int64]"
    code: "np.typing.NDArray[np.int64]"
    device: str
    seconds: float
    by: Array | None = None
    unknowns: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    remark: str = ""
    final: Any = None
    why: Callable[[int], Status] | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.position)

    @property
    def failed(self) -> "np.typing.NDArray[np.intp]":
        """Members that did not complete."""
        return np.flatnonzero(host(self.code))

    def status(self, i: int) -> Status:
        """How a member ended, in a sentence with the remedy.

        Parameters
        ----------
        i : int
            Its number, counted from 0, or back from the end with -1, -2, ...

        Returns
        -------
        Status
            Of its motion alone, as `simulate` ends it: its code may tell more than that of the
            batch, as where a joint left its range.
        """
        i = counted(i, len(self), "rollout", "members")
        code = OF_EXIT[Exit(int(host(self.code)[i]))]
        return Status(code, f"{code}.") if self.why is None else self.why(i)

    def on_host(self) -> "Rollout":
        """Copy its arrays from a GPU.

        Returns
        -------
        Rollout
            The same with NumPy arrays.
        """
        fields = ("position", "velocity", "parameters", "inputs", "done", "code", "by", "final")
        return replace(self, **{name: host(getattr(self, name)) for name in fields})

    @property
    def rate(self) -> float:
        """Robot-steps a second."""
        return float(self.done.sum() / self.seconds) if self.seconds > 0 else float("inf")

    def output(self, name: str) -> Array:
        """Compute an output such as tension at the kept times.

        Parameters
        ----------
        name : str
            One of the names in `system.outputs`.

        Returns
        -------
        array of shape (members, times, rows)
            In SI units; NaN after the step in which a member failed.

        Raises
        ------
        InputError
            There is no such output, or a controller chose the inputs.
        """
        names = tuple(x.name for x in self.system.outputs)
        check_names("output", [name], names)
        if not isinstance(self.position, np.ndarray):
            return self.on_host().output(name)
        if np.any(np.isnan(self.inputs)):
            raise InputError("output: inputs of a controller are not kept; compute it from a Run")
        shape = self.position.shape[:2]
        there = np.isfinite(self.position).all(axis=2)
        q, v = self.position[there], self.velocity[there]
        u = np.broadcast_to(self.inputs, (*shape, self.inputs.shape[2]))[there]
        p = self.parameters[0]
        if len(self.parameters) > 1:
            p = self.parameters[np.nonzero(there)[0]].T
        found = observed(self.system, q, v, u, p)[name]
        out = np.full((*shape, found.shape[1]), np.nan)
        out[there] = found
        return out

    def dataset(self) -> Any:
        """Give states as an xarray Dataset.

        Returns
        -------
        xarray.Dataset
            position and velocity over members, times and names; done and code over members.
        """
        import xarray

        names: Sequence[str] = self.system.coordinate_names
        rates = [name for name, _ in self.system.velocities]
        data = {
            "position": (("member", "time", "coordinate"), host(self.position)),
            "velocity": (("member", "time", "rate"), host(self.velocity)),
            "done": (("member",), host(self.done)),
            "code": (("member",), host(self.code)),
        }
        coords = {"time": self.time, "coordinate": list(names), "rate": rates}
        return xarray.Dataset(data, coords)

    def __str__(self) -> str:
        codes, counts = np.unique(host(self.code), return_counts=True)
        parts = [f"{n} {OF_EXIT[c]}" for c, n in zip(codes, counts, strict=True)]
        text = (
            f"{many(len(self), 'motion')} of {self.system.robot.name} to t = {self.time[-1]:g} s "
            f"on {self.device}: {', '.join(parts)}; {self.rate:.3g} robot-steps a second."
        )
        return f"{text} {self.remark}" if self.remark else text

    def __repr__(self) -> str:
        size = f"{many(len(self), 'member')}, {many(len(self.time), 'time')}"
        return f"<Rollout of {self.system.robot.name}: {size}>"
