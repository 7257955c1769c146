#include "core/algebra/symmetric_pack.hpp"

namespace attest {

std::pair<Index, Index> packed_pair(Index d, Index index) {
    require(index >= 0 && index < packed_dim(d),
            "packed_pair: got position {}, expected 0 to {}",
            index,
            packed_dim(d) - 1);
    const Index pairs = d * (d - 1) / 2;
    if (index >= pairs) {
        return {index - pairs, index - pairs};
    }
    Index j = 0;
    while (index >= d - 1 - j) {
        index -= d - 1 - j;
        ++j;
    }
    return {j, j + 1 + index};
}

}  // namespace attest
