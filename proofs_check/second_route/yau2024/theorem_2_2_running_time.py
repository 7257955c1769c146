from fractions import Fraction as F

# One row, one token: y = p z^3, normal equations p = sum z^3 y / sum z^6. Count the multiplications; one division follows.
def learn(Z, Y):
    count, gram, cross = 0, 0, 0
    for z, y in zip(Z, Y):
        s = z * z
        h = s * z
        gram, cross, count = gram + h * h, cross + h * y, count + 4
    return F(cross, gram), count

p, work = learn([1, 2], [1, 3])
q, again = learn([1, 2], [1000, 3000])
printed = lambda N, d, n, eps: N * d**4 * n / eps
print("y and 1000 y:", p, "and", q, "take", work, "and", again, "multiplications and a division")
print("N d^4 n/eps for eps = 1/10 and, in the other unit, 10^5:", printed(2, 1, 1, F(1, 10)), "and", printed(2, 1, 1, F(10**5)))
for d in (1, 2, 4, 8, 16):
    psi = d * d * (d + 1) // 2
    print("d =", d, "multiplications of the Gram matrix alone, over N d^4:", F(psi * (psi + 1), 2 * d**4))
