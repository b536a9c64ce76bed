"""Quadrotors that carry a load on rigid links, on ℝ⁶ x TSO(3)ⁿ x (TS²)ⁿ, taught in chapter 9.

The third axis points down, as in the source: gravity is +g e₃.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tutlib.right_hand_side import Array
from tutlib.spaces import Product, R, Space, TangentSO3, TangentSphere

DOWN = np.array([0.0, 0.0, 1.0])
#: Forces u [N] on the vehicles, in world axes, and moments M [N·m], in body axes: both (n, 3).
Control = Callable[[float, "State"], tuple[Array, Array]]


@dataclass(frozen=True)
class State:
    """A flat state taken apart; the arrays of n vehicles have n rows.

    Parameters
    ----------
    y, v : array, shape (3,)
        Load's place [m] and velocity [m/s].
    attitudes : array, shape (n, 3, 3)
    rates : array, shape (n, 3)
        Angular velocities in body axes [rad/s].
    q, omega : array, shape (n, 3)
        Directions of the links, from vehicle to load, and their angular velocities [rad/s].
    """

    y: Array
    v: Array
    attitudes: Array
    rates: Array
    q: Array
    omega: Array


@dataclass(frozen=True)
class Quadrotors:
    """n quadrotors and a point load, each at the end of a massless rigid link.

    Parameters
    ----------
    inertia : array, shape (n, 3)
        Principal moments of inertia [kg·m²].
    load : float
        Mass of the load [kg].
    mass, length : array, shape (n,)
        Of the vehicles [kg] and of their links [m].
    g : float
        Gravity [m/s²].

    Raises
    ------
    ValueError
        If a mass, a length or a moment of inertia is not positive, or shapes do not fit.

    References
    ----------
    :cite:p:`LeeSreenathKumar2013`; :cite:p:`CelledoniEtAl2022`.
    """

    inertia: Array
    load: float
    mass: Array
    length: Array
    g: float = 9.81

    def __post_init__(self) -> None:
        n = len(self.mass)
        for name, shape in (("inertia", (n, 3)), ("mass", (n,)), ("length", (n,))):
            value = np.array(getattr(self, name), dtype=float)
            object.__setattr__(self, name, value)
            if value.shape != shape:
                raise ValueError(f"{name} must have shape {shape}; got {value.shape}")
            if not (value > 0).all():
                place = np.argwhere(~(value > 0))[0].tolist()
                raise ValueError(f"{name} must be positive; entry {place} is {value.min():g}")
        if not self.load > 0:
            raise ValueError(f"the load must have a positive mass; got {self.load}")

    @property
    def space(self) -> Space:
        """ℝ⁶ x TSO(3)ⁿ x (TS²)ⁿ."""
        n = len(self.mass)
        return Product(R(6), *[TangentSO3] * n, *[TangentSphere] * n)

    def state(self, x: Array) -> State:
        """Take a flat state apart."""
        n = len(self.mass)
        bodies = x[6 : 6 + 12 * n].reshape(n, 12)
        links = x[6 + 12 * n :].reshape(n, 6)
        attitudes = bodies[:, :9].reshape(n, 3, 3)
        return State(x[:3], x[3:6], attitudes, bodies[:, 9:], links[:, :3], links[:, 3:])

    def start(self, y: Any, q: Any) -> Array:
        """Return the flat state at rest with level vehicles.

        Parameters
        ----------
        y : array, shape (3,)
            Place of the load [m].
        q : array, shape (n, 3)
            Directions of the links, of length 1.

        Returns
        -------
        array, shape (6 + 18 n,)
        """
        level = np.concatenate([np.eye(3).ravel(), np.zeros(3)])
        links = np.column_stack([np.asarray(q, dtype=float), np.zeros((len(self.mass), 3))])
        return np.concatenate([y, np.zeros(3), *[level] * len(self.mass), links.ravel()])

    def vector_field(self, control: Control) -> Callable[[float, Array], Array]:
        """Return f(t, x) on the space, under a control.

        Parameters
        ----------
        control : function (t, State) -> (forces, moments)
            Each of shape (n, 3): forces in world axes [N], moments in body axes [N·m].

        Returns
        -------
        function
            With the algebra element as its value: (v, v̇), (R Ω, Ω̇) and (ω, q x ω̇) one after
            another.
        """

        def f(t: float, x: Array) -> Array:
            s = self.state(x)
            forces, moments = control(t, s)
            v_dot, omega_dot = self.accelerations(s, forces)
            spins = np.cross(s.rates, self.inertia * s.rates)
            rate_dot = (moments - spins) / self.inertia
            turning = np.einsum("nij,nj->ni", s.attitudes, s.rates)
            bodies = np.column_stack([turning, rate_dot])
            links = np.column_stack([s.omega, np.cross(s.q, omega_dot)])
            return np.concatenate([s.v, v_dot, bodies.ravel(), links.ravel()])

        return f

    def accelerations(self, s: State, forces: Array) -> tuple[Array, Array]:
        """Return v̇ of the load, shape (3,), and ω̇ of the links, shape (n, 3)."""
        along = np.einsum("ni,ni->n", s.q, forces)
        pull = along - self.mass * self.length * np.einsum("ni,ni->n", s.omega, s.omega)
        M_q = self.load * np.eye(3) + np.einsum("n,ni,nj->ij", self.mass, s.q, s.q)
        beyond_gravity = np.linalg.solve(M_q, pull @ s.q)
        across = np.cross(s.q, forces) / self.mass[:, None]
        omega_dot = (np.cross(s.q, beyond_gravity) - across) / self.length[:, None]
        return self.g * DOWN + beyond_gravity, omega_dot

    def energy(self, x: Array) -> float:
        """Return kinetic and potential energy together [J] at a flat state."""
        s = self.state(x)
        velocity = s.v - self.length[:, None] * np.cross(s.omega, s.q)
        places = s.y - self.length[:, None] * s.q
        kinetic = self.load * s.v @ s.v + self.mass @ (velocity**2).sum(axis=1)
        turning = (self.inertia * s.rates**2).sum()
        height = self.load * s.y[2] + self.mass @ places[:, 2]
        return float((kinetic + turning) / 2 - self.g * height)


def two_quadrotors() -> Quadrotors:
    """Return the two vehicles and the load of the source.

    Returns
    -------
    Quadrotors
    """
    inertia = [[0.0820, 0.0845, 0.1377]] * 2
    return Quadrotors(np.array(inertia), 0.4, np.full(2, 0.755), np.array([0.6, 0.8]))


@dataclass(frozen=True)
class LoadController:
    """Carry the load along a path with the links in a formation, by free thrust vectors.

    Parameters
    ----------
    quadrotors : Quadrotors
    path : function t -> array, shape (5, 3)
        The load's place and its first four derivatives.
    formation : array, shape (n, 3)
        Directions that the links shall have, relative to the force on the load.
    sideways : array, shape (3,)
        Fixes the turn of the formation about that force.
    gains : tuple of four float
        Of the load's place and velocity, and of the links' direction and rate.

    References
    ----------
    :cite:p:`LeeSreenathKumar2013`.
    """

    quadrotors: Quadrotors
    path: Callable[[float], Array]
    formation: Array
    sideways: Array
    gains: tuple[float, float, float, float] = (12.0, 5.0, 16.0, 5.0)

    def __call__(self, t: float, s: State) -> Array:
        """Return the forces that the vehicles shall exert, shape (n, 3)."""
        body, (_, _, k_q, k_omega) = self.quadrotors, self.gains
        force, mu = self._load(t, s)
        desired = self._directions(force)
        q_d, qdot_d, qddot_d = desired
        omega_d, omegadot_d = np.cross(q_d, qdot_d), np.cross(q_d, qddot_d)
        error_q = np.cross(q_d, s.q)
        error_omega = s.omega + _twice(s.q, omega_d)
        qdot = np.cross(s.omega, s.q)
        along = np.einsum("ni,ni->n", s.q, omega_d)[:, None]
        steer = -k_q * error_q - k_omega * error_omega - along * qdot - _twice(s.q, omegadot_d)
        share = (body.mass / body.load)[:, None]
        others = mu.sum(axis=0) - mu
        across = (body.mass * body.length)[:, None] * np.cross(s.q, steer)
        across = across - share * _twice(s.q, others)
        swing = (body.mass * body.length * (s.omega**2).sum(axis=1))[:, None] * s.q
        together = (s.q @ mu.sum(axis=0))[:, None] * s.q
        return np.asarray(mu + swing + share * together + across)

    def _load(self, t: float, s: State) -> tuple[list[Array], Array]:
        """Return the force on the load with two derivatives, and each vehicle's part of it."""
        k_y, k_v = self.gains[:2]
        m, g, path = self.quadrotors.load, self.quadrotors.g, self.path(t)
        up = self.formation[:, 2]
        c = 1 / (up * np.linalg.norm(self.formation.sum(axis=0)))
        qdot = np.cross(s.omega, s.q)
        F = m * (-k_y * (s.y - path[0]) - k_v * (s.v - path[1]) + path[2] - g * DOWN)
        mu = (c * (s.q @ F))[:, None] * s.q
        acceleration = mu.sum(axis=0) / m + g * DOWN
        F_dot = m * (-k_y * (s.v - path[1]) - k_v * (acceleration - path[2]) + path[3])
        mu_dot = (c * (s.q @ F_dot + qdot @ F))[:, None] * s.q + (c * (s.q @ F))[:, None] * qdot
        jerk = mu_dot.sum(axis=0) / m
        F_ddot = m * (-k_y * (acceleration - path[2]) - k_v * (jerk - path[3]) + path[4])
        return [F, F_dot, F_ddot], mu

    def _directions(self, force: list[Array]) -> list[Array]:
        """Return the links' desired directions and two derivatives, each of shape (n, 3)."""
        F, F_dot, F_ddot = force
        side = self.sideways
        FF, Fd, Fdd = (np.cross(f, side) for f in force)
        first = (
            -np.cross(F, FF),
            -np.cross(F_dot, FF) - np.cross(F, Fd),
            -np.cross(F_ddot, FF) - 2 * np.cross(F_dot, Fd) - np.cross(F, Fdd),
        )
        columns = [_unit(*first), _unit(-FF, -Fd, -Fdd), _unit(-F, -F_dot, -F_ddot)]
        return [
            self.formation @ np.array([column[order] for column in columns]) for order in range(3)
        ]


def _twice(q: Array, a: Array) -> Array:
    return np.asarray(np.cross(q, np.cross(q, a)))


def _unit(a: Array, a_dot: Array, a_ddot: Array) -> tuple[Array, Array, Array]:
    """Return a vector made a direction, and two derivatives of it.

    Raises
    ------
    ValueError
        If the vector is zero.
    """
    n = float(np.linalg.norm(a))
    if not n > 1e-9:
        raise ValueError(
            "a direction of the control frame is zero: the force on the load vanishes, or is "
            "parallel to the sideways direction"
        )
    c = a / n
    n_dot = c @ a_dot
    c_dot = (a_dot - c * n_dot) / n
    n_ddot = c_dot @ a_dot + c @ a_ddot
    return c, c_dot, (a_ddot - 2 * c_dot * n_dot - c * n_ddot) / n
