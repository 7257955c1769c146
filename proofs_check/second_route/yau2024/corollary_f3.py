from fractions import Fraction as F

# One row. The layer answers p S z, S the sum of squares, z the last entry. The prompt is the token 1, the truth p = 1, one step.
def history(p, round_tokens):
    tokens = [F(1)]
    y = p * sum(t * t for t in tokens) * tokens[-1]
    return tokens + [F(round(y)) if round_tokens else y]

learned = 1 + F(1, 1000)
eps = (learned - 1) ** 2
for round_tokens in (False, True):
    differ = history(learned, round_tokens) != history(F(1), round_tokens)
    print("rounded" if round_tokens else "as they are", ": the histories differ:", differ, "with probability", int(differ), "eps Phi =", eps, "four times that", 4 * eps)
