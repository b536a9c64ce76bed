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
        "a": "all are equal, bit for bit",
        "b": "all are equal to some fifteen digits",
        "c": "all are equal where the map is calm, and not in the dust",
        "d": "that depends on which thread was faster",
    },
)


def by_one_and_by_two(chosen: str) -> str:
    """Draw the flips of a row of the map, found by one thread and by two."""
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
        "one thread and of two threads are the same, bands and dust.",
    )


def flips_as_scipy_says(c: Any) -> Any:
    """Whether a double pendulum from 150 and 0 degrees flips when SciPy's solver says so."""
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
            "Sums differ in their last digits if they are added in another order. Is anything "
            "added across motions here?",
        ),
        Misconception(
            "c",
            "Chaos makes a difference grow, and it needs one to begin with. Does another thread "
            "make one?",
        ),
        Misconception(
            "d", "A thread decides who computes a motion, and when. Does it decide what?"
        ),
    ),
    section="What is done once",
    lesson="No motion knows of another. So who computes it, and in which company, changes no bit.",
    reveal=by_one_and_by_two,
    curves={
        "one thread": ("where the first is 150 degrees", flips_as_scipy_says),
        "two threads": ("of one thread and of two threads are the same", flips_as_scipy_says),
    },
)


# ---- many-pendulums-2: what is left of a motion


def kept(state: int = 4, observed: int = 2, time: int = 1, extremes: int = 2) -> float:
    """Return how many bytes are kept of a motion."""
    return float(8 * (time + state + extremes * observed))


memory = Exercise(
    name="many-pendulums-2",
    answer=Number(kept(), digits=None),
    misconceptions=(
        Misconception(kept(time=0), "When did it end? That is a number as well."),
        Misconception(
            kept(extremes=1), "Of each quantity that is observed there are a least and a greatest."
        ),
        Misconception(kept() / 8, "So many numbers: each takes 8 bytes."),
        Misconception(
            kept(state=4 * 1001),
            "You keep every state on the way. An ensemble keeps the last one alone.",
        ),
        Misconception(kept(observed=0), "What is observed is missing."),
    ),
    section="What is done once",
    lesson="However long a motion is, what is left of it is as much. The path would take hundreds "
    "of times more, and can be computed again from its start.",
    facts=lambda: (
        "each takes 8 bytes",
        f"take {['', 'hundreds'][round(4 * 1001 / (72 / 8) / 445)]} of times more",
    ),
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
    """Add the sizes of the errors, as if all of them conspired."""
    aside = np.log(eps) - np.log(eps).mean()
    weights = aside / (aside**2).sum()
    return np.array([slope(eps, counts)[0], (np.abs(weights) / np.sqrt(counts)).sum()])


def by_the_residuals(eps: Any, counts: Any) -> Any:
    """Take the error from how far the dots are from their line."""
    from scipy.stats import linregress

    line = linregress(np.log(eps), np.log(counts))
    return np.array([line.slope, line.stderr])


def square_of_the_error(eps: Any, counts: Any) -> Any:
    return slope(eps, counts) ** [1, 2]


def some_counts(rng: np.random.Generator) -> tuple[Any, Any]:
    """Return distances and counts that lie about a power."""
    eps = 10.0 ** rng.uniform(-6, -1, 5)
    return eps, np.ceil(rng.uniform(3e3, 9e3) * eps**0.6 * np.exp(rng.normal(size=5) / 5))


def slope_by_matrices(eps: Any, counts: Any) -> Any:
    """Return a fit and its error by the covariance of its data."""
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
            "That is a line through the numbers. A power is a line in logarithms.",
        ),
        Misconception(
            upside_down, "Your axes are exchanged: the number stands up, the distance to the right."
        ),
        Misconception(
            by_the_ends, "You take the first and the last alone. Let all of them have a say."
        ),
        Misconception(
            added_errors,
            "The slope is right. But you add the errors of all dots, and they do not know of each "
            "other: which sum is it then?",
        ),
        Misconception(
            by_the_residuals,
            "The slope is right. But its error is taken from how far the dots are from the line: "
            "you know better how uncertain each of them is.",
        ),
        Misconception(
            square_of_the_error, "The slope is right, and you are one root away from its error."
        ),
    ),
    section="A number for the dust",
    lesson="One number for the border: one would be a smooth line, and zero would be dust "
    "everywhere. And a second number says how far to believe it.",
    forms=(slope_by_matrices,),
)


# ---- many-pendulums-4: what a better instrument buys


def better(*powers: float, fewer: float = 10.0) -> Any:
    """Return how many times better the start must be known, for each power."""
    return fewer ** np.array(powers)


