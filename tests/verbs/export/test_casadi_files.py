"""CasADi's files work where there is no Chorda."""

import json
import re
import subprocess
import sys

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.exporting.discrete_model import discrete_model, reference_steps
from tests.helpers.rubbing_robots import rubbing_mass

STRANGER = """
import json, sys
import casadi as ca
names = json.load(open("names.json"))
given = json.load(open("given.json"))
step, dynamics = ca.Function.load("step.casadi"), ca.Function.load("dynamics.casadi")
p = [row["value"] for row in names["p"]]
nq, nv = len(names["q"]), len(names["v"])
out = {"step": [], "F": []}
for x, u0, u1 in given:
    after = step(x=x, h=names["step"], u0=u0, u1=u1, p=p)["x_next"]
    out["step"].append(after.full().ravel().tolist())
    F = dynamics(q=x[:nq], v=x[nq:nq + nv], u=u0, p=p)["F"]
    out["F"].append(F.full().ravel().tolist())
assert "chorda" not in sys.modules
print(json.dumps(out))
"""


def in_a_fresh_process(folder, known):
    """Steps and forces that the files in a folder give where there is no Chorda."""
    pairs = list(zip(known.states[:-1], known.inputs[:-1], known.inputs[1:], strict=True))
    given = [[part.tolist() for part in pair] for pair in pairs]
    (folder / "given.json").write_text(json.dumps(given))
    ran = subprocess.run(
        [sys.executable, "-c", STRANGER], cwd=folder, capture_output=True, text=True, timeout=600
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize(
    ("name", "scheme", "step"),
    [("neck-3", "implicit-euler", 2e-3), ("neck-3", "bdf2", 2e-3), ("till", "bdf2", 5e-3)],
)
def test_a_fresh_process_makes_the_librarys_steps(name, scheme, step, tmp_path):
    system = chorda.assemble(chorda.load(name))
    made = chorda.export(system, tmp_path / "out", to="casadi", scheme=scheme, step=step)
    known = reference_steps(discrete_model(system, scheme, step))
    found = in_a_fresh_process(tmp_path / "out", known)
    nq, nv = system.nq, system.nv
    # both end Newton's method at 1e-10; what it left was measured at 2e-12
    assert np.allclose(
        np.array(found["step"])[:, : nq + nv], known.states[1:, : nq + nv], rtol=0, atol=1e-10
    )
    x, u = known.states[0], known.inputs[0]
    F = system.equations(x[:nq], x[nq : nq + nv], u, made.model.p)[1].full().ravel()
    assert np.allclose(found["F"][0], F, rtol=1e-13, atol=1e-12)


def test_names_carry_units_and_values(tmp_path):
    system = chorda.assemble(chorda.load("neck-3"))
    chorda.export(system, tmp_path / "out", to="casadi", parameters={"left.stiffness": 5e4})
    names = json.loads((tmp_path / "out" / "names.json").read_text(encoding="utf-8"))
    assert {"name": "left.stiffness", "unit": "N/m", "value": 5e4} in names["p"]
    assert [row["name"] for row in names["q"]] == list(system.coordinate_names)
    assert names["functions"]["dynamics"]["inputs"] == ["q", "v", "u", "p"]


def test_every_function_names_its_arguments_and_start_makes_the_first_state(tmp_path):
    system = chorda.assemble(chorda.load("neck-1"))
    made = chorda.export(system, tmp_path / "out", to="casadi", scheme="generalized-alpha").model
    names = json.loads((tmp_path / "out" / "names.json").read_text(encoding="utf-8"))
    words = [w for f in names["functions"].values() for w in f["inputs"] + f["results"]]
    assert not [w for w in words if re.fullmatch(r"[io]\d+", w)]  # CasADi's, where there are none
    assert names["functions"]["start"] == {"inputs": ["q", "v", "u", "p", "h"], "results": ["x"]}
    start = ca.Function.load(str(tmp_path / "out" / "start.casadi"))
    v = np.full(system.nv, 0.1)
    x = start(q=made.q, v=v, u=made.u, p=made.p, h=made.step)["x"].full().ravel()
    # the same operations, shared ones done once: measured to be equal
    assert np.allclose(
        x, made.loop.start(made.step, made.q, v, made.u, made.p).ravel(), rtol=1e-13, atol=0
    )
    assert np.abs(x[system.nq + system.nv :]).max() > 0  # accelerations, which the scheme keeps
    assert len(x) == names["state_size"]


def test_rates_of_bristles_are_among_the_results(tmp_path):
    system = chorda.assemble(rubbing_mass(kind="bristle", force=6.0, deflection=1e-3))
    chorda.export(system, tmp_path / "out", to="casadi")
    dynamics = ca.Function.load(str(tmp_path / "out" / "dynamics.casadi"))
    found = dynamics(q=[0.1, 5e-4], v=[0.2], p=system.parameters())["q_dot"]
    assert found.full().ravel() == pytest.approx([0.2, 0.2 * (1 - 0.5)])
