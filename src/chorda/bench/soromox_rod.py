"""The rod in SoRoMoX: bending in Legendre polynomials, a tendon, integrators of Diffrax."""

from functools import partial
from typing import Any

import numpy as np

from chorda.bench.rod_motion import DURATION, GRAVITY, Path, Ready, Setting, section, tension

NAME = "SoRoMoX"
SYMPLECTIC = "symplectic"  # its own, the others are Diffrax's
# coordinates, Gauss points, integrator, step [s], tolerance of an adapted step
CHOICES: tuple[tuple[int, int, str, float, float | None], ...] = (
    (3, 5, SYMPLECTIC, 3e-3, None),
    (3, 5, "Bosh3", 1e-3, 1e-3),
    (4, 7, SYMPLECTIC, 5e-4, None),
)
SAMPLES = 201
NEWTON_STEPS = 20


def settings() -> list[Setting]:
    return [
        Setting(
            NAME,
            f"{n} coordinates, {name}, " + ("adaptive" if tolerance else f"{h * 1e3:g} ms"),
            partial(_begin, n, points, name, h, tolerance),
        )
        for n, points, name, h, tolerance in CHOICES
    ]


def _begin(n: int, points: int, name: str, step: float, tolerance: float | None) -> Ready:
    import diffrax
    import jax
    import jax.numpy as jnp
    from soromox.simulation.integrators import SemiImplicitEuler
    from soromox.systems.system_state import SystemState

    jax.config.update("jax_enable_x64", True)
    rod = _rod(n, points)
    times = jnp.linspace(0.0, DURATION, SAMPLES)
    solver = SemiImplicitEuler(rod) if name == SYMPLECTIC else getattr(diffrax, name)()
    fixed = diffrax.ConstantStepSize()
    steps = diffrax.PIDController(rtol=tolerance, atol=tolerance) if tolerance else fixed

    def pull(state: Any) -> tuple[Any, None]:
        return jnp.array([tension(state.t, jnp.clip)]), None

    def moved(y: Any) -> Any:
        out = rod.rollout_closed_loop_to(
            SystemState(t=jnp.array(0.0), y=y),
            controller=pull,
            t1=DURATION,
            solver_dt=step,
            save_ts=times,
            solver=solver,
            stepsize_controller=steps,
            max_steps=None,
        )
        return out.y[:, :n]

    move = jax.jit(moved)
    start = jnp.concatenate([_rest(rod, n), jnp.zeros(n)])
    length = jnp.array(section().length)
    poses = jax.jit(jax.vmap(lambda q: rod.forward_kinematics(q, length)))
    return Ready(
        lambda: jax.block_until_ready(move(start)),
        lambda q: Path(np.asarray(times), np.asarray(poses(q))[:, :2, 3]),
    )


def _rod(n: int, points: int) -> Any:
    import jax.numpy as jnp
    from soromox.actuation.threadlike import ThreadlikeActuator, ThreadlikeRouting
    from soromox.systems.components import JointSpec, LinkSpec
    from soromox.systems.gvs import GVS
    from soromox.systems.gvs.specs import GVSSegment, StrainBasisSpec

    rod = section()
    link = LinkSpec.circular(
        length=rod.length,
        radius=rod.radius,
        density=rod.density,
        reference_strain=[0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        young_modulus=rod.young_modulus,
        shear_modulus=rod.shear_modulus,
        # its moment per rate of bend is three times this coefficient times I
        material_damping_coefficient=rod.bend_damping / (3 * rod.inertia),
    )
    basis = StrainBasisSpec("legendre", ("kappa_z",), n - 1)
    path = ThreadlikeRouting.linear(intercept=jnp.array([0.0, rod.offset, 0.0]))
    return GVS.from_segments(
        [GVSSegment(link=link, joint=JointSpec.fixed(), basis=basis, num_gauss_points=points)],
        gravity=jnp.array([0.0, -GRAVITY, 0.0]),
        base_pose=jnp.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
        actuators=ThreadlikeActuator.tendons(path),
    )


def _rest(rod: Any, n: int) -> Any:
    """The equilibrium without a pull, by Newton's method."""
    import jax
    import jax.numpy as jnp

    def force(q: Any) -> Any:
        return rod.elastic_force(q) + rod.gravitational_force(q)

    step = jax.jit(lambda q: q - jnp.linalg.solve(jax.jacfwd(force)(q), force(q)))
    q = jnp.zeros(n)
    for _ in range(NEWTON_STEPS):
        q = step(q)
    return q
