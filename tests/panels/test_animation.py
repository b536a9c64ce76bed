"""The light player: what it holds, what it weighs, what it refuses."""

import html
import json
import re
from pathlib import Path

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from panels import animate
from panels.animations.interpolation import states_at
from publishing.panel_data import unpacked
from tutlib import Trajectory
from tutlib.methods import integrate_adaptive
from tutlib.models import crane, pendulum, rigid_body
from tutlib.models.quadrotors import two_quadrotors
from tutlib.spaces import lie

pytestmark = pytest.mark.filterwarnings("ignore:Animation was deleted")


@pytest.fixture
def model():
    return pendulum()


@pytest.fixture
def swing():
    t = np.linspace(0, 30, 601)
    return Trajectory(t, np.stack([np.sin(t), np.cos(t)], axis=1))


@pytest.fixture
def film(model):
    """Return the animation of two arms that turn evenly, eleven frames of it."""
    t = np.linspace(0, 1, 11)
    turning = Trajectory(t, np.stack([t, t], 1))
    models = {"short": model, "long": model.with_parameters({"l": 3.0})}
    return animate(dict.fromkeys(models, turning), models, "Two arms.", frames_per_second=10)


def page_of(animation):
    """Return the page inside the iframe."""
    source = re.search(r'srcdoc="([^"]*)"', animation._repr_html_()).group(1)
    return html.unescape(source)


def data_of(animation):
    return json.loads(re.search(r"startPlayer\(.*?, (\{.*\})\);", page_of(animation)).group(1))


def positions_of(data):
    """Return what the player holds of each motion, shapes (frames, points, 2)."""
    return [unpacked(motion, data["frames"], 2) for motion in data["motions"]]


def test_the_player_holds_the_positions_of_the_bob(model, swing):
    data = data_of(animate(swing, model, "An arm swings.", frames_per_second=20))
    (positions,) = positions_of(data)
    expected = np.stack([np.sin(swing.x[:, 0]), -np.cos(swing.x[:, 0])], axis=1)
    assert data["frames"] == 601
    step = data["motions"][0]["step"]
    assert step < 3 / 2**16  # of three meters that are seen
    np.testing.assert_allclose(positions[:, 1], expected, atol=0.51 * step)
    np.testing.assert_array_equal(positions[:, 0], 0)


def test_it_says_what_is_seen_to_those_who_do_not_see_it(model, swing):
    shown = animate(swing, model, 'The "red" arm <swings> & stops.')._repr_html_()
    told = "The &quot;red&quot; arm &lt;swings&gt; &amp; stops."
    assert shown.count(told) == 3  # title, still picture, sentence
    assert 'aria-label="The &quot;red&quot; arm' in html.unescape(shown)


def test_a_saved_film_draws_each_frame_at_its_time(film, tmp_path, monkeypatch):

    class Film:
        def __init__(self, figure, draw, frames, interval):
            assert list(frames) == list(range(11))
            assert interval == pytest.approx(100)
            self.lines, self.ax = draw(4), figure.axes[0]

        def save(self, path, writer, progress_callback):
            Path(path).write_bytes(b"")
            assert self.ax.get_title() == "t = 0.40 s"
            assert (self.ax.get_xlabel(), self.ax.get_ylabel()) == ("x [m]", "y [m]")
            for line in self.lines:
                ends = film.motions[line.get_label()][4]
                np.testing.assert_array_equal(line.get_xydata(), ends)

    monkeypatch.setattr("matplotlib.animation.FuncAnimation", Film)
    film.save(tmp_path / "arms.gif")


def test_states_are_interpolated_smoothly_and_held_beyond_their_times(model):
    """A motion that is known at a few times: each cubic is hit, and no chord is drawn.

    Its frames are equally spaced although those times are not.
    """
    t = np.array([0.0, 0.3, 0.5, 0.8, 1.2])
    cubic = t**3 - 2 * t**2 + 0.5
    few, late = (Trajectory(t + later, np.stack([cubic, t], 1)) for later in (0, 1))
    shown = animate({"few": few, "late": late}, model, "Two arms.")
    np.testing.assert_allclose(np.diff(shown.times), shown.times[1], rtol=1e-12)
    angles = {k: np.arctan2(p[:, 1, 0], -p[:, 1, 1]) for k, p in shown.motions.items()}
    for label, begin in (("few", 0), ("late", 1)):
        s = np.clip(shown.times - begin, 0, 1.2)
        np.testing.assert_allclose(angles[label], s**3 - 2 * s**2 + 0.5, atol=1e-12)


def wrapped_into(low, x, columns):
    x = x.copy()
    x[:, columns] = (x[:, columns] - low) % (2 * np.pi) + low
    return x


