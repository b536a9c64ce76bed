"""The exercises of chapter 11, many pendulums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import sympy as sm

from course.exercises import in_words
from course.judge import Choice, Exercise, Expression, Function, Misconception, Number, NumberArray
from panels import figure_as_html
from tutlib.methods import ensemble, integrate
from tutlib.models import double_pendulum, pendulum
from tutlib.plots import plot_curves

# ---- many-pendulums-1: the same bits?

bits = Choice(
    "a",
    {
        "a": "all numbers are equal, bit for bit",
        "b": "all numbers agree to about fifteen digits",
        "c": "the numbers are equal in the calm bands, but not in the dust",
        "d": "it depends on which thread was faster",
    },
)


def by_one_and_by_two(chosen: str) -> str:
    """Plot the flip times of a row of the map, computed by one thread and by two."""
    second = np.linspace(-180, 180, 121)
    starts = np.zeros((121, 4))
    starts[:, 0], starts[:, 1] = np.radians(150), np.radians(second)
    f, limits = double_pendulum().free().compile(), [np.pi, np.pi, np.inf, np.inf]
    names = {1: "one thread", 2: "two threads"}
    times = {k: ensemble(f, starts, 10.0, 0.01, limits, workers=k).t for k in names}
    curves = {name: (second, times[k]) for k, name in names.items()}
    quantity, verdict = "time to the flip [s]", bits.verdict(chosen)
    ax = plot_curves("second angle [deg]", quantity, curves, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Time to the flip against the second angle, where the first is 150 degrees: the curves of "
        "one thread and of two threads are the same, in the bands and in the dust.",
    )


def flips_as_scipy_says(c: Any) -> Any:
    """Check the flip time of a double pendulum from 150 and 0 degrees against SciPy's solver."""
    from scipy.integrate import solve_ivp

    def rates(t: Any, x: Any) -> Any:
        (a, b), (u, v) = x[:2], x[2:]
        M = [[2, math.cos(a - b)], [math.cos(a - b), 1]]
        F = [-19.62 * math.sin(a) - math.sin(a - b) * v**2, math.sin(a - b) * u**2]
        return [u, v, *np.linalg.solve(M, F - np.array([0, 9.81 * math.sin(b)]))]

    def over(t: Any, x: Any) -> Any:
        return np.abs(x[:2]).max() - math.pi

    start, span = [math.radians(150), 0, 0, 0], (0, 10)
    flips = solve_ivp(rates, span, start, events=over, rtol=1e-10, atol=1e-10).t_events[0]
    return 0 <= c.y[np.argmin(np.abs(c.x))] - flips[0] < 0.0101


workers = Exercise(
    name="many-pendulums-1",
    answer=bits,
    misconceptions=(
        Misconception(
            "b",
            "The last digits of a sum depend on the order of its terms. Is anything added across "
            "motions here?",
        ),
        Misconception(
            "c",
            "Chaos amplifies a difference, but it needs one to begin with. Does another thread "
            "create one?",
        ),
        Misconception(
            "d",
            "Threads decide who computes a motion, and when. Do they change the arithmetic?",
        ),
    ),
    section="Compile once, run many times",
    lesson="The motions are independent of each other, so no bit depends on which thread computes "
    "a motion, or on which other motions it computes.",
    reveal=by_one_and_by_two,
    curves={
        "one thread": ("where the first is 150 degrees", flips_as_scipy_says),
        "two threads": ("of one thread and of two threads are the same", flips_as_scipy_says),
    },
)


# ---- many-pendulums-2: what is kept of a motion


def kept(state: int = 4, observed: int = 2, time: int = 1, extremes: int = 2) -> float:
    """Return how many bytes are kept per motion."""
    return float(8 * (time + state + extremes * observed))


