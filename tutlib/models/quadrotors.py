"""Quadrotors that carry a load on rigid links, with states on ℝ⁶ x TSO(3)ⁿ x (TS²)ⁿ (chapter 9).

The third axis points down, as in the source: gravity is +g e₃.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import entries, function, real_array, real_number
from straightline.assignments import Number
from straightline.compiled_function import compiled
from tutlib.fields import Field
from tutlib.models.lines import Lines, Name, Ring, SpaceArrow, with_path
from tutlib.models.spatial import SpatialModel
from tutlib.spaces.jets import Jet, derivatives, jets
from tutlib.spaces.lie import hat, vee
from tutlib.spaces.space import Product, R, Space, TangentSO3, TangentSphere

DOWN = np.array([0.0, 0.0, 1.0])
#: Length of half an arm of a drawn vehicle [m], and the radius of its rotors in half arms.
ARM, ROTOR = 0.25, 0.42
#: Length of a thrust's arrow per newton [m/N].
PER_NEWTON = 0.04
#: Function that returns forces u [N] in world axes and moments M [N·m] in body axes, both (n, 3).
Control = Callable[..., tuple[Array, Array]]


@dataclass(frozen=True)
class State:
    """Components of a flat state; the arrays of n vehicles have n rows.

    Parameters
    ----------
    y, v : array, shape (3,)
        Position [m] and velocity [m/s] of the load.
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
        Masses of the vehicles [kg] and lengths of their links [m].
    g : float
        Gravity [m/s²].

    Raises
    ------
    ValueError
        If a mass, a length, or a moment of inertia is not positive, or shapes do not fit.

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
        n = len(real_array(self.mass, "mass", ("n",)))
        for name, shape in (("inertia", (n, 3)), ("mass", (n,)), ("length", (n,))):
            value = np.array(real_array(getattr(self, name), name, shape))
            object.__setattr__(self, name, value)
            if not (value > 0).all():
                place = np.argwhere(~(value > 0))[0].tolist()
                raise ValueError(f"{name} must be positive; entry {place} is {value.min():g}")
        object.__setattr__(self, "load", real_number(self.load, "the load's mass", "positive"))
        object.__setattr__(self, "g", real_number(self.g, "g"))

    @property
    def space(self) -> Space:
        """The space of the states, ℝ⁶ x TSO(3)ⁿ x (TS²)ⁿ."""
        n = len(self.mass)
        return Product(R(6), *[TangentSO3] * n, *[TangentSphere] * n)

    def state(self, x: Array) -> State:
        """Return the components of a flat state."""
        n = len(self.mass)
        x = entries(x, "x", (6 + 18 * n,))
        bodies = x[6 : 6 + 12 * n].reshape(n, 12)
        links = x[6 + 12 * n :].reshape(n, 6)
        attitudes = bodies[:, :9].reshape(n, 3, 3)
        return State(x[:3], x[3:6], attitudes, bodies[:, 9:], links[:, :3], links[:, 3:])

    def start(self, y: ArrayLike, q: ArrayLike) -> Array:
        """Return the flat state at rest with level vehicles.

        Parameters
        ----------
        y : array, shape (3,)
            Position of the load [m].
        q : array, shape (n, 3)
            Directions of the links, of length 1.

        Returns
        -------
        array, shape (6 + 18 n,)
        """
        n, level = len(self.mass), np.concatenate([np.eye(3).ravel(), np.zeros(3)])
        links = np.column_stack([real_array(q, "q", (n, 3)), np.zeros((n, 3))])
        return np.concatenate(
            [real_array(y, "y", (3,)), np.zeros(3), *[level] * len(self.mass), links.ravel()]
        )

    def vector_field(self, control: Control) -> Callable[[float, Array], Array]:
        """Return f(t, x) on the space, under a control.

        Parameters
        ----------
        control : function (t, State, **parameters) -> (forces, moments)
            Each of shape (n, 3): forces in world axes [N], moments in body axes [N·m].

        Returns
        -------
        function
            Its value is an element of the Lie algebra: (v, v̇), (R Ω, Ω̇), and (ω, q x ω̇), one
            after another.
        """
        return partial(self._rates, function(control, "control", "t, State, **parameters"))

    def _rates(self, control: Control, t: float, x: Array, **parameters: float) -> Array:
        s = self.state(x)
        forces, moments = control(t, s, **parameters)
        v_dot, omega_dot = self.accelerations(s, forces)
        spins = np.cross(s.rates, self.inertia * s.rates)
        rate_dot = (moments - spins) / self.inertia
        turning = (s.attitudes @ s.rates[:, :, None])[:, :, 0]
        bodies = np.column_stack([turning, rate_dot])
        links = np.column_stack([s.omega, np.cross(s.q, omega_dot)])
        return np.concatenate([s.v, v_dot, bodies.ravel(), links.ravel()])

    def model(
        self, control: Control, parameters: Mapping[str, float] | None = None, path: object = None
    ) -> SpatialModel:
        """Return the field under a control, ready to simulate and to draw.

        Parameters
        ----------
        control : function (t, State, **parameters) -> (forces, moments)
            As for `vector_field`.
        parameters : mapping from str to float, optional
            Further parameters of the control, such as a goal.
        path : (function (t, **parameters) -> array of shape (3,), float, float), optional
            Positions on the load's path [m], and the times [s] between which it is drawn, thin.

        Returns
        -------
        SpatialModel
        """
        n = len(self.mass)
        lines = _drawn(n)
        points: Callable[..., Array] = partial(self._points, control)
        if path is not None:
            lines, points = with_path(lines, points, 6 * n + 1, path, n + 1)
        return SpatialModel(
            f"{n} quadrotors and a load",
            Field(compiled(self.vector_field(control)), self.space, parameters or {}),
            self._energy_at,
            compiled(points),
            lines,
            ["y_1", "y_2", "y_3", *(f"x_{i}" for i in range(3, 6 + 18 * n))],
            down=True,
            follow=1.8 * float(self.length.max()),
            names={"y_1": "load along e₁", "y_2": "load along e₂", "y_3": "load along e₃"},
        )

    def _energy_at(self, t: float, x: Array, **parameters: float) -> Number:
        return self.energy(x)

    def _points(self, control: Control, t: float, x: Array, **parameters: Number) -> Array:
        s, arm = self.state(x), ARM * np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])
        centers = s.y - self.length[:, None] * s.q
        tips = centers[:, None] + arm @ s.attitudes.transpose(0, 2, 1)
        forces, _ = control(t, s, **parameters)
        ends = centers + PER_NEWTON * np.asarray(forces)
        return np.concatenate([centers, tips.reshape(-1, 3), [s.y], ends])

    def accelerations(self, s: State, forces: Array) -> tuple[Array, Array]:
        """Return v̇ of the load, shape (3,), and ω̇ of the links, shape (n, 3)."""
        spinning = (s.omega**2).sum(axis=1)
        pull = (s.q * forces).sum(axis=1) - self.mass * self.length * spinning
        M_q = self.load * np.eye(3) + (self.mass[:, None] * s.q).T @ s.q
        beyond_gravity = _solve(M_q, pull @ s.q)
        across = np.cross(s.q, forces) / self.mass[:, None]
        omega_dot = (np.cross(s.q, beyond_gravity) - across) / self.length[:, None]
        return self.g * DOWN + beyond_gravity, omega_dot

    def energy(self, x: Array) -> Number:
        """Return the total energy [J], kinetic and potential, at a flat state."""
        s = self.state(x)
        velocity = s.v - self.length[:, None] * np.cross(s.omega, s.q)
        places = s.y - self.length[:, None] * s.q
        kinetic = self.load * s.v @ s.v + self.mass @ (velocity**2).sum(axis=1)
        turning = (self.inertia * s.rates**2).sum()
        height = self.load * s.y[2] + self.mass @ places[:, 2]
        energy: Number = (kinetic + turning) / 2 - self.g * height
        return energy


