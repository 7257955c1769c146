from fractions import Fraction as F
from math import log

# d = n = N = 1: Z = 1, truth 0, y = noise = +2 or -2, |Z| <= B = 1, delta = 1/2, lambda_min = 1.
Z, B, delta, N = F(1), F(1), F(1, 2), 1
for noise in (F(2), F(-2)):
    y = 0 + noise
    p = y / Z**3  # least squares: it fits exactly
    eps = (p * Z**3 - y) ** 2
    bound = float(eps - noise**2 / N) + float(B**2 / N) * log(1 / delta)
    print("noise", noise, "eps", eps, "printed bound", round(bound, 4), "distance of the fit to itself", abs(p * Z**3 - p * Z**3))