memory = Exercise(
    name="many-pendulums-2",
    answer=Number(kept(), digits=None),
    misconceptions=(
        Misconception(
            kept(time=0), "You left out when the motion ended. How many numbers is that?"
        ),
        Misconception(
            kept(extremes=1),
            "You kept one number of each observed quantity. Which two extremes are kept?",
        ),
        Misconception(kept() / 8, "That is the count of numbers. How many bytes does each take?"),
        Misconception(
            kept(state=4 * 1001),
            "You kept every state of the trajectory. Which one does an ensemble keep?",
        ),
        Misconception(
            kept(observed=0), "The observed quantities are missing. How many numbers do they add?"
        ),
    ),
    section="Compile once, run many times",
    lesson="An ensemble keeps the same amount of each motion, however long it is. The trajectory "
    "would take hundreds of times more, and can be recomputed from its initial state.",
    facts=lambda: (f"take {['', 'hundreds'][round(4 * 1001 / (72 / 8) / 445)]} of times more",),
)


# ---- many-pendulums-3: the exponent of uncertainty, and its error


def slope(eps: Any, counts: Any) -> Any:
    """Return the slope of the logarithms by least squares, and its standard error."""
    aside = np.log(eps) - np.log(eps).mean()
    weights = aside / (aside**2).sum()
    return np.array([weights @ np.log(counts), np.sqrt((weights**2 / counts).sum())])


def without_logarithms(eps: Any, counts: Any) -> Any:
    return np.array([np.polyfit(eps, counts, 1)[0], slope(eps, counts)[1]])


def upside_down(eps: Any, counts: Any) -> Any:
    return np.array([np.polyfit(np.log(counts), np.log(eps), 1)[0], slope(eps, counts)[1]])


def by_the_ends(eps: Any, counts: Any) -> Any:
    apart = np.log(eps[-1] / eps[0])
    error = np.sqrt(1 / counts[0] + 1 / counts[-1]) / apart
    return np.array([np.log(counts[-1] / counts[0]) / apart, error])


def added_errors(eps: Any, counts: Any) -> Any:
    """Add the magnitudes of the errors, as in the worst case."""
    aside = np.log(eps) - np.log(eps).mean()
    weights = aside / (aside**2).sum()
    return np.array([slope(eps, counts)[0], (np.abs(weights) / np.sqrt(counts)).sum()])


def by_the_residuals(eps: Any, counts: Any) -> Any:
    """Estimate the error from the residuals."""
    from scipy.stats import linregress

    line = linregress(np.log(eps), np.log(counts))
    return np.array([line.slope, line.stderr])


def square_of_the_error(eps: Any, counts: Any) -> Any:
    return slope(eps, counts) ** [1, 2]


def some_counts(rng: np.random.Generator) -> tuple[Any, Any]:
    """Return errors and counts that scatter about a power law."""
    eps = 10.0 ** rng.uniform(-6, -1, 5)
    return eps, np.ceil(rng.uniform(3e3, 9e3) * eps**0.6 * np.exp(rng.normal(size=5) / 5))


def slope_by_matrices(eps: Any, counts: Any) -> Any:
    """Return the slope and its error, from the covariance of the data."""
    columns = np.column_stack([np.log(eps), np.ones(len(eps))])
    onto = np.linalg.pinv(columns)
    covariance = onto @ np.diag(1 / np.asarray(counts, dtype=float)) @ onto.T
    return (onto @ np.log(counts))[0], math.sqrt(covariance[0, 0])


exponent = Exercise(
    name="many-pendulums-3",
    answer=Function(
        slope,
        problems=(
            (np.array([1e-4, 1e-3, 1e-2]), np.array([10.0, 80, 200])),
            (np.array([1e-6, 1e-5, 1e-3, 1e-1]), np.array([9.0, 30, 500, 4000])),
            (np.array([1e-2, 1e-5, 1e-3]), np.array([200.0, 500, 40])),
        ),
        draw=some_counts,
    ),
    misconceptions=(
        Misconception(
            without_logarithms,
            "You fitted the numbers themselves. In which quantities is a power law a line?",
        ),
        Misconception(
            upside_down,
            "Your axes are exchanged: you fitted the errors against the counts. Which of them "
            "is on the horizontal axis?",
        ),
        Misconception(
            by_the_ends,
            "You used only the first and the last count. How does least squares use all of them?",
        ),
        Misconception(
            added_errors,
            "The slope is right, but you added the magnitudes of the errors. How do errors add if "
            "the counts are independent?",
        ),
        Misconception(
            by_the_residuals,
            "The slope is right, but you estimated its error from the residuals. What is the "
            "standard error of each logarithm?",
        ),
        Misconception(
            square_of_the_error,
            "The slope is right, but your second number is a variance. How do you get the standard "
            "error from it?",
        ),
    ),
    section="A number for the dust",
    lesson="An exponent of one means a smooth border, and zero means dust everywhere. The standard "
    "error says how much another random sample would change it.",
    forms=(slope_by_matrices,),
)


