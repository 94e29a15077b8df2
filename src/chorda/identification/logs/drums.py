"""What a motor's drum makes of angles and torques."""

from chorda.mechanics import Array, System


def pay_out(system: System, motor: str, p: Array | None = None) -> float:
    """B = drum radius / gear ratio: metres of tendon per radian of motor [Testard2023, eq. 1]."""
    names, values = system.parameter_names, system.parameter_values if p is None else p
    radius, ratio = (values[names.index(f"{motor}.{x}")] for x in ("drum_radius", "gear_ratio"))
    return float(radius / ratio)
