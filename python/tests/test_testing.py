"""attest.testing: right kernels pass, wrong ones raise what is wrong with them, and the example project runs."""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import attest
from attest import _core, testing
from attest.kernels import exact_doubles
from conftest import command

PROJECT = Path(__file__).resolve().parents[2] / "docs" / "kernels-ci"


@pytest.fixture(autouse=True)
def _apart(tmp_path, monkeypatch):
    """No cache of other runs, and dumps in a folder of the test."""
    monkeypatch.setenv("ATTEST_KERNEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def linear(*, q, k, v, scale, initial_state=None):
    """Token by token, in the type of the arrays."""
    S = np.zeros((q.shape[0], v.shape[2], q.shape[3], v.shape[3]), v.dtype) if initial_state is None else initial_state
    scale = q.dtype.type(q.shape[-1] ** -0.5 if scale is None else scale)
    q, k = (np.repeat(x, v.shape[2] // x.shape[2], axis=2) for x in (q, k))
    o = np.empty(v.shape, v.dtype)
    for t in range(q.shape[1]):
        S = S + k[:, t, :, :, None] * v[:, t, :, None, :]
        o[:, t] = (q[:, t, :, :, None] * S).sum(2) * scale
    return o, S


def of(arguments):
    """`linear` of what it reads among the arguments."""
    return linear(**{name: arguments.get(name) for name in ("q", "k", "v", "scale", "initial_state")})


def case_of(kind, name, **options):
    return next(case for case in testing.cases(kind, **options) if case.id.startswith(name + "-T"))


def fault_of(kernel, case, **options):
    with pytest.raises(testing.KernelFault) as caught:
        testing.check(kernel, case, **{"backward": False, **options})
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("kind", _core.kernel_kinds())
def test_there_are_24_cases_of_every_kind_and_8_quick_ones(kind):
    cases = testing.cases(kind)
    assert len(cases) == len({case.id for case in cases}) == 24
    quick = testing.cases(kind, quick=True)
    assert len(quick) == 8 and {case.id for case in quick} <= {case.id for case in cases}
    for case in cases:
        assert all(np.isfinite(a).all() for a in (*case.arrays.values(), *case.gradients.values())), case
    again = testing.cases(kind)
    assert all((a == b).all() for one, other in zip(cases, again) for a, b in zip(one.arrays.values(), other.arrays.values()))


@pytest.mark.parametrize("kind", _core.kernel_kinds())
def test_no_case_that_a_kind_can_have_is_left_out(kind):
    """The last two of the plans are among the 24: none before them was cut off."""
    assert {"large-rows", "small-rows"} <= {case.id.partition("-T")[0] for case in testing.cases(kind)}


@pytest.mark.parametrize("kind", _core.kernel_kinds())
def test_every_case_is_a_call_that_the_check_reads(kind):
    for case in testing.cases(kind, chunk=16):
        arrays = {**case.arrays, **case.gradients, **case.flags, "scale": case.scale, "o": np.zeros_like(case.gradients["do"])}
        assert attest.kernel_check(kind=kind, sharp=False, **arrays).verdict in ("wrong", "undecided"), case


def test_numbers_are_of_the_type_that_is_said():
    for case in testing.cases("kda", dtype="bfloat16"):
        assert not (case.arrays["q"].view(np.uint32) & 0xFFFF).any()
    for case in testing.cases("kda", dtype="float16"):
        assert (case.arrays["q"].astype(np.float16) == case.arrays["q"]).all()
    assert {case.arrays["q"].dtype for case in testing.cases("kda", dtype="float64")} == {np.dtype(np.float64)}


def test_cases_are_left_out_by_what_they_need():
    assert not any("cu_seqlens" in case.arrays for case in testing.cases("kda", without=("cu_seqlens",)))
    assert any(case.arrays["k"].shape[2] < case.arrays["v"].shape[2] for case in testing.cases("kda"))
    assert all(case.arrays["k"].shape[2] == case.arrays["v"].shape[2] for case in testing.cases("kda", heads="equal"))
    assert not any(case.flags for case in testing.cases("ssd", without=("dt_softplus",)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "lineal"},
        {"kind": "kda", "dtype": "int8"},
        {"kind": "kda", "heads": "some"},
        {"kind": "kda", "chunk": 0},
        {"kind": "kda", "without": ("cu_seqlen",)},
        {"kind": "kda", "without": "cu_seqlens"},
    ],
)
def test_names_that_there_are_not_are_refused(wrong):
    with pytest.raises(attest.AttestError) as caught:
        testing.cases(**wrong)
    assert "expected" in str(caught.value)


def test_a_right_kernel_passes_every_case_of_its_kind():
    for case in testing.cases("linear", chunk=16, without=("cu_seqlens", "use_qk_l2norm_in_kernel", "state_v_first")):
        report = testing.check(linear, case, backward=False)
        assert report.verdict == "right", (case, report)
        assert {"inputs unchanged", "nothing read past the ends", "twice the same"} <= set(report.looked_at)
        assert ("other strides" in report.looked_at) == (min(case.arrays["q"].shape[1:3]) > 1), case


def example_project():
    """kernels.py of docs/kernels-ci."""
    sys.path.insert(0, str(PROJECT))
    try:
        import kernels
    finally:
        sys.path.remove(str(PROJECT))
    return kernels


def test_what_was_not_done_is_left_out():
    case = case_of("simple-gla", "chunk", chunk=16)
    simple_gla = example_project().simple_gla

    def needs_do(*, q, k, v, g, scale, initial_state, do, dfinal_state):
        return simple_gla(q=q, k=k, v=v, g=g, scale=scale, initial_state=initial_state, do=do, dfinal_state=dfinal_state)

    report = testing.check(needs_do, case)
    assert report.looked_at == ("inputs unchanged", "nothing read past the ends", "twice the same")
    assert [line.partition(":")[0] for line in report.left_out] == ["other strides", "in pieces"]
    assert "does not go forward alone" in report.left_out[0]
    report = testing.check(simple_gla, case, sharp=False, deterministic=False)
    assert report.results == ("final_state", "o") and "dq: not compared" in report.left_out
    assert "twice the same: deterministic=False" in report.left_out and "twice the same" not in report.looked_at
    report = testing.check(simple_gla, case)
    assert {"dq", "dk", "dv", "dg", "dinitial_state", "o", "final_state"} == set(report.results)


def test_a_gradient_of_the_final_state_counts_where_the_state_itself_is_not_returned():
    """A kernel that is given dfinal_state and makes right gradients, without final_state among its results."""
    case = case_of("simple-gla", "chunk", chunk=16)
    assert "dfinal_state" in case.gradients
    simple_gla = example_project().simple_gla

    def without_state(**arguments):
        found = simple_gla(**arguments)
        del found["final_state"]
        return found

    assert testing.check(without_state, case).verdict == "right"

    def and_ignores_it(**arguments):
        return without_state(**{**arguments, "dfinal_state": None})

    fault = fault_of(and_ignores_it, case, backward=True)
    assert fault.array.startswith("d")
    with np.load(fault.dump) as dump:
        assert "dfinal_state" in dump and "final_state" not in dump


def test_a_state_handed_over_is_looked_at():
    case = case_of("linear", "four-chunks", chunk=16)
    assert "in pieces" in testing.check(linear, case, backward=False).looked_at

    def forgetful(*, q, k, v, scale, initial_state):
        o, S = linear(q=q, k=k, v=v, scale=scale, initial_state=initial_state)
        return o, S if q.shape[1] == 67 else 0.5 * S

    assert fault_of(forgetful, case).fault == "pieces_differ"


def test_a_fault_has_its_name_its_place_and_a_command_that_finds_it_again():
    case = case_of("linear", "four-chunks", chunk=16)
    fault = fault_of(lambda **x: of({**x, "scale": 1.0}), case)
    assert (fault.fault, fault.verdict) == ("scale_missing", "wrong")
    assert fault.array in ("o", "final_state") and fault.sigma > 24
    words = shlex.split(fault.command)
    assert words[:3] == ["attest", "kernel", "check"]
    found = command(*words[1:], codes=(1,))
    assert found["looks_like"][0]["name"] == "scale_missing"
    with np.load(fault.dump) as dump:
        assert dump["q"].dtype == np.float32 and (dump["q"] == case.arrays["q"]).all()


def test_writing_into_the_arguments_is_noticed():
    def scales_in_place(*, q, k, v, scale, initial_state):
        q *= np.float32(1)
        q[0, 0, 0, 0] += 1
        return linear(q=q, k=k, v=v, scale=scale, initial_state=initial_state)

    fault = fault_of(scales_in_place, case_of("linear", "chunk", chunk=16))
    assert fault.fault == "inputs_changed" and "q: " in str(fault)


def test_reading_past_the_ends_is_noticed():
    def one_row_more(*, q, k, v, scale, initial_state):
        o, S = linear(q=q, k=k, v=v, scale=scale, initial_state=initial_state)
        beyond = np.lib.stride_tricks.as_strided(k.reshape(-1)[-1:], (2,), (k.itemsize,))[1]
        return o + beyond * 0, S

    assert fault_of(one_row_more, case_of("linear", "four-chunks", chunk=16)).fault == "reads_past_the_ends"


def test_numbers_that_are_not_finite_are_named_so():
    fault = fault_of(lambda **x: (np.full_like(of(x)[0], np.nan), of(x)[1]), case_of("linear", "chunk", chunk=16))
    assert fault.fault == "not_finite"


def test_two_runs_must_agree_unless_they_need_not():
    rng = np.random.default_rng(0)

    def unsteady(**x):
        o, S = of(x)
        return o * (1 + np.float32(2e-7) * rng.integers(0, 2, o.shape).astype(np.float32)), S

    case = case_of("linear", "no-state", chunk=16)
    assert fault_of(unsteady, case).fault == "not_deterministic"
    assert testing.check(unsteady, case, backward=False, deterministic=False).verdict == "right"


def test_strides_must_not_matter():
    def as_it_lies(*, q, k, v, scale, initial_state):
        lies = lambda x: np.lib.stride_tricks.as_strided(x, x.shape, np.empty(x.shape, x.dtype).strides)
        return linear(q=lies(q), k=lies(k), v=lies(v), scale=scale, initial_state=initial_state)

    assert fault_of(as_it_lies, case_of("linear", "chunk", chunk=16)).fault == "not_contiguous"


def test_a_result_of_another_shape_is_refused_with_the_dump_kept():
    fault = fault_of(lambda **x: of(x)[0][:, :-1], case_of("linear", "chunk", chunk=16))
    assert fault.fault == "refused" and "o: has shape" in str(fault)


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (lambda *, q, k, v: None, "returned no o"),
        (lambda *, q, k: (q, k), "takes no v"),
    ],
)
def test_kernels_that_do_not_fit_the_case_are_told_so(kernel, words):
    with pytest.raises(attest.InvalidInput, match=words):
        testing.check(kernel, case_of("linear", "chunk-less-one"), backward=False)


