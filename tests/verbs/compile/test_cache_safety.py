"""No library is loaded from where others can write; the run goes on, with one warning."""

import errno
import os
import shutil
import warnings

import pytest

from chorda.compile import cache

pytestmark = pytest.mark.usefixtures("c_compiler")
NOBODY = 65534
needs_root = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="changes owners"
)


def build_with_warning(build, words):
    with pytest.warns(UserWarning, match=words) as caught:
        made = build()
    assert made.compiled
    assert len(caught) == 1
    message = str(caught[0].message)
    assert "is not used:" in message
    assert "set CHORDA_CACHE to a directory of your own" in message


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
def test_a_cache_that_others_can_write_is_not_used(home, build, mode):
    home.chmod(mode)
    build_with_warning(build, "others can write to")
    assert os.listdir(home) == []


def test_a_cache_below_a_folder_that_others_can_write_is_not_used(home, build):
    home.parent.chmod(0o777)
    build_with_warning(build, f"others can write to {home.parent}")
    assert os.listdir(home) == []


def test_a_sticky_folder_above_the_cache_is_fine(home, build, only):
    home.parent.chmod(0o1777)
    assert build().compiled
    assert only().is_dir()


@needs_root
def test_a_cache_of_another_user_is_not_used(home, build):
    os.chown(home, NOBODY, NOBODY)
    build_with_warning(build, "others can write to")


def test_the_warning_comes_once_and_the_process_keeps_its_kernels(home, build, compilations):
    home.chmod(0o777)
    build_with_warning(build, "others can write to")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert build().compiled
    assert compilations.n == 1


def test_a_cache_that_cannot_be_made_is_not_used(tmp_path, monkeypatch, home, build):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CHORDA_CACHE", str(tmp_path / "file" / "cache"))
    build_with_warning(build, "Not a directory")


def test_a_cache_that_cannot_be_written_is_not_used(home, build, monkeypatch):
    original = os.access
    monkeypatch.setattr("os.access", lambda path, mode: path != home and original(path, mode))
    build_with_warning(build, "it is not writable")


def test_a_loop_of_links_is_not_used(tmp_path, monkeypatch, home, build):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    monkeypatch.setenv("CHORDA_CACHE", str(tmp_path / "a"))
    with pytest.warns(UserWarning, match="is not used"):
        assert build().compiled


def test_a_full_disk_under_the_cache_is_not_used(home, build, monkeypatch):
    original = cache.tempfile.mkdtemp

    def full(*arguments, **options):
        if options.get("dir") == home:
            raise OSError(errno.ENOSPC, "No space left on device")
        return original(*arguments, **options)

    monkeypatch.setattr("tempfile.mkdtemp", full)
    build_with_warning(build, "No space left on device")


def test_a_cache_that_is_a_link_to_a_private_folder_is_used(home, build, monkeypatch, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(home)
    monkeypatch.setenv("CHORDA_CACHE", str(link))
    assert build().compiled
    assert len(os.listdir(home)) == 1


@pytest.mark.parametrize("which", ["", "kernel.so", "manifest.json"])
@pytest.mark.parametrize("mode", [0o777, 0o722, 0o720])
def test_a_kernel_that_others_can_write_is_made_again(home, build, compilations, only, which, mode):
    build()
    folder = only()
    (folder / which).chmod(mode)
    assert cache.lookup(home, folder.name) is None
    assert build().compiled
    assert compilations.n == 2
    assert all(p.stat().st_mode & 0o022 == 0 for p in (folder, *folder.iterdir()))


@needs_root
@pytest.mark.parametrize("which", ["", "kernel.so", "manifest.json"])
def test_root_does_not_load_a_kernel_of_another_user(home, build, only, which):
    build()
    os.chown(only() / which, NOBODY, NOBODY)
    assert cache.lookup(home, only().name) is None


@pytest.mark.parametrize("kind", ["file", "link to file", "link to folder", "dangling", "folder"])
def test_a_foreign_thing_at_the_kernels_place_makes_way(
    home, build, compilations, only, kind, tmp_path
):
    build()
    place = only()
    kept = shutil.move(place, tmp_path / "elsewhere")
    match kind:
        case "file":
            place.write_text("foreign")
        case "link to file":
            place.symlink_to(tmp_path / "elsewhere" / "kernel.so")
        case "link to folder":
            place.symlink_to(kept)
        case "dangling":
            place.symlink_to(tmp_path / "nowhere")
        case "folder":
            place.mkdir(mode=0o777)
            (place / "foreign").write_text("")
            place.chmod(0o777)
    assert build().compiled
    assert compilations.n == 2
    assert place.is_dir()
    assert not place.is_symlink()
    assert (tmp_path / "elsewhere" / "kernel.so").is_file()  # what a link pointed to is untouched
    build()
    assert compilations.n == 2


@pytest.mark.parametrize("which", ["kernel.so", "manifest.json"])
def test_a_linked_part_of_a_kernel_is_not_loaded(home, build, only, which, tmp_path):
    build()
    shutil.move(only() / which, tmp_path / which)
    (only() / which).symlink_to(tmp_path / which)
    assert cache.lookup(home, only().name) is None


def test_throw_away_kernels_are_cleared_by_the_process_that_made_them(tmp_path):
    folder = tmp_path / "chorda-x"
    folder.mkdir()
    cache._clear(folder, os.getpid() + 1)
    assert folder.exists()
    cache._clear(folder, os.getpid())
    assert not folder.exists()
