import numpy as np

def one_head(d, N, rng):  # alternating least squares on unitary data; the loss and the distance to the truth of the first start that fits
    e, unitary = 2 * d, lambda: np.linalg.qr(rng.normal(size=(d, d)))[0] * rng.choice((-1, 1), d)
    V0, Q0 = np.diag([0] * d + [1] * d), np.diag([1] * d + [0] * d)  # the paper's teacher
    S, z = np.empty((N, e, e)), np.empty((N, e))
    for i in range(N):
        keys, values = unitary(), unitary()
        Z = np.vstack([np.c_[keys, keys[:, rng.integers(d)]], np.c_[values, rng.normal(size=d)]])
        S[i], z[i] = Z @ Z.T, Z[:, -1]
    Y, (j, k) = np.einsum("ab,ibc,cd,id->ia", V0, S, Q0, z), np.triu_indices(e)
    coefficients = lambda V, Q: np.einsum("aj,kl->jkla", V, Q)[j, k] + np.einsum("aj,kl->jkla", V, Q)[k, j] * (j != k)[:, None, None]
    rank, loss = np.linalg.matrix_rank((S[:, j, k][:, :, None] * z[:, None]).reshape(N, -1)), 1
    while loss > 1e-20:
        Q = rng.normal(size=(e, e))
        for _ in range(400):
            V = np.linalg.lstsq(np.einsum("ibc,cd,id->ib", S, Q, z), Y, rcond=None)[0].T
            A = np.einsum("ab,ibc,id->iacd", V, S, z).reshape(e * N, -1)
            Q = np.linalg.lstsq(A.T @ A, A.T @ Y.ravel(), rcond=1e-13)[0].reshape(e, e)
        loss = np.mean((np.einsum("ab,ibc,cd,id->ia", V, S, Q, z) - Y) ** 2)
    return f"d = {d}: rank {rank} of {len(j) * e}, one head that fits is the truth: {np.linalg.norm(coefficients(V, Q) - coefficients(V0, Q0)) < 1e-6}"

print(one_head(2, 100, np.random.default_rng(0)))
print(one_head(3, 300, np.random.default_rng(0)), "(the figure has d = 4)")
