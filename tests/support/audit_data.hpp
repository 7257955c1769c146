#pragma once

#include "proofs_check/exact/example_sets.hpp"

namespace attest::test {

using attest::deficient_five;
using attest::sequences;
using attest::unimodular_six;
using attest::with_labels;

}  // namespace attest::test
