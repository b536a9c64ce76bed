"""Mistakes of chapter 1 and their hints."""

import math

import numpy as np

from tests.unit.hints import names

NAMES = names("m l g M b k_p k_d theta_d", "theta tau")


def loaded(inertia="m/3 + M", weight="(m/2 + M)*sin(theta)", torque="tau"):
    return f"({inertia})*l**2*theta_ddot - {torque} + ({weight})*g*l"


def servo(carried="m*g*l*sin(theta)/2", spring="k_p*(theta_d - theta)", brake="-k_d*theta_dot"):
    return f"{spring} + {brake} + {carried}"


def new_rates_first(f, t, x, h):
    angle, rate = x[: len(x) // 2], x[len(x) // 2 :]
    rate = rate + h * f(t, x)[len(x) // 2 :]
    angle = angle + h * f(t, np.hstack([angle, rate]))[: len(x) // 2]
    return np.hstack([angle, rate])


def by_the_middle(f, t, x, h):
    middle = x + f(t, x) * h / 2
    return x + f(t + h / 2, middle) * h


RATE = 9.81 / 0.8  # g / l of the short arm
LONG = 9.81 / 2  # of the arm of 2 m

HINTS = {
    "pendulum-1": [
        ("m*g*cos(theta)", "as if the mass were at rest"),
        (
            "m*l*theta_dot**2 - m*g*cos(theta)",
            "your rod would push the mass down",
            "gravity's sign",
        ),
        ("m*l*theta_dot**2 + m*g*sin(theta)", "your rod would carry nothing"),
        ("m*l*theta_dot**2 + m*g", "Only the part of the weight along the rod", "level"),
        ("m*(l*theta_dot)**2 + m*g*cos(theta)", "one of your terms is an energy"),
        ("m*theta_dot**2 + m*g*cos(theta)", "not a rate squared alone"),
        ("m*l*theta_ddot + m*g*cos(theta)", "The angular acceleration speeds the mass up"),
    ],
    "pendulum-2": [
        (loaded(inertia="m/12 + M"), "about its center"),
        (loaded("m + M", "(m + M)*sin(theta)"), "a point mass at the end, for the rod as well"),
        (loaded(weight="(m + M)*sin(theta)"), "acts at its center of mass"),
        (loaded(inertia="m + M"), "The lever arm of the rod's weight is right"),
        (loaded(weight="-(m/2 + M)*sin(theta)"), "it moves up", "sign of gravity"),
        (loaded(weight="(m/2 + M)*cos(theta)"), "hang at rest", "which line is the angle"),
        (loaded(torque="(-tau)"), "A positive torque should turn"),
        (loaded(torque="0"), "The motor is missing"),
        (loaded(inertia="m/3"), "has weight in your equation, but no inertia"),
        (loaded(weight="m/2*sin(theta)"), "has inertia in your equation, but no weight"),
        (loaded(weight="(m/2 + M)*theta"), "small angles only"),
    ],
    "pendulum-3": [
        (lambda f, t, x, h: f(t, x) + x, "a rate", "Over a step of h seconds"),
        (lambda f, t, x, h: f(t, x) * h, "That is the change"),
        (lambda f, t, x, h: x + f(t, x) * -h, "goes back in time"),
        (lambda f, t, x, h: x + f(t + h, x) * h, "at the start of the step, and so at time t"),
        (new_rates_first, "with the new rate", "(chapter 4)"),
        (by_the_middle, "the middle of the step", "(chapter 4)"),
    ],
    "pendulum-4": [
        ("a", "keep time at any amplitude"),
        ("c", "gravity pulls harder on the way", "at 90°"),
        ("d", "It is faster at the bottom"),
    ],
    "pendulum-5": [
        (math.sqrt(4 * RATE), "the rate at the bottom: how high"),
        (math.sqrt(4 * LONG), "the rate at the bottom, and of the longer arm"),
        (math.sqrt(2 * LONG), "for the arm of 2 m"),
        (math.sqrt(RATE), "Kinetic energy has a factor of one half"),
        (math.sqrt(2 * RATE) * 0.8, "the speed of the mass, in m/s"),
        (math.sqrt(2 * RATE) * 180 / math.pi, "degrees per second"),
    ],
    "pendulum-6": [
        ("[[0, 1], [-g/l, -b/m/l**2]]", "the arm near the bottom"),
        ("[[0, 1], [g/l, -b]]", "Friction is a torque"),
        ("[[0, 1], [g/l, b/m/l**2]]", "Your friction pushes"),
        ("[[0, 1], [g/l, 0]]", "Friction is missing"),
        ("[[0, g/l], [1, -b/m/l**2]]", "Rows and columns are exchanged"),
        ("[[g/l, -b/m/l**2], [0, 1]]", "The rows are exchanged"),
    ],
    "pendulum-7": [
        (servo("m*g*l*sin(theta)"), "a point mass at the end of the arm"),
        (servo("(-m*g*l*sin(theta)/2)"), "pulls along with gravity"),
        (servo("m*g*l*sin(theta_d)/2"), "carries the arm at the goal only"),
        (servo("m*g*l*cos(theta)/2"), "it needs no help there"),
        (servo("0"), "the PD torque alone"),
        (servo(brake="k_d*theta_dot"), "Your brake pushes"),
        (servo(spring="k_p*(theta - theta_d)"), "Your spring pushes away"),
    ],
    "pendulum-8": [
        (2 * 8 / 80, "the brake gets too strong"),
        (80 / 1500, "A factor of two is lost"),
        (2 * 15 / 1500, "the old brake, 15 N·m·s/rad. Here it is 80"),
        (0.05, "the servo is stable, but you may decide more rarely"),
        (1500 / (2 * 80), "Upside down"),
    ],
}
