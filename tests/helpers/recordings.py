"""Robots and recorded motions that the tests of identification use."""

import chorda
from chorda.control import Fourier, JointControl
from chorda.describe import Body, DryFriction, KelvinVoigt, Motor, Point, Revolute, Robot, Tendon
from chorda.identification.refining.fit_problem import Measured


def finger():
    """Two hinged phalanges on springs, antagonistic tendons on four motors; no neck at all."""

    def phalanx(name, length, mass):
        J = mass * length**2 / 12
        body = Body(mass=mass, center=(0, -length / 2, 0), inertia=(J, J / 50, J, 0, 0, 0))
        return {"name": name, "axis": (0, 0, 1), "body": body, "friction": 0.002, "stiffness": 0.3}

    joints = (
        Revolute(**phalanx("knuckle", 0.06, 0.08)),
        Revolute(
            **phalanx("middle", 0.05, 0.05),
            parent="knuckle",
            placement={"position": (0, -0.06, 0)},
        ),
    )
    palm = {side: Point(point=(s * 0.015, 0.02, 0)) for side, s in (("f", 1), ("e", -1))}
    first = {
        s: Point(frame="knuckle", point=(x * 0.012, -0.03, 0)) for s, x in (("f", 1), ("e", -1))
    }
    second = {
        s: Point(frame="middle", point=(x * 0.01, -0.02, 0)) for s, x in (("f", 1), ("e", -1))
    }
    paths = {
        "flexor": (palm["f"], first["f"]),
        "extensor": (palm["e"], first["e"]),
        "long-flexor": (palm["f"], first["f"], second["f"]),
        "long-extensor": (palm["e"], first["e"], second["e"]),
    }
    return Robot(
        name="finger",
        joints=joints,
        actuators=tuple(
            Motor(
                name=f"motor-{name}",
                inertia=2e-6,
                drum_radius=0.008,
                gear_ratio=10.0,
                dry_friction=DryFriction(torque=0.0008, slope=0.4),
            )
            for name in paths
        ),
        tendons=tuple(
            Tendon(
                name=name,
                path=path,
                law=KelvinVoigt(stiffness=8e3, damping=15.0, one_sided=False),
                actuator=f"motor-{name}",
            )
            for name, path in paths.items()
        ),
    )


def recorded(system, size, duration=2.0, step=2e-3, tension=8.0, scheme="newmark", frequency=0.8):
    """(inputs, run): torques that a controller asked for, and the motion they make open loop."""
    joints = sum(c.kind == "joint" for c in system.coordinates)
    wanted = Fourier.random(joints, size, frequency=frequency, harmonics=3, seed=4, fade=0.3)
    control = JointControl(wanted, frequency=20.0, minimum_tension=tension)
    start = {"tension": tension}
    options = {"duration": duration, "step": step, "scheme": scheme, "initial": start}
    closed = chorda.simulate(system, control=control, **options, strict=True)
    run = chorda.simulate(system, inputs=closed.input, **options, strict=True)
    return closed, run


def seen(system, run, sigma, rng=None, every=1):
    """All coordinates as sensors see them; exact without a random generator."""
    out = []
    for i, c in enumerate(system.coordinates):
        value = run.position[::every, i].copy()
        if rng is not None:
            value += sigma[c.kind] * rng.normal(size=len(value))
        out.append(Measured(c.name, run.time[::every], value, sigma[c.kind], c.kind))
    return out
