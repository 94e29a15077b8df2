"""Long functions with loops: the same numbers, and what repeats is written once."""

import ctypes
import re

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.bench import eyelets, hand
from chorda.compile import compiler, loops, repeats, source, statements
from chorda.compile.library import obtain
from chorda.compile.point_functions import compiled
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.schemes import SCHEMES
from tests.helpers.chains import described, random_links
from tests.helpers.evaluate import random_state
from tests.helpers.robots import everything
from tests.helpers.rubbing_robots import rubbing_arm

needs_compiler = pytest.mark.usefixtures("c_compiler", "home")
ROBOTS = {
    "everything": everything,
    "links in space on a free body": lambda: described(random_links(4, 8), free=True),
    "joints that rub": lambda: rubbing_arm(kind="tanh", torque=0.2, slope=50.0),
    "eyelets": lambda: eyelets.robot(18),
    "hand": hand.robot,
    "neck": lambda: chorda.neck(6),
}


@pytest.fixture
def with_loops(monkeypatch):
    """All functions are written with loops, short ones as well."""
    monkeypatch.setattr(source, "LONG", 0)
    monkeypatch.setattr(source, "UNCUT", 0)
    monkeypatch.setattr(source, "PIECE", 0)


def functions(robot, scheme="implicit-euler"):
    return SchemeLoop(chorda.assemble(robot), SCHEMES[scheme]).functions()


def text_of(made):
    return source.generate(made, {}, (), long=True)


def written(text):
    """Statements of arithmetic."""
    return len(re.findall(r"^  a\d+=", text, re.M))


def recurrence(times, kept=False):
    """x after so many steps of the same kind, each with a parameter of its own."""
    x, p = ca.SX.sym("x", 6), ca.SX.sym("p", times)
    now, seen = x, [x[0]]
    for k in range(times):
        for _ in range(8):
            turned = ca.vertcat(now[1:], now[0])
            now = ca.sin(now) * turned + p[k] * ca.sqrt(1 + now**2) - 0.5 * ca.fmax(turned, -2)
        seen.append(now[2])
    return ca.Function("recurrence", [x, p], [now, *([ca.vertcat(*seen, 3.0)] if kept else [])])


def compiled_and_not(robot):
    """A step of a robot by compiled code, and by the virtual machine."""
    system = chorda.assemble(robot)
    step = SchemeLoop(system, SCHEMES["implicit-euler"]).functions()["after"]
    [ours] = compiled(step)
    assert ours.class_name() == "External"
    q, v, u, _ = random_state(system, np.random.default_rng(0), size=0.1)
    given = np.concatenate([q, v]), 1e-3, np.abs(u) * 0.1, np.abs(u) * 0.1, system.parameters()
    return [f(*given).full() for f in (ours, step)]


@needs_compiler
@pytest.mark.parametrize("name", ROBOTS)
def test_a_step_with_loops_is_that_of_the_virtual_machine(name, with_loops):
    a, b = compiled_and_not(ROBOTS[name]())
    assert np.abs(a - b).max() <= 1e-12 * np.abs(b).max()


@needs_compiler
@pytest.mark.parametrize("name", [*ROBOTS, "forty joints"])
def test_without_fused_operations_loops_do_not_change_a_bit(name, with_loops, monkeypatch):
    """What differs otherwise is rounding: of a product that is added at once."""
    monkeypatch.setattr(compiler, "FLAGS", (*compiler.FLAGS, "-ffp-contract=off"))
    a, b = compiled_and_not(eyelets.robot(40) if name == "forty joints" else ROBOTS[name]())
    assert np.array_equal(a, b)


@needs_compiler
@pytest.mark.parametrize("lengths", [(3, 2, 9), (20, 10, 50), (80, 40, 400)])
def test_numbers_do_not_depend_on_the_cuts(lengths, with_loops, monkeypatch):
    for name, length in zip(("DISTANCE", "MIN_LENGTH", "MAX_LENGTH"), lengths, strict=True):
        monkeypatch.setattr(repeats, name, length)
    made = recurrence(12, kept=True)
    [ours] = compiled(made)
    rng = np.random.default_rng(1)
    given = rng.normal(size=6), rng.normal(size=12)
    for a, b in zip(ours(*given), made(*given), strict=True):
        assert np.allclose(a.full(), b.full(), rtol=1e-12, atol=1e-13)


@needs_compiler
@pytest.mark.parametrize("seed", range(5))
def test_any_graph_of_operations_gives_its_numbers(seed, with_loops, monkeypatch):
    monkeypatch.setattr(repeats, "DISTANCE", 6)
    monkeypatch.setattr(repeats, "MIN_LENGTH", 3)
    rng = np.random.default_rng(seed)
    x = ca.SX.sym("x", 5)
    known, block = list(ca.vertsplit(x)), rng.integers(0, 9, 7)
    for k in range(400):
        a, b = (known[-1 - int(rng.integers(0, min(len(known), 30)))] for _ in range(2))
        known.append(
            [
                lambda a, b: a + b,
                lambda a, b: a - b,
                lambda a, b: ca.sin(a) * b,
                lambda a, b: ca.fmin(a, b),
                lambda a, b: -a,
                lambda a, b: ca.if_else(a < b, a, -0.25 * b),
                lambda a, b: ca.tanh(a) / (2 + b**2),
                lambda a, b: ca.fabs(a) - 1e-3,
                lambda a, b: ca.atan2(a, 1 + b**2),
            ][block[k % 7]](ca.tanh(a), ca.tanh(b))
        )
    made = ca.Function("graph", [x], [ca.vertcat(*known[::9], 2.5), ca.vertcat(*known[-3:])])
    [ours] = compiled(made)
    given = rng.normal(size=5)
    for a, b in zip(ours(given), made(given), strict=True):
        assert np.allclose(a.full(), b.full(), rtol=1e-12, atol=1e-13)


