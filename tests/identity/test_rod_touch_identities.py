"""Forces where rods touch: of the slices' wrenches, against the velocities of the points; from an
energy; and calls of one function, however many capsules there are."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.describe import ContactFriction
from chorda.mechanics.contacts.contact_laws import FrictionLaw, NormalLaw
from chorda.mechanics.contacts.distances import Touch
from chorda.mechanics.contacts.rubbing import slopes
from chorda.mechanics.frames import SX
from chorda.mechanics.subexpressions import operations
from tests.helpers.lying_rods import lying_rod
from tests.helpers.rods_in_bores import on_a_circle
from tests.helpers.rods_that_cross import crossing
from tests.helpers.touching_robots import changed

BRISTLES = ContactFriction(coefficient=0.4, kind="bristle", deflection=1e-4, relaxation=1e-3)


def contact_force(robot):
    """The generalized force of contacts alone as a function, and the system."""
    system = chorda.assemble(robot)
    apart = chorda.assemble(changed(robot, contacts=[]))
    whole = system.function("F", "q v u p", ca.densify(system.dynamics.F))
    rest = apart.function("F", "q v u p", ca.densify(apart.dynamics.F))
    rows = [list(system.parameter_table.names).index(x) for x in apart.parameter_table.names]
    u = np.zeros(system.nu)

    def own(q, v, p):
        others = rest(q[: apart.nq], v[: apart.nv], u, p[rows]).full().ravel()
        return whole(q, v, u, p).full().ravel()[: apart.nv] - others

    return system, own


def states(system, rng, spread=0.15):
    """Configurations around the start, velocities, and parameters with thick tubes, which touch."""
    scales = np.array([x.scale for x in system.coordinates])
    q = system.start + spread * scales * rng.standard_normal(system.nq)
    p = system.parameter_values.copy()
    for k, name in enumerate(system.parameter_table.names):
        if name.startswith("skin") and name.endswith("radius"):
            p[k] = 0.009
    return q, rng.standard_normal(system.nv) * scales[: system.nv], p


def on_planes(friction):
    robot = crossing(friction)
    return changed(robot, contacts=[x for x in robot.contacts if x.name == "on-floor"])


@pytest.mark.parametrize("friction", [None, ContactFriction(coefficient=0.4), BRISTLES])
def test_wrenches_on_slices_are_the_forces_by_the_velocities_of_their_points(friction):
    system, own = contact_force(on_planes(friction))
    each = [x.J.T @ (x.pressing * x.normal + x.friction) for x in system.touches]
    wanted = system.function("wanted", "q v u p", ca.densify(sum(each)))
    pressing = system.function("N", "q v u p", ca.vertcat(*[x.pressing for x in system.touches]))
    rng, pressed = np.random.default_rng(2), 0
    for _ in range(20):
        q, v, p = states(system, rng)
        u = np.zeros(system.nu)
        pressed += np.count_nonzero(pressing(q, v, u, p).full())
        np.testing.assert_allclose(
            own(q, v, p),
            wanted(q, v, u, p).full().ravel()[: len(own(q, v, p))],
            rtol=1e-9,
            atol=1e-9,
        )
    assert pressed > 20


@pytest.mark.parametrize("exponent", [1, 1.5])
def test_what_presses_without_losses_is_the_slope_of_an_energy(exponent):
    """Between rods, and of rods beside bodies, where neighbours share what they press."""
    robot = crossing(None, exponent, dissipation=0.0)
    system, own = contact_force(robot)
    energy = system.function("V", "q p", ca.vertcat(*[x.energy for x in system.touches]))
    rng, h, pressed = np.random.default_rng(5), 1e-7, 0
    for _ in range(25):
        q, v, p = states(system, rng)
        way = system.kinematics(q).full() @ v
        there = energy(q, p).full()
        pressed += np.count_nonzero(there)
        change = (energy(q + h * way, p).full() - energy(q - h * way, p).full()).sum() / (2 * h)
        assert own(q, 0 * v, p) @ v == pytest.approx(-change, rel=1e-5, abs=1e-6)
    assert pressed > 25


@pytest.mark.parametrize("table", ["box", "capsule"])
@pytest.mark.parametrize("speed", [0.0, 0.01, 0.3])
def test_the_tangent_of_newtons_method_is_near_the_slopes_of_the_forces(table, speed):
    """Of a rod that lies and slides; left out are how normals turn and how friction follows the
    normal force."""
    system = chorda.assemble(lying_rod(table))
    q, v = np.zeros(system.nq), np.zeros(system.nv)
    q[:2], v[2] = (-5e-4, 1e-5), speed
    u, p = np.zeros(system.nu), system.parameter_values
    _, K, D = (x.full() for x in system.tangent(q, v, u, p))

    def force(q, v):
        return system.equations(q, v, u, p)[1].full().ravel()

    for h, near, at in (
        (1e-9, K, lambda x: force(q + x, v)),
        (1e-7, D, lambda x: force(q, v + x)),
    ):
        exact = np.transpose([(at(-x) - at(x)) / (2 * h) for x in h * np.eye(system.nv)])
        assert np.linalg.norm(near - exact) < 0.03 * np.linalg.norm(exact)


@pytest.mark.parametrize("speed", [0.0, 5e-4, 0.02])
def test_the_slopes_at_a_point_are_the_derivatives_of_the_laws(speed):
    """With the normal as it is: of the normal force by the gap and its rate, of friction by the
    sliding velocity."""
    n = ca.DM([0.6, 0.0, 0.8])
    plane = ca.DM.eye(3) - n @ n.T
    laws = NormalLaw(SX(1e4), 1.5, SX(0.4), None), FrictionLaw(SX(0.5), SX(1e-3), None, None, 1.0)
    gap, rate, v = SX.sym("gap"), SX.sym("rate"), SX.sym("v", 3)
    N = laws[0].force(gap, rate)
    touch = Touch("", gap, SX(n), SX(3, 1), SX(0))
    (K, D), (Kf, Df) = slopes(laws, touch, v, rate, N)
    by = [-ca.jacobian(N, x) * (n @ n.T) for x in (gap, rate)]
    rubbed = -ca.jacobian(laws[1].smooth(N, v), v) @ plane
    apart = ca.Function("apart", [gap, rate, v], [K - by[0], D - by[1], Kf, Df - rubbed])
    size = ca.Function("size", [gap, rate, v], [K, D, Df])
    given = -1e-3, -0.05, speed * plane @ ca.DM([0.3, 0.9, 0.1])
    assert all(np.abs(x).max() > 0 for x in map(np.array, size(*given)))
    for x in apart(*given):
        np.testing.assert_allclose(x.full(), 0, atol=1e-9)


def test_friction_on_a_rod_that_is_fed_acts_on_its_material():
    """Its power is that of the material's sliding, which takes the feed as well."""
    system, own = contact_force(on_a_circle())
    x = system.touches
    of = system.function(
        "power",
        "q v u p",
        sum(y.pressing * y.rate + ca.dot(y.friction, y.sliding) for y in x),
        ca.vertcat(*[y.pressing for y in x]),
    )
    rng, pressed, u = np.random.default_rng(7), 0, np.zeros(system.nu)
    for _ in range(20):
        q = system.start + 0.02 * rng.standard_normal(system.nq)
        q[-1] = rng.uniform(0.06, 0.12)
        v, p = 0.1 * rng.standard_normal(system.nv), system.parameter_values
        power, N = of(q, v, u, p)
        pressed += np.count_nonzero(N.full())
        assert own(q, v, p) @ v == pytest.approx(float(power), rel=1e-9)
    assert pressed > 20


