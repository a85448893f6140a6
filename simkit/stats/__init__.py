"""Statistics on arrays: intervals, paired differences, sequential looks, many cells, planning, tails.

Functions take scalars or arrays, broadcast like numpy and give float64 arrays; scalars give 0-d arrays, which
``float()`` makes plain. ``level`` is always a confidence level such as 0.99.
"""

from simkit.stats.estimate import (
    METHODS,
    Estimate,
    digits_for,
    format_estimate,
    format_full,
    format_interval,
)
from simkit.stats.intervals import (
    batch_mean,
    clopper_pearson,
    dkw_half_width,
    mean_from_moments,
    one_sided_lower,
    one_sided_upper,
    wilson,
)
from simkit.stats.likelihood import dirichlet_multinomial
from simkit.stats.multiple import (
    Bands,
    Critical,
    benjamini_hochberg,
    benjamini_yekutieli,
    bonferroni_level,
    e_bh,
    holm,
    max_t,
    sidak_level,
    sidak_z,
    simultaneous_bands,
)
from simkit.stats.paired import mcnemar, paired_mean, tango, variance_ratio
from simkit.stats.planning import (
    detectable_bias,
    half_width_for,
    units_for_half_width,
    units_to_decide,
    units_to_detect,
)
from simkit.stats.sequential import (
    asymptotic,
    asymptotic_half_width,
    asymptotic_ready,
    beta_binomial,
    inside_band,
    looks,
    mixture_rho_squared,
    outside_band,
    precise_enough,
    sign_decided,
)
from simkit.stats.sprt import llr_pentanomial, llr_trinomial, score_of_elo, sprt_bounds
from simkit.stats.tails import GTest, binomial_tail, g_test, mean_tail

__all__ = [
    "METHODS",
    "Bands",
    "Critical",
    "Estimate",
    "GTest",
    "asymptotic",
    "asymptotic_half_width",
    "asymptotic_ready",
    "batch_mean",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "beta_binomial",
    "binomial_tail",
    "bonferroni_level",
    "clopper_pearson",
    "detectable_bias",
    "digits_for",
    "dirichlet_multinomial",
    "dkw_half_width",
    "e_bh",
    "format_estimate",
    "format_full",
    "format_interval",
    "g_test",
    "half_width_for",
    "holm",
    "inside_band",
    "llr_pentanomial",
    "llr_trinomial",
    "looks",
    "max_t",
    "mcnemar",
    "mean_from_moments",
    "mean_tail",
    "mixture_rho_squared",
    "one_sided_lower",
    "one_sided_upper",
    "outside_band",
    "paired_mean",
    "precise_enough",
    "score_of_elo",
    "sidak_level",
    "sidak_z",
    "sign_decided",
    "simultaneous_bands",
    "sprt_bounds",
    "tango",
    "units_for_half_width",
    "units_to_decide",
    "units_to_detect",
    "variance_ratio",
    "wilson",
]
