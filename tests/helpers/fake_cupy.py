"""CuPy on the host: arrays that say where they are, and kernels that a C++ compiler makes.

Everything but the launch of a real GPU runs as it does there. `copies` counts what crosses between
host and device.
"""

import itertools
import operator
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np

from tests.helpers.gpu_host import HostKernel, build


class DeviceArray:
    """An array on the device: it comes to the host by `get` alone."""

    copies = SimpleNamespace(to_host=0, to_device=0, numbers=0)

    def __init__(self, inner):
        self.inner = inner

    def get(self, out=None):
        DeviceArray.copies.to_host += 1
        DeviceArray.copies.numbers += self.inner.size
        if out is None:
            return self.inner.copy()
        assert isinstance(out, np.ndarray)
        assert out.flags.c_contiguous
        assert (out.shape, out.dtype) == (self.inner.shape, self.inner.dtype)
        out[...] = self.inner
        return out

    def __array__(self, *_, **__):
        raise TypeError("implicit conversion to a NumPy array is not allowed")

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, **_):
        raise BufferError("on the device")

    def __len__(self):
        return len(self.inner)

    __cuda_array_interface__ = {}  # noqa: RUF012

    def __iter__(self):
        return map(there, self.inner)

    def __getitem__(self, key):
        return there(self.inner[index(key)])

    def __setitem__(self, key, value):
        self.inner[index(key)] = inside(value)

    def __bool__(self):
        return bool(self.inner)

    def __int__(self):
        return int(self.inner)

    __index__ = __int__

    def __float__(self):
        return float(self.inner)

    def __getattr__(self, name):
        found = getattr(self.inner, name)
        if callable(found):
            return lambda *x, **more: there(found(*map(inside, x), **more))
        return there(found)

    __array_ufunc__ = None  # NumPy's functions do not take it


def operators():
    """Of a device's arrays, between themselves and with numbers."""
    both = ("add", "sub", "mul", "truediv", "pow", "matmul", "and_", "or_")
    order = ("lt", "le", "gt", "ge", "eq", "ne")
    for name in (*both, *order):
        found = getattr(operator, name)
        word = name.strip("_")
        one = lambda a, b, found=found: there(found(a.inner, inside(b)))  # noqa: E731
        other = lambda a, b, found=found: there(found(inside(b), a.inner))  # noqa: E731
        setattr(DeviceArray, f"__{word}__", one)
        setattr(DeviceArray, f"__r{word}__", other)
    for name in ("neg", "abs", "invert"):
        found = getattr(operator, name)
        setattr(DeviceArray, f"__{name}__", lambda a, found=found: there(found(a.inner)))


operators()


def inside(x):
    """What a function of CuPy takes: its own arrays, and numbers."""
    if isinstance(x, list | tuple) and any(isinstance(y, DeviceArray) for y in x):
        return type(x)(map(inside, x))
    assert not isinstance(x, np.ndarray), "expected an array of CuPy, got one of NumPy"
    return x.inner if isinstance(x, DeviceArray) else x


def index(key):
    """Of a device's array; CuPy takes indices of NumPy too."""
    if isinstance(key, tuple):
        return tuple(map(index, key))
    return key.inner if isinstance(key, DeviceArray) else key


def there(x):
    """CuPy gives arrays without axes where NumPy gives numbers."""
    return DeviceArray(np.asarray(x)) if isinstance(x, np.ndarray | np.generic) else x


class Event:
    done = True

    def record(self):
        pass


class Device(nullcontext):
    """A GPU like an H200, chosen."""

    attributes = {"MultiProcessorCount": 132, "MaxThreadsPerMultiProcessor": 2048}  # noqa: RUF012

    def __init__(self, capability, number=0):
        super().__init__()
        self.compute_capability, self.id = capability, number


class RawModule:
    """From a file that `gpu_host.build` made."""

    def __init__(self, path):
        self._path = path

    def get_function(self, name):
        found = HostKernel(self._path, name)

        def kernel(blocks, threads, arguments):
            for x in arguments:
                assert isinstance(x, DeviceArray | np.generic), f"CuPy cannot pass {type(x)}"
            found(
                blocks[0] * threads[0],
                [x.inner if isinstance(x, DeviceArray) else x for x in arguments],
            )

        return kernel


def asarray(x, dtype=None):
    if isinstance(x, DeviceArray):
        return x if dtype is None else DeviceArray(x.inner.astype(dtype, copy=False))
    DeviceArray.copies.to_device += 1
    return DeviceArray(np.array(x, dtype))


class Functions:
    """NumPy's functions for arrays of the device alone."""

    def __init__(self, of=np, **own):
        self._of = of
        self.__dict__.update(own)

    def __getattr__(self, name):
        found = getattr(self._of, name)
        if not callable(found) or isinstance(found, type):
            return found
        return lambda *x, **more: there(found(*map(inside, x), **more))


def module(tmp_path, version=(12, 4), capability="90", memory=140_000_000_000):
    """The module, as far as Chorda uses it."""

    numbers = itertools.count()  # of files: several threads may compile at once

    def compile_using_nvrtc(text, options):
        made.compiled.append(text)
        return build(text, tmp_path, f"fake{next(numbers)}").read_bytes(), {}

    cuda = SimpleNamespace(
        Event=Event,
        get_elapsed_time=lambda begin, end: 1.0,
        nvrtc=SimpleNamespace(getVersion=lambda: version),
        compiler=SimpleNamespace(compile_using_nvrtc=compile_using_nvrtc),
        Device=lambda number=0: Device(capability, number),
        runtime=SimpleNamespace(
            getDeviceCount=lambda: 1,
            memGetInfo=lambda: (memory, memory),
            free=lambda pointer: made.woken.append(pointer),
        ),
        alloc_pinned_memory=bytearray,
    )
    made = Functions(
        linalg=Functions(np.linalg),
        random=SimpleNamespace(default_rng=lambda *seed: Functions(np.random.default_rng(*seed))),
        cuda=cuda,
        compiled=[],
        woken=[],
        RawModule=RawModule,
        get_default_memory_pool=lambda: SimpleNamespace(free_bytes=lambda: 0),
        asarray=asarray,
        from_dlpack=lambda x: x,
    )
    return made
