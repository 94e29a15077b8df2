"""An equilibrium draws itself."""

from pathlib import Path

import chorda


def test_an_equilibrium_is_drawn_with_its_tensions(tmp_path: Path) -> None:
    rest = chorda.equilibrium(chorda.assemble(chorda.load("neck-3")), tensions=[30, 20, 20, 25])
    figure = rest.plot(tmp_path / "posture.png")
    assert (tmp_path / "posture.png").stat().st_size > 5000
    assert figure.axes
