"""Which compiler is used, and what is said when it does not do."""

import logging
import os
import stat
import subprocess
import sys

import psutil
import pytest

from chorda.compile import announcement, compiler, find
from chorda.errors import ChordaError, CompileError, InputError
from tests.helpers.waiting import until


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Make a shell script the compiler."""

    def use(text):
        path = tmp_path / "cc"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("CHORDA_COMPILER", str(path))
        return path

    compiler._probe.cache_clear()
    yield use
    compiler._probe.cache_clear()


VERSION = 'if [ "$1" = --version ]; then echo "pretended 1.0"; exit 0; fi'


def test_no_system_gets_flags_that_its_compilers_refuse():
    assert "-fPIC" not in compiler.flags_on("Windows", "AMD64")
    assert "-march=native" not in compiler.flags_on("Darwin", "arm64")
    assert {"-fPIC", "-march=native"} <= {*compiler.flags_on("Linux", "x86_64")}


def test_a_command_is_read_as_its_system_does():
    words = compiler.words_of(r'"C:\Program Files\gcc.exe" -Wl,-s', windows=True)
    assert words == (r"C:\Program Files\gcc.exe", "-Wl,-s")
    assert compiler.words_of("/opt/my\\ cc -g", windows=False) == ("/opt/my cc", "-g")


def test_none_forces_the_interpreter(no_compiler, home, build):
    assert find() is None
    made = build()
    assert not made.compiled
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    "wanted",
    ["no-such-compiler", "/", "'open quote", "false", "none please"],
)
def test_a_compiler_that_does_not_run_is_refused(monkeypatch, wanted):
    monkeypatch.setenv("CHORDA_COMPILER", wanted)
    with pytest.raises(InputError) as caught:
        find()
    assert str(caught.value) == (
        f"CHORDA_COMPILER: '{wanted}' does not run; give a C compiler's command, or 'none' to do "
        "without"
    )


def test_an_empty_choice_is_no_choice(monkeypatch):
    monkeypatch.setenv("CHORDA_COMPILER", "  ")
    chosen = find()
    monkeypatch.delenv("CHORDA_COMPILER")
    assert chosen == find()


def test_a_compiler_is_a_command_with_options(script, monkeypatch):
    path = script(VERSION)
    monkeypatch.setenv("CHORDA_COMPILER", f"'{path}' --version")
    assert find().command == (str(path), "--version")
    assert find().identity == "pretended 1.0"


def test_a_failing_compiler_is_quoted(script, home, build):
    script(f"{VERSION}\necho 'disk is full, sorry' >&2; exit 1")
    with pytest.raises(CompileError) as caught:
        build()
    assert "could not compile a kernel: disk is full, sorry; set CHORDA_COMPILER=none" in str(
        caught.value
    )
    assert isinstance(caught.value, ChordaError)
    assert list(home.iterdir()) == []


def test_a_compiler_that_writes_nothing_is_found_out(script, home, build):
    script(f"{VERSION}\nexit 0")
    with pytest.raises(CompileError, match="it wrote no library"):
        build()


def test_a_compiler_whose_result_does_not_load_is_found_out(script, home, build):
    script(f'{VERSION}\nwhile [ "$1" != -o ]; do shift; done; echo rubbish > "$2"')
    with pytest.raises(CompileError, match=r"does not load .*set CHORDA_COMPILER=none"):
        build()
    assert list(home.iterdir()) == []


def test_a_compiler_that_writes_bytes_is_no_obstacle(script):
    script("printf 'caf\\351 1.0\\n'")
    assert find().identity.startswith("caf")


@pytest.fixture
def waited(monkeypatch):
    """Nobody has been given up yet, and nobody stays so."""
    monkeypatch.setattr(compiler, "given_up", set())


SLEEPING = f'{VERSION}\necho $$ > {{}}; echo half > "$(dirname $0)/half"; sleep 1000 & sleep 1000'


def test_a_compiler_that_hangs_is_ended_and_the_interpreter_is_used(
    script, home, build, waited, tmp_path, monkeypatch
):
    script(SLEEPING.format(tmp_path / "pid"))
    monkeypatch.setenv("CHORDA_COMPILE_LIMIT", "0.5")
    with pytest.warns(UserWarning, match=r"was ended after CHORDA_COMPILE_LIMIT = 0\.5 s") as found:
        made = build(), build(name="heun")  # the second at once: it is not waited for twice
    assert [kernel.compiled for kernel in made] == [False, False]
    assert len(found) == 1
    assert list(home.iterdir()) == []
    group = int((tmp_path / "pid").read_text())
    until(lambda: not any(belongs(process, group) for process in psutil.process_iter()), 30)


def belongs(process, group):
    """Whether a process runs in a group."""
    try:
        return os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE
    except (OSError, psutil.Error):  # it has just ended
        return False


def test_kernels_in_the_cache_are_used_though_the_compiler_hangs(
    home, build, c_compiler, waited, monkeypatch
):
    assert build().compiled
    monkeypatch.setattr(compiler, "given_up", {find()})
    assert build().compiled


@pytest.mark.parametrize("wanted", ["0", "-3", "soon", "nan", "inf"])
def test_a_limit_that_is_no_time_is_refused(home, build, c_compiler, wanted, monkeypatch):
    monkeypatch.setenv("CHORDA_COMPILE_LIMIT", wanted)
    with pytest.raises(InputError, match="CHORDA_COMPILE_LIMIT: expected a positive number of sec"):
        build()
    assert list(home.iterdir()) == []


def said(caplog):
    return [r for r in caplog.records if r.name == "chorda"]


def test_the_interpreter_is_announced_with_a_remedy():
    sentence = announcement(None)
    assert "kernels run in CasADi's virtual machine" in sentence
    assert "Install gcc or clang" in sentence


def test_what_is_used_is_said_once_at_the_first_kernel(home, build, caplog, c_compiler):
    compiler.announce.cache_clear()
    with caplog.at_level(logging.INFO, "chorda"):
        assert said(caplog) == []
        build()
        build()
        build(name="heun")
    assert [r.getMessage() for r in said(caplog)] == [announcement(find())]
    assert said(caplog)[0].levelno == logging.INFO
    assert "Kernels are compiled with" in said(caplog)[0].getMessage()


def test_a_missing_compiler_is_a_warning_said_once(home, build, caplog, monkeypatch):
    monkeypatch.setattr(compiler, "find", lambda: None)
    monkeypatch.delenv("CHORDA_COMPILER", raising=False)
    compiler.announce.cache_clear()
    build()
    build()
    assert [(r.levelno, r.getMessage()) for r in said(caplog)] == [
        (logging.WARNING, announcement(None))
    ]


def test_an_interpreter_that_was_asked_for_is_no_warning(home, build, caplog, no_compiler):
    compiler.announce.cache_clear()
    with caplog.at_level(logging.INFO, "chorda"):
        build()
    assert [r.levelno for r in said(caplog)] == [logging.INFO]


def test_importing_says_and_builds_nothing(home):
    done = subprocess.run(
        [sys.executable, "-c", "import chorda; chorda.assemble(chorda.neck(1))"],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(home.iterdir()) == []