# ---- many-pendulums-4: what a better instrument buys


def better(*powers: float, fewer: float = 2.0) -> Any:
    """Return how many times better the angle must be known, for each power."""
    return fewer ** np.array(powers)


instrument = Exercise(
    name="many-pendulums-4",
    answer=NumberArray(better(1 / 0.47, 1 / 0.39), digits=3),
    misconceptions=(
        Misconception(
            better(1 / 0.39, 1 / 0.47),
            "Both numbers are right, but in the other order. Which exponent needs the smaller "
            "improvement?",
        ),
        Misconception(
            better(0.39, 0.47),
            "That is how many times fewer pairs are uncertain if you know the angle twice as well. "
            "Which number do you raise to the exponent, and which one is the result?",
        ),
        Misconception(
            better(0.47, 0.39),
            "Those are factors of the number of pairs, for an angle known twice as well. Which of "
            "the two numbers is given here?",
        ),
        Misconception(
            better(-1 / 0.47, -1 / 0.39),
            "Those factors, below one, multiply the error. How many times better is that?",
        ),
        Misconception(
            better(-1 / 0.39, -1 / 0.47),
            "Those are fractions of the error that may remain. How many times smaller is it then?",
        ),
        Misconception(
            2 / np.array([0.47, 0.39]),
            "You took the share as proportional to the error. Which power of the error is it?",
        ),
        Misconception(
            better(1 / 0.43) + 2**0.04 * np.array([-1, 1]),
            "You added an error to the result. What do you get if you put each end of the interval "
            "into the formula?",
        ),
        Misconception(
            better(1 / 0.48, 1 / 0.44),
            "You used the average exponent of all four decades. Which decade is just below 0.01 "
            "rad?",
        ),
        Misconception(
            better(1 / 0.47, 1 / 0.39, fewer=10.0),
            "That leaves a tenth of the uncertain pairs. How many are left in the question?",
        ),
    ),
    section="A number for the dust",
    lesson="Where the border is dust, a better instrument gains little. Both factors are below "
    "ten, so the exponent of this decade applies.",
    asked=(
        r"to ([\d.]+) rad\. In the decade below, the exponent is ([\d.]+) ± ([\d.]+)\..*halve the",
        lambda error, exponent, off: [2 ** (1 / (exponent + off)), 2 ** (1 / (exponent - off))],
    ),
    facts=lambda: (f"Both factors are below {in_words(10 if better(1 / 0.39)[0] < 10 else 0)}",),
)


# ---- many-pendulums-5: a friend's settling times

slips = Choice(
    "c",
    {
        "a": "the step is too long",
        "b": "the band is too narrow",
        "c": "the event is the first time that the arm is in the band",
        "d": "the event is found only at the end of a step",
        "e": "each motion has the gains of its neighbor",
    },
)


def in_and_out(chosen: str) -> str:
    """Plot the error of a servo with little damping, and the band about its goal."""
    arm = pendulum()
    theta, tau = arm.equations.q[0], arm.equations.inputs[0]
    inertia, spring, damping, goal = 8.0, 1500.0, 30.0, np.radians(-72)
    law = arm.with_inputs(
        {tau: spring * (goal - theta) - damping * theta.diff() + 2 * 9.81 * 2 * sm.sin(theta)},
        parameters={"m": inertia / 4, "l": 2.0},
    )
    times = np.linspace(0, 3, 601)
    off = np.degrees(integrate(law.compile(), times, [0.0, 0.0]).x[:, 0] - goal)
    curves = {"arm": (times, off), "band": (np.r_[times, times[::-1]], np.repeat([2.0, -2.0], 601))}
    ax = plot_curves(
        "time [s]", "angle from the goal [deg]", curves, slips.verdict(chosen), marker=""
    )
    return figure_as_html(
        ax.figure,
        "Angle from the goal against time: the arm enters the band of 2 degrees after 0.1 s for "
        "the first time, and stays in it only after two seconds. Two horizontal lines mark the "
        "band.",
    )


