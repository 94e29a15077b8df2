"""Compiled and interpreted kernels do the same, whatever the scheme and the size."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.compile import source
from chorda.dynamics.schemes import SCHEMES

pytestmark = pytest.mark.usefixtures("c_compiler")
START = {"x1": 0.1, "tension": 5.0}


def both(system, monkeypatch, **options):
    """The same run compiled and interpreted."""
    arguments = {"duration": 0.02, "step": 1e-3, "initial": START} | options
    compiled = chorda.simulate(system, **arguments)
    with monkeypatch.context() as patch:
        patch.setenv("CHORDA_COMPILER", "none")
        interpreted = chorda.simulate(system, **arguments)
    return compiled, interpreted


def agree(compiled, interpreted):
    assert compiled.status == interpreted.status
    assert len(compiled.time) == len(interpreted.time)
    for name in ("position", "velocity", "input"):
        a, b = getattr(compiled, name), getattr(interpreted, name)
        assert np.allclose(a, b, rtol=1e-7, atol=1e-7 * max(1.0, float(np.abs(b).max()))), name
    for name in ("steps", "iterations", "rejected"):
        assert compiled.counts[name] == interpreted.counts[name], name


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("tendons", ["elastic", "rigid"])
def test_every_scheme_builds_and_agrees_with_the_interpreter(scheme, tendons, monkeypatch):
    system = chorda.assemble(chorda.neck(1), tendons=tendons)
    start = START if tendons == "elastic" else {"x1": 0.1}
    inputs = {"inputs": lambda t: [0.01 * t, -0.02], "initial": start}
    agree(*both(system, monkeypatch, scheme=scheme, **inputs))


@pytest.mark.parametrize("scheme", ["explicit-euler", "implicit-euler-converged", "rk45"])
def test_a_controller_is_compiled_into_every_kind_of_kernel(scheme, monkeypatch):
    system = chorda.assemble(chorda.neck(1))
    t, q, v = ca.SX.sym("t"), ca.SX.sym("q", system.nq), ca.SX.sym("v", system.nv)
    law = ca.Function("law", [t, q, v], [ca.vertcat(-0.1 * q[0] - 0.01 * v[0], 0.01 * ca.sin(t))])
    compiled, interpreted = both(system, monkeypatch, scheme=scheme, control=law)
    agree(compiled, interpreted)
    python = chorda.simulate(
        system,
        duration=0.02,
        step=1e-3,
        scheme=scheme,
        initial=START,
        control=lambda t, q, v: np.array(law(t, q, v)).ravel(),
    )
    assert np.allclose(python.position, compiled.position, rtol=1e-7, atol=1e-9)


def test_large_kernels_are_cut_into_pieces_and_give_the_same(monkeypatch):
    system = chorda.assemble(chorda.neck(8))
    texts = []
    original = source.generate
    monkeypatch.setattr(
        "chorda.compile.source.generate", lambda *a: texts.append(original(*a)) or texts[-1]
    )
    monkeypatch.setattr("chorda.compile.cache.lookup", lambda *_: None)  # compile it in any case
    compiled, interpreted = both(system, monkeypatch, duration=5e-3)
    assert compiled.counts["operations"] > source.LONG
    assert texts[0].count("_part0(") >= 2  # made and called
    assert "_part5(" in texts[0]
    agree(compiled, interpreted)


def test_short_functions_of_long_kernels_keep_their_variables_in_registers():
    x = ca.SX.sym("x", 2)
    square = ca.Function("square", [x], [ca.sin(x[0]) * x[1]])
    text = source.generate({"square": square}, {}, (), long=True)
    assert "  casadi_real w0, w1;" in text
    assert "w[0]" not in text


@pytest.mark.parametrize("scheme", ["implicit-euler", "implicit-euler-converged", "rk45"])
def test_pieces_give_the_same_numbers_wherever_the_cuts_are(scheme, home, monkeypatch):
    def run(long, piece):
        monkeypatch.setattr("chorda.compile.source.LONG", long)
        monkeypatch.setattr("chorda.compile.source.PIECE", piece)
        monkeypatch.setattr("chorda.compile.source.UNCUT", 0)
        monkeypatch.setattr("chorda.compile.source.looped", lambda *_: None)
        monkeypatch.setenv("CHORDA_CACHE", str(home / f"{long}-{piece}"))
        system = chorda.assemble(chorda.neck(1))
        return chorda.simulate(system, duration=0.02, step=1e-3, scheme=scheme, initial=START)

    cut = [run(0, piece) for piece in (7, 100, 100_000)]
    whole = run(10**9, 1000)
    for other in cut:  # compilers join products and sums within a piece: rounding differs
        assert np.allclose(other.position, whole.position, rtol=1e-9, atol=1e-12)


def test_a_run_is_the_same_however_it_is_chunked(monkeypatch):
    system = chorda.assemble(chorda.neck(1))
    arguments = {"duration": 0.5, "step": 1e-3, "initial": START}
    signal = {"motor-left": lambda t: -0.01 * t}
    one = chorda.simulate(system, inputs=signal, **arguments)
    monkeypatch.setattr("chorda.numerics.pacing.PIECE_SECONDS", 1e-9)
    many = chorda.simulate(system, inputs=signal, **arguments)
    assert np.array_equal(one.position, many.position)
    assert np.array_equal(one.input, many.input)