@pytest.mark.parametrize("low", [-np.pi, 0])
@pytest.mark.parametrize("turns", ["back and forth", "around"])
def test_a_wrapped_angle_takes_the_shortest_way(model, low, turns):
    t = np.linspace(0, 2, 101)
    angle = {"back and forth": np.pi - low + 0.5 * np.sin(3 * t), "around": 9 * t}[turns]
    x = np.stack([angle, np.gradient(angle, t)], axis=1)
    for motion in (x, wrapped_into(low, x, [0])):
        bob = animate(Trajectory(t, motion), model, "An arm.", 240).motions[""][:, 1]
        exact = np.interp(np.linspace(0, 2, len(bob)), t, angle)
        np.testing.assert_allclose(bob, np.stack([np.sin(exact), -np.cos(exact)], 1), atol=2e-3)


def test_only_what_the_picture_repeats_is_taken_for_an_angle():
    """The trolley, from 0 to 5 m in one step, does not go back to 5 − 2π m."""
    t = np.arange(5.0)
    x = np.zeros((5, 6))
    x[:, 0], x[:, 1], x[:, 2] = (0, 0, 5, 5, 5), 4.0, wrapped_into(-np.pi, t[:, None], [0])[:, 0]
    film = animate(Trajectory(t, x), crane(), "A crane.", 4)
    load = film.motions[""][:, crane().skeleton.bodies[-1]]
    exact = np.stack([x[:, 0] + 4 * np.sin(t), -4 * np.cos(t)], axis=1)
    np.testing.assert_allclose(load[:: (len(load) - 1) // 4], exact, atol=1e-9)


def test_two_times_within_rounding_do_not_make_a_film_swing(model):
    t = np.array([0, 0.3, 0.6, np.nextafter(0.6, 1), 0.9])
    motion = Trajectory(t, np.stack([t + 1e-15 * np.array([0, 0, 0, 5, 0]), 0 * t], axis=1))
    bob = animate(motion, model, "An arm.").motions[""][:, 1]
    angle = np.arctan2(bob[:, 0], -bob[:, 1])
    np.testing.assert_allclose(angle, np.linspace(0, 0.9, len(bob)), atol=1e-12)


def test_there_are_more_frames_where_a_motion_is_quick_and_no_more_of_a_saved_film(model, swing):
    t = np.linspace(0, 2, 401)
    counts = [
        len(animate(Trajectory(t, np.stack([w * t, 0 * t + w], 1)), model, "An arm.").times)
        for w in (10.0, 100.0)
    ]
    assert counts == [121, 961]
    assert len(animate(swing, model, "An arm swings.").times) == 30 * 60 + 1


def test_between_curved_states_rotations_stay_rotations():
    """A body that turns by more than a radian from one time to the next."""
    box, t = rigid_body((0.1, 0.2, 0.3)), np.linspace(0, 3, 13)
    turns = [lie.SO3.exp(np.array([0.0, 0.0, 5 * time])) for time in t]
    x = np.array([np.concatenate([turn.ravel(), [0, 0, 5]]) for turn in turns])
    corners = animate(Trajectory(t, x), box, "A box turns.").motions[""][:, :8]
    sides = np.linalg.norm(corners[:, [1, 2, 4]] - corners[:, :1], axis=-1)
    np.testing.assert_allclose(sides, np.tile(sides[0], (len(sides), 1)), rtol=1e-12)
    angle = np.unwrap(np.arctan2(*(corners[:, 4] - corners[:, 0]).T[1::-1]))
    np.testing.assert_allclose(angle - angle[0], 5 * np.linspace(0, 3, len(angle)), atol=0.06)


class TestGoals:
    def test_a_point_and_expressions_of_state_parameters_and_time(self, model, swing):
        theta, l = model.equations.q[0], sm.Symbol("l", positive=True)
        goals = [(0.5, -1), (2 * l * sm.sin(theta), sm.Rational(1, 2) * me.dynamicsymbols._t)]
        shown = animate(swing, model, "An arm swings.", 20, goals=goals)
        np.testing.assert_array_equal(shown.goals[:, 0], np.tile([0.5, -1.0], (601, 1)))
        np.testing.assert_allclose(shown.goals[:, 1, 0], 2 * shown.motions[""][:, 1, 0], atol=1e-12)
        np.testing.assert_allclose(shown.goals[:, 1, 1], shown.times / 2)
        data = data_of(shown)
        held = unpacked(data["goals"], data["frames"], 2)
        np.testing.assert_allclose(held, shown.goals, atol=0.51 * data["goals"]["step"])
        assert data["box"][3] > 15
        assert shown.still().count('stroke-dasharray="5 3.5"') == shown.goals.shape[1]

    def test_in_space_a_point_in_the_model_s_axes_or_a_function(self):
        pair = two_quadrotors()
        model = pair.model(lambda t, s: (np.zeros((2, 3)), np.zeros((2, 3))))
        x = pair.start([0.1, 0.2, 0.3], [[0, 0, 1], [0.6, 0, 0.8]])
        still = Trajectory(np.array([0.0, 1.0]), np.array([x, x]))
        goals = [(1.0, 2.0, 3.0), lambda t, x: x[:3]]
        shown = animate(still, model, "Two quadrotors.", 5, goals=goals)
        np.testing.assert_array_equal(shown.goals[3], [[1, -2, -3], [0.1, -0.2, -0.3]])
        assert data_of(shown)["ball"][3] > 1.5
        assert shown.still().count('stroke-dasharray="5 3.5"') == len(goals)

    @pytest.mark.parametrize("goal", [3, "ab", (1, 2, 3), lambda t, x: (0, 0)])
    def test_what_is_no_goal_is_refused(self, model, swing, goal):
        with pytest.raises(TypeError, match="a goal is a point of two or three numbers"):
            animate(swing, model, "An arm.", goals=[goal])


def resting(*times):
    return Trajectory(np.array(times, float), np.zeros((len(times), 2)))


@pytest.mark.parametrize("times", [(0, 3), np.linspace(0, 3, 31)], ids=["steps", "times"])
def test_the_state_jumps_at_an_event(model, times):
    """A free arm loses half of its speed wherever it passes 1 and 2, and begins again at 3."""
    slower = lambda t, x: [x[0], x[1] / 2]  # noqa: E731
    events = {f"{i}": (lambda t, x, i=i: x[0] - i, None, slower) for i in (1, 2)}
    events["back"] = (lambda t, x: x[0] - 3, None, lambda t, x: [0.0, x[1]])
    motion = integrate_adaptive(lambda t, x: [x[1], 0], times, [0.0, 4.0], events=events)
    assert [event.name for event in motion.events] == ["1", "2", "back", "1"]
    t = np.linspace(0, 2.7, 100)
    expected = np.where(t < 7 / 4, np.interp(t, [0, 1 / 4, 3 / 4, 7 / 4], np.arange(4)), t - 7 / 4)
    np.testing.assert_allclose(states_at(motion, t)[:, 0], expected, atol=1e-9)
    assert len(animate(motion, model, "An arm.").times) >= 181


LOST = Trajectory(np.array([0.0, 1]), np.array([[0, 0], [np.nan, 0]]))
MANY_FRAMES = "6000001 frames of each motion; a page holds 40000 in all: show at most 666 s"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"trajectories": resting(0, 2, 1, 3)}, "must increase; after t = 2 comes 1"),
        ({"trajectories": LOST}, "the state at t = 1 is not finite: show the motion up to there"),
        ({"description": "  "}, "describe the picture"),
        ({"trajectories": resting(0)}, "at least two times"),
        ({"trajectories": {}}, "trajectories is empty: there is no trajectory to show"),
        ({"trajectories": resting(0, 1e5)}, MANY_FRAMES),
        ({"trajectories": 3}, "each entry of trajectories must be a Trajectory; got 3: it comes"),
        ({"model": 3}, "animate needs a model, which has a skeleton"),
        ({"description": 3}, "the description must be text; got 3"),
        ({"frames_per_second": "many"}, "frames_per_second must be a whole number; got 'many'"),
    ],
)
def test_what_cannot_be_shown_is_refused(model, swing, change, message):
    arguments = {"trajectories": swing, "model": model, "description": "An arm."} | change
    with pytest.raises((TypeError, ValueError), match=message):
        animate(**arguments)


