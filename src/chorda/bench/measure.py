"""The whole benchmark: what is measured, and in which order."""

from collections.abc import Callable, Sequence

from chorda.bench import calls, machine, sizes, steps
from chorda.bench.batches import batch_group, whole_call_group
from chorda.bench.building import building_group
from chorda.bench.contact_steps import contact_group
from chorda.bench.equilibria import equilibria_group
from chorda.bench.equilibrium_batches import equilibrium_batch_group
from chorda.bench.estimates import estimates_group
from chorda.bench.friction import friction_group
from chorda.bench.groups import Group, Report
from chorda.bench.live_frames import live_group
from chorda.bench.parallel_motion import parallel_motion_group
from chorda.bench.rod_comparison import rod_group
from chorda.bench.rod_contact_steps import rod_contact_group
from chorda.catalogue import load
from chorda.mechanics import assemble

QUICK_JOINTS, ALL_JOINTS = (1, 3), tuple(range(1, 13))


def measure(
    quick: bool = False,
    joints: Sequence[int] | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Report:
    """Measure everything.

    Parameters
    ----------
    quick : bool
        Few repeats, two necks, no other programs with rods.
    joints : sequence of int, optional
        Necks in the table of builds, by number of joints; 1 to 12 by default.
    say : callable
        Gets a text whenever another measurement begins.

    Returns
    -------
    Report
        Tables, targets, and the measurements as plain data in SI units.
    """
    count, repeats, few = (1000, 3, 3) if quick else (3000, 15, 5)
    about, neck = machine.describe(), assemble(load("neck-3"))
    necks = joints or (QUICK_JOINTS if quick else ALL_JOINTS)
    parts: dict[str, Callable[[], Group]] = {
        "one step, beside MuJoCo's": lambda: steps.neck_group(neck, count, repeats),
        "one step of a chain of seven joints": lambda: steps.chain_group(count, repeats),
        "friction along tendons": lambda: friction_group(neck, count, repeats),
        "contact": lambda: contact_group(neck, count, repeats),
        "contact along rods": lambda: rod_contact_group(quick, 1 if quick else few),
        "robots of many joints": lambda: sizes.sizes_group(
            sizes.QUICK_JOINTS if quick else sizes.ALL_JOINTS, count, few
        ),
        "a rod with a tendon": lambda: rod_group(quick),
        "batches": lambda: batch_group(neck, count, few),
        "whole calls of rollout": lambda: whole_call_group(neck, 1 if quick else few),
        "equilibria of parallel robots": lambda: equilibria_group(quick, 3 if quick else 10),
        "motions of parallel robots": lambda: parallel_motion_group(quick, 1 if quick else 3),
        "many equilibria at once": lambda: equilibrium_batch_group(quick, 1 if quick else 3),
        "every scheme": lambda: steps.scheme_group(neck, count, few),
        "whole calls of simulate": lambda: calls.simulate_group(neck, few),
        "whole calls of statics": lambda: calls.statics_group(few),
        "estimates of errors": lambda: estimates_group(neck, few),
        "identification of a log": lambda: calls.identification_group(1 if quick else 3),
        "the viewer": lambda: live_group(quick),
        "builds": lambda: building_group(necks, 1 if quick else 3, say),
    }
    groups = []
    for name, part in parts.items():
        say(name)
        groups.append(part())
    return Report(about, tuple(groups))