def _drawn(n: int) -> Lines:
    """Return the lines, rotors, and arrows of n vehicles between `Quadrotors._points`."""
    # For each vehicle: its link, the arm from front to back in its color, the other arm in ink,
    # four rotors with the front one filled, its thrust, and its number.
    load, lines, groups, rings = 5 * n, [], [], []
    for i in range(n):
        front, back, right, left = tips = range(n + 4 * i, n + 4 * i + 4)
        lines += [(load, i), (i, front), (i, back), (right, i, left)]
        groups += [0, i + 1, i + 1, 0]
        rings += [Ring(tip, (i, front, right), ROTOR, i + 1, tip == front) for tip in tips]
    return Lines(
        tuple(lines),
        bodies=(load,),
        groups=tuple(groups),
        thin=tuple(range(0, len(lines), 4)),
        rings=tuple(rings),
        arrows=tuple(SpaceArrow(i, load + 1 + i, "force") for i in range(n)),
        names=tuple(Name(str(i + 1), i, load, f"series-{i + 2}") for i in range(n)),
    )


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
    """Control law that carries the load along a path with the links in a formation.

    It returns thrust vectors that may point in any direction.

    Parameters
    ----------
    quadrotors : Quadrotors
    path : function t -> array, shape (5, 3)
        Position of the load and its first four time derivatives.
    formation : array, shape (n, 3)
        Desired directions of the links, relative to the force on the load.
    sideways : array, shape (3,)
        Fixes the rotation of the formation about that force.
    gains : tuple of four float
        Gains of the load's position and velocity, and of the links' direction and angular velocity.

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
        """Return the forces that the vehicles should exert, shape (n, 3)."""
        body, (_, _, k_q, k_omega) = self.quadrotors, self.gains
        force, mu = self.load_force(t, s)
        q_d, qdot_d, qddot_d = self._directions(force)
        omega_d, omegadot_d = np.cross(q_d, qdot_d), np.cross(q_d, qddot_d)
        error_q = np.cross(q_d, s.q)
        error_omega = s.omega + _twice(s.q, omega_d)
        qdot = np.cross(s.omega, s.q)
        along = (s.q * omega_d).sum(axis=1)[:, None]
        steer = -k_q * error_q - k_omega * error_omega - along * qdot - _twice(s.q, omegadot_d)
        share = (body.mass / body.load)[:, None]
        others = mu.sum(axis=0) - mu
        across = (body.mass * body.length)[:, None] * np.cross(s.q, steer)
        across = across - share * _twice(s.q, others)
        swing = (body.mass * body.length * (s.omega**2).sum(axis=1))[:, None] * s.q
        together = (s.q @ mu.sum(axis=0))[:, None] * s.q
        return np.asarray(mu + swing + share * together + across)

    def load_force(self, t: float, s: State) -> tuple[list[Array], Array]:
        """Return the force on the load with two derivatives, and the share of each vehicle."""
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

    def _directions(self, force: list[Array]) -> tuple[Array, Array, Array]:
        """Return the links' desired directions and two derivatives, each of shape (n, 3)."""
        F = jets(*force)
        across = np.cross(F, self.sideways)
        columns = [_unit(-np.cross(F, across)), _unit(-across), _unit(-F)]
        return derivatives(self.formation @ np.array(columns))


