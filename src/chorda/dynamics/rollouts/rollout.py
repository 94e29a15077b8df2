"""rollout: the motions of many robots of one kind."""

import time as clock
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chorda.checks import check_choice, check_names, mapping, name_list, refuse_idle
from chorda.compile import Batch, Exit
from chorda.compile.columns import at_columns
from chorda.compile.cores import Cores
from chorda.compile.device import DEVICES, cupy
from chorda.dynamics.actuation import Control, actuate, first_rates, leading
from chorda.dynamics.arguments import check_rows, time_grid, tolerance_of
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.overlapping_start import thrown_apart
from chorda.dynamics.rollouts import gpu, members
from chorda.dynamics.rollouts.ending import end_before, looks, needs_host
from chorda.dynamics.rollouts.exchange import Previous, received
from chorda.dynamics.rollouts.member_status import MemberStatus
from chorda.dynamics.rollouts.passing_members import end_where_solids_pass, may_pass
from chorda.dynamics.schemes import REFERENCE, Scheme, SchemeName, check_scheme, find, usual
from chorda.dynamics.sensitivities import AnyLoop, SensitiveLoop, differentiable, one_by_one
from chorda.dynamics.time_loop import bounds
from chorda.errors import InputError
from chorda.mechanics import Array, System
from chorda.numerics.array_library import contiguous, host, library
from chorda.numerics.ctrl_c import interruptible, interrupts
from chorda.numerics.memory import refuse_beyond
from chorda.numerics.progress import Progress
from chorda.results import Equilibrium
from chorda.results.provenance import provenance
from chorda.results.rollout import Rollout
from chorda.statics import winding_limits as winding
from chorda.statics.initial import check
from chorda.statics.loop_checks import may_open
from chorda.statics.parameter_columns import parameter_columns

MAX_GB = 8.0  # of states that are kept
PRECISIONS, KEEPS = ("double", "single"), ("host", "device")
NOT_THERE = "was not looked at: the results stayed on the device; keep='host' looks."
PIECES = 8  # for each thread: uneven members even out, and the bar moves


