"""open_workspace: a workspace from its file, whole or as far as it came."""

from pathlib import Path
from typing import Any

import numpy as np

from chorda.describe import parse
from chorda.mechanics import assemble
from chorda.mechanics.prescription import prescription
from chorda.results import Workspace
from chorda.results.workspace_file import Stored, load


def open_workspace(path: str | Path) -> Workspace:
    """Read a workspace from a file that `Workspace.save` or `chorda.workspace(save=...)` wrote.

    Parameters
    ----------
    path : str or Path
        Of the file, .nc.

    Returns
    -------
    Workspace
        With its system, which is assembled again.

    Raises
    ------
    InputError
        Where the file is not a workspace, or is damaged.

    See Also
    --------
    workspace : computes one.

    Examples
    --------
    >>> import tempfile, pathlib, chorda
    >>> rest = chorda.equilibrium(chorda.assemble(chorda.neck(1)), tensions=20.0)
    >>> found = chorda.workspace(rest, {"left.tension": (18, 22, 3)})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = chorda.open_workspace(found.save(pathlib.Path(folder) / "map.nc"))
    >>> again.shape
    (3,)
    """
    stored = load(path)
    known = stored.known
    robot = parse(stored.provenance["robot"], str(path), Path(path).resolve().parent)
    system = assemble(robot, stored.provenance["tendons"])
    tuples: dict[str, Any] = {name: tuple(known[name]) for name in ("names", "units", "columns")}
    arrays: dict[str, Any] = {n: stored.array(n) for n in ("base", "start", "u", "parameters")}
    return Workspace(
        system=system,
        prescription=prescription(known["prescription"]),
        **tuples,
        **arrays,
        values=tuple(np.array(x, float) for x in known["values"]),
        cells=stored.cells,
        rods=known["rods"],
        limits={name: (float(low), float(high)) for name, (low, high) in known["limits"].items()},
        status=stored.status,
        survey=known["survey"],
        provenance=stored.provenance,
    )


def differs(stored: Stored, new: Workspace) -> str:
    """What of a stored workspace is not as in a new one, in words; nothing where it can go on."""
    known = stored.known
    new_way = new.provenance["way"]
    checks: dict[str, bool] = {
        "another robot": stored.provenance["robot"] == new.provenance["robot"],
        "another model of the tendons": stored.provenance["tendons"] == new.provenance["tendons"],
        "other things prescribed or actuated": prescription(known["prescription"])
        == new.prescription,
        "other names of the region": tuple(known["names"]) == new.names,
        "other values of the region": [list(x) for x in known["values"]]
        == [x.tolist() for x in new.values],
        "another way of surveying": stored.provenance["way"] == new_way,
        "other parameters": np.array_equal(stored.array("parameters"), new.parameters),
        "other inputs": np.array_equal(stored.array("u"), new.u),
    }
    for what, same in checks.items():
        if not same:
            return what
    # starts that were solved on two machines agree within the tolerance of the solver
    start, base = stored.array("start"), stored.array("base")
    near = np.allclose(start, new.start, rtol=1e-5, atol=1e-6 * np.max(np.abs(new.start)))
    outside = [k for k in range(len(base)) if k not in new.columns]
    if not near or not np.allclose(base[outside], new.base[outside], rtol=1e-6, atol=1e-8):
        return "another start"
    return ""
