"""The kernel cache: used again when whole, made again when not, safe for two at once."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import chorda
from chorda.compile import cache, library

pytestmark = pytest.mark.usefixtures("c_compiler")


def test_a_kernel_is_compiled_once(home, build, compilations):
    assert build().compiled
    assert compilations.n == 1
    assert build().compiled
    assert compilations.n == 1
    assert len(os.listdir(home)) == 1


def test_a_loaded_library_may_stay_where_it_is(home, build, compilations, monkeypatch):
    """As on Windows, where its folder cannot be moved."""
    loaded, rename = [], Path.rename
    load = library.Library.__init__

    def noted(self, path, manifest):
        loaded.append(path.parent)
        load(self, path, manifest)

    def refused(self, target):
        if self in loaded:
            raise PermissionError
        return rename(self, target)

    monkeypatch.setattr(library.Library, "__init__", noted)
    monkeypatch.setattr(Path, "rename", refused)
    monkeypatch.setattr(cache, "WINDOWS", True)
    assert build().compiled
    assert build().compiled
    assert compilations.n == 1
    assert len(os.listdir(home)) == 1


def test_the_cache_is_where_chorda_cache_says(home, build, only):
    build()
    assert (only() / "kernel.so").is_file()
    assert (only() / "manifest.json").is_file()
    assert only().stat().st_mode & 0o077 == 0


def test_without_chorda_cache_it_is_in_the_users_cache(monkeypatch, tmp_path):
    monkeypatch.delenv("CHORDA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.directory() == tmp_path / "chorda"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.directory() == tmp_path / ".cache" / "chorda"


def put(path, content):
    """Another file in its place: the one that this process has loaded must not change."""
    mode = path.stat().st_mode
    path.unlink()
    path.write_bytes(content)
    path.chmod(mode)


def broken_library(folder):
    put(folder / "kernel.so", b"\x7fELF no more")


def truncated_library(folder):
    content = (folder / "kernel.so").read_bytes()
    put(folder / "kernel.so", content[: len(content) // 2])


def missing_library(folder):
    (folder / "kernel.so").unlink()


def truncated_manifest(folder):
    text = (folder / "manifest.json").read_text()
    (folder / "manifest.json").write_text(text[: len(text) // 2])


def foreign_manifest(folder):
    (folder / "manifest.json").write_text('["something", "else"]')


def binary_manifest(folder):
    (folder / "manifest.json").write_bytes(b"\xff\xfe\x00")


def changed_manifest(folder):
    content = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**content, "w": 1}))


def empty_folder(folder):
    for path in folder.iterdir():
        path.unlink()


@pytest.mark.parametrize(
    "damage",
    [
        broken_library,
        truncated_library,
        missing_library,
        truncated_manifest,
        foreign_manifest,
        binary_manifest,
        changed_manifest,
        empty_folder,
    ],
)
def test_a_damaged_kernel_is_never_loaded_but_made_again(
    home, build, compilations, only, damage, monkeypatch
):
    build()
    folder = only()
    damage(folder)
    loaded = []
    original = cache.lookup
    monkeypatch.setattr(cache, "lookup", lambda *a: loaded.append(original(*a)) or loaded[-1])
    assert build().compiled
    assert loaded[0] is None
    assert compilations.n == 2
    assert os.listdir(home) == [folder.name]
    build()
    assert compilations.n == 2


def test_a_whole_library_that_does_not_load_here_is_made_again(home, build, compilations, only):
    build()
    folder = only()
    library, manifest = folder / "kernel.so", folder / "manifest.json"
    content = {k: v for k, v in json.loads(manifest.read_text()).items() if k != "seal"}
    put(library, b"from another machine")
    manifest.write_text(json.dumps({**content, "seal": cache._seal(library, content)}))
    assert cache.lookup(home, folder.name) is not None
    assert build().compiled
    assert compilations.n == 2


def test_unfinished_folders_of_killed_processes_are_cleared_after_a_day(home, build, only):
    old, young = home / ".abcd-old", home / ".abcd-young"
    for folder in (old, young):
        folder.mkdir()
        (folder / "kernel.c").write_text("")
    os.utime(old, (time.time() - 2 * 86400,) * 2)
    build()
    assert not old.exists()
    assert young.exists()


def test_a_build_that_fails_leaves_nothing_behind(home, build, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("chorda.compile.source.generate", interrupt)
    with pytest.raises(KeyboardInterrupt):
        build()
    assert os.listdir(home) == []


PROGRAM = """
import chorda
system = chorda.assemble(chorda.neck(1))
print("ready", flush=True)
input()
start = {"x1": 0.1}
run = chorda.simulate(system, duration=0.01, step=1e-3, scheme="explicit-euler", initial=start)
print(run.status.code, run.position.tobytes().hex())
"""


def test_processes_that_build_the_same_kernel_at_once_all_succeed(home):
    workers = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    said = [worker.communicate(timeout=600) for worker in workers]
    assert [errors for _, errors in said] == [""] * 4
    assert len({out for out, _ in said}) == 1
    assert said[0][0].startswith("completed ")
    assert len(os.listdir(home)) == 1


def test_a_build_that_loses_the_race_uses_its_own_kernel(home, build, monkeypatch, only):
    """Another process puts its kernel in place, or clears ours, between any two steps."""
    build()
    winner = only().rename(home.parent / "winner")
    original = cache._publish

    def late(work, where, name):
        winner.rename(home / name)
        original(work, where, name)

    monkeypatch.setattr(cache, "_publish", late)
    assert build().compiled
    assert len(os.listdir(home)) == 1
    assert cache.lookup(home, only().name) is not None


def test_threads_can_run_one_kernel_at_once():
    from concurrent.futures import ThreadPoolExecutor

    system = chorda.assemble(chorda.neck(2))

    def position(start):
        run = chorda.simulate(system, duration=0.5, step=1e-4, initial={"x1": start})
        return run.position[-1]

    starts = [0.05, 0.1, 0.15, 0.2]
    alone = [position(start) for start in starts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(position, starts * 3))
    assert all(np.array_equal(a, b) for a, b in zip(alone * 3, together, strict=True))
