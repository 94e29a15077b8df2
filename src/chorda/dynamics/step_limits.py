"""step_limits: the largest stable step of every scheme at a configuration, and a suggestion."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chorda.checks import check_choice, name_list, numeric, refuse_idle, vector
from chorda.control.controller import Controller
from chorda.dynamics.kernels import functions, stepper
from chorda.dynamics.linearize import feedback, linearize
from chorda.dynamics.open_contacts import Pressing, listed, pressing
from chorda.dynamics.schemes import SCHEMES
from chorda.dynamics.stable_step import Limit, Mode, limit, mode
from chorda.mechanics import Array, System
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.one_thread import one_thread
from chorda.results import Code, Equilibrium, Status
from chorda.statics.initial import Initial, check, configuration

RESOLVE = 40  # steps in a period of the slowest mode, vibration or decay
LONGEST = 1e-2  # [s] a step beyond this resolves no motion that one would want to see


@dataclass(frozen=True)
class StepLimits:
    """The largest stable steps, and a suggestion.

    Attributes
    ----------
    limits : dict of str to Limit
        By scheme; the step [s] is inf where no step is too large.
    modes : tuple of Mode
        Vibrations and decays, fastest first.
    scheme : str
        What to take,
    step : float
        with which step [s],
    suggestion : str
        and why, in a sentence.
    status : Status
        Whether all schemes have been looked at.
    open_contacts : tuple of str
        Pairs of shapes that do not touch there, of which `limits` know nothing.
    pressing : dict of str to Limit
        By scheme, as if these pairs pressed, each with the weight of what it stops; empty where
        none is open.

    See Also
    --------
    step_limits : computes it, with an example.
    """

    limits: dict[str, Limit]
    modes: tuple[Mode, ...]
    scheme: str
    step: float
    suggestion: str
    status: Status
    open_contacts: tuple[str, ...] = ()
    pressing: dict[str, Limit] = field(default_factory=dict)

    def table(self) -> list[tuple[str, float, str]]:
        """List the limits by scheme.

        Returns
        -------
        list of tuple
            Rows (scheme, limit in seconds, mode that limits it).
        """
        return [(name, x.step, str(x.mode) if x.mode else "-") for name, x in self.limits.items()]


@interruptible()
@one_thread()
def step_limits(
    system: System,
    *,
    initial: Initial = None,
    inputs: Array | list[float] | float | None = None,
    control: Controller | None = None,
    parameters: Mapping[str, float] | None = None,
    schemes: list[str] | None = None,
) -> StepLimits:
    """Find the largest stable step of each scheme at a configuration.

    The limits follow from the eigenvalues of each scheme's own step on the linearised system.
    Shapes that do not touch there are looked at as if they pressed, in limits of their own; the
    suggestion is for both.

    Parameters
    ----------
    system : System
        What `chorda.assemble(robot)` returns.
    initial : optional
        The configuration, as of `chorda.simulate`; best an Equilibrium, by default the robot's
        start.
    inputs : float or array of shape (nu,), optional
        At the configuration; by default those of the Equilibrium, or zero.
    control : Controller, optional
        Closes the loop; its output is held over the step.
    parameters : mapping, optional
        Changed values by name.
    schemes : list of str, optional
        Those to look at; by default all.

    Returns
    -------
    StepLimits
        Limits by scheme [s], the modes, and a suggested scheme and step.

    Raises
    ------
    InputError
        Where an argument is not what is expected; the message names it.

    See Also
    --------
    simulate : takes what is suggested.
    linearize : the matrices behind it.

    Examples
    --------
    >>> from chorda.catalogue import load
    >>> from chorda.mechanics import assemble
    >>> limits = step_limits(assemble(load("neck-3"))).limits
    >>> 0.9e-3 < limits["explicit-euler"].step < 1.1e-3
    True
    """
    check(system)
    p = system.parameters(parameters)
    if parameters is None and isinstance(initial, Equilibrium) and initial.system is system:
        p = initial.parameters
    q = configuration(system, initial, p)
    if control is not None and inputs is not None:
        refuse_idle({"inputs": True}, "with control, which gives them", "leave control out")
    u = initial.u if inputs is None and isinstance(initial, Equilibrium) else inputs
    u = np.zeros(system.nu) if u is None else numeric("inputs", u)
    u = vector("inputs", np.full(system.nu, u) if u.ndim == 0 else u, system.nu)
    chosen = list(SCHEMES) if schemes is None else name_list("schemes", schemes)
    for name in chosen or [""]:
        check_choice("schemes", name, tuple(SCHEMES))
    still = np.zeros(system.nv)
    gains = None
    if control is not None:
        law = control.law(system)
        w = control.signal(system, np.zeros(1))[0]
        u = law(0.0, q, still, w, p).full().ravel()
        gains = feedback(system, law, q, still, p, w)
    lin = linearize(system, q, still, u, p)
    limits = {name: limit(SCHEMES[name], lin, gains) for name in chosen}
    apart = pressing(system, lin, q, p)
    met = {name: limit(SCHEMES[name], apart.linear, gains) for name in chosen if apart.open}
    values, vectors = np.linalg.eig(lin.A)
    modes = [
        mode(values[i], vectors[:, i], lin)
        for i in np.argsort(-np.abs(values))
        if values[i].imag >= 0
    ]
    scheme, step, why = _suggest(system, limits, met, modes)
    if any(m.eigenvalue.real > 1e-6 * modes[0].frequency for m in modes):
        why = (
            "This configuration is unstable in itself; its own growth is left out of the limits. "
            + why
        )
    if apart.open:
        why = f"{_remark(apart, met)} {why}"
    status = Status(Code.COMPLETED, why)
    return StepLimits(limits, tuple(modes), scheme, step, why, status, apart.open, met)


def _remark(apart: Pressing, met: dict[str, Limit]) -> str:
    """That shapes do not touch at the configuration, and what is known of where they press."""
    least = min(met.values(), key=lambda x: x.step)
    text = (
        f"Shapes that do not touch at this configuration: {listed(apart.open)}. The limits where "
        "they press, each with the weight of what it stops, are the `pressing` ones"
        f" (the least: {least.scheme} {shown(least.step)})."
    )
    if apart.without_normal:
        text += (
            f" They know nothing of {listed(apart.without_normal)}, which may press in any "
            "direction from here."
        )
    return f"{text} For harder impacts, give a configuration in which shapes press."


def shown(step: float) -> str:
    """A limit for people."""
    if step == 0:
        return "unstable at any"
    return "unlimited" if np.isinf(step) else f"{step * 1e3:.3g} ms"


def _suggest(
    system: System, limits: dict[str, Limit], met: dict[str, Limit], modes: list[Mode]
) -> tuple[str, float, str]:
    """The scheme with least work per second that is stable, also where open contacts press, and
    resolves the slow motion."""
    slow = min((m.frequency for m in modes if m.frequency > 1e-3), default=0.0)
    wanted = min(LONGEST, 1 / (RESOLVE * slow)) if slow else LONGEST
    costs: dict[str, tuple[float, float]] = {}
    bounds = {name: min(x.step, met[name].step if met else np.inf) for name, x in limits.items()}
    for name, found in bounds.items():
        if SCHEMES[name].adaptive or found == 0:
            continue
        step = min(wanted, 0.8 * found)
        costs[name] = (_operations(system, name) / step, step)
    name = min(costs, key=lambda n: costs[n][0])
    step = float(f"{costs[name][1]:.1e}")
    bound = bounds[name]
    if step < 0.95 * wanted:
        where = " where shapes press" if bound < limits[name].step else ""
        reason = f"20 % below its stability limit of {bound * 1e3:.3g} ms{where}"
    elif slow:
        reason = f"{RESOLVE} steps or more in a period of the slowest mode ({slow:.3g} Hz)"
    else:
        reason = "no vibration limits it"
    why = (
        f"Suggested: scheme='{name}', step={step:g}: {reason}, and the least work per second of "
        "motion among the schemes. Halve the step to see whether results change."
    )
    return name, step, why


def _operations(system: System, scheme: str) -> float:
    made: dict[str, Any] = functions(stepper(system, SCHEMES[scheme]))
    iterations = 3 if SCHEMES[scheme].iterates else 1
    main = next(made[name] for name in ("better", "residual", "after") if name in made)
    return float(main.n_instructions() * iterations)
