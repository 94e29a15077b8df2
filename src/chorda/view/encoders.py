"""Pictures to files: GIF by Pillow, MP4 by ffmpeg. A picture is (height, width, 3), 0 to 255."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from chorda.errors import StorageError

Picture = npt.NDArray[np.uint8]
GIF_COLORS = 100  # found in the pictures, beside those that must be there
GIF_TICK = 10  # [ms] GIF counts time in hundredths of a second
PALETTE_SAMPLES = 8  # pictures that the common palette is made from


@dataclass(frozen=True)
class Clip:
    """Pictures that follow each other.

    picture(k) makes the k-th of `count`, shown at `fps` a second; done(n) follows when n are made.
    """

    count: int
    picture: Callable[[int], Picture]
    fps: float
    done: Callable[[int], None]

    def pictures(self) -> Iterator[Picture]:
        """One after the other."""
        for k in range(self.count):
            yield self.picture(k)
            self.done(k + 1)


def durations(count: int, fps: float) -> list[int]:
    """How long each picture of a GIF stays [ms], so that rounding never adds up.

    >>> durations(3, 30)
    [30, 40, 30]
    """
    edges = [round(k * 1000 / fps / GIF_TICK) * GIF_TICK for k in range(count + 1)]
    return [b - a for a, b in pairwise(edges)]


def common_palette(pictures: list[Picture], exact: Picture) -> Image.Image:
    """An image whose palette suits all pictures and has the colours `exact` (k, 3)."""
    sample = Image.fromarray(np.vstack(pictures))
    found = sample.quantize(GIF_COLORS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    entries = [*exact.ravel().tolist(), *(found.getpalette() or [])]
    palette = Image.new("P", (1, 1))
    palette.putpalette(entries[: 3 * 256])
    return palette


def write_gif(part: Path, clip: Clip, colors: Picture) -> None:
    """A GIF that repeats for ever; colors (k, 3): those that must be exact."""
    rows = np.unique(np.linspace(0, clip.count - 1, PALETTE_SAMPLES).astype(int))
    palette = common_palette([clip.picture(int(k)) for k in rows], colors)
    frames = []
    for picture in clip.pictures():
        # one palette and no dithering: what stands still is equal from picture to picture
        frame = Image.fromarray(picture)
        frames.append(frame.quantize(palette=palette, dither=Image.Dither.NONE))
    frames[0].save(
        part,
        format="GIF",
        save_all=True,
        append_images=frames[1:],
        duration=durations(clip.count, clip.fps),
        loop=0,
        optimize=False,
    )


def find_ffmpeg() -> str | None:
    """The ffmpeg program: the one of the 'video' extra, or the system's."""
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):  # the package may be there without its program
        return shutil.which("ffmpeg")


def write_mp4(part: Path, clip: Clip, ffmpeg: str) -> None:
    """H.264 that every browser plays; width and height must be even. ffmpeg: the program."""
    height, width, _ = clip.picture(0).shape
    source = f"-f rawvideo -pix_fmt rgb24 -s {width}x{height} -r {clip.fps:g} -i -"
    target = "-an -c:v libx264 -pix_fmt yuv420p -crf 20 -movflags +faststart"
    options = f"-y -loglevel error {source} {target}".split()
    # errors go to a file: a full pipe that nobody reads would stop both programs
    with tempfile.TemporaryFile() as log:
        with subprocess.Popen(
            [ffmpeg, *options, str(part)], stdin=subprocess.PIPE, stderr=log
        ) as encoder:
            assert encoder.stdin is not None
            try:
                for picture in clip.pictures():
                    encoder.stdin.write(picture.tobytes())
            except BrokenPipeError:  # ffmpeg has ended early; its own message follows
                pass
            except BaseException:
                encoder.kill()
                raise
        if encoder.returncode:
            log.seek(0)
            reason = log.read().decode(errors="replace").strip().splitlines()
            raise StorageError(
                f"ffmpeg: {reason[-1] if reason else 'it gave no reason'}; try a .gif"
            )
