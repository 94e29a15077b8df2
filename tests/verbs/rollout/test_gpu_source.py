"""The kernel for a GPU, compiled for the host: the same numbers as the CPU's loop."""

import re

import numpy as np
import pytest

import chorda
from chorda.bench import chain
from chorda.compile import Batch
from chorda.compile.cuda_text import single
from chorda.dynamics.kernels import SchemeLoop
from chorda.dynamics.rollouts.gpu import cuda
from chorda.dynamics.schemes import find
from chorda.dynamics.time_loop import bounds
from tests.helpers.gpu_host import compiler, run_on_host

MEMBERS, STEPS = 5, 100


def batch(loop, varied):
    system = loop.system
    rng = np.random.default_rng(2)
    q = np.repeat(system.rest[:, None], MEMBERS, 1)
    q[0] += rng.uniform(-0.1, 0.1, MEMBERS)
    u = np.full((system.nu, MEMBERS), -0.01)
    p = np.repeat(system.parameters()[:, None], MEMBERS, 1)
    if varied:
        p *= rng.uniform(0.98, 1.02, MEMBERS)
    x = loop.start(2e-3, q, np.zeros((system.nv, MEMBERS)), u, p)
    own = p if varied else p[:, :1].copy()
    signal = np.ascontiguousarray(u[None]) if varied else np.ascontiguousarray(u[None, :, :1])
    return Batch(2e-3, STEPS, 20, x, signal, own, *bounds(system, len(x)), 1e-10, 25)


@pytest.mark.skipif(compiler() is None, reason="no C++ compiler")
@pytest.mark.parametrize(
    ("robot", "scheme", "varied"),
    [
        ("neck-3", "implicit-euler", False),
        ("neck-3", "bdf2", True),
        ("chain-7", "implicit-euler", True),
    ],
)
def test_the_kernel_gives_the_numbers_of_the_cpu(robot, scheme, varied, tmp_path):
    system = chorda.assemble(chain.robot() if robot == "chain-7" else chorda.load(robot))
    method = find(scheme)
    loop = SchemeLoop(system, method)
    wanted, given = batch(loop, varied), batch(loop, varied)
    loop.kernel.many(wanted, 0, MEMBERS)
    # in single precision Newton's method does not come to rest with stiff tendons
    allowed = {"double": 1e-9} | ({} if method.iterates else {"single": 1e-3})
    for precision, bound in allowed.items():
        X, done, code = run_on_host(cuda(loop, precision), given, precision, tmp_path)
        rows = slice(None) if precision == "double" else slice(system.nq)
        scale = np.abs(wanted.X).max(axis=2, keepdims=True) + 1e-3
        assert np.max((np.abs(X - wanted.X) / scale)[:, rows]) < bound
        assert done.tolist() == [STEPS] * MEMBERS
        assert not code.any()


@pytest.mark.skipif(compiler() is None, reason="no C++ compiler")
def test_rods_that_touch_move_alike(tmp_path):
    """An arm that is pulled against its post: capsules along it are calls in the kernel, too."""
    system = chorda.assemble(chorda.load("arm-post"))
    loop, pairs = SchemeLoop(system, find("bdf2")), []
    u = np.array([[-0.008], [0.008], [0.0], [0.0]])
    p = system.parameters()[:, None]
    pressed = system.function("N", "q v u p", *[x.pressing for x in system.touches])
    for _ in range(2):
        q, v = np.repeat(system.rest[:, None], 2, 1), np.zeros((system.nv, 2))
        v[0] = 0.0, 1.0
        x = loop.start(1e-3, q, v, np.repeat(u, 2, 1), p)
        signal = np.ascontiguousarray(u[None])
        pairs.append(Batch(1e-3, 60, 60, x, signal, p, *bounds(system, len(x)), 1e-10, 25))
    wanted, given = pairs
    loop.kernel.many(wanted, 0, 2)
    nq = system.nq
    last = wanted.X[-1, :nq, 0], wanted.X[-1, nq : nq + system.nv, 0]
    assert sum(float(N) for N in pressed(*last, u, p)) > 0.1
    X, done, code = run_on_host(cuda(loop, "double"), given, "double", tmp_path)
    assert done.tolist() == [60, 60]
    assert not code.any()
    scale = np.abs(wanted.X).max(axis=2, keepdims=True) + 1e-3
    assert np.max(np.abs(X - wanted.X) / scale) < 1e-8


def test_no_double_is_left_in_single_precision():
    text = single("double a = 2. * x + 1e-10 + .5e3; int n = 10; f2 = a1[3];")
    assert text == "float a = 2.f * x + 1e-10f + .5e3f; int n = 10; f2 = a1[3];"
    assert not re.search(r"\bdouble\b", text)
