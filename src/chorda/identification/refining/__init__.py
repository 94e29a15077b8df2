"""Refinement by simulation error: the simulated motion fitted to the measured one."""