instrument = Exercise(
    name="many-pendulums-4",
    answer=NumberArray(better(1 / 0.52, 1 / 0.46), digits=3),
    misconceptions=(
        Misconception(better(1 / 0.46, 1 / 0.52), "Those are the two numbers, in the other order."),
        Misconception(
            better(0.46, 0.52),
            "That is how many times fewer there are if you know it ten times better.",
        ),
        Misconception(
            better(-1 / 0.46, -1 / 0.52), "That is one over it: how large may the error still be?"
        ),
        Misconception(
            10 / np.array([0.52, 0.46]),
            "The share goes as a power of the distance, and not in proportion.",
        ),
        Misconception(
            better(1 / 0.49) + 10**0.03 * np.array([-1, 1]),
            "Put the ends of the interval into the formula: an error of an exponent is no error of "
            "the number.",
        ),
    ),
    section="A number for the dust",
    lesson="A better instrument pays badly where the border is dust, and a small doubt about an "
    "exponent is a large one about its power.",
    asked=(
        r"exponent is ([\d.]+) ± ([\d.]+)\..*that (\d+) times fewer",
        lambda exponent, off, fewer: [
            fewer ** (1 / (exponent + off)),
            fewer ** (1 / (exponent - off)),
        ],
    ),
)


# ---- many-pendulums-5: a friend's settling times

slips = Choice(
    "c",
    {
        "a": "the step is too long",
        "b": "the band is too narrow",
        "c": "the event is the first time that the arm is in the band",
        "d": "the event is found at the end of a step only",
        "e": "the gains of a motion are those of its neighbor",
    },
)


def in_and_out(chosen: str) -> str:
    """Draw the error of a servo with little brake, and a band about its goal."""
    arm = pendulum()
    theta, tau = arm.equations.q[0], arm.equations.inputs[0]
    inertia, spring, brake, goal = 8.0, 1500.0, 30.0, np.radians(-72)
    law = arm.with_inputs(
        {tau: spring * (goal - theta) - brake * theta.diff() + 2 * 9.81 * 2 * sm.sin(theta)},
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
        "Angle from the goal against time: the arm is in the band of 2 degrees after 0.1 s for the "
        "first time, and for good only after two seconds. The band is drawn as two level lines.",
    )


friend = Exercise(
    name="many-pendulums-5",
    answer=slips,
    misconceptions=(
        Misconception("a", "With half the step the friend's map looks the same."),
        Misconception(
            "b", "Then the times would be too long. With little brake they are far too short."
        ),
        Misconception(
            "d", "It is found within the step; and a step would be a hundredth of a second."
        ),
        Misconception(
            "e", "Neighbors are much alike, and the times would be wrong by little everywhere."
        ),
    ),
    section="One start, many gains",
    lesson="An event is a first time, and settling is a last one. The greatest time outside of the "
    "band says it.",
    reveal=in_and_out,
    curves={
        "arm": (
            "the arm is in the band of 2 degrees after 0.1 s for the first time, and for good "
            "only after two seconds",
            lambda c: (
                round(c.x[np.argmax(np.abs(c.y) < 2)], 1) == 0.1
                and round(c.x[np.abs(c.y) > 2].max()) == 2
            ),
        ),
        "band": ("drawn as two level lines", lambda c: set(c.y) == {-2.0, 2.0}),
    },
)


# ---- many-pendulums-6: when the arm first passes its goal

decay, omega = sm.symbols("d omega", positive=True)

passing = Exercise(
    name="many-pendulums-6",
    answer=Expression((sm.pi / 2 + sm.atan(decay / omega)) / omega),
    misconceptions=(
        Misconception(sm.pi / omega, "That is when it turns back, beyond its goal: half a swing."),
        Misconception(
            sm.pi / (2 * omega),
            "A quarter of a swing would be right without a brake. With it the sine has a share, "
            "too: the rate is zero at the start.",
        ),
        Misconception(
            (sm.pi / 2 - sm.atan(decay / omega)) / omega,
            "Without a brake that is a quarter of a swing, and with more brake it gets shorter: "
            "does a brake make it quicker?",
        ),
        Misconception(
            sm.atan(decay / omega) / omega,
            "Without a brake you pass the goal at once. Which branch of the arctangent is it?",
        ),
    ),
    section="One start, many gains",
    lesson="A closed form checks a thousand runs at once, and a thousand runs check the closed "
    "form.",
    forms=(
        sm.atan2(omega, -decay) / omega,
        sm.acos(-decay / sm.sqrt(decay**2 + omega**2)) / omega,
    ),
)


# ---- many-pendulums-7: how many flights


def flights(share: float = 0.05, off: float = 0.005) -> float:
    """Return how many runs it takes until the error of a share is so large."""
    return share * (1 - share) / off**2