friend = Exercise(
    name="many-pendulums-5",
    answer=slips,
    misconceptions=(
        Misconception(
            "a", "With half the step, the friend's map looks the same. What does that rule out?"
        ),
        Misconception(
            "b",
            "A band that is too narrow makes the times too long. Are the friend's too long or too "
            "short?",
        ),
        Misconception(
            "d",
            "The event is found within the step, and half the step changes nothing. How far off "
            "are the friend's times?",
        ),
        Misconception(
            "e",
            "Neighbors have nearly the same gains. Would that remove all cliffs?",
        ),
    ),
    section="One initial state, many gains",
    lesson="An event finds a first time, but the settling time is a last one: the largest time at "
    "which the arm is outside the band.",
    reveal=in_and_out,
    curves={
        "arm": (
            "the arm enters the band of 2 degrees after 0.1 s for the first time, and stays in it "
            "only after two seconds",
            lambda c: (
                round(c.x[np.argmax(np.abs(c.y) < 2)], 1) == 0.1
                and round(c.x[np.abs(c.y) > 2].max()) == 2
            ),
        ),
        "band": ("Two horizontal lines mark the band", lambda c: set(c.y) == {-2.0, 2.0}),
    },
)


# ---- many-pendulums-6: when the arm first passes its goal

decay, omega = sm.symbols("d omega", positive=True)

passing = Exercise(
    name="many-pendulums-6",
    answer=Expression((sm.pi / 2 + sm.atan(decay / omega)) / omega),
    misconceptions=(
        Misconception(
            sm.pi / omega,
            "That is half a period: the arm turns back beyond its goal. When is the error zero?",
        ),
        Misconception(
            sm.pi / (2 * omega),
            "A quarter of a period is right without damping. With it, how large must the sine be "
            "for the initial velocity to be zero?",
        ),
        Misconception(
            (sm.pi / 2 - sm.atan(decay / omega)) / omega,
            "Your time is right without damping, but more damping makes it shorter. Does damping "
            "make the arm faster?",
        ),
        Misconception(
            sm.atan(decay / omega) / omega,
            "Without damping your time is zero. Which function of the angle is zero, and at which "
            "angle is it zero first?",
        ),
        Misconception(
            -sm.atan(omega / decay) / omega,
            "Your time is negative. The tangent repeats after π: which solution is the first one "
            "after the release?",
        ),
    ),
    section="One initial state, many gains",
    lesson="A closed form checks a thousand runs at once, and a thousand runs check the closed "
    "form.",
    forms=(
        sm.atan2(omega, -decay) / omega,
        sm.acos(-decay / sm.sqrt(decay**2 + omega**2)) / omega,
    ),
)


# ---- many-pendulums-7: how many flights


def flights(share: float = 0.05, off: float = 0.005) -> float:
    """Return how many runs bring the standard error of a share down to a value."""
    return share * (1 - share) / off**2


enough = Exercise(
    name="many-pendulums-7",
    answer=Number(flights(), digits=3),
    misconceptions=(
        Misconception(0.05 / 0.005**2, "Nearly, but a factor of p (1 - p) is missing. Which one?"),
        Misconception(
            math.sqrt(flights()),
            "That is the square root of the answer. Which power of N is in the error?",
        ),
        Misconception(
            0.05 * 0.95 / 0.005,
            "You divided by the error once. Which power of it do you get when you solve for N?",
        ),
        Misconception(
            0.25 / 0.005**2,
            "That many are enough for any share, because you used p = 1/2. What is p (1 - p) here?",
        ),
    ),
    section="How many are enough?",
    lesson="Half the error takes four times as many flights.",
    asked=(
        r"About ([\d.]+) of all flights .* standard error of ([\d.]+)\. How",
        lambda share, off: share * (1 - share) / off**2,
    ),
    facts=lambda: (
        f"Half the error takes {in_words(0.05 * 0.95 / 0.0025**2 / 1900)} times as many",
    ),
)


# ---- many-pendulums-8: the largest of so many


