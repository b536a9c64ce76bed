"""Right-hand sides f(t, x) as textbooks and students write them.

`compiled` refuses those that ask what a number is, do more than compute their value from t and x,
or use what has no formula; and it says why.
"""

import functools
import itertools
import math
from collections import namedtuple
from math import cos, sin

import numpy as np
from numpy.linalg import norm

from straightline import Unknown
from tutlib.models import pendulum

g = 9.81
PARAMETERS = {"m": 1.2, "c": 0.3, "k": 4.0}
K = np.array([[3.0, -1.0], [-1.0, 2.0]])
ADVICE = r"instead of if, == or float\(\) write where\(condition, this, that\)"
swinging = pendulum().free().compile()
count = 0


#: By name what makes f anew, where its motion starts, and the reason why `compiled` refuses it.
FUNCTIONS = {}


def case(*start, refused=""):
    """Put a function into the list, or what makes it: then each run begins with a new one."""

    def put(f):
        make = f if f.__code__.co_argcount == 0 else lambda: f
        FUNCTIONS[f.__name__] = make, start, refused
        return f

    return put


# What is returned: lists, tuples, arrays, numbers


@case(2.0)
def scalar_of_one_state(t, x):
    return -0.7 * x[0] + math.cos(3 * t)


@case(0.0, 0.0)
def zero_and_integer_entries(t, x):
    return np.array([0, 1]) * 2


# Arrays that are filled, and changes in place


@case(1.0, 0.2)
def state_changed_in_place(t, x):
    x[0] *= -2.0
    x[1] += 0.5 * t
    return x[::-1]


@case(1.0, 0.0, refused=ADVICE)
def one_buffer_for_all_calls():
    buffer = np.zeros(2)

    def f(t, x):
        buffer[0] = x[1]
        buffer[1] = -3.0 * x[0] + np.sin(2.0 * t)
        return buffer

    return f


@case(*np.linspace(0.0, 1.0, 12))
def slices_of_a_string(t, u):
    du = np.zeros_like(u)
    n = len(u) // 2
    du[:n] = u[n:]
    du[n + 1 : -1] = u[2:n] - 2 * u[1 : n - 1] + u[: n - 2]
    return du


@case(0.4, -0.7)
def empty_full_and_ones(t, x):
    dx, pull, one = np.empty(2), np.full(2, -g), np.ones(2, dtype=float)
    dx[0], dx[1] = x[1] * one[0], pull[0] * x[0]
    return dx


@case(1.0, 0.5, refused="dtype int")
def rounds(t, x):
    return np.array([x[1], -x[0]], dtype=int)


@case(1.0, 0.5, refused="out=")
def writes_into(t, x):
    return np.multiply(np.sin(x, out=np.empty(2)), 1.0)


# Where parameters come from


@case(1.0, 0.0)
def globals_and_dictionary(t, x):
    p = PARAMETERS
    return [x[1], (-p["k"] * x[0] - p["c"] * x[1]) / p["m"] - g]


@case(1.0, 0.0)
def keyword_by_partial():
    def f(t, x, k, c=0.0):
        return [x[1], -k * x[0] - c * x[1]]

    return functools.partial(f, k=3.0, c=0.1)


@case(0.2, 0.0)
def lambda_of_lambdas():
    square = lambda a: a * a  # noqa: E731
    return lambda t, x: [x[1], -square(x[0]) * x[0] - 0.1 * square(x[1]) * x[1]]


class Pendulum:
    def __init__(self, length):
        self.length = length

    @property
    def stiffness(self):
        return g / self.length

    def __call__(self, t, x):
        return np.array([x[1], -self.stiffness * np.sin(x[0])])


@case(1.0, 0.0)
def object_that_is_called():
    return Pendulum(1.1)


Point = namedtuple("Point", "x y vx vy")


@case(1.0, 0.0, 0.0, 1.1, refused="it uses a _tuplegetter")
def named_tuples(t, state):
    p = Point(*state)
    r = np.hypot(p.x, p.y)
    return Point(p.vx, p.vy, -p.x / r**3, -p.y / r**3)


@case(0.0, 0.0, 4.0, 6.0)
def nested_functions(t, x):
    def drag(v):
        return -0.1 * norm(v) * v

    def gravity():
        return np.array([0.0, -g])

    return np.concatenate([x[2:], drag(x[2:]) + gravity()])


@case(0.4, -0.7)
def by_a_model(t, x):
    return swinging(t, x) - np.array([0.0, 0.3]) * x