@interruptible()
def rollout(
    system: System,
    *,
    duration: float,
    step: float,
    scheme: SchemeName | str | None = None,
    rho_inf: float | None = None,
    initial: Any = None,
    parameters: Mapping[str, Any] | None = None,
    inputs: Any = None,
    control: Control = None,
    every: int | None = None,
    gradients: Sequence[str] = (),
    device: str = "cpu",
    precision: str = "double",
    keep: str | None = None,
    jobs: int | None = None,
    tolerance: float | None = None,
    progress: bool | None = None,
) -> Rollout:
    """Integrate the motions of many robots that differ in start, parameters or inputs.

    Numbers are shared; arrays have the member as their first axis, see
    `chorda.dynamics.rollouts.members`. They may be NumPy's or those of any library that speaks
    DLPack.

    Parameters
    ----------
    system : System
        What `chorda.assemble(robot)` returns.
    duration, step : float
        Length of the motions and step of the scheme [s]; a step that does not divide the duration
        is shortened until it does, which `remark` says.
    scheme, rho_inf : optional
        As of `chorda.simulate`, without cvodes.
    initial : optional
        A mapping by name of numbers or arrays (members,), or rows (members, nq or nq + nv). Or a
        `Rollout`, whose members go on from where they ended, with its parameters where none are
        named; those that had failed keep their code. Time begins at 0 again.
    parameters : mapping, optional
        By name, numbers or arrays (members,).
    inputs : optional
        A mapping by name of numbers, arrays (members,) or series (members, times); or rows
        (members, nu) or (members, times, nu).
    control : Controller or CasADi function, optional
        Instead of inputs.
    every : int, optional
        Keep each n-th step; by default the last one alone. The last step is kept if `every`
        divides their number.
    gradients : sequence of str
        Parameters (the start held fixed), or "start", by which the states are differentiated
        exactly.
    device : {"cpu", "gpu"}
        On the cores of this machine, or on its GPU.
    precision : {"double", "single"}
        On a GPU; single is for schemes without Newton's method.
    keep : {"host", "device"}, optional
        Where the results of a GPU stay: as NumPy arrays, or there as CuPy's. A `Rollout` that
        stayed there is continued there; inputs (members, nu) or (members, times, nu) that are there
        are not copied to the host.
    jobs : int, optional
        Threads; by default as many as there are cores.
    tolerance, progress : optional
        As of `chorda.simulate`.

    Returns
    -------
    Rollout
        States (members, times, ...). A member that fails stops, and its `code` is not 0; the others
        are unharmed; `status(i)` says why. After Ctrl-C, members that were not run to their end
        have the code for it.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    simulate : one motion, with all outputs.
    equilibrium_batch : many equilibria.

    Examples
    --------
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
    check_scheme(name, rho_inf)
    if name == REFERENCE:
        raise InputError(f"scheme: '{name}' chooses its own steps in Python; expected another one")
    check_choice("device", device, DEVICES)
    check_choice("precision", precision, PRECISIONS)
    if precision == "single" and device == "cpu":
        raise InputError("precision: single is for device='gpu'; leave it out")
    if device == "gpu":
        refuse_idle({"jobs": jobs}, "with device='gpu': it is for cores", "take device='cpu'")
    grid = time_grid(duration, step, 1 if every is None else every)
    steps, h, time = grid.steps, grid.step, grid.time
    every = steps if every is None else every
    if every > steps:
        raise InputError(f"every: expected at most the {steps} steps there are, got {every}")
    parameters = mapping("parameters", parameters, "{'x1.bar_mass': [0.1, 0.2]}")
    cp = _library(system, device, keep)
    if isinstance(initial, Equilibrium):
        raise InputError(
            "initial: expected values by name, rows of numbers or a Rollout, got an Equilibrium, "
            "whose inputs and parameters would be lost; give initial=[rest.q] with them, or "
            "simulate from it"
        )
    previous = Previous(initial, system) if isinstance(initial, Rollout) else None
    given = {"initial": initial, "parameters": parameters, "inputs": inputs}
    initial, parameters, inputs = (received(what, x, cp) for what, x in given.items())
    n = members.count(initial=initial, parameters=parameters, inputs=inputs)
    _check_size(n, steps // every, system.nq + system.nv)

    law, signal = _fed(system, inputs, control, time, n)
    check_rows(grid, inputs, len(signal))
    names = (gradients,) if isinstance(gradients, str) else name_list("gradients", gradients)
    loop = _loop(system, find(name, rho_inf), law, signal.shape[1], names, initial)
    if cp is not None:
        gpu.begin(loop, precision, cp)  # compiled while members are prepared
    base = None if previous is None else previous.parameters
    p = parameter_columns(system, parameters, n, base, np if cp is None else cp)
    constants = contiguous(loop.constants(p))
    size, tolerance = loop.settings.nx, tolerance_of(tolerance, name)
    unseen = not_looked_at(system) if keep == "device" else ""
    between, thrown = 1 if unseen else looks(system, every, steps, steps * size * n), ""
    x = None if previous is None else previous.states(name, h, size, cp is not None)
    if previous is None or x is None:
        begin = previous or initial, inputs, p, signal
        start, u, x, signal = _started(loop, h, *begin, n, progress)
        if previous is None:
            thrown = thrown_apart(system, start, u, p)
    elif system.led and law is None:
        signal = members.staying(system, inputs, signal, previous.starts()[0])
    before = None if keep == "device" else np.array(host(x), float)
    times, ends = (h, steps, every // between), bounds(system, size)
    if cp is None:
        batch = Batch(*times, x, signal, constants, *ends, tolerance)
        seconds = _on_cores(loop, batch, jobs, progress)
    else:
        launch = gpu.launch_of(loop, precision, cp, progress)
        batch = gpu.batch_there(launch, times, (x, signal, constants, *ends), tolerance)
        seconds = gpu.run(launch, batch)
    if cp is not None and keep != "device":
        batch.bring_back()
        signal, p = host(signal), host(p)
    if before is not None:
        end_before(system, batch, before[: system.nq], law, signal, p)
        end_where_solids_pass(loop, batch, before, p, jobs)
    if previous is not None:
        previous.keep_codes(batch.code, batch.done)
    kept = signal[every::every] if len(signal) > 1 else signal
    return Rollout(
        **_states(loop, batch, between),
        time=time[every::every],
        parameters=p.T,
        inputs=(kept if law is None else np.full((1, system.nu, 1), np.nan)).transpose(2, 0, 1),
        device=device,
        seconds=seconds,
        provenance=provenance(system, scheme=name, step=h),
        remark=" ".join(filter(None, (thrown, grid.message, unseen))),
        final=batch.x,
        why=MemberStatus(
            loop,
            before,
            signal,
            p,
            steps,
            h,
            tolerance,
            batch.code,
            None if previous is None else previous.explained,
        ),
    )


def not_looked_at(system: System) -> str:
    """A sentence on what is not looked at in results that stay on a GPU."""
    what = {
        "solids passed through each other": may_pass(system),
        "loops came apart": may_open(system),
    }
    each = " or ".join(text for text, may in what.items() if may)
    return f"Whether {each} {NOT_THERE}" if each else ""


def _library(system: System, device: str, keep: str | None) -> Any:
    """CuPy where members run on a GPU, else None."""
    if device == "cpu":
        refuse_idle({"keep": keep}, "with device='cpu'", "take device='gpu'")
        return None
    if keep is not None:
        check_choice("keep", keep, KEEPS)
    if keep == "device" and needs_host(system):
        raise InputError(
            "keep: expected 'host' for a robot whose cables may turn too far or whose rigid "
            "tendons may push, got 'device'; these are looked at on the host"
        )
    return cupy()


def _started(
    loop: AnyLoop,
    h: float,
    initial: Any,
    inputs: Any,
    p: Array,
    signal: Any,
    n: int,
    progress: bool | None,
) -> tuple[Array, Array, Array, Array]:
    """Configurations, inputs and states that members start from, where the parameters are; and the
    signal, with joints whose motion is not given where they start."""
    system, law = loop.system, loop.law if isinstance(loop, SchemeLoop) else None

    def first(q: Array, v: Array) -> Array:
        if law is None:
            return signal[0]
        return at_columns(system, law, np.zeros((1, 1)), q, v, signal[0], p)[0]

    def before(q: Array, v: Array) -> tuple[Array, Array]:
        nonlocal signal
        none = np.zeros((system.nu, 1))
        if law is not None:
            return (first(q, v), none) if leading(system) else (none, none)
        signal = members.staying(system, inputs, signal, q)
        return signal[0], first_rates(system, signal, h)

    if isinstance(initial, Previous):
        q, v = initial.starts()
        before(q, v)
    else:
        with Progress(n, progress, f"{n} x {system.robot.name}, starts") as bar:
            watch, xp = (lambda done: bar.update(done)), library(p)
            q, v = members.starts(system, initial, p, n, before, watch, xp)
        if system.tendons.windings:
            here, own = host(q), host(p)
            for m in np.flatnonzero(winding.crossed(system, system.rest[:, None], here, own)):
                one = here[:, m], own[:, m % own.shape[1]]
                winding.refuse(system, None, *one, which=f"of member {m}: ")
    u = first(q, v)
    return q, u, contiguous(loop.start(h, q, v, u, p)), signal


def _fed(
    system: System, inputs: Any, control: Control, time: Array, count: int
) -> tuple[Any, Array]:
    """The law of a controller, and the signal (times, nw, members)."""
    if control is None and gpu.is_there(inputs):
        return None, gpu.signal_there(system, inputs, time, count)
    if control is None:
        return None, members.signals(system, inputs, time, count)
    actuation = actuate(system, inputs, control, time)
    if actuation.python is not None:
        raise InputError(
            "control: a Python function cannot run inside the loop; expected a Controller or a "
            "CasADi function of (t, q, v)"
        )
    return actuation.law, np.ascontiguousarray(actuation.signal[:, :, None])


def _loop(
    system: System, scheme: Scheme, law: Any, nw: int, gradients: tuple[str, ...], initial: Any
) -> AnyLoop:
    """The loop of the scheme, or that of its derivatives."""
    if not gradients:
        return SchemeLoop(system, scheme, law, nw)
    if law is not None:
        raise InputError("gradients: not with control; give inputs")
    check_names("gradients", gradients, (*system.parameter_names, "start"))
    chosen = tuple(name for name in gradients if name != "start")
    wound = isinstance(initial, Mapping) and "tension" in initial
    if chosen and (wound or system.nc):
        raise InputError(
            "gradients: by parameters the start is held fixed, but 'tension' and closures move it "
            "with them; give initial as rows of numbers that are wound and closed already"
        )
    directions = one_by_one(system, chosen, "start" in gradients)
    differentiable(scheme.name)
    return SensitiveLoop(system, scheme, directions)


def _on_cores(loop: AnyLoop, batch: Batch, jobs: int | None, progress: bool | None) -> float:
    """Seconds that it took; members that Ctrl-C kept from running have the code for it."""
    threads = Cores(loop.kernel, batch.members, jobs, beside=True)
    title = f"{batch.members} x {loop.system.robot.name}"
    begin = clock.perf_counter()
    with Progress(batch.members, progress, title) as bar, interrupts() as seen:
        for done in threads.run(batch, PIECES, lambda: bool(seen)):
            bar.update(done)
            if seen:
                break
    threads.close()
    batch.code[(batch.code == Exit.DONE) & (batch.done == 0)] = Exit.INTERRUPTED
    return clock.perf_counter() - begin


def _states(loop: AnyLoop, batch: Batch, between: int) -> dict[str, Any]:
    """What a batch came to, the member first, and its derivatives where they were asked for."""
    system, X = loop.system, batch.X[between - 1 :: between].transpose(2, 0, 1)
    found = {
        "system": system,
        "position": X[:, :, : system.nq],
        "velocity": X[:, :, system.nq : system.nq + system.nv],
        "done": batch.done,
        "code": batch.code,
    }
    if isinstance(loop, SensitiveLoop):
        found |= {"by": loop.derivatives(X), "unknowns": loop.directions.names(system)}
    return found


def _check_size(members: int, kept: int, states: int) -> None:
    """What is kept must fit in memory."""
    size = 8e-9 * members * kept * states
    if size > MAX_GB:
        raise InputError(
            f"every: {members} members of {states} numbers at {kept} times are {size:.3g} GB, more "
            f"than {MAX_GB:g} GB; keep fewer times, or run fewer members at once"
        )
    what = f"{members} members of {states} numbers at {kept} times"
    refuse_beyond("every", what, 1e9 * size, "keep fewer times, or run fewer members at once")