@dataclass(frozen=True)
class AttitudeController:
    """Control law that turns desired forces into thrusts along the body axes, and moments.

    Each vehicle turns its third axis b₃ opposite to the desired force u; its thrust is the
    component of u along the current axis.

    Parameters
    ----------
    quadrotors : Quadrotors
    wanted : function (t, State) -> array, shape (n, 3)
        Desired forces, such as those of a `LoadController`.
    heading : array, shape (3,)
        Fixes the rotation about b₃: the first axis points as close to the heading as possible.
    gains : (float, float)
        Gains of attitude and angular velocity [N·m, N·m·s].
    quickness : float
        ε; a smaller value gives a faster response.

    References
    ----------
    :cite:p:`LeeSreenathKumar2013`, section IV.
    """

    quadrotors: Quadrotors
    wanted: Callable[[float, State], Array]
    heading: Array
    gains: tuple[float, float] = (18.0, 3.0)
    quickness: float = 0.9

    def __call__(self, t: float, s: State) -> tuple[Array, Array]:
        """Return forces along the body axes, and moments, both of shape (n, 3)."""
        J, (k_R, k_omega), epsilon = self.quadrotors.inertia, self.gains, self.quickness
        forces, R_c, rate_c, rate_dot_c = self.commanded(t, s)
        moments = []
        for i, (attitude, rate) in enumerate(zip(s.attitudes, s.rates)):
            to_body = attitude.T @ R_c[i]
            error = vee(to_body.T - to_body) / 2
            error_rate = rate - to_body @ rate_c[i]
            feed = np.cross(rate, to_body @ rate_c[i]) - to_body @ rate_dot_c[i]
            push = -k_R / epsilon**2 * error - k_omega / epsilon * error_rate
            moments.append(push + np.cross(rate, J[i] * rate) - J[i] * feed)
        return forces, np.array(moments)

    def error(self, t: float, s: State) -> Array:
        """Return ½ tr(1 - R_cᵀR) for each vehicle, from 0 to 2, shape (n,)."""
        _, R_c, _, _ = self.commanded(t, s)
        return np.asarray((3 - (R_c * s.attitudes).sum(axis=(1, 2))) / 2)

    def commanded(self, t: float, s: State) -> tuple[Array, Array, Array, Array]:
        """Return thrusts, commanded attitudes R_c, their body rates, and derivatives of those."""
        body = self.quadrotors
        u = self.wanted(t, s)
        forces = _along(u, s.attitudes[:, :, 2])
        qdot = np.cross(s.omega, s.q)
        turning = s.attitudes @ np.array([hat(rate) for rate in s.rates])
        v_dot, omega_dot = body.accelerations(s, forces)
        # The first pass gives the derivatives of the accelerations, the second those of u.
        moving = State(
            jets(s.y, s.v),
            jets(s.v, v_dot),
            jets(s.attitudes, turning),
            s.rates,
            jets(s.q, qdot),
            jets(s.omega, omega_dot),
        )
        later: Any = Jet(t, 1.0)
        now = _along(self.wanted(later, moving), moving.attitudes[:, :, 2])
        (_, jerk, _), (_, omega_ddot, _) = map(derivatives, body.accelerations(moving, now))
        q_ddot = np.cross(omega_dot, s.q) + np.cross(s.omega, qdot)
        moving = State(
            jets(s.y, s.v, v_dot),
            jets(s.v, v_dot, jerk),
            s.attitudes,
            s.rates,
            jets(s.q, qdot, q_ddot),
            jets(s.omega, omega_dot, omega_ddot),
        )
        return forces, *_frames(self.wanted(later, moving), self.heading)


