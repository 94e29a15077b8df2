"""Arrays of other libraries, by DLPack, and rollouts that are continued."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.array_library import contiguous, host
from chorda.results.rollout import Rollout
from chorda.results.status import Status

ON_HOST = (1, 3)  # kinds of DLPack devices: CPU, and memory of the host that is pinned for CUDA
REASONS = (BufferError, RuntimeError, TypeError, ValueError)


def speaks_dlpack(given: Any) -> bool:
    """Whether this is an array of another library."""
    return hasattr(given, "__dlpack__") and not isinstance(given, np.ndarray | np.generic)


def is_on_device(given: Any) -> bool:
    """Whether this is an array that is not in the memory of the host."""
    return speaks_dlpack(given) and int(given.__dlpack_device__()[0]) not in ON_HOST


def received(what: str, given: Any, cp: Any = None) -> Any:
    """The same with arrays of NumPy, or of CuPy where they are on the GPU, in place of those of
    other libraries, whose memory they share. cp: the module CuPy, where arrays may come from the
    GPU."""
    if isinstance(given, Mapping):
        return {name: received(f"{what}.{name}", value, cp) for name, value in given.items()}
    if not speaks_dlpack(given):
        return given
    try:
        if not is_on_device(given):
            return np.from_dlpack(given)
        if cp is not None:
            return _numbers(what, cp.from_dlpack(given))
    except REASONS as error:
        raise InputError(f"{what}: the array cannot be read by DLPack ({error}); copy it") from None
    raise InputError(
        f"{what}: expected an array on the host, got one on a device; take device='gpu', or move "
        "it to the host"
    )


def _numbers(what: str, given: Any) -> Any:
    """An array on the GPU, as one of doubles."""
    if given.dtype.kind not in "fiub":
        raise InputError(f"{what}: expected real numbers, got an array of {given.dtype}")
    return given.astype(np.float64, copy=False)


class Previous:
    """A rollout whose members go on: states in which they ended, and those that failed."""

    def __init__(self, rollout: Rollout, system: System) -> None:
        if rollout.system.coordinate_names != system.coordinate_names or rollout.final is None:
            raise InputError(
                f"initial: expected a rollout of this system, got one of "
                f"{rollout.system.robot.name} with other coordinates; give rows of numbers"
            )
        self._rollout, self._system = rollout, system
        self.failed = np.flatnonzero(host(rollout.code))
        self.parameters = contiguous(rollout.parameters.T)

    @property
    def explained(self) -> tuple[set[int], Callable[[int], Status]]:
        """Members that had failed, and what says why."""
        return set(self.failed.tolist()), self._rollout.status

    @property
    def members(self) -> int:
        return len(self._rollout)

    def starts(self) -> tuple[Array, Array]:
        """q and v as columns on the host; NaN where a member failed."""
        x = np.array(host(self._rollout.final), float)
        x[:, self.failed] = np.nan
        nq, nv = self._system.nq, self._system.nv
        return x[:nq], x[nq : nq + nv]

    def states(self, scheme: str, step: float, size: int, device: bool) -> Any | None:
        """Whole states, with what a multistep scheme keeps, where scheme and step stay the same;
        they stay on the device if they are there."""
        made, x = self._rollout.provenance, self._rollout.final
        same = made["scheme"] == scheme and made["step"] == step and len(x) == size
        if not same or (device and isinstance(x, np.ndarray)):
            return None
        x = x.copy() if device else np.array(host(x), float)
        if len(self.failed):
            x[:, self.failed] = np.nan
        return x

    def keep_codes(self, code: Any, done: Any) -> None:
        """Members that had failed before still have."""
        for m in self.failed.tolist():
            code[m], done[m] = int(self._rollout.code[m]), 0
