"""CUDA source on the host: the launch is a loop over threads, all else is the same."""

import ctypes
import re
import shutil
import subprocess

import numpy as np

from chorda.compile.cuda import LEAST, REALS

HEAD = """
#include <cmath>
#include <cstring>
using std::isnan; using std::isfinite;
#define __global__
#define __shared__ static
#define __noinline__
#define __syncthreads()
struct Place { long x; };
static Place blockIdx, blockDim, threadIdx;
static double __longlong_as_double(long long bits) {
  double x; memcpy(&x, &bits, sizeof x); return x;
}
"""
# one thread a block, as what threads share is static here
TAIL = """
extern "C" const char *kernel_name = "{name}", *kernel_parameters = "{parameters}";
extern "C" void launch(long threads, void **a) {{
  blockDim.x = 1;
  for (blockIdx.x = 0; blockIdx.x < threads; ++blockIdx.x) {name}({arguments});
}}
"""
DTYPES = {
    "long": np.int64,
    "long long": np.int64,
    "double": np.float64,
    "float": np.float32,
}


def compiler():
    return shutil.which("g++") or shutil.which("clang++")


def on_host(text):
    """The source with what stands for a GPU."""
    ((name, listed),) = re.findall(r"__global__ void (\w+)\(([^)]*)\)", text)
    kinds = [re.sub(r"\bconst |\w+$", "", x.strip()).strip() for x in listed.split(",")]
    passed = [f"*({kind} *)a[{k}]" for k, kind in enumerate(kinds)]
    made = {"name": name, "parameters": ",".join(kinds), "arguments": ", ".join(passed)}
    return HEAD + text + TAIL.format(**made)


def build(text, folder, name="kernel"):
    """The file of a library of a CUDA source for the host."""
    code, library = folder / f"{name}.cpp", folder / f"{name}.so"
    code.write_text(on_host(text))
    flags = ["-O1", "-shared", "-fPIC", "-w"]
    subprocess.run([compiler(), *flags, str(code), "-o", str(library)], check=True)
    return library


class HostKernel:
    """The kernel of a library that `build` made.

    A GPU gets addresses and does not look behind them; here wrong kinds of numbers are errors.
    """

    def __init__(self, library, name):
        self._library = ctypes.CDLL(str(library))
        own, parameters = (
            ctypes.c_char_p.in_dll(self._library, x).value.decode()
            for x in ("kernel_name", "kernel_parameters")
        )
        assert name == own, f"no kernel {name}"
        self._parameters = parameters.split(",")

    def __call__(self, threads, arguments):
        """arguments: NumPy's scalars and arrays, in order."""
        assert len(arguments) == len(self._parameters), f"expected {self._parameters}"
        held, places = [], []
        for x, kind in zip(arguments, self._parameters, strict=True):
            wanted = DTYPES[kind.removesuffix("*").strip()]
            assert isinstance(x, np.ndarray if kind.endswith("*") else np.generic), (kind, type(x))
            assert x.dtype == wanted, f"expected {kind}, got {x.dtype}"
            if kind.endswith("*"):
                assert x.flags.c_contiguous
                held.append(ctypes.c_void_p(x.ctypes.data))
                places.append(ctypes.addressof(held[-1]))
            else:
                held.append(np.array([x]))
                places.append(held[-1].ctypes.data)
        self._library.launch(ctypes.c_long(threads), (ctypes.c_void_p * len(places))(*places))


def run_on_host(text, batch, precision, folder):
    """What the kernel makes of a batch: X, done, code."""
    real = REALS[precision]
    kernel = HostKernel(build(text, folder, precision), "chorda_many")
    arrays = [
        np.ascontiguousarray(a if a.dtype == np.int64 else a.astype(real)) for a in batch.arrays
    ]
    numbers = real(batch.h), real(max(batch.tolerance, LEAST[precision]))
    threads = batch.members + 1  # one too many, as at the end of a grid
    kernel(threads, (*map(np.int64, batch.whole), *numbers, *arrays))
    return arrays[5], arrays[6], arrays[7]
