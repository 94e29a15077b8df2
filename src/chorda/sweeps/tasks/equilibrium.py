"""equilibrium: a configuration at rest."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from chorda.describe import Rod
from chorda.describe.quantity import Number
from chorda.mechanics import System
from chorda.mechanics.posing import frame_poses
from chorda.results import Equilibrium as Rest
from chorda.statics import equilibrium
from chorda.sweeps.tasks.task import Dimension, Numbers, Output, Settings, Start, Task, units

GIVEN = ("tensions", "angles", "torques", "inputs")
PRESCRIBED = ("hold", "poses", "efforts", "actuated")

FLUTTER = "1 where unstable by flutter, else 0"
BY_MOTION = "1 where forces have no energy, so that the motion decides, else 0"


class AtRest(Settings):
    """What every task at rest may prescribe; see `chorda.equilibrium`."""

    tensions: Numbers = Field(None, description="tensions of the tendons [N]")
    angles: Numbers = Field(None, description="angles of the motors [rad]")
    torques: Numbers = Field(None, description="torques of the motors, negative pulls [N m]")
    inputs: Numbers = Field(None, description="inputs, whatever the actuators are")
    hold: dict[str, Number] = Field(
        default_factory=dict, description="coordinates, inputs or parameters that are held"
    )
    poses: dict[str, Any] = Field(default_factory=dict, description="poses of frames")
    efforts: dict[str, Number] = Field(default_factory=dict, description="given efforts of joints")
    actuated: tuple[str, ...] = Field((), description="coordinates that are actuated for it")
    initial: Start = Field(default_factory=dict, description="where the solver starts, by name")
    frames: tuple[str, ...] = Field((), description="frames whose `frame_position` can be kept")


class Equilibrium(AtRest):
    """A configuration at rest at each point."""

    kind: Literal["equilibrium"] = "equilibrium"


def solve(system: System, settings: Mapping[str, Any], parameters: Mapping[str, float]) -> Rest:
    chosen = {k: settings[k] for k in GIVEN if settings[k] is not None}
    more = {k: settings[k] for k in (*PRESCRIBED, "initial") if settings[k]}
    return equilibrium(system, parameters=parameters, **chosen, **more)


def _error(found: Rest) -> float:
    return np.nan if found.accuracy is None else found.accuracy.worst


def outputs(system: System, record: AtRest) -> Sequence[Output]:
    coordinate = Dimension("coordinate", system.coordinate_names)
    tendon = Dimension("tendon", tuple(t.name for t in system.robot.tendons))
    given = Dimension("input_name", tuple(i.name for i in system.inputs))
    eigenvalue = Dimension("eigenvalue", lambda found: range(len(found.eigenvalues)))
    actuated = Dimension("actuated", lambda found: tuple(found.efforts))
    unit = units(c.unit for c in system.coordinates)
    hessian = "of the potential over what is free; all positive where stable"
    made = [
        Output("position", lambda x: x.q, (coordinate,), unit, "generalized coordinates"),
        Output("tension", lambda x: x.tension, (tendon,), "N", "tension of the tendon"),
        Output("input", lambda x: x.u, (given,), "-", "inputs that hold the configuration"),
        Output("hessian_eigenvalue", lambda x: x.eigenvalues, (eigenvalue,), "J", hessian),
        Output("stable", lambda x: x.stable, meaning="1 where stable, else 0"),
        Output("flutter", lambda x: x.instability == "flutter", meaning=FLUTTER),
        Output("by_motion", lambda x: x.criterion == "motion", meaning=BY_MOTION),
        Output("effort", lambda x: list(x.efforts.values()), (actuated,), "-", "of actuation"),
        Output("residual", lambda x: x.residual, (), "-", "left of the balance", partial=True),
        Output("iterations", lambda x: x.iterations, (), "-", "of the solver", partial=True),
    ]
    if any(isinstance(joint, Rod) for joint in system.robot.joints):
        made.append(Output("error", _error, (), "m", "estimated, of the rods' tips"))
    if record.frames:
        made.append(
            frame_positions("frame_position", system, record.frames, lambda x: (x.q, x.parameters))
        )
    return made


def start(system: System, settings: Mapping[str, Any], parameters: Mapping[str, float]) -> Any:
    """Where another task begins: the equilibrium under the given tensions, its Status where there
    is none, or the initial values themselves."""
    initial = settings["initial"] or None
    if settings["tensions"] is None:
        return initial
    rest = equilibrium(
        system, tensions=settings["tensions"], initial=initial, parameters=parameters
    )
    return rest if rest.status.ok else rest.status


def frame_positions(name: str, system: System, frames: tuple[str, ...], state: Any) -> Output:
    """Positions of frames in the world; state: (q, p) of a result."""

    def read(found: Any) -> Any:
        q, p = state(found)
        return np.asarray(frame_poses(system, list(frames), q[None], p)[1][0])

    dimensions = (Dimension("frame", frames), Dimension("axis", ("x", "y", "z")))
    return Output(name, read, dimensions, "m", "position of the frame in the world")


TASK = Task(solve, outputs, ("position", "tension", "hessian_eigenvalue", "stable"))
