"""What is drawn of mechanisms in space, and states that are put back on their space."""

import numpy as np
import pytest

from panels.drawing.space import lines_data
from tutlib import integrate
from tutlib.models import rigid_body, spherical_pendulum
from tutlib.models.quadrotors import two_quadrotors
from tutlib.spaces import SO3, R, Sphere, TangentSO3, TangentSphere, lie

RANDOM = np.random.default_rng(11)
LEVEL = np.concatenate([np.eye(3).ravel(), np.zeros(3)])


def flown(path=None, parameters=None):
    """Return two quadrotors that push up, with a line along a path, and where they start."""
    pair, thrusts = two_quadrotors(), np.array([[0, 0, -9.0], [0, 0, -5.0]])
    model = pair.model(lambda t, s, **values: (thrusts, 0 * thrusts), parameters, path)
    return model, pair.start([0.1, 0.2, 0.3], [[0, 0, 1], [0.6, 0, 0.8]])


@pytest.mark.parametrize("make", [rigid_body, spherical_pendulum, lambda: flown()[0]])
def test_all_that_is_drawn_goes_through_points_that_there_are(make):
    model = make()
    starts = {12: LEVEL, 6: np.array([0, 0, -1.0, 0, 0, 0])}
    start = starts.get(model.field.space.dimension, flown()[1])
    count = model.positions(np.zeros(1), start[None]).shape[1]
    data = lines_data(model.skeleton)
    numbers = [k for line in data["lines"] for k in line] + list(data["bodies"])
    numbers += [k for face in data["faces"] for k in face["corners"]]
    numbers += [k for ring in data["rings"] for k in (ring["center"], *ring["plane"])]
    numbers += [k for arrow in data["arrows"] for k in (arrow["start"], arrow["end"])]
    numbers += [k for name in data["names"] for k in (name["point"], name["away"])]
    assert set(numbers) <= set(range(count))
    assert len(data["groups"]) == len(data["lines"])


def test_the_faces_of_a_box_look_outward_and_opposite_ones_have_one_color():
    box = rigid_body((0.1, 0.2, 0.3))
    points = box.positions(np.zeros(1), LEVEL[None])[0]
    for face in box.skeleton.faces:
        a, b, c, d = points[list(face.corners)]
        normal, middle = np.cross(b - a, c - a), (a + b + c + d) / 4
        axis = np.argmax(np.abs(middle))
        assert face.group == axis + 1
        assert normal @ middle > 0
        assert np.count_nonzero(np.abs(normal) > 1e-12) == 1
        assert (face.tint > 0.5) == (middle[axis] > 0)  # the positive side is the stronger one
        np.testing.assert_allclose(a + c, b + d, atol=1e-12)


def test_a_thrust_s_arrow_is_as_long_as_the_force_is_large():
    model, x = flown()
    points = model.positions(np.zeros(1), x[None])[0]
    arrows = [points[arrow.end] - points[arrow.start] for arrow in model.skeleton.arrows]
    np.testing.assert_allclose(arrows, [[0, 0, 9 * 0.04], [0, 0, 5 * 0.04]], atol=1e-12)


class TestPath:
    """A line along the way that a load is to go."""

    def test_it_goes_from_begin_to_end_behind_all_other_points(self):
        model, x = flown((lambda t, size: [size * t, t**2, -1.0], 1.0, 3.0), {"size": 2.0})
        plain, _ = flown()
        points = model.positions(np.zeros(1), x[None])[0]
        others = plain.positions(np.zeros(1), x[None])[0]
        np.testing.assert_array_equal(points[: len(others)], others)
        line = points[list(model.skeleton.lines[-1])]
        assert model.skeleton.lines[-1][0] == len(others)
        np.testing.assert_array_equal(line, points[len(others) :])
        np.testing.assert_allclose(line[[0, -1]], [[2, -1, 1], [6, -9, 1]], atol=1e-14)
        np.testing.assert_allclose(line[:, 1], -((line[:, 0] / 2) ** 2), atol=1e-13)

    @pytest.mark.parametrize(
        ("path", "message"),
        [
            (lambda t: [t, 0, 0], "path must be a function and two times, in a tuple; got"),
            ((1, 0.0, 1.0), r"the path must be a function \(t, \*\*parameters\); got 1"),
            ((lambda t: [t, 0, 0], 0.0, "late"), "a time of the path must be a"),
        ],
    )
    def test_what_is_no_path_is_refused(self, path, message):
        with pytest.raises(TypeError, match=message):
            flown(path)


def test_places_along_a_long_trajectory_are_those_of_its_states_one_by_one():
    """They are computed by a compiled program, and where it cannot be made, by Python."""
    model, x = flown()
    run = integrate(model.field, np.linspace(0, 1, 101), x)
    alone = np.array([model.drawn(t, x) for t, x in zip(run.t, run.x)])
    np.testing.assert_allclose(model.positions(run.t, run.x), alone, rtol=1e-13, atol=1e-14)

    pulled = model.along(lambda t, x: np.outer([1, 2], x[:3]) * t, run.t, run.x)
    plain = [np.outer([1, 2], x[:3]).ravel() * t for t, x in zip(run.t, run.x)]
    np.testing.assert_allclose(pulled, plain, rtol=1e-15)
    np.testing.assert_array_equal(model.along(lambda t, x: x[:3], [0.0], x[None]), x[None, :3])

    def branching(t, x):
        return x[:3] if float(x[2]) > -1 else np.zeros(3)

    kept = [[1, -1, -1] * branching(t, x) for t, x in zip(run.t, run.x)]
    np.testing.assert_array_equal(model.places(branching, run.t, run.x), kept)


@pytest.mark.parametrize("space", [SO3, Sphere, TangentSphere, TangentSO3, R(3)])
def test_the_nearest_state_is_on_the_space_and_near(space):
    q = np.array([0.6, 0, -0.8])
    turned = lie.SO3.exp(np.array([0.3, -2.0, 1.0])).ravel()
    state = {
        SO3: turned,
        Sphere: q,
        TangentSphere: np.concatenate([q, np.cross(q, [0.3, 2, -1])]),
        TangentSO3: np.concatenate([turned, [1.0, 2, 3]]),
    }.get(space, np.array([1.0, 2, 3]))
    np.testing.assert_allclose(space.nearest(state), state, atol=1e-14)
    off = state + 1e-2 * RANDOM.standard_normal(len(state))
    back = space.nearest(off)
    assert space.refuse(back) == ""
    assert np.linalg.norm(back - off) < 0.06
    np.testing.assert_allclose(space.nearest(back), back, atol=1e-14)
