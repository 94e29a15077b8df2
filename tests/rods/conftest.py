"""Makes tests/rods/rod_robots.py and its neighbours importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
