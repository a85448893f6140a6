"""The cross-entropy method: planted optima under noise, the mean and not the luckiest draw, going on from anywhere."""

import numpy as np
import pytest

from simkit.stats.crossentropy import Cloud, cloud, draws, moved

BEST = np.array([1.0, -0.5, 0.3, 0.0])


def chance(at: np.ndarray) -> np.ndarray:
    """Win rate of weights: at most 0.65, at the planted optimum; 0.5 or so where the search begins."""
    return 0.65 - 0.15 * (1.0 - np.exp(-((at - BEST) ** 2).sum(axis=-1)))


def searched(seed: int, games: int, generations: int, population: int = 40) -> tuple[Cloud, float, np.ndarray]:
    """Search with so many games a look; return where it ends, the best score seen, and who scored it."""
    luck, now = np.random.default_rng(seed), cloud(np.zeros(4), 0.8)
    seen, who = 0.0, np.zeros(4)
    for _ in range(generations):
        drawn = draws(now, population, seed)
        scores = luck.binomial(games, chance(drawn)) / games
        if scores.max() > seen:
            seen, who = float(scores.max()), drawn[scores.argmax()]
        now = moved(now, drawn, scores)
    return now, seen, who


@pytest.mark.parametrize(("games", "generations"), [(200, 12), (1000, 12)])
def test_a_planted_optimum_is_found_under_noise(games: int, generations: int) -> None:
    """With 1e5 and 5e5 games the mean comes to within 1.5 points of the best win rate there is, from 15 below it."""
    found = [float(chance(searched(seed, games, generations)[0].mean)) for seed in range(20)]
    assert np.mean(found) > 0.635
    assert min(found) > 0.60


def test_the_best_look_is_overstated_and_the_mean_on_fresh_dice_is_not() -> None:
    """The winner's curse: the best score that was seen is points above what it is worth; fresh dice are not."""
    luck, overstated, fresh = np.random.default_rng(5), [], []
    for seed in range(40):
        now, seen, who = searched(seed, 200, 10)
        overstated.append(seen - float(chance(who)))
        fresh.append(luck.binomial(20_000, chance(now.mean)) / 20_000 - float(chance(now.mean)))
    assert np.mean(overstated) > 0.04
    assert abs(np.mean(fresh)) < 5 * np.std(fresh) / np.sqrt(len(fresh))


def test_it_goes_on_from_any_generation_as_if_it_had_never_stopped() -> None:
    now = moved(cloud([0.0, 1.0], [1.0, 0.5]), draws(cloud([0.0, 1.0], [1.0, 0.5]), 8, 3), np.arange(8))
    again = Cloud(np.array(now.mean.tolist()), np.array(now.spread.tolist()), 1)
    np.testing.assert_array_equal(draws(now, 10, 3), draws(again, 10, 3))
    assert not np.allclose(draws(now, 10, 3), draws(now, 10, 4))
    assert not np.allclose(draws(now, 10, 3), draws(Cloud(now.mean, now.spread, 2), 10, 3))


def test_draws_lie_where_they_should() -> None:
    some = draws(cloud([2.0, -1.0], [0.5, 3.0]), 20_000, 9)
    np.testing.assert_allclose(some.mean(axis=0), [2.0, -1.0], atol=1e-12)
    np.testing.assert_allclose(some.std(axis=0), [0.5, 3.0], rtol=0.03)


def test_the_best_draws_move_it() -> None:
    """Two of eight are kept; four fifths of the way are gone."""
    drawn = np.arange(8.0)[:, None]
    found = moved(cloud([0.0], 1.0), drawn, [0, 0, 0, 9, 0, 8, 0, 0])
    assert found.mean.tolist() == pytest.approx([0.8 * 4.0])
    assert found.spread.tolist() == pytest.approx([0.2 + 0.8 * 1.0])
    assert found.generation == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cloud([], 1.0), "shape"),
        (lambda: cloud([0.0], 0.0), "above 0"),
        (lambda: draws(cloud([0.0], 1.0), 7, 1), "even numbers from 4"),
        (lambda: moved(cloud([0.0], 1.0), [[1.0]], [1.0, 2.0]), "one score a draw"),
        (lambda: moved(cloud([0.0], 1.0), [[1.0], [2.0]], [1.0, np.nan]), "not finite"),
        (lambda: moved(cloud([0.0], 1.0), [[1.0], [2.0]], [1.0, 2.0], keep=1.0), "keep"),
    ],
)
def test_what_is_refused(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
