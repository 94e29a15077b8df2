"""What colours, lines and arrows in the page mean, as HTML."""

from html import escape

import numpy as np
from matplotlib.colors import to_hex

from chorda.results import Run
from chorda.safe_text import one_line
from chorda.view.live.robot_nodes import RobotNodes
from chorda.view.motion_page import LOCKED, WORD_COLORS
from chorda.view.style import ROLES, TENSION


def robot_key(nodes: RobotNodes) -> str:
    """The scales of tensions and of forces, and what else tendons can be."""
    rows, (slack, pushes) = [], nodes.unusual
    if nodes.scene.drawing.system.robot.tendons:
        shades = ", ".join(to_hex(TENSION(x)) for x in np.linspace(0, 1, 12))
        bar = (
            f'<div style="height: 8px; border-radius: 3px; '
            f'background: linear-gradient(90deg, {shades})"></div>'
        )
        rows.append(f"tension 0 to {nodes.largest:.3g} N{bar}" if nodes.largest else "no tension")
    rows += [f'<span style="color: {ROLES.slack}">- - -</span> slack'] if slack else []
    rows += [f"{_dot(ROLES.push)} pushes"] if pushes else []
    if any(x.kind == "force" for x in nodes.scene.curves):
        more = " or more" if nodes.beyond_arrows else ""
        rows.append(f"{_dot(ROLES.force)} force, longest arrow {nodes.scene.largest:.3g} N{more}")
    return as_html(rows)


def stability_rows(words: tuple[str, ...]) -> list[str]:
    """The colours of stability; nothing where there is none."""
    found = [x for x in WORD_COLORS if x in words]
    return [LOCKED, *(f"{_dot(WORD_COLORS[x])} {x}" for x in found)] if found else []


def comparison_rows(run: Run, beside: Run) -> list[str]:
    """Which of two runs is which."""
    names = [one_line(x.system.robot.name) for x in (run, beside)]
    rows = [
        f"{look}: {escape(name)}, to {x.time[-1]:.4g} s"
        for look, name, x in zip(("solid", "seen through"), names, (run, beside), strict=True)
    ]
    other = run.system.robot != beside.system.robot
    return rows + ["The one that is seen through is another robot."] * other


def as_html(rows: list[str]) -> str:
    """Rows below each other; nothing where there are none."""
    lines = "".join(f"<div>{x}</div>" for x in rows)
    return f'<div style="padding: 0 0.9em; font-size: 0.85em">{lines}</div>' if rows else ""


def _dot(color: str) -> str:
    return (
        '<span style="display: inline-block; width: 10px; height: 10px; border-radius: 5px; '
        f'background: {color}"></span>'
    )