def test_slices_have_the_speeds_that_the_rates_of_the_coordinates_give_them():
    for name in ("arm-post", "wire-tube"):
        system = chorda.assemble(chorda.load(name))
        (soft,) = [x.soft for x in system.picture.skeleton.tree.joints if x.soft is not None]
        v = ca.SX.sym("v", soft.q.numel())
        speeds = soft.speeds(v)
        for k in (0, 3, speeds.shape[1] - 1):
            w, s = soft.slice_rates(k)
            wanted = ca.vertcat(w @ v, s @ v)
            symbols = ca.symvar(ca.vertcat(wanted, speeds[:, k]))
            f = ca.Function("f", [ca.vertcat(*symbols)], [ca.densify(wanted), speeds[:, k]])
            mine, scanned = f(np.random.default_rng(k).uniform(0.01, 0.1, len(symbols)))
            np.testing.assert_allclose(scanned.full(), mine.full(), rtol=1e-12, atol=1e-15)


def test_each_more_capsule_adds_calls_and_no_code():
    counts = []
    for intervals in (6, 12, 24):
        system = chorda.assemble(crossing(ContactFriction(coefficient=0.4), intervals=intervals))
        f = system.function("F", "q v u p", system.dynamics.F)
        inner = [x for x in f.find_functions(0) if x.name().startswith("touch")]
        counts.append((len(system.touches), f.n_instructions(), len(inner), operations(f)))
    touches, written, functions, whole = np.array(counts).T
    assert len(set(functions)) == 1
    assert np.all(np.diff(written) / np.diff(touches) < 110)
    assert np.all(np.diff(whole) / np.diff(touches) < 1500)
