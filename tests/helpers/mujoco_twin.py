"""A motion by the library, and by MuJoCo's model of the same robot as it is exported."""

import numpy as np

import chorda
from chorda.exporting.discrete_model import discrete_model
from chorda.exporting.mjcf import configuration, document


def both(robot, start, duration, step):
    """Coordinates over time by the library, and by MuJoCo's model of it."""
    import mujoco

    system = chorda.assemble(robot)
    q = system.start
    for name, value in start.items():
        q[system.coordinate_names.index(name)] = value
    run = chorda.simulate(
        system, duration=duration, step=step, scheme="bdf2", initial=q, strict=True
    )
    model = mujoco.MjModel.from_xml_string(document(discrete_model(system, None, step)))
    data = mujoco.MjData(model)
    for name, value in configuration(system, q).items():
        at = model.joint(name).qposadr[0]
        data.qpos[at : at + len(value)] = value
    found = []
    for _ in run.time:
        mujoco.mj_forward(model, data)
        found.append(data.qpos.copy())
        mujoco.mj_step(model, data)
    return run, np.array(found), model