def runs(q: Any, confidence: Any) -> Any:
    """Return how many runs are needed so that the worst one exceeds a quantile."""
    return math.ceil(math.log(1 - confidence) / math.log(q))


def cut_off(q: Any, confidence: Any) -> Any:
    return math.floor(math.log(1 - confidence) / math.log(q))


def on_average(q: Any, confidence: Any) -> Any:
    return math.ceil(1 / (1 - q))


def exchanged(q: Any, confidence: Any) -> Any:
    return math.ceil(math.log(1 - q) / math.log(confidence))


def all_within(q: Any, confidence: Any) -> Any:
    return math.ceil(math.log(confidence) / math.log(q))


def a_demand(rng: np.random.Generator) -> tuple[float, float]:
    """Return a quantile and a confidence."""
    return float(rng.uniform(0.6, 0.8)), float(rng.uniform(0.93, 0.99))


def runs_one_by_one(q: Any, confidence: Any) -> Any:
    count = 1
    while 1 - q**count < confidence:
        count += 1
    return count


worst = Exercise(
    name="many-pendulums-8",
    answer=Function(runs, problems=((0.9, 0.97), (0.95, 0.99), (0.99, 0.9)), draw=a_demand),
    misconceptions=(
        Misconception(
            cut_off, "Your number is one run too small. In which direction must you round?"
        ),
        Misconception(
            on_average,
            "With that many, one run on average exceeds the quantile. How likely is it that none "
            "does?",
        ),
        Misconception(
            exchanged,
            "You exchanged q and the confidence. Which of them belongs to a single flight?",
        ),
        Misconception(
            all_within,
            "You set the probability that all flights stay below the quantile. Which event has the "
            "probability `confidence`?",
        ),
    ),
    section="How many are enough?",
    lesson="This holds for any distribution, normal or not.",
    forms=(runs_one_by_one,),
)


# ---- many-pendulums-9: more runs of a wrong model

repairs = Choice(
    "b",
    {
        "a": "the quantile of the model approaches that of the real machines",
        "b": "you know the quantile of this model better, but nothing more about real machines",
        "c": "both improve, at the same rate",
        "d": "nothing: the quantile stays as uncertain as before",
    },
)


def chance_and_mistake(chosen: str) -> str:
    """Plot the random and the systematic error of a share that a wrong model predicts."""
    said, true = 0.05, 0.08
    count = np.geomspace(30, 3e5, 60)
    curves = {
        "sampling": (count, np.sqrt(said * (1 - said) / count)),
        "model": (count, np.full(60, true - said)),
    }
    ax = plot_curves(
        "number of flights",
        "error of the share",
        curves,
        repairs.verdict(chosen),
        xscale="log",
        yscale="log",
        marker="",
    )
    return figure_as_html(
        ax.figure,
        "Error of the share against the number of flights, where a model says 0.05 and 0.08 is "
        "true: the sampling error falls, and the error of the model stays.",
    )


wrong_model = Exercise(
    name="many-pendulums-9",
    answer=repairs,
    misconceptions=(
        Misconception(
            "a",
            "The model does not contain the worn rotors. How could more of its flights show them?",
        ),
        Misconception(
            "c",
            "Random errors average out. Does an error that is the same in each flight?",
        ),
        Misconception(
            "d", "Each run says more about the model. What happens to the interval of its quantile?"
        ),
    ),
    section="More runs of a wrong model",
    lesson="The sampling error shrinks with the number of runs. A mistake that is in all of them "
    "stays, and looks more and more certain.",
    reveal=chance_and_mistake,
    curves={
        "sampling": (
            "where a model says 0.05",
            lambda c: np.allclose(c.y**2 * c.x, 0.05 * 0.95),
        ),
        "model": ("and 0.08 is true", lambda c: np.allclose(c.y, 0.08 - 0.05)),
    },
)


# ---- many-pendulums-10: two parts become one


def merged(n_a: Any, mean_a: Any, sum_a: Any, n_b: Any, mean_b: Any, sum_b: Any) -> Any:
    """Return count, mean and sum of squared deviations of both parts together."""
    n, apart = n_a + n_b, mean_b - mean_a
    return np.array([n, mean_a + apart * n_b / n, sum_a + sum_b + apart**2 * n_a * n_b / n])


