#!/usr/bin/env python3
"""train_peer.py METHOD DATA.npz HEADS UPDATES [BATCH [ROUNDS]]: trains one layer of linear attention in torch, in double, by Adam with half a cosine to 0.

DATA.npz holds sequences of equal length with a label after every token (`attest generate random-linear-attention --o 1 --labels per_prefix`).
What does not change during training is computed before the clock runs: prefix moments, or the moments of whole sequences. The only Python
loop is that over updates. Methods:
  torch_heads         residuals of every prefix of the batch, einsum over heads and prefixes
  torch_coefficients  the same residuals, after the heads were contracted to coefficients
  torch_moments       the quadratic form of the batch's moments in the coefficients
Prints one JSON object: seconds and processor seconds per update of the fastest round (UPDATES updates each, the training goes on from round to
round), the relative mean squared error on the training data before and after, version and threads. Threads are the environment's. Exit: 0; 2 usage; 5 torch is not installed."""
import json
import math
import sys
import time

try:
    import numpy as np
    import torch
except ImportError:
    torch = None


def read(path):
    """Tokens (N, T, d) and labels (N, T) in double, from sequences of equal length in either layout."""
    data = np.load(path)
    tokens = data['Z'].transpose(0, 2, 1) if 'Z' in data else data['tokens']
    tokens = torch.from_numpy(np.ascontiguousarray(tokens, dtype=np.float64))
    return tokens, torch.from_numpy(np.asarray(data['y_prefix'], dtype=np.float64)).reshape(tokens.shape[:2])


class Heads:
    """Residuals, head by head."""

    def __init__(self, tokens, y):
        self.tokens, self.y = tokens, y
        self.S = torch.cumsum(torch.einsum('ntj,ntk->ntjk', tokens, tokens), dim=1)

    def outputs(self, V, Q, chosen):
        u = torch.einsum('hkl,btl->bthk', Q, self.tokens[chosen])
        w = torch.einsum('btjk,bthk->bthj', self.S[chosen], u)
        return torch.einsum('hj,bthj->bt', V, w)

    def loss(self, V, Q, chosen):
        return (self.outputs(V, Q, chosen) - self.y[chosen]).square().mean()


class Coefficients(Heads):
    """Residuals of the coefficients."""

    def outputs(self, V, Q, chosen):
        W = torch.einsum('hj,hkl->ljk', V, Q).flatten(1)
        return torch.einsum('btl,btl->bt', self.S[chosen].flatten(2) @ W.T, self.tokens[chosen])


class Moments(Heads):
    """pᵀGp − 2gᵀp of the batch: the loss up to a constant."""

    def __init__(self, tokens, y):
        super().__init__(tokens, y)
        d = tokens.shape[2]
        self.j, self.k = torch.triu_indices(d, d)
        H = (self.S[:, :, self.j, self.k][..., None] * tokens[:, :, None, :]).flatten(2)
        self.G = torch.einsum('nta,ntb->nab', H, H)
        self.g = torch.einsum('nta,nt->na', H, y)
        self.examples = tokens.shape[1]

    def loss(self, V, Q, chosen):
        W = torch.einsum('hj,hkl->jkl', V, Q)
        off = (self.j != self.k).to(W.dtype)[:, None]
        p = (W[self.j, self.k] + off * W[self.k, self.j]).flatten()
        G, g = self.G[chosen].sum(0), self.g[chosen].sum(0)
        return (p @ (G @ p) - 2 * (g @ p)) / (len(chosen) * self.examples)


METHODS = {'torch_heads': Heads, 'torch_coefficients': Coefficients, 'torch_moments': Moments}


def relative_error(problem, V, Q):
    with torch.no_grad():
        everything = torch.arange(len(problem.y))
        residual = Heads.outputs(problem, V, Q, everything) - problem.y
        return float(residual.square().mean() / problem.y.square().mean())


def main(arguments):
    if arguments == ['--list']:
        print('\n'.join(METHODS))
        return 0
    if not 4 <= len(arguments) <= 6 or arguments[0] not in METHODS:
        print('usage: train_peer.py METHOD DATA.npz HEADS UPDATES [BATCH [ROUNDS]]; METHOD is one of ' + ', '.join(METHODS), file=sys.stderr)
        return 2
    heads, updates = int(arguments[2]), int(arguments[3])
    batch = int(arguments[4]) if len(arguments) > 4 else 32
    rounds = int(arguments[5]) if len(arguments) > 5 else 3
    tokens, y = read(arguments[1])
    problem = METHODS[arguments[0]](tokens, y)
    d = tokens.shape[2]
    generator = torch.Generator().manual_seed(0)
    V, Q = (torch.nn.Parameter(torch.randn(*shape, generator=generator, dtype=torch.float64) / math.sqrt(d))
            for shape in ((heads, d), (heads, d, d)))
    power = float(y.square().mean())
    optimiser = torch.optim.Adam([V, Q], lr=0.01)
    before = relative_error(problem, V, Q)
    order, seconds, processor, done = [], [], [], 0
    for _ in range(rounds):
        start, cpu = time.perf_counter(), time.process_time()
        for _ in range(updates):
            if len(order) < batch:
                order = torch.randperm(len(tokens), generator=generator)
            chosen, order = order[:batch], order[batch:]
            optimiser.param_groups[0]['lr'] = 0.005 * (1 + math.cos(math.pi * done / (rounds * updates)))
            optimiser.zero_grad()
            (problem.loss(V, Q, chosen) / power).backward()
            optimiser.step()
            done += 1
        seconds.append((time.perf_counter() - start) / updates)
        processor.append((time.process_time() - cpu) / updates)
    print(json.dumps({'contender': arguments[0], 'seconds_per_update': min(seconds), 'cpu_seconds_per_update': min(processor),
                      'error_before': before, 'error_after': relative_error(problem, V, Q), 'updates': done, 'version': 'torch ' + torch.__version__,
                      'threads': torch.get_num_threads()}))
    return 0


if __name__ == '__main__':
    if torch is None:
        print('train_peer: torch is not installed; scripts/setup --with peers installs it', file=sys.stderr)
        sys.exit(5)
    sys.exit(main(sys.argv[1:]))
