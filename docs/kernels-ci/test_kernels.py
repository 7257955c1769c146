"""Run by `pytest`, or without it by `python3 test_kernels.py`."""

from attest import testing
from kernels import CHUNK, simple_gla, simple_gla_wrong

# What the kernel does not have: cases that need it are left out.
CASES = {"chunk": CHUNK, "without": ("use_qk_l2norm_in_kernel", "use_gate_in_kernel", "state_v_first")}


@testing.parametrize("simple-gla", **CASES)
def test_simple_gla(case):
    testing.check(simple_gla, case)


def test_a_mistake_in_dg_is_named():
    case = next(case for case in testing.cases("simple-gla", **CASES) if case.id.startswith("four-chunks"))
    testing.check(simple_gla_wrong, case, backward=False)
    try:
        testing.check(simple_gla_wrong, case)
    except testing.KernelFault as fault:
        assert fault.fault == "dg_not_cumulated_across_chunks", fault
        assert fault.array == "dg" and fault.dump, fault
    else:
        raise AssertionError("the wrong kernel passed")


if __name__ == "__main__":
    for case in testing.cases("simple-gla", **CASES):
        print(testing.check(simple_gla, case).verdict, case.id)
    test_a_mistake_in_dg_is_named()
