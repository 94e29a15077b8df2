"""Makes worker_tasks.py importable, here and in the workers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
