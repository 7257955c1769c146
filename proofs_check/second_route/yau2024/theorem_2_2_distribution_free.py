from fractions import Fraction as F

# One row, one token: the layer is y = p z^3. An input is a probability, z and y.
def risk(world, p):
    return sum(chance * (p * z**3 - y) ** 2 for chance, z, y in world)

def least(world):  # the vertex of the parabola in p
    p = sum(c * z**3 * y for c, z, y in world) / sum(c * z**6 for c, z, y in world)
    return risk(world, p)

def excess(world, p):
    return risk(world, p) - least(world)

two = [(F(1, 2), 1, 1), (F(1, 2), 2, 0)]
print("N = 1: the sample is (1, 1) with probability 1/2, p = 1 is learned, the excess is", excess(two, 1))
for N in range(1, 201):  # A: always (1, 1). B: (M, 0) with probability 1/(2N), unseen with (1 - 1/(2N))^N >= 1/2.
    M = next(M for M in range(1, 10**4) if M**6 >= 10 * N)
    A, B = [(F(1), 1, 1)], [(1 - F(1, 2 * N), 1, 1), (F(1, 2 * N), M, 0)]
    vertex = (1 - F(1, 2 * N)) / (1 - F(1, 2 * N) + F(M**6, 2 * N))
    assert vertex < F(1, 2)  # so in B the excess grows with p from 1/2 on, and in A it falls until 1
    assert excess(A, F(1, 2)) >= F(1, 4) and excess(B, F(1, 2)) >= F(1, 4) and (1 - F(1, 2 * N)) ** N >= F(1, 2)
print("N = 1 to 200: whatever p a learner answers to N times (1, 1), its excess is at least 1/4 in A or in B")
