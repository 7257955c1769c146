"""Stacks of layers: how many of their parameters are real, and what data determine of one near it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from . import _core
from ._arrays import Doubles, as_doubles, seed_of, threads_of
from ._progress import Wanted, told
from .answer import Answer
from .command import run_checker_alone
from .data import Dataset, Examples, data_of
from .errors import InvalidInput

Score = Literal["linear", "softmax"]
Decay = Literal["none", "fixed", "learned"]
Norm = Literal["none", "rms-plain", "rms"]
Activation = Literal["none", "square", "cube", "relu", "gelu"]
Readout = Literal["all", "last"]


@dataclass(frozen=True)
class StackLayer:
    """One layer: attention, and an MLP behind it. The names and defaults are those of a file (docs/formats.md).

    Attributes
    ----------
    heads, key_size : int
    groups, value_size : int or None
        Groups of heads that share keys and values, as many as heads unless given; entries of a value, as many as of a key.
    score : "linear" or "softmax"
        Softmax is of scores K x_i . Q x_j without a factor: multiply Q by it.
    residual, causal, rotary : bool
        The residual connection is that of attention and of the MLP.
    decay : "none", "fixed" or "learned"
    query_bias, key_bias, value_bias, output_bias : bool
    norm : "none", "rms-plain" or "rms"
        x / sqrt(mean x^2 + epsilon) before attention and before the MLP, the last one with a gain.
    epsilon : float
    mlp : "none", "square", "cube", "relu" or "gelu"
        Its activation; `width` neurons, with `mlp_biases` or without.
    width : int
    mlp_biases : bool
    """

    heads: int
    key_size: int
    groups: int | None = None
    value_size: int | None = None
    score: Score = "linear"
    residual: bool = False
    causal: bool = False
    rotary: bool = False
    decay: Decay = "none"
    query_bias: bool = False
    key_bias: bool = False
    value_bias: bool = False
    output_bias: bool = False
    norm: Norm = "none"
    epsilon: float = 0.0
    mlp: Activation = "none"
    width: int = 0
    mlp_biases: bool = False


class Stack:
    """A stack of layers with its numbers, as `stack.npz` holds it.

    Parameters
    ----------
    layers : sequence of StackLayer
    arrays : mapping of names to arrays
        "layers.0.groups.0.K" (a, d), "layers.0.heads.0.Q" (a, d) and so on; `Stack.random` has them all.
    d : int
        Numbers of a token.
    readout : "all" or "last"
        Which tokens are outputs.
    final_norm : "none", "rms-plain" or "rms"
    final_epsilon : float
    meta : dict, optional
        What the file says of itself.

    Raises
    ------
    InvalidInput
        Where an array is missing, of another shape, or not of this architecture.

    Examples
    --------
    >>> import numpy as np, attest
    >>> layer = attest.StackLayer(heads=1, key_size=2, residual=True)
    >>> names = ("groups.0.K", "groups.0.V", "heads.0.Q", "heads.0.O")
    >>> stack = attest.Stack([layer, layer], {f"layers.{l}.{name}": np.eye(2) for l in range(2) for name in names}, d=2)
    >>> stack.num_parameters, stack.predict(np.ones((5, 2, 3))).shape
    (32, (5, 2, 3))
    """

    def __init__(
        self,
        layers: Sequence[StackLayer],
        arrays: Mapping[str, Any],
        *,
        d: int,
        readout: Readout = "all",
        final_norm: Norm = "none",
        final_epsilon: float = 0.0,
        meta: dict[str, Any] | None = None,
    ):
        architecture = _architecture(layers, d=d, readout=readout, final_norm=final_norm, final_epsilon=final_epsilon)
        given = {name: as_doubles(array, name) for name, array in arrays.items()}
        self._stack = _core.Stack(architecture, given, "" if meta is None else json.dumps(meta))

    @classmethod
    def _of(cls, stack: _core.Stack) -> Stack:
        made = cls.__new__(cls)
        made._stack = stack
        return made

    @classmethod
    def random(cls, layers: Sequence[StackLayer], *, d: int, readout: Readout = "all", random_state: Any = None) -> Stack:
        """A stack of normal numbers, each matrix over the root of its columns; gains are 1, biases 0, decays 1/2, angles 1, 1/2, 1/3, ..."""
        architecture = _architecture(layers, d=d, readout=readout)
        generator = np.random.default_rng(seed_of(random_state))
        arrays = {name: _drawn(name, shape, generator) for name, shape in _core.array_shapes(architecture)}
        return cls._of(_core.Stack(architecture, arrays, ""))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Stack:
        """Reads `stack.npz`.

        Raises
        ------
        InvalidInput
            Where the file is absent or no stack, naming the key at fault.
        """
        return cls._of(_core.Stack.read(os.fspath(path)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file that `attest dimension` and `attest certify --model` read."""
        self._stack.write(os.fspath(path))

    @property
    def arrays(self) -> dict[str, Doubles]:
        """Every array by its name, parameters first, in their order; copies."""
        found = self._stack.arrays
        return {name: np.array(found[name]).reshape(shape) for name, shape in _core.array_shapes(self._stack.architecture)}

    @property
    def layers(self) -> tuple[StackLayer, ...]:
        """The layers without their numbers."""
        return tuple(StackLayer(**layer) for layer in self._said()["layers"])

    @property
    def d(self) -> int:
        """Numbers of a token."""
        return int(self._said()["d"])

    @property
    def readout(self) -> str:
        """Which tokens are outputs: "all", or the "last"."""
        return str(self._said()["readout"])

    @property
    def num_parameters(self) -> int:
        """Entries of all matrices, biases and gains."""
        return self._stack.num_parameters

    @property
    def meta(self) -> dict[str, Any]:
        """What the file says of itself."""
        return dict(json.loads(self._stack.meta or "{}"))

    def _said(self) -> dict[str, Any]:
        return dict(json.loads(self._stack.architecture))

    def predict(self, X: Examples) -> Doubles | list[Doubles]:
        """Outputs, columns of tokens as X has them: (N, d, n), or (N, d) of the last token alone; of ragged data and all tokens a list.

        Raises
        ------
        InvalidInput
            Where tokens have another size.
        """
        data = data_of(X)
        outputs = np.asarray(self._stack.outputs(data))  # (d, columns)
        if self.readout == "last":
            return np.ascontiguousarray(outputs.T)
        offsets = np.array(data.offsets)
        lengths = np.diff(offsets)
        if (lengths == lengths[0]).all():
            return np.ascontiguousarray(outputs.T.reshape(len(lengths), lengths[0], -1).transpose(0, 2, 1))
        return [outputs[:, first:last].copy() for first, last in zip(offsets[:-1], offsets[1:])]

    def __str__(self) -> str:
        return self._stack.words()

    def __repr__(self) -> str:
        return f"Stack(d={self.d}, {self.num_parameters} parameters, {self})"


