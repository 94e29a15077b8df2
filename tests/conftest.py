"""Makes tests/helpers.py and tests/robots.py importable, and property tests the same every time."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")