def _along(u: Array, axis: Array) -> Array:
    """Return the components (u·R e₃) R e₃ of forces u along the body axes R e₃."""
    return np.asarray((u * axis).sum(axis=1)[:, None] * axis)


def _frames(u: Array, heading: Array) -> tuple[Array, Array, Array]:
    """Return frames whose third axes oppose u, their body rates, and derivatives of the rates."""
    attitudes, rates, rate_dots = [], [], []
    for force in u:
        third = _unit(-force)
        second = _unit(np.cross(third, heading))
        R, R_dot, R_ddot = derivatives(np.column_stack([np.cross(second, third), second, third]))
        attitudes.append(R)
        rates.append(vee(R.T @ R_dot))
        rate_dots.append(vee(R.T @ R_ddot))  # Ω̂' = RᵀR̈ + ṘᵀṘ, whose second part is symmetric
    return np.array(attitudes), np.array(rates), np.array(rate_dots)


def _solve(M: Array, b: Array) -> Array:
    """Return x of M x = b for a symmetric M of three rows, by cross products."""
    minors = np.cross(M[[1, 2, 0]], M[[2, 0, 1]])
    return np.asarray(b @ minors / (M[0] @ minors[0]))


def _twice(q: Array, a: Array) -> Array:
    return np.asarray(np.cross(q, np.cross(q, a)))


def _unit(a: Array) -> Array:
    """Return the unit vector of a vector of jets; reject the zero vector."""
    square = (a * a).sum()
    if isinstance(square.value, float) and not square.value > 1e-18:
        raise ValueError(
            "a direction of the control frame is zero: the force on the load vanishes, or is "
            "parallel to the sideways direction"
        )
    return np.asarray(a / np.sqrt(square))
