"""CUDA source on the host: the launch is a loop over blocks and threads, all else is the same."""

import ctypes
import shutil
import subprocess

import numpy as np

from chorda.compile.cuda import LEAST

HEAD = """
#include <cmath>
#include <cstring>
using std::isnan; using std::isfinite;
#define __global__
#define __shared__ static
#define __syncthreads()
struct Place { long x; };
static Place blockIdx, blockDim, threadIdx;
static double __longlong_as_double(long long bits) {
  double x; memcpy(&x, &bits, sizeof x); return x;
}
"""
TAIL = """
extern "C" void launch(long blocks, long threads, const long *n, REAL h, REAL tol, REAL *x,
                       const REAL *signal, const REAL *p, const REAL *low, const REAL *high,
                       REAL *X, long *done, long *code) {
  blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x)
      chorda_many(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], h, tol, x, signal, p, low,
                  high, X, done, code);
}
"""
REALS = {"double": (np.float64, ctypes.c_double), "single": (np.float32, ctypes.c_float)}


def compiler():
    return shutil.which("g++") or shutil.which("clang++")


def run_on_host(text, batch, precision, folder):
    """What the kernel makes of a batch: X, done, code."""
    real, number = REALS[precision]
    name = {"double": "double", "single": "float"}[precision]
    code, library = folder / "kernel.cpp", folder / f"{precision}.so"
    code.write_text(HEAD + text + TAIL.replace("REAL", name))
    flags = ["-O1", "-shared", "-fPIC", "-w"]
    subprocess.run([compiler(), *flags, str(code), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).launch
    pointer = ctypes.c_void_p
    function.argtypes = [ctypes.c_long, ctypes.c_long, pointer, number, number, *[pointer] * 8]
    arrays = [
        np.ascontiguousarray(a if a.dtype == np.int64 else a.astype(real)) for a in batch.arrays
    ]
    whole = np.array(batch.whole, np.int64)
    blocks, threads = batch.members + 1, 1  # a thread too many, as at the end of a grid
    function(
        blocks,
        threads,
        whole.ctypes.data,
        batch.h,
        max(batch.tolerance, LEAST[precision]),
        *[a.ctypes.data for a in arrays],
    )
    return arrays[5], arrays[6], arrays[7]
