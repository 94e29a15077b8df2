"""Speed of Chorda beside its targets and beside other programs, measured in one run.

Method. What is compared is measured in the same process, in turns: one repeat of each contender,
then the next of each, and of every contender the best repeat counts, so that a busy moment of the
machine hits all alike and ratios survive it. Times of a step come from the compiled loop alone
(thousands of steps in one call, no Python inside); MuJoCo's come from its own loop in C. Both
necks start upright and at rest under the same motor torques. Chorda's includes the motors' dry
friction, MuJoCo's has none, so Chorda does more work per step. Times of a verb are those of the
whole Python call, kernel already compiled. Build times come from fresh processes, first with an
empty kernel cache, then with the filled one; the import of the package is not in them. Rods are
compared at equal accuracy: `rod_motion` says which motion, `rod_comparison` how.
"""

from chorda.bench.groups import Group, Report, Target
from chorda.bench.measure import measure

__all__ = ["Group", "Report", "Target", "measure"]
