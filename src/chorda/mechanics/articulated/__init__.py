"""Linearised dynamics of trees of joints by recursion, in time that grows with the robot."""