def _architecture(layers: Sequence[StackLayer], **said: Any) -> str:
    """The JSON of a stack without its numbers, as its file holds it."""
    of_layers = [{key: value for key, value in asdict(layer).items() if value is not None} for layer in layers]
    return json.dumps({"version": 1, **said, "layers": of_layers})


def _drawn(name: str, shape: Sequence[int], generator: np.random.Generator) -> Doubles:
    last = name.rpartition(".")[2]
    if last == "angles":
        return np.asarray(1.0 / np.arange(1, shape[0] + 1))
    if last in ("decay", "decays"):
        return np.full(shape, 0.5)
    if len(shape) == 1:
        return np.ones(shape) if last == "gain" else np.zeros(shape)
    return np.asarray(generator.standard_normal(shape) / shape[1] ** 0.5)


class Lost(NamedTuple):
    """What one kind of symmetry costs in one layer."""

    symmetry: str
    layer: int
    dimensions: int


class Gap(NamedTuple):
    """Singular values about a numerical rank, over the largest: the smallest that counts, the largest that does not."""

    last: float
    next: float


@dataclass(frozen=True)
class Dimension(Answer):
    """How many parameters of a stack are real.

    Attributes
    ----------
    dimension : int
        The functional dimension where it is `proved`; else a lower bound, or numerical.
    proved : bool
    evidence : str
        "symmetries" or "bound": what the rank meets from above; "none".
    parameters, upper, symmetry_rank : int
        The number of parameters, a proved upper bound of the dimension, and the rank of the symmetries.
    lost : tuple of Lost
    arithmetic : str
        "residues", "rationals", "powers" of two, or "floating", which proves nothing.
    outputs, examples_least, examples_seen : int
        Numbers of an example; the fewest examples from which the dimension can follow; how many random ones sufficed.
    gap : Gap or None
        Of a numerical rank.
    architecture : str
    proof : str or None
        The text of a proof for attest-check.
    """

    dimension: int
    proved: bool
    evidence: str
    parameters: int
    upper: int
    symmetry_rank: int
    lost: tuple[Lost, ...]
    arithmetic: str
    outputs: int
    examples_least: int
    examples_seen: int
    gap: Gap | None
    architecture: str
    proof: str | None = field(repr=False)
    _text: str = field(repr=False)
    _said: dict[str, Any] = field(repr=False)

    def check(self) -> bool:
        """Has attest-check, which shares no code with this package, verify the proof.

        Raises
        ------
        InvalidInput
            Where there is no proof.
        """
        if self.proof is None:
            raise InvalidInput("check: there is no proof; one is written where the dimension is proved, but by relu")
        return run_checker_alone(self.proof)


