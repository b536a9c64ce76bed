"""The five questions of the page "Are you ready?", before all chapters."""

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
            "That is the derivative with respect to the angle. The angle changes with time, too: "
            "by the chain rule its rate is a factor.",
        ),
        Misconception(l * sm.sin(theta) * rate, "Which sign has the derivative of the cosine?"),
        Misconception(
            -l * sm.sin(rate),
            "Only the angle is inside the cosine. By the chain rule its rate stands beside the "
            "sine, as a factor.",
        ),
    ),
    section="Derivatives",
    lesson="The chain rule is behind nearly every line of the first chapters.",
)

sled = Exercise(
    name="ready-2",
    answer=Number(2.0, "m/s²", digits=None),
    misconceptions=(
        Misconception(3.0, "You left friction out: the sled feels both forces."),
        Misconception(4.0, "Friction is against the pull. Which sign does it have in the sum?"),
        Misconception(8.0, "A force is mass times acceleration: divide where you multiplied."),
    ),
    section="Forces",
    lesson="Add up all forces, then divide by the mass: that is the second law.",
)

fall = Exercise(
    name="ready-3",
    answer=Expression(sm.sqrt(2 * g * z), units={"g": "m/s²", "z": "m"}),
    misconceptions=(
        Misconception(2 * g * z, "That is the square of the speed. What is the speed itself?"),
        Misconception(
            sm.sqrt(g * z), "Kinetic energy is half of mass times speed squared: where is the half?"
        ),
    ),
    section="Energy",
    lesson="The mass has dropped out: it is in both energies.",
)

loop = Exercise(
    name="ready-4",
    answer=Number(8.0, digits=None),
    misconceptions=(
        Misconception(4.0, "How many numbers does range(3) count through?"),
        Misconception(16.0, "range(3) begins at zero, and stops before three."),
        Misconception(7.0, "The new value is the old one and the old one again, each time."),
    ),
    section="A loop",
    lesson="A simulation is such a loop: the new state is the old one, and a little more.",
)

array = Exercise(
    name="ready-5",
    answer=Choice(
        "b",
        {"a": "[1. 2. 1. 2. 1.]", "b": "[3. 5.]", "c": "[2. 4. 1.]", "d": "an error"},
    ),
    misconceptions=(
        Misconception(
            "a", "So a list would behave. An array is multiplied number by number, as a vector is."
        ),
        Misconception(
            "c", "So a list might grow. To add a number to an array is to add it to every entry."
        ),
        Misconception("d", "Arrays and numbers go together: each entry is treated alike."),
    ),
    section="An array",
    lesson="States are arrays throughout: one line moves a whole machine.",
)

SELF_TEST = (derivative, sled, fall, loop, array)