enough = Exercise(
    name="many-pendulums-7",
    answer=Number(flights(), digits=3),
    misconceptions=(
        Misconception(0.05 / 0.005**2, "Nearly: of p (1 - p) you left out the second factor."),
        Misconception(
            math.sqrt(flights()), "That is the root of it: which power of N is the error?"
        ),
        Misconception(
            0.05 * 0.95 / 0.005, "The error goes with the root of N, so it stands there squared."
        ),
        Misconception(
            0.25 / 0.005**2,
            "So many are enough for any share. A rare event has less to be unsure of.",
        ),
    ),
    section="How many are enough?",
    lesson="For half the error it takes four times as many.",
    asked=(
        r"About ([\d.]+) of all flights .* this share to ([\d.]+), which",
        lambda share, off: share * (1 - share) / off**2,
    ),
    facts=lambda: (
        f"For half the error it takes {in_words(0.05 * 0.95 / 0.0025**2 / 1900)} times as many",
    ),
)


# ---- many-pendulums-8: the largest of so many


def runs(q: Any, confidence: Any) -> Any:
    """Return how many runs are needed so that the worst of them is beyond a quantile."""
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
        Misconception(cut_off, "One run too few: a count is rounded up here."),
        Misconception(
            on_average, "Then one run is beyond it on average. How likely is it that there is none?"
        ),
        Misconception(exchanged, "The quantile and the confidence have changed their places."),
        Misconception(
            all_within,
            "You ask that all stay within it with this probability. Ask that one does not.",
        ),
    ),
    section="How many are enough?",
    lesson="It holds for any distribution: nothing was said of bells.",
    forms=(runs_one_by_one,),
)


# ---- many-pendulums-9: more runs of a wrong model

repairs = Choice(
    "b",
    {
        "a": "the quantile comes nearer to that of real machines",
        "b": "the quantile of this model is known better, and of real machines nothing more",
        "c": "both come nearer, the one as quickly as the other",
        "d": "nothing: the quantile stays as uncertain as it was",
    },
)


def chance_and_mistake(chosen: str) -> str:
    """Draw both errors of a share, for a model that says one share where another is true."""
    said, true = 0.05, 0.08
    count = np.geomspace(30, 3e5, 60)
    curves = {
        "by chance": (count, np.sqrt(said * (1 - said) / count)),
        "by the model": (count, np.full(60, true - said)),
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
        "true: the error by chance falls, that by the model stays.",
    )


wrong_model = Exercise(
    name="many-pendulums-9",
    answer=repairs,
    misconceptions=(
        Misconception("a", "What do more flights of this model know of a rotor that is weak?"),
        Misconception("c", "Chance averages out. What is the same in each flight does not."),
        Misconception("d", "Of the model you learn more with each run: its interval shrinks."),
    ),
    section="More runs of a wrong model",
    lesson="Chance shrinks with the number of runs. A mistake that is in all of them stays as it "
    "is, and looks more and more certain.",
    reveal=chance_and_mistake,
    curves={
        "by chance": (
            "where a model says 0.05",
            lambda c: np.allclose(c.y**2 * c.x, 0.05 * 0.95),
        ),
        "by the model": ("and 0.08 is true", lambda c: np.allclose(c.y, 0.08 - 0.05)),
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
    """Return what is known of two parts."""
    one, other = (rng.normal(rng.uniform(-3, 3), 1, rng.integers(3, 30)) for _ in range(2))
    return tuple(v for x in (one, other) for v in (len(x), x.mean(), ((x - x.mean()) ** 2).sum()))


def joined_by_moments(n_a: Any, mean_a: Any, sum_a: Any, n_b: Any, mean_b: Any, sum_b: Any) -> Any:
    """Both sums of squares about zero, and back."""
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
        Misconception(mean_of_means, "The larger part counts for more in the mean."),
        Misconception(
            sums_alone,
            "Each part deviates from a mean of its own. Together they deviate from another, by "
            "more.",
        ),
        Misconception(
            not_divided, "Give both parts the same mean but for one run: is your sum too large?"
        ),
    ),
    section="Stop, and go on",
    lesson="Three numbers stand for any number of runs, and parts may come in any order, from any "
    "computer.",
    forms=(joined_by_moments,),
)


# ---- many-pendulums-11: Amdahl's law, the other way round


def serial(efficiency: float = 0.9, cores: int = 1000) -> float:
    """Return which share may be done by one alone, in percent."""
    return 100 * (1 / efficiency - 1) / (cores - 1)


def by_halving(falling: Any) -> float:
    """Return where a function that falls from 0 to 1 is zero."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return low


share = Exercise(
    name="many-pendulums-11",
    answer=Number(serial(), "percent", bound="most"),
    misconceptions=(
        Misconception(serial() / 100, "That is a part of one. Give it in percent."),
        Misconception(
            10.0,
            "Then nothing would be won beyond ten cores: the part that is done by one alone would "
            "take as long as before.",
        ),
        Misconception(
            100 * (1 - 0.9) / 1000,
            "Nearly: the efficiency is S over n, and the share stands below its fraction line.",
        ),
        Misconception(
            100 * (1 / 0.9 - 1), "So it is for two cores. How many wait here while one works?"
        ),
    ),
    section="Who waits for whom?",
    lesson="A thousand cores are kept waiting by one: what it does alone must be next to nothing.",
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
