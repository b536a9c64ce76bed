"""Chapter 11."""

import numpy as np
import scipy.stats


def displayed(nb):
    return {
        ("uncertain", 0): uncertain(nb),
        ("root", 0): [of_a_share(p, N) for p, N in ((0.05, 1900), (0.6, 77))],
        ("amdahl", 0): [faster(s, n) for s, n in ((0.02, 64), (0.3, 5))],
    }


def uncertain(nb):
    """Return the line through the measured shares, at one of its errors."""
    line = scipy.stats.linregress(np.log(nb.errors), np.log(nb.shares))
    error = nb.errors[1]
    share = np.exp(line.intercept + line.slope * np.log(error))
    return {"f": share, "c": np.exp(line.intercept), r"\varepsilon": error, r"\alpha": line.slope}


def of_a_share(p, N):
    """Return the spread of a share by the binomial distribution."""
    return {r"\sigma": scipy.stats.binom(N, p).std() / N, "p": p, "N": N}


def faster(s, n):
    """Return how much faster a work of n hours is, part by part."""
    alone, shared_out = s * n, (1 - s) * n
    return {"S": n / (alone + shared_out / n), "s": s, "n": n}
