"""rollout: the motions of many robots of one kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chorda.compile import Batch, Kernel
from chorda.control.law import Controller
from chorda.dynamics import sensitivities
from chorda.dynamics.kernels import ingredients, kernel, starter
from chorda.dynamics.rollouts import cores, gpu, members
from chorda.dynamics.schemes import REFERENCE, Scheme, find, usual
from chorda.dynamics.simulate import NEWTON_STEPS, bounds, law_of, time_grid, tolerance_of
from chorda.errors import InputError
from chorda.mechanics import Array, System, unknown
from chorda.numerics.progress import Progress
from chorda.results.provenance import provenance
from chorda.results.rollout import Rollout
from chorda.statics.initial import check

MOST_GB = 8.0  # of states that are kept
DEVICES, PRECISIONS = ("cpu", "gpu"), ("double", "single")


def rollout(
    system: System,
    *,
    duration: float,
    step: float,
    scheme: str | None = None,
    initial: Any = None,
    parameters: Mapping[str, Any] | None = None,
    inputs: Any = None,
    control: Any = None,
    every: int | None = None,
    gradients: Sequence[str] = (),
    device: str = "cpu",
    precision: str = "double",
    jobs: int | None = None,
    tolerance: float | None = None,
    progress: bool | None = None,
) -> Rollout:
    """Motions of many robots that differ in their start, parameters or inputs.

    Arrays have the member as their first axis, numbers are shared: see
    `chorda.dynamics.rollouts.members`. every: keep each n-th step; None: the last one. gradients:
    parameters (the start held fixed), or "start", by which the states are differentiated exactly.
    The last step is kept if `every` divides them. device: "cpu" (on
    `jobs` cores) or "gpu" (precision double, or single for schemes without Newton's method). A
    member that diverges stops and says so in `code`; the others are unharmed.

    >>> import numpy as np
    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> system = assemble(load("neck-1"))
    >>> found = rollout(system, duration=0.1, step=1e-3, initial={"x1": np.linspace(0, 0.2, 5)})
    >>> found.position.shape, found.code.tolist()
    ((5, 1, 3), [0, 0, 0, 0, 0])
    """
    check(system)
    name = usual(system) if scheme is None else scheme
    if name == REFERENCE:
        raise InputError(f"scheme: '{name}' chooses its own steps in Python; expected another one")
    for what, value, known in (("device", device, DEVICES), ("precision", precision, PRECISIONS)):
        if value not in known:
            raise InputError(f"{what}: expected {' or '.join(known)}, got {value!r}")
    if precision == "single" and device == "cpu":
        raise InputError("precision: single is for device='gpu'; leave it out")
    steps = time_grid(duration, step, 1)[0]
    every = steps if every is None else every
    _, time = time_grid(duration, step, every)
    if every > steps:
        raise InputError(f"every: expected at most the {steps} steps there are, got {every}")
    if parameters is not None and not isinstance(parameters, Mapping):
        raise InputError(f"parameters: expected a mapping by name, got {parameters!r:.60}")
    wanted = (gradients,) if isinstance(gradients, str) else tuple(gradients or ())
    work = _Work.of(system, find(name), control, wanted)
    if work.moves_start(initial):
        raise InputError(
            "gradients: by parameters the start is held fixed, but 'tension' and closures move it "
            "with them; give initial as rows of numbers that are wound and closed already"
        )
    batch, p, signal = work.batch(
        initial, parameters, inputs, time, float(step), steps, every, tolerance_of(tolerance, name)
    )
    with Progress(batch.members, progress, f"{batch.members} x {system.robot.name}") as bar:
        if device == "gpu":
            seconds = work.on_gpu(signal.shape[1], precision).run(batch)
        else:
            seconds = cores.run(work.loop(signal.shape[1]), batch, jobs, bar)
    return work.result(batch, time[every::every], p, signal, every, device, seconds)


@dataclass(frozen=True, eq=False)
class _Work:
    """The kind of loop: of a scheme, with or without a controller or derivatives."""

    system: System
    scheme: Scheme
    control: Any
    law: Any
    directions: sensitivities.Directions | None
    unknowns: tuple[str, ...]

    @staticmethod
    def of(system: System, scheme: Scheme, control: Any, gradients: tuple[str, ...]) -> "_Work":
        law, python = law_of(system, control)
        if python is not None:
            raise InputError(
                "control: a Python function cannot run inside the loop; expected a Controller or a "
                "CasADi function of (t, q, v)"
            )
        directions: sensitivities.Directions | None = None
        names: tuple[str, ...] = ()
        if gradients:
            if law is not None:
                raise InputError("gradients: not with control; give inputs")
            known = (*system.parameter_names, "start")
            for name in gradients:
                if name not in known:
                    raise InputError(unknown("gradients", name, known))
            sensitivities.differentiable(scheme.name)
            chosen = tuple(name for name in gradients if name != "start")
            directions = sensitivities.one_by_one(system, chosen, "start" in gradients)
            rates = tuple(name for name, _ in system.velocities)
            names = (*chosen, *((*system.coordinate_names, *rates) if directions.start else ()))
        return _Work(system, scheme, control, law, directions, names)

    def moves_start(self, initial: Any) -> bool:
        """Whether the start depends on parameters that the motion is differentiated by."""
        if self.directions is None or not self.directions.moves:
            return False
        wound = isinstance(initial, Mapping) and "tension" in initial
        return wound or bool(self.system.nc)

    def loop(self, nw: int) -> Kernel:
        if self.directions is not None:
            return sensitivities.kernel(self.system, self.scheme, self.directions)
        return kernel(self.system, self.scheme, self.law, nw)

    def batch(
        self,
        initial: Any,
        parameters: Mapping[str, Any] | None,
        inputs: Any,
        time: Array,
        h: float,
        steps: int,
        every: int,
        tolerance: float,
    ) -> tuple[Batch, Array, Array]:
        system = self.system
        if self.control is not None and inputs is not None:
            raise InputError("inputs: give either inputs or control, not both")
        given = {"initial": initial, "parameters": parameters, "inputs": inputs}
        n = members.count(**{k: v for k, v in given.items() if _is_array(v)})
        _check_size(n, steps // every, system.nq + system.nv)
        p = members.parameters(system, parameters, n)
        if isinstance(self.control, Controller):
            rows = np.atleast_2d(np.asarray(self.control.signal(system, time), float))
            signal = np.ascontiguousarray(rows[:, :, None])
        elif self.law is not None:
            signal = np.zeros((1, 0, 1))
        else:
            signal = members.signals(system, inputs, time, n)
        u = np.zeros((system.nu, 1)) if self.control is not None else signal[0]
        q, v = members.starts(system, initial, p, u, n)
        first = u
        if self.law is not None:
            first = self.law(0.0, q, v, np.repeat(signal[0], n, 1), np.broadcast_to(p, (len(p), n)))
        whole = [np.broadcast_to(x, (len(x), n)) for x in (q, v, np.asarray(first), p)]
        constants = p
        if self.directions is None:
            x = starter(system, self.scheme)(*whole, h).full()
        else:
            weights = np.repeat(self.directions.column[:, None], p.shape[1], 1)
            start = sensitivities.starting(system, self.scheme, self.directions)
            x = start(*whole, h, weights if len(weights) else np.zeros((0, n))).full()
            constants = np.vstack([p, weights])
        low, high = bounds(system, len(x))
        made = Batch(
            h,
            steps,
            every,
            np.ascontiguousarray(x),
            signal,
            np.ascontiguousarray(constants),
            low,
            high,
            tolerance,
            NEWTON_STEPS,
        )
        return made, p, signal

    def on_gpu(self, nw: int, precision: str) -> gpu.Loop:
        wanted = ("gpu", self.scheme.name, self.law, self.directions, precision)

        def make() -> gpu.Loop:
            if self.directions is not None:
                made = sensitivities.ingredients(self.system, self.scheme, self.directions)
            else:
                made = ingredients(self.system, self.scheme, self.law, nw)
            return gpu.Loop(*made, precision)

        found: gpu.Loop = self.system.once(wanted, make)
        return found

    def result(
        self,
        batch: Batch,
        time: Array,
        p: Array,
        signal: Array,
        every: int,
        device: str,
        seconds: float,
    ) -> Rollout:
        system = self.system
        nq, nv = system.nq, system.nv
        X = batch.X.transpose(2, 0, 1)
        by = None
        if self.directions is not None:
            by = sensitivities.unfolded(system, self.scheme, self.directions, X)
        kept = signal[every::every] if len(signal) > 1 else signal
        if self.control is not None:
            kept = np.full((1, system.nu, 1), np.nan)
        return Rollout(
            system=system,
            time=time,
            position=X[:, :, :nq],
            velocity=X[:, :, nq : nq + nv],
            parameters=p.T,
            inputs=kept.transpose(2, 0, 1),
            done=batch.done,
            code=batch.code,
            device=device,
            seconds=seconds,
            by=by,
            unknowns=self.unknowns,
            provenance=provenance(system, scheme=self.scheme.name, step=batch.h),
        )


def _check_size(members: int, kept: int, states: int) -> None:
    """What is kept must fit in memory."""
    size = 8e-9 * members * kept * states
    if size > MOST_GB:
        raise InputError(
            f"every: {members} members of {states} numbers at {kept} times are {size:.3g} GB, more "
            f"than {MOST_GB:g} GB; keep fewer times, or run fewer members at once"
        )


def _is_array(value: Any) -> bool:
    return (
        value is not None
        and not callable(value)
        and (isinstance(value, Mapping) or np.ndim(value) > 1)
    )
