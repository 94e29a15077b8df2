"""Numbers out of systems: forces, energies and outputs at a state, random states, slopes."""

import casadi as ca
import numpy as np
from scipy.integrate import simpson

from chorda.mechanics.parameters import Parameters
from chorda.mechanics.tree import plant
from chorda.results.observe import accelerations


def forces(system, q, v=None, u=None, changes=None):
    """M and F at a state."""
    v = np.zeros(system.nv) if v is None else v
    u = np.zeros(system.nu) if u is None else u
    M, F, *_ = system.equations(q, v, u, system.parameters(changes))
    return M.full(), F.full().ravel()


def acceleration(system, q, v=None, u=None, changes=None):
    """a at a state, with closures held."""
    v = np.zeros(system.nv) if v is None else np.asarray(v, float)
    u = np.zeros(system.nu) if u is None else np.asarray(u, float)
    p = system.parameters(changes)[:, None]
    return accelerations(system, np.asarray(q, float)[None], v[None], u[None], p)[0][0]


def energies(system, q, v, u, changes=None):
    """T and V at a state."""
    return [float(e) for e in system.energies(q, v, u, system.parameters(changes))]


def outputs(system, q, v=None, u=None):
    """Outputs by name at joint coordinates q, the motors at 0, without acceleration."""
    full = np.zeros(system.nq)
    full[: len(q)] = q
    v = np.zeros(system.nv) if v is None else v
    u = np.zeros(system.nu) if u is None else u
    still = np.zeros(system.nv), np.zeros(system.nc)
    values = system.observe(full, v, *still, u, system.parameters())
    return {o.name: x.full().ravel() for o, x in zip(system.outputs, values, strict=True)}


def lengths(system, q):
    """Lengths of the tendons [m]."""
    return outputs(system, q)["length"]


def arms(system, q, changes=None):
    """Z at joint coordinates q: a row for each of them, a column for each tendon.

    q may have a column for each of many configurations; so has Z then, configuration after
    configuration.
    """
    full = np.zeros((system.nq, *np.shape(q)[1:]))
    full[: len(q)] = q
    Z = system.once("Z", lambda: system.function("Z", "q p", system.tendons.Z))
    return Z(full, system.parameters(changes)).full()[: len(q)]


def random_state(system, rng, size=0.4):
    """q, v, u, a: angles of `size`, unit quaternions, inputs and accelerations of order one."""
    q = system.rest + size * rng.uniform(-1, 1, system.nq)
    for start in system.quaternions:
        q[start : start + 4] = rng.normal(size=4)
        q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    return q, rng.normal(size=system.nv), rng.normal(size=system.nu), rng.normal(size=system.nv)


def moved(system, q, direction, amount):
    """q after flowing along velocities `direction` for `amount`, quaternions kept at length 1."""
    steps = 4
    for _ in range(steps):  # Runge-Kutta: N depends on q where there is a quaternion
        h = amount / steps
        k1 = system.kinematics(q).full() @ direction
        k2 = system.kinematics(q + h / 2 * k1).full() @ direction
        k3 = system.kinematics(q + h / 2 * k2).full() @ direction
        k4 = system.kinematics(q + h * k3).full() @ direction
        q = q + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return q


def slope(function, step=1e-3):
    """Derivative at 0 by central differences of sixth order."""
    weights = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
    return sum(w * (function(k * step) - function(-k * step)) for k, w in weights.items()) / step


def energy_gap(run, torques, losses):
    """Energy at the end less that at the start, the motors' work and losses; and what was lost.

    torques: of the motors, constant [N m]; losses: power over the times of the run [W].
    """
    T, V = run.energy
    change = (T + V)[-1] - (T + V)[0]
    work = simpson((run.outputs["motor_rate"] * torques).sum(axis=1), x=run.time)
    lost = simpson(losses, x=run.time)
    assert min(abs(work), lost) > 1e-3
    return change - work + lost, lost


def jacobian(function, n, step=1e-3):
    """Slopes of function(d), a column for each of the n axes of d, at d = 0."""
    return np.column_stack([slope(lambda t, e=e: function(t * e), step) for e in np.eye(n)])


def close(exact, differences, rel=1e-8):
    """Within `rel` of each number and of the largest one."""
    return np.allclose(exact, differences, rtol=rel, atol=rel * np.abs(exact).max())


def frames(robot):
    """Function (joint coordinates) -> {frame: (R, p)} in the world, as numbers."""
    par = Parameters()
    tree = plant(robot, par)
    q = ca.vertcat(*[j.q for j in tree.joints])
    poses = [tree.pose(i) for i in range(len(tree.nodes))]
    table = ca.Function(
        "frames", [q, ca.vertcat(*par.symbols)], [ca.horzcat(x.R, x.p) for x in poses]
    )

    def evaluate(values):
        out = [ca.densify(x).full() for x in table(values[: q.numel()], par.values)]
        return {name: (out[i][:, :3], out[i][:, 3]) for name, i in tree.index.items()}

    return evaluate


def observed_orders(errors):
    """log2 of the ratios of errors at steps h, h/2, h/4 ..."""
    errors = np.asarray(errors)
    return np.log2(errors[:-1] / errors[1:])
