#include "core/softmax/softmax_weights.hpp"

#include "core/base/portable_exp.hpp"

#include <algorithm>

namespace attest {

std::vector<double> softmax_weights(std::vector<double> scores) {
    if (scores.empty()) {
        return scores;
    }
    const double highest = *std::max_element(scores.begin(), scores.end());
    double total = 0.0;
    for (double& weight : scores) {
        weight = portable_exp(weight - highest);
        total += weight;
    }
    for (double& weight : scores) {
        weight /= total;
    }
    return scores;
}

}  // namespace attest
