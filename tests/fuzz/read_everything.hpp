#pragma once

#include <cstddef>
#include <span>

namespace attest::test {

/// Reads these bytes as an .npz file named f.npz: every array, a data set, a model. Ends the
/// process unless each attempt succeeds or is refused by one line that starts with "f.npz: ".
void read_everything(std::span<const std::byte> bytes);

/// Sets the memory limit to 500 kB: refusing a bomb then costs no time, and libFuzzer's own limit
/// is never reached.
void limit_memory();

}  // namespace attest::test
