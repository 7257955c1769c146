import numpy as np

# Columns: tokens A (key1 -> u), B (key2 -> w) and the last token r, which asks for key1, then for key2. Rows: key1, key2, u, w, two sources.
A, B, r = np.array([[1, 0, 1, 0, 0, 0], [0, 1, 0, 1, 0, 0], [0, 0, 0, 0, 1, 1]])
rng = np.random.default_rng(0)
for trial in range(100):  # any layer of any number of heads
    heads = [(rng.integers(-9, 10, (6, 6)), rng.integers(-9, 10, (6, 6))) for _ in range(1 + trial % 4)]
    f = lambda *tokens: sum(V @ np.array(tokens).T @ np.array(tokens) @ Q @ tokens[-1] for V, Q in heads)
    assert np.array_equal(f(A, B, r) + f(r), f(A, r) + f(B, r))
print("100 of 100 layers: f([A B r]) + f([r]) = f([A r]) + f([B r]), because the moments of the tokens add up")
u, w, nothing = np.array([1, 0]), np.array([0, 1]), np.array([0, 0])
print("the program wants f([A r]), f([B r]), f([r]) =", u, w, nothing, "so the layer answers", u + w - nothing, "to [A B r]; the later lookup wants", w)
