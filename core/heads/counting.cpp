#include "core/heads/counting.hpp"

#include "core/base/error.hpp"

#include <algorithm>

namespace attest {

Index head_dimension(Index d, Index o, Index num_heads) {
    require(d >= 1 && o >= 1 && num_heads >= 0, "head_dimension: a size is out of range");
    const Index H = std::min({num_heads, o * d, d * d});
    const Index all = o * feature_dim(d);
    if (o == 1) {
        return std::min(all, H * (d - H) + d * (packed_dim(d) - packed_dim(d - H)));
    }
    return std::min(all, H * (o * d + d * d) - H * H);
}

Index counting_bound(Index d, Index o) {
    require(d >= 1 && o >= 1, "counting_bound: a size is out of range");
    Index H = 0;
    while (head_dimension(d, o, H) < o * feature_dim(d)) {
        ++H;
    }
    return H;
}

Index linear_head_count(Index d, Index o) {
    require(d >= 1 && o >= 1, "linear_head_count: a size is out of range");
    if (o == 1) {
        return d;
    }
    return std::min(packed_dim(d), (o * (d + 1) + 1) / 2);
}

}  // namespace attest