@needs_compiler
def test_operands_may_be_other_statements_of_a_stretch_from_one_place_to_the_next(
    with_loops, monkeypatch
):
    for name, length in (("DISTANCE", 6), ("MIN_LENGTH", 11), ("NEAR_OPERANDS", 2)):
        monkeypatch.setattr(repeats, name, length)
    values = [ca.SX.sym("x")]
    for k in range(40):
        for _ in range(10):
            values.append(ca.sin(values[-1]))
        values.append(2 * values[-1] / values[-3 - k % 2])
    made = ca.Function("alternating", [values[0]], [values[-1]])
    [ours] = compiled(made)
    assert float(ours(0.7)) == pytest.approx(float(made(0.7)), rel=1e-12)


@needs_compiler
def test_arguments_that_are_missing_are_zero_and_results_may_be(with_loops):
    made = recurrence(12, kept=True)
    run = obtain(b"missing", {}, (), lambda: {"f": made}, lambda x: x, lambda _: None)
    call = run.function("recurrence", ctypes.c_int, *[ctypes.c_void_p] * 4, ctypes.c_int)
    x, after = np.linspace(0, 1, 6), np.zeros(6)
    arg = (ctypes.c_void_p * 2)(x.ctypes.data, None)
    res = (ctypes.c_void_p * 2)(after.ctypes.data, None)
    assert call(arg, res, *run.work(), 0) == 0
    assert np.allclose(after, made(x, 0)[0].full().ravel(), rtol=1e-12)


def test_a_recurrence_is_a_loop():
    few, many = (text_of({"f": recurrence(n)}) for n in (100, 400))
    assert written(many) < 1.05 * written(few)
    assert written(many) < source.operations({"f": recurrence(400)}) / 40
    assert max(int(n) for n in re.findall(r"for \(i=0; i<(\d+); \+\+i\) casadi", many)) > 100


def test_more_joints_take_little_more_code():
    few, many = (functions(eyelets.robot(n)) for n in (24, 48))
    assert source.operations(many) > 2 * source.operations(few)
    assert written(text_of(many)) < 1.2 * written(text_of(few))


def test_what_is_computed_twice_is_one_statement():
    lines = [
        *("w[0]=arg[0]? arg[0][1] : 0;", "w[1]=arg[0]? arg[0][0] : 0;", "w[2]=-2.;"),
        *("w[3]=(w[0]*w[1]);", "w[4]=(w[3]-w[2]);", "w[5]=(w[0]*w[1]);", "w[6]=(w[5]-w[2]);"),
        *("w[0]=(w[4]/w[6]);", "if (res[0]!=0) res[0][0]=w[0];", "if (res[0]!=0) res[0][1]=w[2];"),
    ]
    found = statements.parsed("\n".join(f"  {x}" for x in lines))
    assert found.texts == ["(@*@)", "(@-(-2.))", "(@/@)"]
    assert found.operands.tolist() == [[-2, -1], [0, statements.NO_OPERAND], [1, 1]]
    assert found.arguments == [(0, 0), (0, 1)]
    assert found.results == [(0, 0, 2), (0, 1, "(-2.)")]


@pytest.mark.parametrize(
    "line",
    [
        "  casadi_copy(w, 3, w+3);",
        "  w[0]=w[1]*iw[2];",
        "  if (casadi_f1(arg, res, iw, w, 0)) return 1;",
        "  w[0]=casadi_c1[3];",
    ],
)
def test_more_than_arithmetic_is_left_alone(line):
    body = f"  w[1]=arg[0]? arg[0][0] : 0;\n{line}\n  if (res[0]!=0) res[0][0]=w[1];"
    assert statements.parsed(body) is None
    assert loops.looped("casadi_f0", "", body, "static") is None


@needs_compiler
def test_a_function_that_others_call_leaves_their_values_alone(with_loops, monkeypatch):
    """CasADi keeps values of the caller right behind the work vector of those that it calls."""
    monkeypatch.setattr(source, "PIECE", 100)
    inner = recurrence(40)
    x, p = ca.MX.sym("x", 6), ca.MX.sym("p", 40)
    kept = ca.sin(x) + 2 * p[:6]
    first = inner(x, p)
    second = inner(first + kept, p * kept[0])
    whole = ca.Function("whole", [x, p], [second * kept, kept + first])
    [ours] = compiled(whole)
    given = np.linspace(0.1, 0.9, 6), np.linspace(-0.2, 0.3, 40)
    for a, b in zip(ours(*given), whole(*given), strict=True):
        np.testing.assert_allclose(a.full(), b.full(), rtol=1e-11, atol=1e-12)
