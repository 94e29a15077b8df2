"""GPU kernels come from the cache: one file for each source, options, NVRTC and kind of GPU."""

import logging
import stat
import threading
import time
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from chorda.compile import gpu_cache
from chorda.compile.gpu_cache import Source, by_nvrtc, cached_kernel
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


class Device(nullcontext):
    """The GPU that a thread has chosen."""

    def __init__(self, capability):
        super().__init__()
        self.compute_capability = capability


def machine(version=(12, 4), capability="90"):
    cuda = SimpleNamespace(
        nvrtc=SimpleNamespace(getVersion=lambda: version),
        Device=lambda: Device(capability),
    )
    return SimpleNamespace(cuda=cuda, RawModule=Module)


def kernel(compile_text, cp=None, text=TEXT, options=OPTIONS, **more):
    source = Source(cp or machine(), lambda: text, options, compile_text=compile_text)
    return cached_kernel(source, NAME, **more)


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
    first = kernel(nvrtc)
    again = kernel(nvrtc)
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
    kernel(nvrtc)
    kernel(nvrtc, cp, text, options)
    assert len(nvrtc.calls) == 2


def test_a_file_that_was_changed_is_compiled_anew(home, nvrtc, only):
    kernel(nvrtc)
    library = only() / "kernel.so"
    library.write_bytes(b"ELF something else")
    found = kernel(nvrtc)
    assert found[1].endswith(b"2")


def test_a_cache_that_others_can_write_is_not_used(home, nvrtc):
    home.chmod(0o777)
    with pytest.warns(UserWarning, match="others can write"):
        kernel(nvrtc)
    assert not list(home.iterdir())


def test_what_nvrtc_reports_is_an_error_with_a_remedy(home):
    def fails(cp, text, options):
        raise RuntimeError("line 3: expected a ';'")

    with pytest.raises(CompileError, match=r"compile my robot: line 3.*take device='cpu'"):
        kernel(fails, what="my robot")
    assert not list(home.iterdir())


def test_code_that_does_not_load_is_an_error_and_is_not_kept(home):
    with pytest.raises(CompileError, match="does not load"):
        kernel(lambda *_: b"rubbish")
    assert not list(home.iterdir())


def test_what_is_compiled_is_logged_and_progress_has_its_turn(home, monkeypatch, caplog):
    monkeypatch.setattr(gpu_cache, "TICK_INTERVAL", 1e-3)
    ticks = []

    def slow(cp, text, options):
        while len(ticks) < 3:
            time.sleep(1e-3)
        return b"ELF"

    with caplog.at_level(logging.INFO, "chorda"):
        kernel(slow, what="neck-3, bdf2", tick=lambda: ticks.append(1))
    assert len(ticks) >= 3
    assert "Compiling neck-3, bdf2 for a GPU of compute capability 90" in caplog.text


@pytest.mark.parametrize("made", [(b"ELF", {}), b"ELF", "ELF"])
def test_whatever_cupy_gives_back_becomes_bytes(made):
    compiler = SimpleNamespace(compile_using_nvrtc=lambda text, options: made)
    cp = SimpleNamespace(cuda=SimpleNamespace(compiler=compiler))
    assert by_nvrtc(cp, TEXT, list(OPTIONS)) == b"ELF"


def test_a_source_is_compiled_while_other_work_is_done(home):
    other_work = threading.Event()

    def slow(cp, text, options):
        assert other_work.wait(60)
        return b"ELF"

    source = Source(machine(), lambda: TEXT, OPTIONS, compile_text=slow)
    other_work.set()  # had it to come before the source is there, NVRTC would wait for it in vain
    assert cached_kernel(source, NAME) == (NAME, b"ELF")


def test_what_the_cache_has_is_not_compiled_beforehand(home, nvrtc, only):
    kernel(nvrtc)
    Source(machine(), lambda: TEXT, OPTIONS, compile_text=nvrtc)
    assert len(nvrtc.calls) == 1
    (only() / "kernel.so").write_bytes(b"changed meanwhile")
    source = Source(machine(), lambda: TEXT, OPTIONS, compile_text=nvrtc)
    assert cached_kernel(source, NAME)[1].endswith(b"2")


def test_what_a_text_follows_from_takes_its_place_in_the_key(home, nvrtc):
    """The text is not made where the cache has the kernel of its recipe."""
    for recipe in ("one", "two"):
        made = Source(machine(), lambda: TEXT, OPTIONS, recipe, nvrtc)
        assert cached_kernel(made, NAME)[1].startswith(b"ELF")
    again = Source(machine(), lambda: pytest.fail("made again"), OPTIONS, "one", nvrtc)
    assert cached_kernel(again, NAME)[1].endswith(b"1")
    assert len(nvrtc.calls) == 2


def test_nvrtc_works_for_the_gpu_that_was_chosen(home, monkeypatch):
    chosen = threading.local()  # as in CUDA, each thread has its own

    class Chosen(Device):
        def __enter__(self):
            chosen.capability = self.compute_capability

    cp = machine()
    cp.cuda.Device = lambda: Chosen(getattr(chosen, "capability", "70"))
    chosen.capability = "90"
    found = []
    kernel(lambda *_: found.append(chosen.capability) or b"ELF", cp)
    assert found == ["90"]
