import itertools
import numpy as np

# Histories: every token has one of 2 letters and one of 2 states, each one-hot in rows of its own. d = 4, psi = 4 * 10.
tokens = [np.eye(2, dtype=int)[a].tolist() + np.eye(2, dtype=int)[b].tolist() for a, b in itertools.product((0, 1), repeat=2)]
histories = [np.array(h).T for n in (1, 2, 3) for h in itertools.product(tokens, repeat=n)]
H = np.array([np.outer((Z @ Z.T)[np.triu_indices(4)], Z[:, -1]).ravel() for Z in histories])
print(len(histories), "histories: rank", np.linalg.matrix_rank(H), "of", H.shape[1], "features;", int((H == 0).all(axis=0).sum()), "features are 0 in all of them")
print("two letters never share a token, so their product is 0:", sorted({int((Z @ Z.T)[0, 1]) for Z in histories}))
