"""A neck learns to bring its head to a target: random search over linear policies.

Each robot of a vector environment tries a policy of its own. Policies come in pairs, the present
one plus and minus a random change, that meet the same targets; the present one then moves along the
changes that paid (augmented random search: Mania, Guy and Recht, 2018).
"""

import gymnasium
import numpy as np

import chorda.gym  # noqa: F401  registers the environments

CHANGES, EACH, BEST = 24, 4, 12  # random changes a round, targets for each, changes that count
NOISE, RATE = 0.05, 0.05
TEST = range(1_000_000, 1_000_128)  # seeds of targets that training does not use


class Policy:
    """Actions linear in observations, which are scaled to order one."""

    def __init__(self, observations, actions):
        self.center, self.scale = observations.mean(0), observations.std(0) + 1e-6
        self.weights = np.zeros((actions, observations.shape[1] + 1))

    def act(self, weights, observations):
        """weights: (actions, observations + 1), or with a robot's own first."""
        features = np.column_stack(
            [(observations - self.center) / self.scale, np.ones(len(observations))]
        )
        return (weights @ features[..., None])[..., 0].clip(-1, 1).astype(np.float32)


def episode(envs, policy, weights, seeds):
    """Return of each robot, and its distance to the target at the end [m]."""
    observations, info = envs.reset(seed=list(seeds))
    total, distance = np.zeros(envs.num_envs), info["distance"]
    running = np.ones(envs.num_envs, bool)
    while running.any():
        actions = policy.act(weights, observations)
        observations, reward, terminated, truncated, info = envs.step(actions)
        total += reward * running
        distance = np.where(running, info["distance"], distance)
        running &= ~(terminated | truncated)
    return total, distance


def train(rounds, joints=3, seed=1, name="chorda/NeckReach-v0"):
    """Mean return and distance over the test targets, before and after."""
    rng = np.random.default_rng(seed)
    envs = gymnasium.make_vec(name, num_envs=2 * CHANGES * EACH, joints=joints)
    test = gymnasium.make_vec(name, num_envs=len(TEST), joints=joints)
    envs.reset(seed=seed)
    actions = rng.uniform(-0.5, 0.5, envs.action_space.shape).astype(np.float32)
    policy = Policy(np.concatenate([envs.step(actions)[0] for _ in range(50)]), actions.shape[1])
    before = np.mean(episode(test, policy, policy.weights, TEST), axis=1)
    for k in range(rounds):
        changes = rng.normal(size=(CHANGES, *policy.weights.shape))
        tried = policy.weights + NOISE * np.concatenate([changes, -changes])
        targets = np.tile(np.arange(EACH) + 1000 * (k + 1), 2 * CHANGES)
        total, _ = episode(envs, policy, np.repeat(tried, EACH, 0), targets)
        plus, minus = total.reshape(2, CHANGES, EACH).mean(2)
        best = np.argsort(np.maximum(plus, minus))[-BEST:]
        gain = np.tensordot((plus - minus)[best], changes[best], 1)
        policy.weights += RATE / (BEST * np.std([plus[best], minus[best]])) * gain
    return before, np.mean(episode(test, policy, policy.weights, TEST), axis=1)


if __name__ == "__main__":
    for when, (total, distance) in zip(("before", "after"), train(rounds=40), strict=True):
        print(f"{when}: mean return {total:.1f}, head ends {1000 * distance:.0f} mm off target")
