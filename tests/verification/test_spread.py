"""Runs that are repeated say which digits of their number are known."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from tutlib import integrate
from tutlib.methods import SimulationError
from verification import plot_spreads, spread_of
from verification.spread import Spread


def first(x):
    return x[0]


class TestSpreadOf:
    @pytest.mark.parametrize("widths", [[1e-3, 0.0, 1.0], 0.5])
    def test_starts_are_moved_by_as_much_as_is_said_in_each_state_or_in_all(self, widths):
        seen = []
        spread_of(lambda x: seen.append(x) or 0.0, [1.0, 2.0, 3.0], widths, runs=4000)
        assert np.allclose(np.mean(seen, axis=0), [1, 2, 3], atol=0.08)
        assert np.allclose(np.std(seen, axis=0), widths, rtol=0.05)

    def test_the_same_seed_gives_the_same_runs_and_another_one_others(self):
        one, again, other = (spread_of(first, [0.0], 1, seed=s).values for s in (3, 3, 4))
        assert np.array_equal(one, again)
        assert not np.array_equal(one, other)
        assert len(one) == 60

    def test_what_is_drawn_lies_evenly_between_its_bounds(self):
        drawn = spread_of(lambda x, h, tol: h + tol, [0.0], 0, runs=4000, h=(1, 3), tol=(5, 5))
        assert 6 <= drawn.known[0] < 6.01 < 7.99 < drawn.known[-1] <= 8
        assert np.allclose(np.percentile(drawn.values, [25, 50, 75]), [6.5, 7, 7.5], atol=0.05)

    @pytest.mark.filterwarnings("ignore:overflow")
    def test_runs_that_end_are_counted_and_have_no_value(self):
        def grows(t, x):
            return x**2

        def size(x):
            return integrate(grows, np.linspace(0, 1, 40_001), x, "euler").x[-1, 0]

        with pytest.raises(SimulationError):
            size(np.array([1e3]))
        found = spread_of(size, [1e3], 0, runs=3)
        assert (found.ended, len(found.known)) == (3, 0)
        half = spread_of(lambda x: x[0] if x[0] > 0 else np.nan, [0.0], 1, runs=400)
        assert 150 < half.ended < 250
        assert np.isnan(half.values).sum() == half.ended

    @pytest.mark.parametrize(
        ("call", "error", "said"),
        [
            (lambda: spread_of(3, [0.0]), TypeError, "run"),
            (lambda: spread_of(first, "start"), (TypeError, ValueError), "x0"),
            (lambda: spread_of(first, [0.0], -1), ValueError, "by must be zero or positive"),
            (lambda: spread_of(first, [0.0], runs=0), ValueError, "runs"),
            (lambda: spread_of(lambda x, h: h, [0.0], h=(1,)), (TypeError, ValueError), "h"),
            (lambda: plot_spreads("x", {"a": [1.0]}), TypeError, "the spread of a"),
            (lambda: plot_spreads("x", [Spread(np.ones(2))]), TypeError, "spreads"),
            (lambda: plot_spreads("x", {"a": Spread(np.array([np.nan]))}), ValueError, "no value"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, call, error, said):
        with pytest.raises(error, match=said):
            call()


class TestText:
    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ([5.13979707, 5.13979757], "5.1398"),
            ([4.79774975, 4.79775086], "4.798"),
            ([-2.58, 5.41, 0.8], "-2.6 to 5.4"),
            ([0.7, np.nan, 0.7, np.nan], "0.7, 2 of 4 ended"),
            ([1.0, 3.0, np.nan], "1 to 3, 1 of 3 ended"),
            ([np.nan], "none, 1 of 1 ended"),
        ],
    )
    def test_only_digits_on_which_all_agree_are_said(self, values, said):
        assert str(Spread(np.array(values))) == said


class TestPicture:
    def test_there_is_a_row_of_towers_for_each_and_every_value_is_in_one(self):
        rng = np.random.default_rng(0)
        wide, narrow = Spread(rng.uniform(0, 4, 60)), Spread(np.full(60, 5.14))
        ended = Spread(np.where(rng.random(60) < 0.3, np.nan, 1.0))
        axes = plot_spreads("u [rad/s]", {"wide": wide, "narrow": narrow, "ended": ended}, 30)
        heights = [[patch.get_height() for patch in ax.patches] for ax in axes]
        assert [sum(row) for row in heights] == [60, 60, 60 - ended.ended]
        assert (max(heights[1]), max(heights[0]) < 20) == (60, True)
        assert [ax.get_title("left") for ax in axes] == ["wide", "narrow", "ended"]
        assert [ax.get_title("right") for ax in axes] == [*map(str, (wide, narrow, ended))]
        assert (axes[0].get_xlabel(), axes[-1].get_xlabel()) == ("", "u [rad/s]")
        plt.close(axes[0].figure)

    def test_the_numbers_in_the_corner_stay_apart(self):
        (ax,) = plot_spreads("angle [deg]", {"11 s": Spread(np.linspace(-505, 500, 60))})
        ax.set(xlim=(-500, None), xticks=(-500, 0, 500))
        ax.figure.canvas.draw()
        corner, first = ax.get_yticklabels()[0], ax.get_xticklabels()[0]
        assert (corner.get_text(), first.get_text()) == ("0", "\N{MINUS SIGN}500")
        assert corner.get_window_extent().y0 - first.get_window_extent().y1 > 3
        plt.close(ax.figure)
