"""The second formulation: Cosserat rods, alone and joined, without modes."""