@case(0.4, -0.7)
def depends_on_known_numbers_alone(t, x):
    if g > 5 and len(x) == 2:
        return [x[1], -x[0]]
    return [x[1], x[0]]


# Controllers and other memories


class Servo:
    def __init__(self):
        self.total = 0.0

    def __call__(self, t, x):
        self.total += 0.01 * x[0]
        return [x[1], -self.total - x[0]]


@case(1.0, 0.0, refused="it keeps self for its next call")
def servo_with_a_sum():
    return Servo()


@case(0.0, 0.0, refused="it keeps calls for its next call")
def counted_by_default_argument():
    def f(t, x, calls=[0]):  # noqa: B006
        calls[0] += 1
        return [1.0, 0.01 * calls[0]]

    return f


@case(0.0, 0.0, refused="it uses a builtin_function_or_method, which may give something else")
def counted_by_a_bound_method():
    log = []
    keep, count = log.append, log.__len__

    def f(t, x):
        keep(t)
        return np.array([1.0, 1.0 if count() > 40 else 0.0])

    return f


def add_one():
    global count
    count += 1


@case(1.0, 0.0, refused="it keeps count for its next call")
def counted_by_a_global_of_a_helper(t, x):
    add_one()
    return [x[1], -x[0]]


@case(1.0, 0.0, refused="it keeps number for its next call")
def counted_in_a_closure():
    number = 0

    def counting(t, x):
        nonlocal number
        number += 1
        return [x[1], -x[0]]

    return counting


@case(1.0, 0.0, refused="it keeps counted_by_an_attribute for its next call")
def counted_by_an_attribute(t, x):
    counted_by_an_attribute.calls += 1
    return [x[1], -x[0]]


counted_by_an_attribute.calls = 0


@case(0.0, 0.0, refused="it uses a generator")
def generator_with_send():
    def hold():
        u = 0.0
        for n in itertools.count():
            x = yield u
            if n % 12 == 0:
                u = 1.0 - x

    sampled = hold()
    next(sampled)
    return lambda t, x: np.array([x[1], sampled.send(x[0])])


@case(0.0, 0.0, refused="it uses a _lru_cache_wrapper")
def cached_by_rounded_time():
    @functools.cache
    def load(tenths):
        return math.sin(tenths / 10)

    return lambda t, x: [x[1], load(round(10 * t)) - x[0]]


@case(1.0, 0.0, refused="np.random.default_rng gives something else")
def noisy(t, x):
    return [x[1], -x[0] + 0.0 * np.random.default_rng().normal()]


@case(1.0, 0.0, refused="print")
def prints(t, x):
    print(t, end="")
    return [x[1], -x[0]]


# Tables


@case(0.0, 0.0, refused=ADVICE)
def table_by_interp(t, x):
    force = np.interp(t, [0.0, 0.4, 1.1, 2.5], [0.0, 2.0, -1.0, 0.5])
    return np.array([x[1], force - x[0]])


# Questions about a number


@case(1.0, 0.0, refused=f"{ADVICE}, in line .* if x.0. > 0")
def asks(t, x):
    return [x[1], -x[0] if x[0] > 0 else -2 * x[0]]


@case(1.0, 0.0, refused="no digits")
def by_a_text(t, x):
    return [x[1], -x[0] if f"{t:.1f}" == "0.0" else x[0]]


@case(1.0, 0.0, refused="isinstance")
def looks_at_its_kind(t, x):
    return [x[1], -x[0] if isinstance(t, float) else 0.0]


@case(1.0, 0.0, refused="dtype")
def looks_at_a_dtype(t, x):
    return [x[1], -x[0] if x.dtype == float else 0.0]


@case(1.0, 0.0, refused="match")
def matches(t, x):
    match t:
        case float():
            return [x[1], -x[0]]
    return [x[1], 0.0]


@case(0.0, 1.0, refused=ADVICE)
def two_conditions_equal(t, x):
    return [x[1], -1.0 if (x[0] > 0.62) == (x[1] > 0) else 0.0]


@case(0.0, 0.0, refused="is True, is False: write where")
def condition_is_true(t, x):
    return [x[1], 1.0 if (t > 0.51) is True and (t < 1.53) is True else 0.0]


@case(0.0, 0.0, refused="isscalar")
def time_is_a_scalar(t, x):
    return [x[1], 2.0 if np.isscalar(t) else 0.0]


