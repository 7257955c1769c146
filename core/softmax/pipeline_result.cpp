#include "core/softmax/pipeline.hpp"

#include <algorithm>

namespace attest {

SoftmaxHeads SoftmaxResult::heads() const {
    if (polished) {
        return polished->heads;
    }
    return net.best.empty() ? SoftmaxHeads() : net.best.front().heads;
}

bool SoftmaxResult::has(SoftmaxNotice notice) const {
    return std::find(notices.begin(), notices.end(), notice) != notices.end();
}

}  // namespace attest
