#pragma once

#include "core/softmax/candidates.hpp"
#include "core/softmax/net_search.hpp"
#include "core/softmax/sign_cone.hpp"

namespace attest {

struct SignSearchOptions {
    SignConeOptions cone;
    NetOptions net;
    Index rows = 216;  ///< sculpted rows that fix the hull within the rays' span
};

/// The cone with the tuples of its points; both empty where it was not found.
struct SignSearch {
    SignCone cone;
    NetSearch net;
};

/// The last two phases with one-sided constraints, for heads too large to agree anywhere but where
/// they are saturated. Of the candidates' Σ W, refined by their saturated rows, the one under which
/// the most rows look saturated: the better it is, the more do. Six passes for every candidate.
[[nodiscard]] SignSearch search_by_signs(const SoftmaxSource& source,
                                         const std::vector<HullCandidate>& candidates,
                                         const SoftmaxExamples& training,
                                         const SignSearchOptions& options);

}  // namespace attest
