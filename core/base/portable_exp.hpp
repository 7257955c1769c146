#pragma once

namespace attest {

/// exp(x) for x ≤ 0 by range reduction and Taylor's series, within 4 units in the last place; 0
/// below −700. Unlike the library's exp, the same on every machine.
[[nodiscard]] double portable_exp(double x);

}  // namespace attest
