"""CuPy on the host: arrays that say where they are, and kernels that a C++ compiler makes.

Everything but the launch of a real GPU runs as it does there. `copies` counts what crosses between
host and device.
"""

from types import SimpleNamespace

import numpy as np

from tests.helpers.gpu_host import HostKernel, build


class DeviceArray:
    """An array on the device: it comes to the host by `get` alone."""

    copies = SimpleNamespace(to_host=0, to_device=0)

    def __init__(self, inner):
        self.inner = inner

    def get(self, out=None):
        DeviceArray.copies.to_host += 1
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

    def __getitem__(self, key):
        return there(self.inner[key])

    def __setitem__(self, key, value):
        self.inner[key] = value

    def __getattr__(self, name):
        found = getattr(self.inner, name)
        if callable(found):
            return lambda *x, **more: there(found(*x, **more))
        return there(found)

    __array_ufunc__ = None  # NumPy's functions do not take it


def inside(x):
    """What a function of CuPy takes: its own arrays alone."""
    assert isinstance(x, DeviceArray), f"expected an array of CuPy, got {type(x)}"
    return x.inner


def there(x):
    return DeviceArray(x) if isinstance(x, np.ndarray) else x


class Event:
    done = True

    def record(self):
        pass


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


def asarray(x):
    if isinstance(x, DeviceArray):
        return x
    DeviceArray.copies.to_device += 1
    return DeviceArray(np.array(x))


def module(tmp_path, version=(12, 4), capability="90", memory=140_000_000_000):
    """The module, as far as Chorda uses it."""

    def compile_using_nvrtc(text, options):
        made.compiled.append(text)
        return build(text, tmp_path, f"fake{len(made.compiled)}").read_bytes(), {}

    cuda = SimpleNamespace(
        Event=Event,
        get_elapsed_time=lambda begin, end: 1.0,
        nvrtc=SimpleNamespace(getVersion=lambda: version),
        compiler=SimpleNamespace(compile_using_nvrtc=compile_using_nvrtc),
        Device=lambda: SimpleNamespace(
            compute_capability=capability,
            attributes={"MultiProcessorCount": 132, "MaxThreadsPerMultiProcessor": 2048},
        ),
        runtime=SimpleNamespace(getDeviceCount=lambda: 1, memGetInfo=lambda: (memory, memory)),
    )
    made = SimpleNamespace(
        cuda=cuda,
        compiled=[],
        RawModule=RawModule,
        get_default_memory_pool=lambda: SimpleNamespace(free_bytes=lambda: 0),
        asarray=asarray,
        ascontiguousarray=lambda x, dtype=None: DeviceArray(np.ascontiguousarray(inside(x), dtype)),
        empty=lambda *x: DeviceArray(np.empty(*x)),
        full=lambda *x: DeviceArray(np.full(*x)),
        zeros=lambda *x: DeviceArray(np.zeros(*x)),
        from_dlpack=lambda x: x,
    )
    return made
