"""GPU kernels come from the cache: one file for each source, options, NVRTC and kind of GPU."""

import logging
import stat
import time
from types import SimpleNamespace

import pytest

from chorda.compile import gpu_cache
from chorda.compile.gpu_cache import by_nvrtc, cached_kernel
from chorda.errors import CompileError

TEXT, NAME, OPTIONS = "__global__ void mine() {}\n", "mine", ("--std=c++17",)


class Module:
    """A kernel is what its file holds; a file that does not begin well cannot be loaded."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.code = file.read()
        if not self.code.startswith(b"ELF"):
            raise RuntimeError("CUDA_ERROR_INVALID_IMAGE")

    def get_function(self, name):
        return name, self.code


def machine(version=(12, 4), capability="90"):
    cuda = SimpleNamespace(
        nvrtc=SimpleNamespace(getVersion=lambda: version),
        Device=lambda: SimpleNamespace(compute_capability=capability),
    )
    return SimpleNamespace(cuda=cuda, RawModule=Module)


@pytest.fixture
def nvrtc():
    """Compiles to what tells calls apart."""
    calls = []

    def compile_text(cp, text, options):
        calls.append(text)
        return b"ELF" + text.encode() + str(len(calls)).encode()

    compile_text.calls = calls
    return compile_text


def test_a_kernel_is_compiled_once(home, nvrtc, only):
    first = cached_kernel(machine(), TEXT, NAME, OPTIONS, compile_text=nvrtc)
    again = cached_kernel(machine(), TEXT, NAME, OPTIONS, compile_text=nvrtc)
    assert first == again == (NAME, b"ELF" + TEXT.encode() + b"1")
    assert len(nvrtc.calls) == 1
    assert stat.S_IMODE(only().stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("cp", "text", "options"),
    [
        (machine(), TEXT + " ", OPTIONS),
        (machine(), TEXT, ("-use_fast_math", *OPTIONS)),
        (machine(version=(12, 5)), TEXT, OPTIONS),
        (machine(capability="100"), TEXT, OPTIONS),
    ],
    ids=["source", "options", "NVRTC", "GPU"],
)
def test_whatever_a_kernel_depends_on_is_in_its_key(home, nvrtc, cp, text, options):
    cached_kernel(machine(), TEXT, NAME, OPTIONS, compile_text=nvrtc)
    cached_kernel(cp, text, NAME, options, compile_text=nvrtc)
    assert len(nvrtc.calls) == 2


def test_a_file_that_was_changed_is_compiled_anew(home, nvrtc, only):
    cached_kernel(machine(), TEXT, NAME, OPTIONS, compile_text=nvrtc)
    library = only() / "kernel.so"
    library.write_bytes(b"ELF something else")
    found = cached_kernel(machine(), TEXT, NAME, OPTIONS, compile_text=nvrtc)
    assert found[1].endswith(b"2")


def test_a_cache_that_others_can_write_is_not_used(home, nvrtc):
    home.chmod(0o777)
    with pytest.warns(UserWarning, match="others can write"):
        cached_kernel(machine(), TEXT, NAME, OPTIONS, compile_text=nvrtc)
    assert not list(home.iterdir())


def test_what_nvrtc_reports_is_an_error_with_a_remedy(home):
    def fails(cp, text, options):
        raise RuntimeError("line 3: expected a ';'")

    with pytest.raises(CompileError, match=r"compile my robot: line 3.*take device='cpu'"):
        cached_kernel(machine(), TEXT, NAME, OPTIONS, what="my robot", compile_text=fails)
    assert not list(home.iterdir())


def test_code_that_does_not_load_is_an_error_and_is_not_kept(home):
    with pytest.raises(CompileError, match="does not load"):
        cached_kernel(machine(), TEXT, NAME, OPTIONS, compile_text=lambda *_: b"rubbish")
    assert not list(home.iterdir())


def test_what_is_compiled_is_logged_and_progress_has_its_turn(home, monkeypatch, caplog):
    monkeypatch.setattr(gpu_cache, "TICK_INTERVAL", 1e-3)
    ticks = []

    def slow(cp, text, options):
        while len(ticks) < 3:
            time.sleep(1e-3)
        return b"ELF"

    with caplog.at_level(logging.INFO, "chorda"):
        cached_kernel(
            machine(), TEXT, NAME, OPTIONS, what="neck-3, bdf2", tick=lambda: ticks.append(1),
            compile_text=slow,
        )  # fmt: skip
    assert len(ticks) >= 3
    assert "Compiling neck-3, bdf2 for a GPU of compute capability 90" in caplog.text


@pytest.mark.parametrize("made", [(b"ELF", {}), b"ELF", "ELF"])
def test_whatever_cupy_gives_back_becomes_bytes(made):
    compiler = SimpleNamespace(compile_using_nvrtc=lambda text, options: made)
    cp = SimpleNamespace(cuda=SimpleNamespace(compiler=compiler))
    assert by_nvrtc(cp, TEXT, list(OPTIONS)) == b"ELF"