def dimension(
    stack: Stack | None = None,
    *,
    d: int | None = None,
    layers: int | None = None,
    heads: int | None = None,
    head_size: int | None = None,
    value_size: int | None = None,
    groups: int | None = None,
    score: Score | None = None,
    decay: Decay | None = None,
    residual: bool | None = None,
    causal: bool | None = None,
    rotary: bool | None = None,
    biases: str | None = None,
    norm: Norm | None = None,
    final_norm: Norm | None = None,
    epsilon: float | None = None,
    mlp: Activation | None = None,
    width: int | None = None,
    readout: Readout | None = None,
    tokens: int = 3,
    numerical: bool = False,
    proof: str | os.PathLike[str] | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: Wanted = None,
) -> Dimension:
    """How many parameters of a stack of layers are real? Its functional dimension, proved where that can be.

    Parameters
    ----------
    stack : Stack, optional
        Whose architecture it is; or the sizes that follow, of a stack whose layers are alike.
    d, layers, heads : int
        Numbers of a token; how many layers, and heads of each: 1 unless given.
    head_size, value_size, groups : int
        Entries of a key, d/heads unless given; of a value, as a key; groups of heads that share keys and values.
    score : "linear" or "softmax"
    decay : "none", "fixed" or "learned"
    residual, causal, rotary : bool
    biases : str
        Letters of qkvo, and m for the MLP's.
    norm, final_norm : "none", "rms-plain" or "rms"
    epsilon : float
        Of the norms.
    mlp : "none", "square", "cube", "relu" or "gelu"
    width : int
        Neurons of the MLP, 4d unless given.
    readout : "all" or "last"
        Which tokens are outputs.
    tokens : int
        Of an example.
    numerical : bool
        In doubles, to see what they see.
    proof : path, optional
        Writes the proof to this file, for attest-check.
    random_state : int, numpy Generator or None
    n_jobs : int or None
        None is 1, -1 all processors.
    progress : True or a callable, optional
        As for `certify`.

    Raises
    ------
    InvalidInput
        Where sizes do not fit, or both a stack and sizes are given.
    MemoryFailure
        Where the estimate exceeds the memory.

    Examples
    --------
    >>> import attest
    >>> found = attest.dimension(d=8, layers=2, heads=4)
    >>> found.parameters, found.dimension, found.proved
    (512, 376, True)
    >>> found.lost[0]
    Lost(symmetry='query_key_basis', layer=0, dimensions=16)
    """
    sizes = dict(
        d=d, layers=layers, heads=heads, head_size=head_size, value_size=value_size, groups=groups, score=score, decay=decay, residual=residual,
        causal=causal, rotary=rotary, biases=biases, norm=norm, final_norm=final_norm, epsilon=epsilon, mlp=mlp, width=width, readout=readout,
    )
    given = {name: value for name, value in sizes.items() if value is not None}
    if stack is not None and given:
        raise InvalidInput(f"dimension: got a stack and {', '.join(given)}; the stack says what it is made of")
    if stack is None and d is None:
        raise InvalidInput("dimension: got neither a stack nor d; pass one of them")
    architecture = _core.architecture(**given) if stack is None else stack._stack.architecture
    with told(progress, "dimension") as tell:
        found = _core.dimension(
            architecture,
            tokens=tokens,
            numerical=numerical,
            seed=seed_of(random_state),
            keep=None if proof is None else os.fspath(proof),
            threads=threads_of(n_jobs),
            progress=tell,
        )
    said = found["said"]
    names = ("dimension", "proved", "evidence", "parameters", "upper", "symmetry_rank", "arithmetic", "outputs")
    named: dict[str, Any] = {name: said[name] for name in (*names, "examples_least", "examples_seen", "architecture")}
    return Dimension(
        **named, lost=tuple(Lost(**one) for one in said["lost"]), gap=_gap_of(said), proof=found["proof"], _text=found["text"], _said=said
    )