@pytest.mark.parametrize("text", ["</script><b>", 'a"b', "one\ntwo", "<!--", "*/"])
def test_no_label_and_no_description_becomes_code(model, swing, text):
    shown = animate({text: swing}, model, f"An arm {text}.")
    assert page_of(shown).count("</script>") == 2
    assert page_of(shown).endswith("</script></body></html>")
    assert data_of(shown)["motions"][0]["label"] == text
    assert re.fullmatch(
        r"<iframe( [\w-]+=\"[^\"]*\")+><img( \w+=\"[^\"]*\")+><p>[^<]*</p></iframe>",
        shown._repr_html_(),
    )


def test_a_film_without_ffmpeg_or_of_another_kind(film, tmp_path, monkeypatch):
    monkeypatch.setattr("matplotlib.animation.writers.is_available", lambda name: False)
    with pytest.raises(ValueError, match=r"x\.mp4 needs ffmpeg, .* in \.gif, or install ffmpeg"):
        film.save(tmp_path / "x.mp4")
    with pytest.raises(
        ValueError, match=r"the name of a video must end in \.gif or \.mp4; got x\.txt"
    ):
        film.save(tmp_path / "x.txt")
    assert not list(tmp_path.iterdir())


def test_a_film_is_saved_and_no_file_is_ever_overwritten(film, tmp_path):
    path = film.save(tmp_path / "arm.gif")
    content = path.read_bytes()
    assert content[:3] == b"GIF"
    with pytest.raises(FileExistsError, match="choose another name"):
        film.save(path)
    assert path.read_bytes() == content
