"""gpu_kernels_test.py ATTEST: what kernels of a GPU returned (tests/core/kernels/gpu: Triton kernels of flash-linear-attention and mlstm_kernels on an H200, one
head of one sequence each, recorded by scripts/gpu_kernels) is called what it is. Exit: 0 so it is, 1 not, 77 without NumPy."""
import importlib.machinery
import importlib.util
import pathlib
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(77)

sys.dont_write_bytecode = True
here = pathlib.Path(__file__).resolve().parent
loader = importlib.machinery.SourceFileLoader("gpu_kernels", str(here.parents[2] / "scripts" / "gpu_kernels"))
kernels = importlib.util.module_from_spec(importlib.util.spec_from_loader("gpu_kernels", loader))
loader.exec_module(kernels)

# Case, options in place of the case's own, verdict, and what is said among what it looks like.
SAID = [
    ("linear-chunk_linear_attn-fp32-plain", None, "right", None),
    # Without the option: the matrix units dropped thirteen bits of each factor, which makes every number 0.14 % too small, which is said.
    ("linear-chunk_linear_attn-fp32-plain", [], "wrong", "say --operands tf32"),
    ("comba-chunk_comba-bf16-plain", None, "right", None),
    ("kda-chunk_kda-bf16-plain", None, "right", None),
    # One token: dg is made of the states alone, which the kernel keeps in bfloat16.
    ("gated-delta-chunk_gated_delta_rule-bf16-packed", None, "right", None),
    # It sums w by a product with ones, whose factors are tf32.
    ("rwkv7-chunk_rwkv7-fp16-packed", None, "suspicious", "gates_in_low_precision"),
    # Its pass back divides by the normaliser and does not differentiate it.
    ("mlstm-mlstm-bf16-plain", None, "wrong", "normaliser_not_differentiated"),
]


def main():
    cases = {case["name"]: case for case in kernels.all_cases()}
    failed = 0
    for name, options, verdict, like in SAID:
        case = cases[name]
        inputs = kernels.head_of(kernels.inputs_of(case)[0])
        with np.load(here / "gpu" / (name + ".npz")) as returned:
            dump = {**inputs, **{array: kernels.unpacked_numbers(returned[array]) for array in returned}}
        _, found = kernels.checked(sys.argv[1], case["kind"], dump, kernels.options_of(case) if options is None else options)
        likenesses = [f"{one['name']}: {one['sentence']}" for one in found.get("looks_like", [])]
        if found["verdict"] != verdict or (like and not any(like in likeness for likeness in likenesses)):
            failed += 1
            print(f"gpu_kernels_test: {name} {options}: expected {verdict} {like}, got {found['verdict']} {likenesses}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