def mean_of_means(n_a: Any, mean_a: Any, sum_a: Any, n_b: Any, mean_b: Any, sum_b: Any) -> Any:
    between = (mean_b - mean_a) ** 2 * n_a * n_b / (n_a + n_b)
    return np.array([n_a + n_b, (mean_a + mean_b) / 2, sum_a + sum_b + between])


def sums_alone(n_a: Any, mean_a: Any, sum_a: Any, n_b: Any, mean_b: Any, sum_b: Any) -> Any:
    n = n_a + n_b
    return np.array([n, (n_a * mean_a + n_b * mean_b) / n, sum_a + sum_b])


def not_divided(n_a: Any, mean_a: Any, sum_a: Any, n_b: Any, mean_b: Any, sum_b: Any) -> Any:
    n = n_a + n_b
    between = (mean_b - mean_a) ** 2 * n_a * n_b
    return np.array([n, (n_a * mean_a + n_b * mean_b) / n, sum_a + sum_b + between])


def two_parts(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return count, mean, and sum of squared deviations of two random parts."""
    first, second = (rng.normal(rng.uniform(-3, 3), 1, rng.integers(3, 30)) for _ in range(2))
    return tuple(
        v for x in (first, second) for v in (len(x), x.mean(), ((x - x.mean()) ** 2).sum())
    )


def joined_by_moments(n_a: Any, mean_a: Any, sum_a: Any, n_b: Any, mean_b: Any, sum_b: Any) -> Any:
    """Return the three numbers by way of sums of squares about zero."""
    n = n_a + n_b
    mean = (n_a * mean_a + n_b * mean_b) / n
    squares = sum_a + n_a * mean_a**2 + sum_b + n_b * mean_b**2
    return n, mean, squares - n * mean**2


merging = Exercise(
    name="many-pendulums-10",
    answer=Function(
        merged,
        problems=((4, 1.0, 2.0, 6, 3.0, 5.0), (10, -1.0, 0.5, 2, -3.0, 0.25)),
        draw=two_parts,
    ),
    misconceptions=(
        Misconception(
            mean_of_means,
            "You gave both parts the same weight. Which part should count more in the mean?",
        ),
        Misconception(
            sums_alone,
            "You added the sums, but each is about the mean of its own part. How far is that mean "
            "from the common one?",
        ),
        Misconception(
            not_divided,
            "Your sum is too large. What should it be for two parts of one run each, at 0 and 1?",
        ),
    ),
    section="Stop and resume",
    lesson="Three numbers summarize any number of runs, and parts may come in any order, from any "
    "computer.",
    forms=(joined_by_moments,),
)


# ---- many-pendulums-11: Amdahl's law, solved for the share


def serial(efficiency: float = 0.9, cores: int = 1000) -> float:
    """Return the largest share of serial work, in percent."""
    return 100 * (1 / efficiency - 1) / (cores - 1)


def by_halving(falling: Any) -> float:
    """Return the zero of a function that decreases between 0 and 1."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return low


share = Exercise(
    name="many-pendulums-11",
    answer=Number(serial(), "percent", bound="most"),
    misconceptions=(
        Misconception(serial() / 100, "That is a fraction. How many percent is it?"),
        Misconception(
            10.0,
            "With that share, no number of cores is more than ten times faster. How much faster "
            "must 1000 cores be here?",
        ),
        Misconception(
            100 * (1 - 0.9) / 1000,
            "Nearly, but you subtracted where you should divide. What is 1 over the efficiency, in "
            "terms of s and n?",
        ),
        Misconception(
            100 * (1 / 0.9 - 1),
            "That is right for two cores. How many cores wait here while one works?",
        ),
    ),
    section="Who waits for whom?",
    lesson="While one core works alone, all the others wait, so its share must be tiny.",
    asked=(
        r"On (\d+) cores you want an efficiency of at least ([\d.]+\d)",
        lambda cores, efficiency: (
            100 * by_halving(lambda share: 1 / (share + (1 - share) / cores) / cores - efficiency)
        ),
    ),
)


EXERCISES = (
    workers,
    memory,
    exponent,
    instrument,
    friend,
    passing,
    enough,
    worst,
    wrong_model,
    merging,
    share,
)
