#pragma once

#include "core/base/shape.hpp"

namespace attest {

/// Upper bound on the dimension of {P : P has H heads}, H ≤ min(o·d, d²), capped at o·ψ(d): H(od +
/// d²) − H² parameters modulo GL(H); for o = 1 less the Koszul relations, H(d − H) + d(q(d) − q(d −
/// H)).
[[nodiscard]] Index head_dimension(Index d, Index o, Index num_heads);

/// r_min(d, o): the fewest heads whose dimension count reaches o·ψ(d). Fewer heads cannot represent
/// a generic P (a smooth image of smaller dimension has measure zero). For o = d: ⌈d²(1 − √((1 −
/// 1/d)/2))⌉.
[[nodiscard]] Index counting_bound(Index d, Index o);

/// Heads that represent every P by one linear solve: min(d(d+1)/2, ⌈o(d+1)/2⌉), and d for o = 1.
[[nodiscard]] Index linear_head_count(Index d, Index o);

}  // namespace attest
