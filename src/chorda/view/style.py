"""One look for every figure: colours by role, a style that never leaks, saving."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize, to_hex
from matplotlib.figure import Figure

from chorda.checks import file_path
from chorda.errors import InputError
from chorda.files import write_whole

SUFFIXES = (".png", ".svg", ".pdf")
STYLE_FILE = Path(__file__).with_name("chorda.mplstyle")
MATPLOTLIB_WARNINGS = (
    "constrained_layout not applied|Glyph|Attempt(ing|ed) to set (identical|non-positive)|"
    "There are no gridspecs"
)
BESIDE: dict[str, Any] = {"shrink": 0.6, "aspect": 22, "pad": 0.02}  # a bar beside a picture


@dataclass(frozen=True)
class Roles:
    """The colour of each thing that is drawn."""

    text: str = "#252b37"
    quiet: str = "#6f7a88"
    frame: str = "#b9c1cb"
    grid: str = "#e9ecf0"
    bar: str = "#66758a"
    plate: str = "#c9d1da"
    spring: str = "#a3aebb"
    tendon: str = "#0072b2"
    slack: str = "#8b929c"
    push: str = "#2a9d5c"
    ground: str = "#98a3b0"
    bore: str = "#7fb2c9"
    shadow: str = "#e3e7ec"
    trail: str = "#56b4e9"
    alarm: str = "#b3400a"
    force: str = "#00795a"
    solid_floor: str = "#f4f6f8"


ROLES = Roles()

# Okabe and Ito's colours without yellow and black: distinct with any kind of colour vision
CYCLE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")

# Perceptually uniform, blue (calm) to orange (taut); the yellow end would vanish on white
TENSION = LinearSegmentedColormap.from_list(
    "tension", mpl.colormaps["plasma"]([0.03 + 0.76 * k / 63 for k in range(64)])
)
# For long ordered families (joints from bottom to top), where a cycle would repeat
ORDERED = LinearSegmentedColormap.from_list(
    "ordered", mpl.colormaps["viridis"]([0.86 * k / 63 for k in range(64)])
)

STYLE: dict[str, Any] = {
    **dict(mpl.rc_params_from_file(STYLE_FILE, use_default_template=False).items()),
    "text.color": ROLES.text,
    "axes.labelcolor": ROLES.text,
    "axes.edgecolor": ROLES.frame,
    "grid.color": ROLES.grid,
    "xtick.color": ROLES.frame,
    "ytick.color": ROLES.frame,
    "xtick.labelcolor": ROLES.quiet,
    "ytick.labelcolor": ROLES.quiet,
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw in Chorda's style while the block runs; the user's own settings come back after it.

    What matplotlib warns of (letters that a font lacks, names that leave no room) is no news to
    somebody who asked for a picture.

    Yields
    ------
    None
        Nothing: what is drawn in the block has the style.

    See Also
    --------
    dress : for axes that were made elsewhere.

    Examples
    --------
    >>> with styled():
    ...     ax = new_figure(3.0, 2.0).add_subplot()
    >>> ax.get_title()
    ''
    """
    with warnings.catch_warnings(), matplotlib.style.context(["default", STYLE]):
        warnings.filterwarnings("ignore", category=UserWarning, message=MATPLOTLIB_WARNINGS)
        yield


class Sheet(Figure):
    """A figure that shows itself in notebooks; it belongs to no window and no pyplot state."""

    def _repr_png_(self) -> bytes:
        return png(self)


def new_figure(width: float = 7.2, height: float = 4.0) -> Figure:
    """An empty figure whose panels arrange themselves.

    Parameters
    ----------
    width, height : float
        Its size [inches].

    Returns
    -------
    Figure
        It belongs to no window, and notebooks show it.

    See Also
    --------
    save_figure : writes it.

    Examples
    --------
    >>> new_figure(3.0, 2.0).get_size_inches().tolist()
    [3.0, 2.0]
    """
    with styled():
        return Sheet(figsize=(width, height), layout="constrained")


def dress(ax: Axes) -> None:
    """Give axes that were made elsewhere this style.

    Parameters
    ----------
    ax : Axes
        Of matplotlib; they are changed.

    See Also
    --------
    styled : for axes that are made in it.

    Examples
    --------
    >>> ax = new_figure().add_subplot()
    >>> dress(ax)
    >>> ax.spines["top"].get_visible()
    False
    """
    for side, spine in ax.spines.items():
        spine.set(edgecolor=ROLES.frame, linewidth=0.8, visible=side in ("left", "bottom"))
    ax.tick_params(color=ROLES.frame, labelcolor=ROLES.quiet, labelsize=8.0)
    ax.tick_params(axis="x", length=3.0)
    ax.tick_params(axis="y", length=0.0)
    ax.grid(True, color=ROLES.grid, linewidth=0.8)
    ax.set_axisbelow(True)


def colors(count: int) -> tuple[str, ...]:
    """Choose colours for lines in one panel.

    Parameters
    ----------
    count : int
        How many lines there are.

    Returns
    -------
    tuple of str
        One each; up to six differ with any kind of colour vision, more are a scale.

    See Also
    --------
    plot_lines : draws in them.

    Examples
    --------
    >>> colors(2)
    ('#0072b2', '#d55e00')
    """
    if count <= len(CYCLE):
        return CYCLE[:count]
    return tuple(to_hex(ORDERED(k / (count - 1))) for k in range(count))


def png(figure: Figure, dpi: float = 160) -> bytes:
    """The figure as PNG bytes."""
    buffer = BytesIO()
    with styled():
        figure.savefig(buffer, format="png", dpi=dpi)
    return buffer.getvalue()


def checked_suffix(path: str | Path, known: Sequence[str]) -> Path:
    """The path, if its ending is one that can be written."""
    path = file_path("path", path)
    if path.suffix.lower() not in known:
        got = f"'{path.suffix}'" if path.suffix else "no ending"
        raise InputError(
            f"path: expected a name that ends in {' or '.join(known)}, got {got}: "
            f"write '{path.stem or 'figure'}{known[0]}', for example"
        )
    return path


def color_bar(
    figure: Figure, norm: Normalize, shades: Colormap, label: str = "", **where: Any
) -> Any:
    """A bar of colours without a frame, placed as by Figure.colorbar."""
    bar = figure.colorbar(ScalarMappable(norm, shades), **where)
    bar.outline.set_visible(False)
    bar.set_label(label)
    return bar


def finished(figure: Figure, path: str | Path | None) -> Figure:
    """The figure, written to `path` if given."""
    if path is not None:
        save_figure(figure, path)
    return figure


def save_figure(figure: Figure, path: str | Path) -> Path:
    """Write a figure, whole or not at all.

    Parameters
    ----------
    figure : Figure
        Any figure of matplotlib.
    path : str or Path
        File to write (.png, .svg or .pdf).

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        The file's ending is not known.
    StorageError
        The file cannot be written.

    See Also
    --------
    new_figure : a figure in this style.

    Examples
    --------
    >>> import tempfile
    >>> save_figure(new_figure(), f"{tempfile.mkdtemp()}/empty.svg").name
    'empty.svg'
    """
    path = checked_suffix(path, SUFFIXES)
    kind = path.suffix.lower()[1:]

    def write(part: Path) -> None:
        with styled():
            figure.savefig(part, format=kind)

    return write_whole(path, write)
