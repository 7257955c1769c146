from fractions import Fraction as F

# d = n = N = 1: Z = 1, y = 0, H(Z) = Z^3 = 1, Lambda = 1. The layer with V, Q answers V Q Z^3.
Z, y, least_eigenvalue = 1, 0, 1
for V in (F(1), F(1, 4)):
    plus, minus = V * Z**3, -V * Z**3
    eps = (plus - y) ** 2
    assert eps == (minus - y) ** 2
    difference, printed = abs(plus - minus), eps / least_eigenvalue * Z**6
    print("V =", V, "and", -V, "eps =", eps, "difference", difference, "printed bound", printed, "four times", 4 * printed)
    print("  squared difference", difference**2, "is at most 4 eps/lambda:", difference**2 <= 4 * printed)