def _gap_of(said: dict[str, Any]) -> Gap | None:
    return None if said["gap"] is None else Gap(**said["gap"])


class Share(NamedTuple):
    """How much of a direction's squared norm lies in one array of parameters."""

    parameters: str
    share: float


@dataclass(frozen=True)
class OpenDirection:
    """A direction in the parameters that changes no output on the data to first order, and others.

    Attributes
    ----------
    shares : tuple of Share
        Arrays with more than a twentieth of it, largest first.
    direction : array (P,)
        Of norm 1, parameters in the order of `Stack.arrays`.
    input : array (d, n)
        Where it shows.
    change : array
        Of the outputs there, for one unit of the direction, token after token.
    """

    shares: tuple[Share, ...]
    direction: Doubles
    input: Doubles
    change: Doubles


class StackSuggestion(NamedTuple):
    """An example of the pool to add, and the rank with it and those before it."""

    candidate: int
    rank: int


@dataclass(frozen=True)
class LocalCertificate(Answer):
    """What data determine of a stack, near it in parameters: nothing here speaks of stacks far away.

    Attributes
    ----------
    verdict : str
        "locally_determined" and "not_determined" are proved; "first_order_open", "singular" and "undecided" decide nothing;
        "numerically_locally_determined" and "numerically_open" are what doubles see.
    evidence : str
        "symmetries", "bound", "full_row_rank" or "none".
    rank, rank_at_model, dimension : int
        Of the derivative on the data, of that on all inputs, and of the family.
    dimension_proved : bool
    open_directions : int
        rank_at_model - rank: what other inputs see and the data do not.
    open : OpenDirection or None
        One of them.
    parameters, num_examples, numbers : int
        Parameters, different examples, and outputs on them.
    suggestions : tuple of StackSuggestion
    gap : Gap or None
        Of a numerical rank.
    arithmetic, architecture : str
    """

    verdict: str
    evidence: str
    rank: int
    rank_at_model: int
    dimension: int
    dimension_proved: bool
    open_directions: int
    open: OpenDirection | None
    parameters: int
    num_examples: int
    numbers: int
    suggestions: tuple[StackSuggestion, ...]
    gap: Gap | None
    arithmetic: str
    architecture: str
    _text: str = field(repr=False)
    _said: dict[str, Any] = field(repr=False)

    @property
    def determined(self) -> bool | None:
        """Near the stack: True or False where that is proved; None where nothing is."""
        return {"locally_determined": True, "not_determined": False}.get(self.verdict)

    def __bool__(self) -> bool:
        raise TypeError("a LocalCertificate is neither true nor false: use .verdict, or .determined, which is None where nothing is proved")


def certify_stack(
    data: _core.Data, stack: Stack, *, pool: Examples | None, suggest: int, random_state: Any, n_jobs: int | None, progress: Wanted
) -> LocalCertificate:
    """What `certify` does with a stack as its model."""
    if (pool is None) != (suggest == 0) or suggest < 0:
        raise InvalidInput("certify: suggest=K and pool= belong together: which K of these candidates to add")
    with told(progress, "certify") as tell:
        found = _core.certify_stack(
            data,
            stack._stack,
            pool=None if pool is None else data_of(pool),
            suggest=suggest,
            seed=seed_of(random_state),
            threads=threads_of(n_jobs),
            progress=tell,
        )
    said = found["said"]
    names = ("verdict", "evidence", "rank", "rank_at_model", "dimension", "dimension_proved", "open_directions", "parameters", "num_examples")
    named: dict[str, Any] = {name: said[name] for name in (*names, "numbers", "arithmetic", "architecture")}
    opened = None
    if said["open"] is not None:
        one = said["open"]
        direction = np.array(found["direction"])[:, 0]
        opened = OpenDirection(tuple(Share(**share) for share in one["shares"]), direction, np.array(one["tokens"]).T, np.array(one["change"]))
    return LocalCertificate(
        **named,
        open=opened,
        suggestions=tuple(StackSuggestion(**each) for each in said["suggestions"]),
        gap=_gap_of(said),
        _text=found["text"],
        _said=said,
    )


