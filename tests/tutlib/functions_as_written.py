"""Right-hand sides f(t, x) as textbooks and students write them.

`compiled` gives the same numbers, or says why it cannot, and what to write.
"""

import functools
import itertools
import math
import time
from dataclasses import dataclass

import numpy as np
from numpy.linalg import norm
from scipy.interpolate import interp1d

from straightline import Unknown, solve
from tutlib.models import pendulum

g = 9.81
PARAMETERS = {"m": 1.2, "c": 0.3, "k": 4.0}
K = np.array([[3.0, -1.0], [-1.0, 2.0]])
TIMES, FORCES = np.array([0.0, 0.4, 1.1, 3.5]), np.array([0.0, 2.0, -1.0, 0.5])
TABLE = interp1d(TIMES, FORCES)
swinging = pendulum().free().compile()

#: By name what makes f anew, where its motion starts, and the reason why `compiled` rejects it.
FUNCTIONS = {}


def case(*start, rejected=""):
    """Put a function into the list, or what makes it: then each run begins with a new one."""

    def put(f):
        make = f if f.__code__.co_argcount == 0 else lambda: f
        FUNCTIONS[f.__name__] = make, start, rejected
        return f

    return put


# Values, parameters, and objects


@case(2.0)
def number_of_one_state(t, x):
    return -0.7 * x[0] + np.cos(3 * t)


@case(0.0, 0.0)
def integer_entries(t, x):
    return np.array([0, 1]) * 2


@case(1.0, 0.0)
def globals_and_partial():
    def f(t, x, p, c=0.0):
        if len(x) == 2 and g > 5:
            return [x[1], (-p["k"] * x[0] - c * x[1]) / p["m"] - g]
        return x

    return functools.partial(f, p=PARAMETERS, c=0.1)


@dataclass(frozen=True, slots=True)
class Spring:
    stiffness: float = 4.0
    damping: float = 0.1

    def __call__(self, t, x):
        return np.array([x[1], -self.stiffness * x[0] - self.damping * x[1]])


@case(1.0, 0.0)
def dataclass_that_is_called():
    return Spring()


@case(0.4, -0.7)
def by_a_model(t, x):
    return swinging(t, x) - np.array([0.0, 0.3]) * x


# Arrays


@case(1.0, 0.2)
def state_changed_in_place(t, x):
    x[0] *= -2.0
    x[1] += 0.5 * t
    return x[::-1]


@case(*np.linspace(0.0, 1.0, 12))
def slices_of_a_string(t, u):
    du = np.zeros_like(u, dtype=float)
    n = len(u) // 2
    du[:n] = u[n:]
    du[n + 1 : -1] = u[2:n] - 2 * u[1 : n - 1] + u[: n - 2]
    return du


@case(0.0, 0.1, 4.0, 6.0)
def drag_and_gravity(t, x):
    def drag(v):
        return -0.1 * norm(v) * v

    gravity = np.full(2, -g) * np.array([0.0, 1.0])
    return np.concatenate([x[2:], drag(x[2:]) + gravity + np.diff(x[:3]) * x.mean()])


@case(0.2, -0.1, 0.0, 0.3)
def products(t, x):
    q, v = x[:2], x[2:]
    pull = np.einsum("ij,j->i", -K, q) * np.exp(-t) / np.linalg.norm(np.array([v[0], v[1]]))
    pull = pull - 0.1 * np.outer(q, q) @ v - np.dot(K, q) * np.sum(q) + q.sum() * np.eye(2)[0]
    return np.hstack([np.append(v, []), pull]).reshape(4).astype(float)


@case(0.2, -0.1, 0.0, 0.3)
def mass_matrix(t, x):
    c, s = np.cos(x[0] - x[1]), np.sin(x[0] - x[1])
    mass = np.stack([np.stack([2.0, c]), np.stack([c, 1.0])])
    right = np.array([-s * x[3] ** 2 - 2 * g * np.sin(x[0]), s * x[2] ** 2 - g * np.sin(x[1])])
    return np.r_[x[2:], (np.linalg.solve(mass, right) + np.array(solve(mass, right))) / 2]


@case(0.5, 0.2, 1.0)
def gyroscope(t, w):
    inertia = np.diag([1.0, 2.0, 3.0])
    return np.linalg.inv(inertia) @ -np.cross(w, inertia @ w)


@case(1.0, 0.0, -1.0, 0.1, 0.0, 1.5, 0.0, 0.5, 0.1, -0.5, -0.4, 0.0)
def bodies_that_attract(t, x):
    points, rates = x[:6].reshape(3, 2), np.zeros_like(x[6:].reshape(3, 2))
    for i, j in itertools.permutations(range(3), 2):
        d = points[j] - points[i]
        rates[i] += (1.0, 0.8, 0.3)[j] * d / (0.1 + d @ d) ** 1.5
    return np.concatenate([x[6:], rates.ravel()])


# Conditions


@case(0.5, 1.0)
def conditions_of_numbers(t, x):
    wall = np.where((x[0] > 0.7) & ~(t > 1.2) | (x[1] == 0.3), -50.0 * (x[0] - 0.7), 0.0)
    held = np.clip(-8.0 * x[0] - x[1], -2.0, None) + np.clip(x[1], a_min=None, a_max=0.5)
    kick = (t > 1.0) * 3.0 - 2.0 * np.logical_and(t < 0.3, x[0] >= 0.5)
    return np.array([x[1], wall + held + kick - 0.2 * np.sign(x[1]) + np.heaviside(t - 0.33, 0.5)])


