"""Run: the motion that `simulate` returns, as labelled arrays with units and provenance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chorda.mechanics import Array, System
from chorda.mechanics.posing import frame_poses
from chorda.notebook_tables import notebook_table
from chorda.numerics.ctrl_c import interruptible
from chorda.numerics.pacing import by_columns
from chorda.plurals import many
from chorda.results.accuracy import Accuracy
from chorda.results.events import Event, States, Watched, events, in_order, watched
from chorda.results.late import Late
from chorda.results.observe import observed
from chorda.results.status import Status

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes

    from chorda.view import Viewer
    from chorda.view.plotted import Plotted


@dataclass(frozen=True, eq=False)
class Run:
    """A simulated motion.

    `data` holds all of it and the outputs (tension, elongation ...) by name with units.

    Attributes
    ----------
    system : System
        The robot that moved, with actuators that hold joints where an equilibrium held them.
    time : array of shape (n,)
        [s].
    position : array of shape (n, nq)
        Coordinates, by `system.coordinate_names`.
    velocity : array of shape (n, nv)
        Their rates, by `system.velocities`.
    input : array of shape (n, nu)
        Of the actuators, by `system.inputs`.
    parameters : array of shape (np,)
        Values that were used.
    status : Status
        How it ended, in a sentence.
    provenance : mapping
        Versions, and what was called.
    counts : mapping of str to float
        Steps, iterations, seconds ...
    estimate : Late
        Of `accuracy`.
    control_limits : tuple
        Of a controller, with its signal; `events` reads them.
    between : States or None
        Where not every step is kept, those that are and those beside changes of contacts.

    See Also
    --------
    chorda.simulate : computes one.
    chorda.open : reads one from a file.

    Examples
    --------
    >>> import chorda
    >>> system = chorda.assemble(chorda.neck(1))
    >>> run = chorda.simulate(system, duration=0.1, step=1e-3, initial={"x1": 0.1})
    >>> run.position.shape, run.data["position"].sel(coordinate="x1")[0].item()
    ((101, 3), 0.1)
    """

    system: System
    time: Array
    position: Array
    velocity: Array
    input: Array
    parameters: Array
    status: Status
    provenance: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, float] = field(default_factory=dict)  # steps, iterations, seconds ...
    estimate: Late[Accuracy] = field(default_factory=lambda: Late.known(Accuracy()))
    control_limits: tuple[tuple[Watched, Array], ...] = ()  # of a controller, with its signal
    between: States | None = None

    @property
    def accuracy(self) -> Accuracy:
        """Estimates of how exact it is.

        They are computed when they are first asked for: by this, by the message of the status, and
        where the run is written.
        """
        return self.estimate()

    @cached_property
    def data(self) -> "xarray.Dataset":
        """Everything by name: an xarray Dataset with units."""
        from chorda.results.dataset import dataset

        return dataset(self)

    @cached_property
    def outputs(self) -> dict[str, Array]:
        """Outputs by name, each (n, rows): length, elongation, tension ..."""
        return observed(self.system, self.position, self.velocity, self.input, self.parameters)

    @cached_property
    @interruptible()
    def energy(self) -> tuple[Array, Array]:
        """Kinetic and potential energy at each time [J]."""
        states = (self.position.T, self.velocity.T, self.input.T)
        T, V = by_columns(self.system.energies, *states, self.parameters[:, None])
        return T.ravel(), V.ravel()

    def with_outputs(self, progress: bool | None = None) -> "Run":
        """Compute its estimates, and outputs, energies and events at all its times, with progress.

        They are computed when they are first asked for; of long runs this takes a while, which a
        progress bar shows here. Ctrl-C ends it as it ends `simulate`: the run comes back up to
        where they are computed, and its status is 'interrupted'.

        Parameters
        ----------
        progress : bool, optional
            Whether a progress bar is shown; by default on terminals, after a second.

        Returns
        -------
        Run
            This run, or the part of it that has its outputs.

        Examples
        --------
        >>> import chorda
        >>> run = chorda.simulate(chorda.assemble(chorda.neck(1)), duration=0.1, step=1e-3)
        >>> run.with_outputs() is run
        True
        """
        from chorda.results.run_outputs import with_outputs

        return with_outputs(self, progress)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Instants at which something happened, in the order of time.

        Tendons went slack or taut, limits were reached or left, shapes touched or left, slipped or
        stuck. What begins and ends within a step is not seen; with `every`, contacts are looked at
        in all steps, others in those that are kept.
        """
        system, p = self.system, self.parameters
        states = States(self.time, self.position, self.velocity, self.input)
        at = self.between or states
        found = [x for of in watched(system) for x in events(system, of, *at, p)]
        for of, signal in self.control_limits:
            found += events(system, of, *states, p, signal)
        return tuple(in_order(found))

    def save(self, path: str | Path) -> Path:
        """Write a NetCDF file that `chorda.open` reads back.

        Parameters
        ----------
        path : str or Path
            Of the file, .nc; it is written whole or not at all.

        Returns
        -------
        Path
            Of the file.
        """
        from chorda.results.storage import save

        return save(self, path)

    def to_csv(self, path: str | Path) -> Path:
        """Write one table with a column for each quantity, its unit in the header.

        Parameters
        ----------
        path : str or Path
            Of the file, .csv.

        Returns
        -------
        Path
            Of the file.
        """
        from chorda.results.storage import to_csv

        return to_csv(self, path)

    def to_mat(self, path: str | Path) -> Path:
        """Write a MATLAB .mat file.

        Parameters
        ----------
        path : str or Path
            Of the file, .mat.

        Returns
        -------
        Path
            Of the file.
        """
        from chorda.results.storage import to_mat

        return to_mat(self, path)

    def frame(self, name: str) -> tuple[Array, Array]:
        """Where a frame is in the world, at each time.

        Parameters
        ----------
        name : str
            Of the frame, such as rod.tip.

        Returns
        -------
        positions : array of shape (n, 3)
            Of its origin [m].
        rotations : array of shape (n, 3, 3)
            Its axes as columns.
        """
        R, p = frame_poses(self.system, [name], self.position, self.parameters)
        return p[:, 0], R[:, 0]

    def plot(
        self,
        path: str | Path | None = None,
        *,
        what: str | Sequence[str] | None = None,
        ax: "Axes | Sequence[Axes] | None" = None,
        together: bool = False,
    ) -> "Plotted":
        """Draw quantities over time.

        Parameters
        ----------
        path : str or Path, optional
            File to write (.png, .svg or .pdf).
        what : str or sequence of str, optional
            Quantities as in `data`, such as "tension", or "energy", "tip" and "frame:NAME"; a
            selection follows a colon: "tension:left*". By default coordinates, tensions,
            elongations and inputs.
        ax : Axes or sequence of Axes, optional
            Axes to draw into, one for each panel; without them, those of a new figure.
        together : bool
            One panel for a quantity, also where more than twelve curves would be divided into
            small panels.

        Returns
        -------
        Plotted
            The axes, by number and by name; its `figure` belongs to no window.

        Examples
        --------
        >>> import chorda
        >>> run = chorda.simulate(chorda.assemble(chorda.neck(1)), duration=0.2, step=1e-3)
        >>> run.plot(what=["tension", "energy"])["energy"].get_ylabel()
        'energy [J]'
        """
        from chorda.view import plot_run

        return plot_run(self, path, what=what, ax=ax, together=together)

    def to_html(self, path: str | Path) -> Path:
        """Write a page with the robot that moves, to be turned and played, and its plots.

        It is one file (.html) that needs nothing else, and can be sent.

        Parameters
        ----------
        path : str or Path
            Of the file to write (.html).

        Returns
        -------
        Path
            Of the file that was written.
        """
        from chorda.view import write_motion_page

        return write_motion_page(self, path)

    def view(self, beside: "Run | None" = None, **options: Any) -> "Viewer":
        """Play the motion in the browser, or two at the same times.

        Parameters
        ----------
        beside : Run, optional
            Another motion, shown at the same times.
        **options : dict
            host, port, browser, wait, state, as of `chorda.view.open_viewer`.

        Returns
        -------
        Viewer
            The page that is served, with its `url` and `stop()`.
        """
        from chorda.view import open_viewer

        return open_viewer(self, beside, **options)

    def animate(
        self,
        path: str | Path,
        *,
        fps: float = 25,
        speed: float | None = None,
        width: int = 600,
        trail: bool | str | Sequence[str] = True,
        progress: bool | None = None,
    ) -> Path:
        """Write an animation (.gif, or .mp4 where there is ffmpeg).

        Tendons are coloured by tension, slack ones dashed.

        Parameters
        ----------
        path : str or Path
            Of the file.
        fps : float
            Pictures a second.
        speed : float, optional
            1 is real time, 0.5 half as fast; by default real time, but slower where the motion
            takes less than a second, and faster beyond a minute.
        width : int
            Of the picture [pixels].
        trail : bool, str or sequence of str
            Whether the path of the robot's tip is drawn, or those of the frames that are named:
            "x3.top", ``"*.tip"``.
        progress : bool, optional
            True shows a bar, False none, None on slow terminals.

        Returns
        -------
        Path
            Of the file.
        """
        from chorda.view import animate

        return animate(
            self, path, fps=fps, speed=speed, width=width, trail=trail, progress=progress
        )

    def __getitem__(self, name: str) -> "xarray.DataArray":
        """A quantity of `data` ("tension"), or one coordinate, velocity or input ("x1"), over time.

        Notebooks complete the names with Tab.
        """
        from chorda.results.dataset import named

        return named(self, name)

    def _ipython_key_completions_(self) -> list[str]:
        from chorda.results.dataset import names_in

        return names_in(self.system)

    def to_dataframe(self) -> "pandas.DataFrame":
        """The table that `to_csv` writes, as a pandas DataFrame over the time.

        Returns
        -------
        pandas.DataFrame
            A row for each time.

        Examples
        --------
        >>> import chorda
        >>> run = chorda.simulate(chorda.assemble(chorda.neck(1)), duration=0.1, step=1e-2)
        >>> frame = run.to_dataframe()
        >>> frame.index.name, frame.columns[0], len(frame)
        ('time [s]', 'x1 [rad]', 11)
        """
        from chorda.results.storage import to_dataframe

        return to_dataframe(self)

    def _repr_html_(self) -> str:
        rows = [
            (c.name, c.unit, *([x[0], x[-1], x.min(), x.max()] if len(x) else [""] * 4))
            for c, x in zip(self.system.coordinates, self.position.T, strict=True)
        ]
        header = ("coordinate", "unit", "start", "end", "smallest", "largest")
        return notebook_table(repr(self).strip("<>"), header, rows, [self.status.sentence])

    def __repr__(self) -> str:
        end = self.time[-1] if len(self.time) else 0.0
        return (
            f"<Run of {self.system.robot.name}, {self.system.mode} tendons: "
            f"{many(len(self.time), 'time')} to {end:g} s, {self.status.code}>"
        )
