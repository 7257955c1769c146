#!/usr/bin/env python3
"""solve_peer.py METHOD DATA.npz [ROUNDS]: times one least-squares solver of another library on the cubic features of a data set.

Prints one JSON object: seconds and cpu_seconds of the fastest round (the solve alone: forming the features is reported apart as
feature_seconds), whole_cpu_seconds from opening the file to the end of the first round, relative_error of the coefficients against the
truth in the file, peak_rss_bytes, version, and the BLAS that was mapped.
Threads and BLAS are the environment's, as for every other contender. Exit: 0; 2 usage; 5 the library is not installed. `solve_peer.py --list` names the methods."""
import json
import os
import sys
import time

try:
    import numpy as np
except ImportError:
    np = None


def peak_resident_bytes():
    """Of this program. Not getrusage, which on Linux begins at the peak of the process that started this one."""
    with open('/proc/self/status') as status:
        return 1024 * next(int(line.split()[1]) for line in status if line.startswith('VmHWM:'))


def features(tokens):
    """H (N, psi) and S for tokens (N, d, n): pairs j<k times z_l, then squares j times z_l."""
    S = tokens @ tokens.transpose(0, 2, 1)
    z = tokens[:, :, -1]
    j, k = np.triu_indices(tokens.shape[1], 1)
    packed = np.concatenate([S[:, j, k], np.diagonal(S, axis1=1, axis2=2)], axis=1)
    return (packed[:, :, None] * z[:, None, :]).reshape(len(z), -1)


def truth(V, Q):
    """P (psi, o) of heads V (H, o, d), Q (H, d, d): the coefficient of S_jk z_l, both orders of j and k together."""
    W = np.einsum('haj,hkl->ajkl', V, Q)
    j, k = np.triu_indices(V.shape[2], 1)
    squares = np.arange(V.shape[2])
    packed = np.concatenate([W[:, j, k] + W[:, k, j], W[:, squares, squares]], axis=1)
    return packed.reshape(len(packed), -1).T


def numpy_lstsq(H, y):
    return np.linalg.lstsq(H, y, rcond=None)[0]


def numpy_normal_equations(H, y):
    from scipy.linalg import cho_factor, cho_solve
    return cho_solve(cho_factor(H.T @ H), H.T @ y)


def scipy_gelsd(H, y):
    from scipy.linalg import lstsq
    return lstsq(H, y, lapack_driver='gelsd', check_finite=False)[0]


def scipy_gelsy(H, y):
    from scipy.linalg import lstsq
    return lstsq(H, y, lapack_driver='gelsy', check_finite=False)[0]


def sklearn_ridge_cholesky(H, y):
    from sklearn.linear_model import Ridge
    return Ridge(alpha=1e-12, fit_intercept=False, solver='cholesky').fit(H, y).coef_.T


def sklearn_linear_regression(H, y):
    from sklearn.linear_model import LinearRegression
    return LinearRegression(fit_intercept=False).fit(H, y).coef_.T


def torch_gels(H, y):
    import torch
    return torch.linalg.lstsq(torch.from_numpy(H), torch.from_numpy(y), driver='gels').solution.numpy()


METHODS = {method.__name__: method for method in (
    numpy_lstsq, numpy_normal_equations, scipy_gelsd, scipy_gelsy, sklearn_ridge_cholesky, sklearn_linear_regression, torch_gels)}


def version(method):
    """The library the method's name begins with, and its version."""
    name = method.split('_')[0]
    return f'{name} {__import__(name).__version__}'


def mapped_blas():
    """The folders of the mapped BLAS libraries, by their last part: "openblas-pthread"."""
    with open('/proc/self/maps') as maps:
        files = {line.split()[-1] for line in maps if '/lib' in line}
    names = ('libblas', 'libopenblas', 'libblis', 'libatlas', 'libmkl')
    return ' + '.join(sorted({os.path.basename(os.path.dirname(file)) for file in files if os.path.basename(file).startswith(names)}))


def tokens_of(data):
    """(N, d, n) of a file that holds sequences of equal length in either layout."""
    return data['Z'] if 'Z' in data else data['tokens'].transpose(0, 2, 1)


def main(arguments):
    if arguments == ['--list']:
        print('\n'.join(METHODS))
        return 0
    if len(arguments) not in (2, 3) or arguments[0] not in METHODS:
        print(f'usage: solve_peer.py METHOD DATA.npz [ROUNDS]; METHOD is one of {", ".join(METHODS)}', file=sys.stderr)
        return 2
    method = arguments[0]
    name = version(method)  # imports the library before a clock runs
    METHODS[method](np.eye(2), np.eye(2))  # and what it imports at its first call
    opened = time.process_time()
    data = np.load(arguments[1])
    start = time.perf_counter()
    H = features(tokens_of(data).astype(np.float64))
    feature_seconds = time.perf_counter() - start
    y = np.asarray(data['y'], dtype=np.float64).reshape(len(H), -1)
    seconds, cpu_seconds, ends = [], [], []
    for _ in range(int(arguments[2]) if len(arguments) == 3 else 3):
        wall, cpu = time.perf_counter(), time.process_time()
        found = METHODS[method](H, y)
        seconds.append(time.perf_counter() - wall)
        cpu_seconds.append(time.process_time() - cpu)
        ends.append(time.process_time())
    P = truth(data['truth_V'], data['truth_Q'])
    print(json.dumps({
        'contender': method, 'seconds': min(seconds), 'cpu_seconds': min(cpu_seconds), 'feature_seconds': feature_seconds,
        'whole_cpu_seconds': ends[0] - opened, 'relative_error': float(np.linalg.norm(found - P) / np.linalg.norm(P)),
        'peak_rss_bytes': peak_resident_bytes(), 'version': name,
        'blas': mapped_blas()}))
    return 0


if __name__ == '__main__':
    if np is None:
        print('solve_peer: numpy is not installed; scripts/setup --with peers installs it', file=sys.stderr)
        sys.exit(5)
    try:
        sys.exit(main(sys.argv[1:]))
    except ImportError as error:
        print(f'solve_peer: {error}; scripts/setup --with peers installs it', file=sys.stderr)
        sys.exit(5)
