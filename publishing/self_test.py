"""The five questions of the page "Are you ready?"."""

from __future__ import annotations

import sympy as sm
import sympy.physics.mechanics as me

from course.judge import Choice, Exercise, Expression, Misconception, Number

theta = me.dynamicsymbols("theta")
rate = theta.diff()
l, g, z = sm.symbols("l g z", positive=True)

derivative = Exercise(
    name="ready-1",
    answer=Expression(-l * sm.sin(theta) * rate, units={"l": "m", "theta": "rad"}),
    misconceptions=(
        Misconception(
            -l * sm.sin(theta),
            "That is the derivative with respect to the angle. The angle depends on time: which "
            "factor does the chain rule add?",
        ),
        Misconception(
            l * sm.sin(theta) * rate, "What is the sign of the derivative of the cosine?"
        ),
        Misconception(
            -l * sm.sin(rate),
            "Only the angle is inside the cosine. By the chain rule, its derivative is a factor "
            "outside the sine.",
        ),
    ),
    section="Derivatives",
    lesson="Nearly every line of the first chapters uses the chain rule.",
)

sled = Exercise(
    name="ready-2",
    answer=Number(2.0, "m/s²", digits=None),
    misconceptions=(
        Misconception(3.0, "You left out friction. What is the sum of both forces on the sled?"),
        Misconception(4.0, "Friction opposes the pull. Which sign does it have in the sum?"),
        Misconception(8.0, "You multiplied by the mass. How do you solve F = m a for a?"),
    ),
    section="Forces",
    lesson="This is Newton's second law: add up all forces, then divide by the mass.",
)

fall = Exercise(
    name="ready-3",
    answer=Expression(sm.sqrt(2 * g * z), units={"g": "m/s²", "z": "m"}),
    misconceptions=(
        Misconception(2 * g * z, "That is the square of the speed. What is the speed itself?"),
        Misconception(
            sm.sqrt(g * z), "Kinetic energy is m v² / 2. Where is the factor of one half?"
        ),
    ),
    section="Energy",
    lesson="The mass cancels because it is a factor of both energies.",
)

loop = Exercise(
    name="ready-4",
    answer=Number(8.0, digits=None),
    misconceptions=(
        Misconception(4.0, "How many numbers does range(3) produce?"),
        Misconception(
            16.0, "range(3) starts at 0 and stops before 3. How many passes does the loop make?"
        ),
        Misconception(7.0, "Each pass doubles x. What is x after each of the three passes?"),
    ),
    section="A loop",
    lesson="A simulation is such a loop: the new state is the old state plus a small change.",
)

array = Exercise(
    name="ready-5",
    answer=Choice(
        "b",
        {"a": "[1. 2. 1. 2. 1.]", "b": "[3. 5.]", "c": "[2. 4. 1.]", "d": "an error"},
    ),
    misconceptions=(
        Misconception(
            "a", "A list would behave this way. What does 2 do to each element of an array?"
        ),
        Misconception(
            "c", "An array does not grow. What happens when you add a number to every element?"
        ),
        Misconception(
            "d", "NumPy lets you combine arrays and numbers. What happens to each element?"
        ),
    ),
    section="An array",
    lesson="In this course every state is an array, so one line of code moves a whole machine.",
)

SELF_TEST = (derivative, sled, fall, loop, array)
