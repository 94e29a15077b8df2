"""Ctrl-C is answered at once, wherever it comes, and is a KeyboardInterrupt or a result."""

import os

import pytest

from tests.helpers.interrupts import interrupted

SOON = 5.0  # [s] with the end of the interpreter, on a machine that does other things as well
END = """
try:
    found = work()
    status = getattr(found, "status", None)  # of batches a method
    print("result", getattr(status, "code", type(found).__name__))
except KeyboardInterrupt:
    print("KeyboardInterrupt")
"""
LONG_RUN = """
import numpy as np
from dataclasses import replace
import chorda

short = chorda.simulate(chorda.assemble(chorda.load("neck-3")), duration=0.1, step=1e-3)
rows = np.arange(1_500_000) % len(short.time)
states = {x: getattr(short, x)[rows] for x in ("position", "velocity", "input")}
run = replace(short, time=1e-3 * np.arange(len(rows)), **states)
"""
EQUILIBRIUM = """
import chorda
system = chorda.assemble(chorda.load("rfrfr"))
bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
first = chorda.equilibrium(system, hold={"motor1": 2.59, "motor2": 0.55}, initial=bulge)
"""
STUDY = """
import chorda
study = {
    "robot": "neck-3",
    "vary": [{"name": "*.stiffness", "kind": "grid", "low": 1e4, "high": 1e5, "count": 40}],
    "compute": {"kind": "simulate", "duration": 20.0, "step": 1e-4},
}
"""
LOG = """
import chorda
from chorda import identification
system = chorda.assemble(chorda.load("neck-3"))
log = identification.experiment(system, duration=4.0)
"""
# what runs, where it is when the signal comes, and what comes of it
PROGRAMS = {
    "outputs": (
        LONG_RUN + "work = lambda: run.outputs",
        "chorda.results.observe:accelerations",
        "KeyboardInterrupt",
    ),
    "outputs with progress": (
        LONG_RUN + "work = run.with_outputs",
        "chorda.results.run_outputs:observed",
        "result interrupted",
    ),
    "energy": (
        LONG_RUN + "work = lambda: run.energy",
        "chorda.results.run:by_columns",
        "KeyboardInterrupt",
    ),
    "frames": (
        LONG_RUN + "work = lambda: run.frame(run.system.robot.frames()[-1])",
        "chorda.mechanics.posing:by_columns",
        "KeyboardInterrupt",
    ),
    "rollout": (
        "import chorda\nsystem = chorda.assemble(chorda.load('neck-3'))\n"
        "work = lambda: chorda.rollout(system, duration=1e4, step=1e-3, jobs=1)",
        "chorda.compile.kernel:Compiled.many",
        "result Rollout",
    ),
    "rollout on all cores": (
        "import chorda, numpy as np\nsystem = chorda.assemble(chorda.load('neck-3'))\n"
        "start = {'x1': np.linspace(0, 0.1, 64)}\n"
        "work = lambda: chorda.rollout(system, duration=1e3, step=1e-3, initial=start)",
        "chorda.compile.kernel:Compiled.many",
        "result Rollout",
    ),
    "rollout without a compiler": (
        "import os\nos.environ['CHORDA_COMPILER'] = 'none'\n"
        "import chorda\nsystem = chorda.assemble(chorda.load('neck-3'))\n"
        "work = lambda: chorda.rollout(system, duration=1e3, step=1e-3)",
        "chorda.compile.interpreted:Interpreted.many",
        "result Rollout",
    ),
    "starts of a rollout": (
        "import chorda, numpy as np\nsystem = chorda.assemble(chorda.load('neck-3'))\n"
        "start = {'x1': np.linspace(0, 0.1, 300_000), 'tension': 8.0}\n"
        "work = lambda: chorda.rollout(system, duration=1.0, step=1e-3, initial=start)",
        "chorda.dynamics.rollouts.members:_wound",
        "KeyboardInterrupt",
    ),
    "equilibrium": (
        "import chorda\nsystem = chorda.assemble(chorda.load('6-rfs'))\n"
        "work = lambda: [chorda.equilibrium(system) for _ in range(1000)]",
        "chorda.statics.cold_start:spectra",
        "KeyboardInterrupt",
    ),
    "equilibria": (
        "import chorda\nsystem = chorda.assemble(chorda.load('rfrfr'))\n"
        "work = lambda: chorda.equilibria(system, starts=100_000)",
        None,
        "KeyboardInterrupt",
    ),
    "follow": (
        EQUILIBRIUM + "work = lambda: chorda.follow(first, hold={'motor1': 2.4}, points=1_000_000)",
        "chorda.compile.paths:CompiledPath.follow",
        "KeyboardInterrupt",
    ),
    "workspace": (
        EQUILIBRIUM
        + "over = {'motor1': (2.3, 2.9, 300), 'motor2': (0.3, 0.8, 300)}\n"
        + "work = lambda: chorda.workspace(first, over, jobs=1)",
        "chorda.statics.workspace.pieces:Surveyor.survey",
        "result interrupted",
    ),
    "workspace on two processes": (
        EQUILIBRIUM
        + "over = {'motor1': (2.3, 2.9, 300), 'motor2': (0.3, 0.8, 300)}\n"
        + "work = lambda: chorda.workspace(first, over, jobs=2)",
        "chorda.numerics.workers:Process.give",
        "result interrupted",
    ),
    "sweep": (
        STUDY + "work = lambda: chorda.sweep(study, jobs=1, chunk=40)",
        "chorda.sweeps.computing:Computer.piece",
        "result interrupted",
    ),
    "sweep on two processes": (
        STUDY + "work = lambda: chorda.sweep(study, jobs=2)",
        "chorda.numerics.workers:Process.give",
        "result interrupted",
    ),
    "first point of a sweep": (
        STUDY + "work = lambda: chorda.sweep(study)",
        "chorda.sweeps.computing:Computer.solve",
        "KeyboardInterrupt",
    ),
    "experiment": (
        "import chorda\nfrom chorda import identification\n"
        "system = chorda.assemble(chorda.load('neck-3'))\n"
        "work = lambda: identification.experiment(system, duration=2000.0)",
        "chorda.dynamics.simulate:advance",
        "KeyboardInterrupt",
    ),
    "identify": (
        LOG + "work = lambda: chorda.identify(log, system)",
        "chorda.identification.identify:choose",
        "KeyboardInterrupt",
    ),
    "identify with instruments": (
        LOG + "work = lambda: chorda.identify(log, system)",
        "chorda.identification.instruments:simulate",
        "KeyboardInterrupt",
    ),
    "step limits": (
        "import chorda\nsystem = chorda.assemble(chorda.neck(6))\n"
        "work = lambda: chorda.step_limits(system)",
        "chorda.dynamics.step_limits:linearize",
        "KeyboardInterrupt",
    ),
    "linearize": (
        "import chorda, numpy as np\nsystem = chorda.assemble(chorda.neck(12))\n"
        "q, u = system.rest, np.zeros(system.nu)\n"
        "work = lambda: chorda.linearize(system, q, np.zeros(system.nv), u, system.parameters())",
        "chorda.dynamics.linearize:derivatives",
        "KeyboardInterrupt",
    ),
    "assemble": (
        "import chorda\nrobot = chorda.load('6-rfs')\nwork = lambda: chorda.assemble(robot)",
        "casadi:jacobian",
        "KeyboardInterrupt",
    ),
    "gym": (
        "import chorda.gym, gymnasium\n"
        "def work():\n"
        "    env = gymnasium.make_vec('chorda/NeckReach-v0', num_envs=64)\n"
        "    env.reset(seed=0)\n"
        "    while True:\n"
        "        env.step(env.action_space.sample())\n",
        "chorda.gym.moving:Moving.go",
        "KeyboardInterrupt",
    ),
    "control": (
        "import chorda\nfrom chorda.control import JointControl, Sine\n"
        "system = chorda.assemble(chorda.neck(8))\n"
        "law = JointControl(Sine.from_rest([0.1] * 8))\n"
        "work = lambda: chorda.simulate(system, duration=100.0, step=1e-4, control=law)",
        "chorda.control.joint_control:JointControl.law",
        "KeyboardInterrupt",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_ctrl_c_is_answered_soon_and_in_chordas_words(name, tmp_path):
    code, inside, expected = PROGRAMS[name]
    answer = interrupted(code + END, inside=inside, cwd=tmp_path)
    assert (answer.code, answer.out.strip()) == (0, expected), answer.errors
    assert answer.seconds < SOON
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_the_compiler_with_all_that_it_started(tmp_path):
    compiler = tmp_path / "cc"
    compiler.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo slow && exit\nsleep 1000 & sleep 1000\n'
    )
    compiler.chmod(0o700)
    home = tmp_path / "cache"
    home.mkdir(mode=0o700)
    environment = os.environ | {"CHORDA_COMPILER": str(compiler), "CHORDA_CACHE": str(home)}
    code = (
        "import chorda\nsystem = chorda.assemble(chorda.neck(1))\n"
        "work = lambda: chorda.simulate(system, duration=1.0, step=1e-3)"
    )
    answer = interrupted(code + END, inside="chorda.compile.library:all_ended", env=environment)
    assert (answer.code, answer.out.strip()) == (0, "KeyboardInterrupt"), answer.errors
    assert answer.seconds < SOON  # else somebody still holds the pipe
    assert list(home.iterdir()) == []