def test_gradients_need_a_kernel_that_makes_them():
    with pytest.raises(attest.InvalidInput, match="say backward=False"):
        testing.check(linear, case_of("linear", "chunk"))
    with pytest.raises(attest.InvalidInput, match="NumPy has no bfloat16"):
        testing.check(linear, case_of("linear", "chunk", dtype="bfloat16"), backward=False)


@pytest.mark.parametrize("dtype", ["float64", "float16"])
def test_other_types_are_checked_in_their_arithmetic(dtype):
    case = case_of("linear", "no-state", chunk=16, dtype=dtype)

    def kernel(*, q, k, v, scale):
        wide = np.float64 if dtype == "float64" else np.float32
        o, _ = linear(q=q.astype(wide), k=k.astype(wide), v=v.astype(wide), scale=scale)
        return o.astype(q.dtype)

    assert testing.check(kernel, case, backward=False).verdict == "right"
    if dtype == "float64":
        assert fault_of(lambda *, q, k, v, scale: kernel(q=q, k=k, v=v, scale=scale).astype(np.float32), case).sigma > 1000


def test_what_replicas_said_is_kept_and_gives_the_same_answer(tmp_path):
    case = case_of("linear", "chunk", chunk=16)
    first = testing.check(linear, case, backward=False)
    (kept,) = (tmp_path / "cache").glob("*.npz")
    again = testing.check(linear, case, backward=False)
    assert again.answer.to_dict() == first.answer.to_dict()
    whole = kept.read_bytes()
    for broken in (b"no archive", b"", whole[: len(whole) // 2], whole[:-1], whole[:200] + bytes(300) + whole[500:]):
        kept.write_bytes(broken)
        assert testing.check(linear, case, backward=False).answer.to_dict() == first.answer.to_dict()
        with np.load(kept) as made, np.load(first_of(whole, tmp_path)) as before:
            assert (made["numbers"] == before["numbers"]).all(), "made anew"


def first_of(whole, folder):
    path = folder / "before.npz"
    path.write_bytes(whole)
    return path


def test_what_is_kept_belongs_to_the_program_and_not_to_its_date(tmp_path, monkeypatch):
    module = tmp_path / "module"
    monkeypatch.setattr(_core, "__file__", str(module))

    def files_after(content, seconds):
        module.write_bytes(content)
        os.utime(module, (seconds, seconds))
        testing._program.cache_clear()
        testing.check(linear, case_of("linear", "two-tokens", chunk=16), backward=False)
        return len(list((tmp_path / "cache").glob("*.npz")))

    assert [files_after(b"one", 1), files_after(b"one", 2), files_after(b"two", 2)] == [1, 1, 2]
    testing._program.cache_clear()


def test_without_pytest_a_test_runs_on_all_cases():
    code = """
import sys
sys.modules["pytest"] = None
from attest import testing
seen = []
@testing.parametrize("kda", quick=True)
def test(case):
    seen.append(case.id)
test()
assert len(seen) == 8, seen
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_libraries_of_the_array_api_are_taken():
    class Foreign:
        """An array of a library that NumPy knows by DLPack alone."""

        def __init__(self, values):
            self.values = values

        def __array_namespace__(self):
            return sys.modules[__name__]

        def __dlpack__(self, **_):
            return self.values.__dlpack__()

        def __dlpack_device__(self):
            return self.values.__dlpack_device__()

    module = sys.modules[__name__]
    module.asarray = lambda a: Foreign(np.array(a))
    try:

        def kernel(**x):
            o, S = of({name: a.values if isinstance(a, Foreign) else a for name, a in x.items()})
            return Foreign(o), Foreign(S)

        report = testing.check(kernel, case_of("linear", "chunk", chunk=16, without=("cu_seqlens",)), like=Foreign(np.zeros(1)), backward=False)
    finally:
        del module.asarray
    assert report.verdict == "right"
    assert "inputs unchanged" in report.looked_at
    assert {"nothing read past the ends: the library has no views", "other strides: the library has no views"} <= set(report.left_out)


def test_a_call_is_checked_by_name_as_the_command_does(tmp_path):
    case = case_of("kda", "packed", chunk=16)
    rng = np.random.default_rng(0)
    arrays = {**case.arrays, "o": rng.standard_normal((1, 68, 2, 32)).astype(np.float32), "chunk": 16.0}
    found = attest.kernel_check(kind="kda", operands="bf16", state_type="bf16", chunk_grid="flat", initial_state=None, **arrays)
    np.savez(tmp_path / "dump.npz", **arrays)
    options = ("--kind", "kda", "--operands", "bf16", "--state-type", "bf16", "--chunk-grid", "flat")
    assert found.to_dict() == command("kernel", "check", tmp_path / "dump.npz", *options, codes=(1,))
    assert found.verdict == "wrong" and str(found).startswith("verdict")
    with pytest.raises(attest.InvalidInput, match="kernel_check: nonsense: is no array of a dump"):
        attest.kernel_check(kind="kda", nonsense=np.ones(3), **arrays)
    with pytest.raises(attest.UnknownName):
        attest.kernel_check(kind="lineal", **arrays)
    with pytest.raises(attest.InvalidInput, match="layout"):
        attest.kernel_check(kind="kda", layout="heads", **arrays)


def test_a_state_that_is_stored_in_few_bits_is_right_where_that_is_said():
    case = case_of("linear", "four-chunks", chunk=16)
    o, S = of(case.arrays)
    S = (S.view(np.uint32) + np.uint32(0x7FFF) & np.uint32(0xFFFF0000)).view(np.float32)  # bfloat16, ties up
    arrays = {**case.arrays, "o": o, "final_state": S}
    assert attest.kernel_check(kind="linear", **arrays).verdict == "wrong"
    assert attest.kernel_check(kind="linear", state_type="bf16", **arrays).verdict == "right"


def test_chunks_of_a_packed_batch_lie_where_the_grid_says():
    """dg summed within chunks alone is named with the grid that the kernel has, and with no other."""
    case = case_of("simple-gla", "packed-states", chunk=64)
    assert list(case.arrays["cu_seqlens"]) == [0, 61, 128, 212]
    starts, dg = case.arrays["cu_seqlens"], {}
    right = example_project().simple_gla(**{name: case.arrays[name] for name in ("q", "k", "v", "g", "initial_state", "cu_seqlens")}, **case.gradients)
    for grid in ("own", "flat"):
        wrong = right["dg"].copy()
        for first, last in zip(starts[:-1], starts[1:]):
            offset = first % 64 if grid == "flat" else 0
            for t in range(first, last):
                behind = first + ((t - first + offset) // 64 + 1) * 64 - offset
                wrong[0, t] -= right["dg"][0, behind] if behind < last else 0
        dg[grid] = wrong
    for said in ("own", "flat"):
        for grid in ("own", "flat"):
            found = attest.kernel_check(kind="simple-gla", chunk_grid=said, **{**case.arrays, **case.gradients, **right, "dg": dg[grid]})
            names = [like["name"] for like in found.looks_like]
            assert ("dg_not_cumulated_across_chunks" in names) == (said == grid), (said, grid, names)


def test_gates_summed_twice_in_chunks_are_named_on_the_grid_of_the_kernel():
    case = case_of("simple-gla", "packed-states", chunk=64)
    starts = case.arrays["cu_seqlens"]
    given = {name: case.arrays[name] for name in ("q", "k", "v", "g", "initial_state", "cu_seqlens")}
    given["g"] = given["g"] / 8
    given["g"][:, : starts[1]] = 0  # so that the first sequence is right, and the second, off the grid, is looked at
    for grid in ("own", "flat"):
        sums = np.zeros_like(given["g"])
        for first, last in zip(starts[:-1], starts[1:]):
            for t in range(first, last):
                meets = t == first or (t if grid == "flat" else t - first) % 64 == 0
                sums[0, t] = given["g"][0, t] + (0 if meets else sums[0, t - 1])
        wrong = example_project().simple_gla(**{**given, "g": sums})
        for said in ("own", "flat"):
            found = attest.kernel_check(kind="simple-gla", chunk_grid=said, **given, **wrong)
            alike = [like["sentence"] for like in found.looks_like if like["name"] == "gates_cumulated_twice"]
            assert (alike == ["g is summed over chunks of 64 tokens once too often"]) == (said == grid), (said, grid, alike)


def test_a_fault_of_the_pass_back_is_named_where_it_gives_all_gradients():
    """The gradient of a state that leaks into the sequence before changes dk, dv and dg too; dinitial_state alone is another fault."""
    case = case_of("simple-gla", "packed-states", chunk=64)
    given = {name: case.arrays[name] for name in ("q", "k", "v", "g", "initial_state", "cu_seqlens")}
    right = example_project().simple_gla(**given, **case.gradients)
    behind = case.gradients["dfinal_state"].copy()
    behind[1] += right["dinitial_state"][2]
    behind[0] += example_project().simple_gla(**given, do=case.gradients["do"], dfinal_state=behind)["dinitial_state"][1]
    leaking = example_project().simple_gla(**given, do=case.gradients["do"], dfinal_state=behind)
    for wrong, named in ((leaking, True), ({**right, "dinitial_state": leaking["dinitial_state"]}, False)):
        found = attest.kernel_check(kind="simple-gla", **given, **case.gradients, **wrong)
        assert found.verdict in ("wrong", "suspicious")
        assert ("gradient_leaks_over_sequence_start" in [like["name"] for like in found.looks_like]) == named


def test_arrays_of_any_library_become_exact_doubles():
    assert exact_doubles(np.float16([1.5])[::-1], "x").dtype == np.float64
    for odd in (np.array(["1"]), np.array([1j]), np.longdouble([1])):
        with pytest.raises(attest.InvalidInput, match="expected"):
            exact_doubles(odd, "x")


# ------------------------------------------------------------------------------------------------------------------------- PyTorch


def in_torch(torch, fault=""):
    """kda token by token, differentiated by PyTorch; factors of products in the arrays' own type."""

    def kernel(*, q, k, v, g, beta, scale, initial_state):
        S = torch.zeros(q.shape[0], v.shape[2], q.shape[3], v.shape[3]) if initial_state is None else initial_state
        scale = q.shape[-1] ** -0.5 if scale is None else scale
        shared = v.shape[2] // q.shape[2]
        q, k = (x.repeat_interleave(shared, dim=2).float() for x in (q, k))
        rows = []
        for t in range(q.shape[1]):
            if g is not None:
                decay = torch.exp(g[:, t])[..., None]
                S = S * (decay.detach() if fault == "gate" else decay)
            held = torch.einsum("bhk,bhkv->bhv", k[:, t], S)
            held = held.detach() if fault == "correction" else held
            r = beta[:, t].float()[..., None] * (v[:, t].float() - held)
            S = S + k[:, t, :, :, None] * r[:, :, None]
            rows.append(torch.einsum("bhk,bhkv->bhv", q[:, t], S) * scale)
        return torch.stack(rows, 1).to(v.dtype), S

    return kernel


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_gradients_of_torch_are_taken_and_found_right(dtype):
    torch = pytest.importorskip("torch", reason="Debian's python3-torch")
    cases = testing.cases("kda", chunk=16, dtype=dtype, quick=True, without=("cu_seqlens",))
    for case in cases:
        report = testing.check(in_torch(torch), case, like=torch.empty(0))
        assert report.verdict in ("right", "undecided")
        assert {"dq", "dk", "dv", "dbeta"} <= set(report.results)


@pytest.mark.parametrize("fault", ["gate", "correction"])
def test_what_torch_does_not_differentiate_is_noticed(fault):
    torch = pytest.importorskip("torch", reason="Debian's python3-torch")
    case = case_of("kda", "four-chunks", chunk=16)
    found = fault_of(in_torch(torch, fault), case, like=torch.empty(0), backward=True)
    assert found.array.startswith("d") and found.sigma > 1000
    assert testing.check(in_torch(torch, fault), case, like=torch.empty(0), backward=False).verdict == "right"


# ---------------------------------------------------------------------------------------------------------------- the example project


@pytest.mark.parametrize("words", [["test_kernels.py"], ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_kernels.py"]])
def test_the_example_project_runs(tmp_path, words):
    shutil.copytree(PROJECT, tmp_path / "project")
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, *words], cwd=tmp_path / "project", env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(tmp_path.glob("attest-kernels-*/*.npz")), "the wrong kernel's dump is kept"


def steps_of(workflow):
    """The commands of each step, by its name: what stands behind `run:`, on its line or indented below it."""
    steps, name = {}, ""
    for line in workflow.splitlines():
        word, _, rest = line.strip().removeprefix("- ").partition(": ")
        if line.strip().startswith("- "):
            name = rest if word == "name" else ""
        if word == "run" or word == "run:":
            steps[name] = "" if rest == "|" else rest
        elif name in steps and line.startswith(10 * " "):
            steps[name] += line[10:] + "\n"
    return steps


def test_the_workflow_of_the_example_runs_in_a_fresh_copy(tmp_path):
    """Its steps, but for what installs a checkout's tools and builds Attest: the package that is at hand stands for what is built."""
    project, built = tmp_path / "project", Path(attest.__file__).parents[1]
    shutil.copytree(PROJECT, project)
    tree = project / "tools" / "attest"
    (tree / "scripts").mkdir(parents=True)
    build = tree / "scripts" / "build"
    build.write_text(f'#!/bin/sh\nset -e\ntest "$*" = attest_python\nmkdir -p {tree}/build\nln -s {built} {tree}/build/python\n')
    build.chmod(0o755)
    assert (PROJECT.parents[1] / "scripts" / "build").exists() and (PROJECT.parents[1] / "scripts" / "setup").exists()
    steps = steps_of((project / ".github" / "workflows" / "kernels.yml").read_text())
    assert list(steps) == ["Tools that a checkout needs", "Attest", "Kernels"]
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "ATTEST_KERNEL_CACHE")}
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    path = f"{tmp_path / 'bin'}:{environment['PATH']}"
    environment.update(GITHUB_ENV=str(tmp_path / "environment"), HOME=str(tmp_path), PATH=path, PYTHONDONTWRITEBYTECODE="1")
    for name in ("Attest", "Kernels"):
        done = subprocess.run(["bash", "-e", "-c", steps[name]], cwd=project, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (name, done.stdout + done.stderr)
        if name == "Attest":
            environment.update(line.split("=", 1) for line in (tmp_path / "environment").read_text().splitlines())
    assert "passed" in done.stdout and list((project / "dumps").glob("**/*.npz")) and list((project / "replicas").glob("*.npz"))


def test_a_fault_whose_numbers_overflow_is_like_nothing():
    """Long keys that are not scaled make a delta rule overflow; that fits no output, so it makes nothing wrong."""
    rng = np.random.default_rng(0)
    T, K, V = 600, 64, 16
    q, k = (rng.standard_normal((1, T, 1, K)).astype(np.float32) for _ in range(2))
    v, beta = rng.standard_normal((1, T, 1, V)).astype(np.float32), np.full((1, T, 1), 0.9, np.float32)
    unit_q, unit_k = (x.astype(float) / np.sqrt((x.astype(float) ** 2).sum(-1, keepdims=True) + 1e-6) for x in (q, k))
    S, o = np.zeros((K, V)), np.zeros((1, T, 1, V))
    for t in range(T):
        key = unit_k[0, t, 0]
        S = S + np.outer(key, float(beta[0, t, 0]) * (v[0, t, 0] - key @ S))
        o[0, t, 0] = unit_q[0, t, 0] @ S / np.sqrt(K)
    o[0, T // 2] *= 1 + 3e-5
    found = attest.kernel_check(kind="delta", q=q, k=k, v=v, beta=beta, o=o.astype(np.float32), use_qk_l2norm_in_kernel=np.array(True))
    assert found.verdict == "suspicious"
    assert "unit_rows_ignored" not in [one["name"] for one in found.looks_like]
