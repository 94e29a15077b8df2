"""The rod in Exudyn: geometrically exact planar beams of three nodes, generalized-alpha."""

from functools import partial
from typing import Any

import numpy as np

from chorda.bench.rod_motion import DURATION, GRAVITY, Path, Ready, Setting, section, tension

NAME = "Exudyn"
CHOICES = ((3, 0.016), (4, 0.0125), (5, 0.00625), (5, 0.005))  # elements, step [s]
DISSIPATION = 0.9  # spectral radius at infinity
LOAD_STEPS = 10
NEWTON = 1e-6  # relative tolerance


def settings() -> list[Setting]:
    return [
        Setting(NAME, f"{6 * n} coordinates, {h * 1e3:g} ms", partial(_begin, n, h))
        for n, h in CHOICES
    ]


def _begin(elements: int, step: float) -> Ready:
    import exudyn
    from exudyn import itemInterface as item

    rod = section()
    L, A, I = rod.length, rod.area, rod.inertia  # noqa: E741
    mbs = exudyn.SystemContainer().AddSystem()
    nodes = [
        mbs.AddNode(item.NodeRigidBody2D(referenceCoordinates=[L * k / (2 * elements), 0, 0]))
        for k in range(2 * elements + 1)
    ]
    for k in range(elements):
        beam = mbs.AddObject(
            item.ObjectBeamGeometricallyExact2D(
                nodeNumbers=nodes[2 * k : 2 * k + 3],
                length=L / elements,
                massPerLength=rod.density * A,
                crossSectionInertia=rod.density * I,
                bendingStiffness=rod.young_modulus * I,
                axialStiffness=rod.young_modulus * A,
                shearStiffness=rod.shear_modulus * A,
                bendingDamping=rod.bend_damping,
            )
        )
        body = mbs.AddMarker(item.MarkerBodyMass(bodyNumber=beam))
        mbs.AddLoad(item.LoadMassProportional(markerNumber=body, loadVector=[0, -GRAVITY, 0]))
    ground = mbs.AddMarker(
        item.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(item.NodePointGround()), coordinate=0)
    )
    for k in range(3):
        held = mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=k))
        mbs.AddObject(item.CoordinateConstraint(markerNumbers=[ground, held]))
    pulling = [False]  # the static solver's time runs from 0 to 1 with the share of the load

    def moment(_: Any, t: float, __: Any) -> list[float]:
        return [0.0, 0.0, rod.offset * tension(t) if pulling[0] else 0.0]

    tip = mbs.AddMarker(item.MarkerNodeRigid(nodeNumber=nodes[-1]))
    mbs.AddLoad(
        item.LoadTorqueVector(markerNumber=tip, loadVector=[0, 0, 0], loadVectorUserFunction=moment)
    )
    sensor = mbs.AddSensor(
        item.SensorNode(
            nodeNumber=nodes[-1],
            outputVariableType=exudyn.OutputVariableType.Position,
            storeInternal=True,
        )
    )
    mbs.Assemble()
    options = _options(exudyn, step)
    mbs.SolveStatic(options, updateInitialValues=True)
    rest = mbs.systemData.GetSystemState()
    pulling[0] = True

    def run() -> Any:
        mbs.systemData.SetSystemState(rest, configuration=exudyn.ConfigurationType.Initial)
        mbs.SolveDynamic(options)
        return mbs.GetSensorStoredData(sensor)

    return Ready(run, _path)


def _options(exudyn: Any, step: float) -> Any:
    options = exudyn.SimulationSettings()
    options.solution.file.write = False
    options.solution.sensors.writePeriod = step
    options.linearSolver.solverType = exudyn.LinearSolverType.EXUdense  # the fastest for this size
    options.staticSolver.numberOfLoadSteps = LOAD_STEPS
    options.staticSolver.verboseMode = 0
    options.timeIntegration.verboseMode = 0
    options.timeIntegration.numberOfSteps = round(DURATION / step)
    options.timeIntegration.endTime = DURATION
    options.timeIntegration.generalizedAlpha.spectralRadius = DISSIPATION
    options.timeIntegration.newton.useModifiedNewton = False  # faster and truer here
    options.timeIntegration.newton.relativeTolerance = NEWTON
    return options


def _path(rows: Any) -> Path:
    """Of the last motion that the sensor holds."""
    begins = np.flatnonzero(np.diff(rows[:, 0]) < 0)
    last = rows[begins[-1] + 1 :] if begins.size else rows
    return Path(last[:, 0], last[:, 1:3])