@case(0.3, 1.0, -0.4)
def conditions_of_the_state(t, x):
    d = np.where((x > 0.5) & (x < 2.0), -x, 0.1 * x) - x * (x > 0.2) * (x != 0.7)
    d[x > 0.9] = -0.5 + np.any(x < t) - np.all(np.isfinite(x))
    d[np.logical_or(x < -1.0, x > 3.0)] *= 0.5
    rising = x > t
    d[rising] = 0.1 * np.sin(x[rising]) - d[rising] / 2
    return np.minimum(d, x.max()) + np.max(np.abs(d)) + np.where(t > 0.5, [0.0, 1.0, 2.0], d)


@case(0.0, 0.0)
def pieces(t, x):
    u = np.select([t < 0.52, t < 1.61], [1.0, -1.0], 0.25)
    v = np.piecewise(t, [t < 0.9, t >= 0.9], [0.0, lambda s: s - 0.9])
    return np.stack([x[1], u + v]) + np.piecewise(x, [x < 0.1], [0.3, lambda y: -y])


@case(0.4, -0.7)
def powers(t, x):
    whole, part = divmod(x[0], 0.3)
    whole = whole + part - sum(divmod(1, 2 + x[1])) - x[1] % 0.7 + round(2 * x[0]) + t // 0.5
    return [x[1], -(x[0] ** 3) - x[1] ** 2 / (1 + x[0] ** 2) + abs(x[1]) ** 1.5 - 0.1 * whole]


# What asks for the value of a number


@case(1.0, 0.0, rejected=r"np.where\(condition, this, that\).* in line .*: .* if x.0. > 0")
def asks(t, x):
    return [x[1], -x[0] if x[0] > 0 else -2 * x[0]]


@case(1.0, 0.0, rejected=r"np.maximum")
def greatest(t, x):
    return [x[1], max(-x[0], 0.0)]


@case(1.0, 0.0, rejected=r"math.sin .*: write np.sin, in line .*math.sin\(x")
def of_math(t, x):
    return [x[1], -math.sin(x[0])]


@case(0.4, -0.7, rejected=r"instead of filling np.zeros\(n\) write np.zeros_like\(x\)")
def zeros_that_are_filled(t, x):
    dx = np.zeros(2)
    dx[0], dx[1] = x[1], -x[0]
    return dx


@case(0.5, 1.0, rejected=r"write np.stack\(\[...\]\) instead of np.array")
def array_that_is_compared(t, x):
    v = np.array([x[1], x[0]])
    return np.where(v > 0.7, -v, v)


# What has no formula


for _name, _f in {
    "np.interp": lambda t, x: [x[1], np.interp(t, TIMES, FORCES)],
    "np.linalg.det": lambda t, x: [x[1], -x[0] - 0.01 * np.linalg.det(np.outer(x, x) + K)],
    "scipy's": lambda t, x: [x[1], TABLE(t)],
}.items():
    FUNCTIONS[_name] = (
        lambda f=_f: f,
        (0.5, 1.0),
        rf"{_name}.* does not accept unknown numbers: leave out compiled",
    )


for _reason, _f in {
    "math.log .*: write np.log.x. / np.log.b.": lambda t, x: [x[1], -math.log(2 + x[0], 2)],
    "math.copysign .*: leave out compiled": lambda t, x: [x[1], math.copysign(1, -x[0])],
    "np.linalg.inv .*: write np.linalg.solve": lambda t, x: np.linalg.inv(np.diag(x) + K) @ x,
    "np.nanmax .*: leave out compiled": lambda t, x: [x[1], -np.nanmax(x)],
    "np.amax .*: write np.stack": lambda t, x: [x[1], -np.array([x[0], x[1]]).max()],
    "real and cannot be part of complex numbers": lambda t, x: [x[1], (1j * x[0] * 1j).real],
    "an index needs the value": lambda t, x: [x[1], FORCES[(t > 0.5) * 1]],
    "number of entries of x.mask. is unknown": lambda t, x: x[x > -9],
}.items():
    FUNCTIONS[_reason] = (lambda f=_f: f, (0.5, 1.0), _reason)


# What has a memory, draws numbers, reads a clock, or writes


class Servo:
    def __init__(self):
        self.total = 0.0

    def __call__(self, t, x):
        self.total += 0.01 * x[0]
        return [x[1], -self.total - x[0]]


@case(1.0, 0.0, rejected="call 2 with the same arguments .*leave out compiled")
def servo_with_a_sum():
    return Servo()


@case(0.0, 0.0, rejected="keeps unknown numbers for its next call")
def generator_with_send():
    def hold():
        u = 0.0
        for n in itertools.count():
            x = yield u
            if n % 12_000 == 11_999:
                u = 1.0 - x

    sampled = hold()
    next(sampled)
    return lambda t, x: np.array([x[1], sampled.send(x[0])])


@case(0.0, 0.0, rejected="a key of a dictionary, a set, or a cache")
def cached():
    @functools.cache
    def load(time):
        return np.sin(time)

    return lambda t, x: [x[1], load(t) - x[0]]


@case(1.0, 0.0, rejected="call 2 with the same arguments .*random numbers")
def noisy():
    rng = np.random.default_rng(1)
    return lambda t, x: [x[1], -x[0] + 0.01 * rng.normal()]


@case(1.0, 0.0, rejected="it calls time.time, in line .*leave out compiled")
def reads_a_clock(t, x):
    return [x[1], -x[0] if time.time() > 0 else 0.0]


def two_faced(t):
    """Return something else while it is traced."""
    return 0.0 if isinstance(t, Unknown) else 0.5