@dataclass(frozen=True)
class FoundStack(Answer):
    """What the answers of a black box say of two layers in it; made by `StackProbe.read`.

    Attributes
    ----------
    verdict : str
        "found_and_locally_determined", "found", "not_found", which proves nothing, or "another_layer".
    stack : Stack or None
        With the box's answers, where one was found.
    starts : int
        Fits tried.
    misfit, degree_9 : float or None
        Of the degrees that were fitted, and of the one that was not, over their norms.
    degree_1, degree_11 : float
        What these degrees are other than they must be, over the norm of the answers.
    """

    verdict: str
    stack: Stack | None
    starts: int
    misfit: float | None
    degree_9: float | None
    degree_1: float
    degree_11: float
    _text: str = field(repr=False)
    _said: dict[str, Any] = field(repr=False)

    @property
    def found(self) -> bool | None:
        """True where a stack was found and is locally determined, False where the box is another; else None."""
        return {"found_and_locally_determined": True, "another_layer": False}.get(self.verdict)

    def __bool__(self) -> bool:
        raise TypeError("a FoundStack is neither true nor false: use .verdict, or .found, which is None where nothing is decided")


@dataclass(frozen=True)
class StackProbe(Answer):
    """Inputs whose answers tell two layers apart by their degrees; made by `probe_stack`.

    Attributes
    ----------
    queries : Dataset
        Its ``X`` is what to ask, (M, d, n): six in turn are one input at six scales.
    parameters, dimension : int
    """

    queries: Dataset
    parameters: int
    dimension: int
    _request: _core.StackProbeRequest = field(repr=False)
    _text: str = field(repr=False)
    _said: dict[str, Any] = field(repr=False)

    def read(self, answers: Any, *, starts: int = 40, n_jobs: int | None = None, progress: Wanted = None) -> FoundStack:
        """The two layers behind the answers, (M, d), to `queries`: the box's output at the last token.

        Parameters
        ----------
        answers : array (M, d)
        starts : int
            Fits tried at most.
        n_jobs : int or None
            None is 1, -1 all processors.
        progress : True or a callable, optional
            As for `certify`.

        Raises
        ------
        InvalidInput
            Where the answers are of another shape.
        """
        if starts < 1:
            raise InvalidInput(f"probe_stack: got {starts} starts, expected at least 1")
        with told(progress, "probe_stack") as tell:
            found = _core.read_stack_answers(
                self.queries.with_labels(answers)._data, self._request, starts=starts, threads=threads_of(n_jobs), progress=tell
            )
        said = found["said"]
        return FoundStack(
            verdict=said["verdict"],
            stack=None if found["stack"] is None else Stack._of(found["stack"]),
            starts=said["starts"],
            misfit=said.get("misfit"),
            degree_9=said.get("degree_9"),
            degree_1=said["degree_1"],
            degree_11=said["degree_11"],
            _text=found["text"],
            _said=said,
        )


def probe_stack(
    d: int,
    *,
    heads: int = 1,
    head_size: int | None = None,
    value_size: int | None = None,
    causal: bool = False,
    tokens: int = 3,
    random_state: Any = None,
) -> StackProbe:
    """Which inputs to ask a black box of two linear layers with residual connections, read at its last token.

    Parameters
    ----------
    d : int
        Entries of a token.
    heads : int
        Of each layer.
    head_size, value_size : int
        Entries of a key, d/heads unless given; of a value, as a key.
    causal : bool
        Whether a token of the box sees those before it alone.
    tokens : int
        Of a query.
    random_state : int, numpy Generator or None

    Raises
    ------
    InvalidInput
        Where sizes do not fit.

    Examples
    --------
    >>> import attest
    >>> layer = attest.StackLayer(heads=1, key_size=2, residual=True, causal=True)
    >>> box = attest.Stack.random([layer, layer], d=2, readout="last", random_state=0)
    >>> asked = attest.probe_stack(2, causal=True)
    >>> found = asked.read(box.predict(asked.queries.X))
    >>> found.verdict, found.degree_9 < 1e-6
    ('found_and_locally_determined', True)
    """
    if min(d, heads, tokens, head_size or 1, value_size or 1) < 1:
        raise InvalidInput("probe_stack: sizes and numbers are at least 1")
    request = _core.StackProbeRequest(
        d=d, heads=heads, key_size=head_size or 0, value_size=value_size or 0, causal=causal, tokens=tokens, seed=seed_of(random_state)
    )
    found = _core.stack_queries(request)
    said = found["said"]
    return StackProbe(Dataset(found["queries"]), said["parameters"], said["dimension"], request, found["text"], said)
