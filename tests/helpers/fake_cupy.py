"""CuPy on the host: arrays that say where they are, and kernels that a C++ compiler makes.

Everything but the launch of a real GPU runs as it does there. `copies` counts what crosses between
host and device.
"""

import ctypes
import shutil
import subprocess
from types import SimpleNamespace

import numpy as np

from tests.helpers.gpu_host import HEAD, TAIL


class DeviceArray:
    """An array on the device: it comes to the host by `get` alone."""

    copies = SimpleNamespace(to_host=0, to_device=0)

    def __init__(self, inner):
        self.inner = inner

    def get(self):
        DeviceArray.copies.to_host += 1
        return self.inner.copy()

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


def there(x):
    return DeviceArray(x) if isinstance(x, np.ndarray) else x


class Event:
    done = True

    def record(self):
        pass


def build(text, folder):
    """A library of a CUDA source for the host."""
    code, library = folder / "fake.cpp", folder / "fake.so"
    name = "float" if "float h" in text else "double"
    code.write_text(HEAD + text + TAIL.replace("REAL", name))
    compiler = shutil.which("g++") or shutil.which("clang++")
    flags = ["-O1", "-shared", "-fPIC", "-w"]
    subprocess.run([compiler, *flags, str(code), "-o", str(library)], check=True)
    return library.read_bytes()


class RawModule:
    """From a file that `build` made."""

    def __init__(self, path):
        self._library = ctypes.CDLL(str(path))

    def get_function(self, name):
        assert name == "chorda_many"
        launch = self._library.launch

        def kernel(blocks, threads, arguments):
            whole, (h, tolerance), arrays = arguments[:9], arguments[9:11], arguments[11:]
            numbers = np.array(whole, np.int64)
            real = ctypes.c_float if isinstance(h, np.float32) else ctypes.c_double
            pointer = ctypes.c_void_p
            launch.argtypes = [ctypes.c_long, ctypes.c_long, pointer, real, real, *[pointer] * 8]
            assert all(isinstance(a, DeviceArray) and a.flags.c_contiguous for a in arrays)
            places = [a.inner.ctypes.data for a in arrays]
            count = blocks[0] * threads[0]  # one thread a block: shared memory is static here
            launch(count, 1, numbers.ctypes.data, h, tolerance, *places)

        return kernel


def asarray(x):
    if isinstance(x, DeviceArray):
        return x
    DeviceArray.copies.to_device += 1
    return DeviceArray(np.array(x))


def module(tmp_path, version=(12, 4), capability="90"):
    """The module, as far as Chorda uses it."""

    def compile_using_nvrtc(text, options):
        made.compiled.append(text)
        return build(text, tmp_path), {}

    cuda = SimpleNamespace(
        Event=Event,
        get_elapsed_time=lambda begin, end: 1.0,
        nvrtc=SimpleNamespace(getVersion=lambda: version),
        compiler=SimpleNamespace(compile_using_nvrtc=compile_using_nvrtc),
        Device=lambda: SimpleNamespace(compute_capability=capability),
        runtime=SimpleNamespace(getDeviceCount=lambda: 1),
    )
    made = SimpleNamespace(
        cuda=cuda,
        compiled=[],
        RawModule=RawModule,
        asarray=asarray,
        ascontiguousarray=lambda x: DeviceArray(np.ascontiguousarray(x.inner)),
        full=lambda *x: DeviceArray(np.full(*x)),
        zeros=lambda *x: DeviceArray(np.zeros(*x)),
        from_dlpack=lambda x: x,
    )
    return made
