import itertools
import numpy as np

# V (Z Z') Q z, z the last column. Q = E_12 and Q = E_21, V = I, entries uniform on -1, 0, 1.
E12, E21 = np.array([[0, 1], [0, 0]]), np.array([[0, 0], [1, 0]])
output = lambda Q, Z: Z @ Z.T @ Q @ Z[:, -1]

one_token = [np.array([[a], [b]]) for a, b in itertools.product((-1, 0, 1), repeat=2)]
two_tokens = [np.array(z).reshape(2, 2) for z in itertools.product((-1, 0, 1), repeat=4)]
same = lambda inputs: sum(np.array_equal(output(E12, Z), output(E21, Z)) for Z in inputs)
print("one token: equal on", same(one_token), "of", len(one_token), "inputs")
print("two tokens: equal on", same(two_tokens), "of", len(two_tokens), "inputs; on the unit matrix", output(E12, np.eye(2, dtype=int)), output(E21, np.eye(2, dtype=int)))

def least_eigenvalue(inputs):
    H = np.array([np.outer((Z @ Z.T)[np.triu_indices(2)], Z[:, -1]).ravel() for Z in inputs], dtype=float)
    return np.linalg.eigvalsh(H.T @ H / len(H))[0]
print("least eigenvalue of Lambda over all inputs, n = 1:", abs(round(least_eigenvalue(one_token), 12)), "n = 2:", round(least_eigenvalue(two_tokens), 4))
