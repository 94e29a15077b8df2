"""Starting values for contacts of common materials.

Stiffness and dissipation depend on the sizes of what touches as much as on the material: these are
round numbers for parts of centimetres at speeds of decimetres a second, to begin with and to be
identified. Coefficients of friction are those of dry surfaces in tables of engineering.
"""

from typing import Literal

MaterialPair = Literal[
    "steel-steel", "plastic-plastic", "wood-wood", "rubber-hard", "silicone-hard"
]

# stiffness [N/m] of exponent 1, dissipation [s/m], coefficient of friction [-]
STARTING_VALUES: dict[str, tuple[float, float, float]] = {
    "steel-steel": (1e6, 0.3, 0.5),
    "plastic-plastic": (1e5, 1.0, 0.3),
    "wood-wood": (2e5, 1.5, 0.4),
    "rubber-hard": (2e4, 2.0, 0.9),
    "silicone-hard": (5e3, 3.0, 0.8),
}