@case(0.0, 0.0, refused="type")
def type_is_float(t, x):
    return np.array([x[1], 3.0 if type(t) is float else 0.0])


@case(0.0, 0.0, refused="singledispatch")
def by_single_dispatch(t, x):
    @functools.singledispatch
    def force(t):
        return 0.0

    @force.register
    def _(t: float):
        return 1.0 + t

    return [x[1], force(t)]


@case(0.0, refused="try: nothing is raised")
def square_root_caught(t, x):
    try:
        return [math.sqrt(1.02 - t)]
    except ValueError:
        return [0.0]


# NumPy's idioms


@case(0.5, 1.0)
def where_and_sign(t, x):
    wall = np.where(x[0] > 0.7, -50.0 * (x[0] - 0.7), 0.0)
    return np.array([x[1], wall - 0.2 * np.sign(x[1])])


@case(0.5, 1.0)
def clipped_force(t, x):
    return np.array([x[1], np.clip(-8.0 * x[0] - x[1], -2.0, 2.0)])


@case(0.5, 1.0, refused="heaviside")
def greatest_of_numpy(t, x):
    depth = np.maximum(0.0, -x[0])
    return np.array([x[1], 40 * depth * np.sqrt(depth) - g * np.heaviside(t - 0.33, 0.5)])


@case(0.0, 0.0, refused="invalid entry 0 in condlist")
def piecewise_and_select(t, x):
    u = np.select([t < 0.52, t < 1.61], [1.0, -1.0], 0.25)
    v = np.piecewise(t, [t < 0.9, t >= 0.9], [0.0, lambda s: s - 0.9])
    return [x[1], u + v]


@case(0.2, -0.1, 0.0, 0.3)
def einsum_and_outer(t, x):
    q, v = x[:2], x[2:]
    pull = np.einsum("ij,j->i", -K, q) * np.exp(-t) / np.linalg.norm(v)
    return np.concatenate((v, pull - 0.1 * np.outer(q, q) @ v))


@case(0.2, -0.1, 0.0, 0.3)
def mass_matrix_of_the_state(t, x):
    c, s = np.cos(x[0] - x[1]), np.sin(x[0] - x[1])
    mass = np.array([[2.0, c], [c, 1.0]], dtype=float)
    right = np.array([-s * x[3] ** 2 - 2 * g * sin(x[0]), s * x[2] ** 2 - g * sin(x[1])])
    return np.r_[x[2:], np.linalg.solve(mass, right)]


@case(0.5, 0.2, 1.0)
def cross_product(t, w):
    I = np.diag([1.0, 2.0, 3.0])
    return np.linalg.inv(I) @ -np.cross(w, I @ w)


@case(1.7, 0.5, refused="it catches this error, and would go on otherwise")
def text_of_the_state(t, x):
    return [x[1], -1.0 if str(x)[1] == "1" else 0.5]


# Functions of math, operators and iterators


@case(0.4, -0.7)
def powers(t, x):
    return [x[1], -(x[0] ** 3) - x[1] ** 2 / (1 + x[0] ** 2) + abs(x[1]) ** 1.5 - x[0] % 0.7]


@case(1.0, 0.3, 0.0, 0.9)
def angles_of_math(t, x):
    r, angle = math.hypot(x[0], x[1]), math.atan2(x[1], x[0])
    return [x[2], x[3], -cos(angle) / r**2, -sin(angle) / r**2]


# Bodies that know each other


class Body:
    def __init__(self, mass, number):
        self.mass, self.number, self.others, self.position = mass, number, [], None


@case(1.0, 0.0, -1.0, 0.1, 0.0, 1.5, 0.0, 0.5, 0.1, -0.5, -0.4, 0.0)
def bodies_that_know_each_other():
    bodies = [Body(mass, i) for i, mass in enumerate((1.0, 0.8, 0.3))]
    for body in bodies:
        body.others = [other for other in bodies if other is not body]

    def f(t, x):
        places, rates = x[:6].reshape(3, 2), np.zeros((3, 2))
        for body in bodies:
            for other in body.others:
                d = places[other.number] - places[body.number]
                rates[body.number] += other.mass * d / (0.1 + d @ d) ** 1.5
        return np.concatenate([x[6:], rates.ravel()])

    return f


def two_faced(t):
    """Return what it does not return while it is followed."""
    return 0.0 if isinstance(t, Unknown) else 0.5


two_faced.__module__ = "numpy"  # nobody looks into what is installed
