#include "core/softmax/prepared_source.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

constexpr double kHeldBytes = 256e6;
constexpr double kRepeating = 8.0;  // classes {X, −X} an example; beyond, few examples repeat

/// Whether Boolean sequences repeat often enough to matter and the distinct ones fit in memory.
bool repeats(const SoftmaxSource& source) {
    if (!is_boolean(source)) {
        return false;
    }
    const auto count = static_cast<double>(source.count);
    const double classes = std::ldexp(1.0, static_cast<int>(source.d * source.k - 1));
    const auto bytes = 16.0 * static_cast<double>(source.d * source.k) * std::min(count, classes);
    return classes <= kRepeating * count && bytes <= kHeldBytes;
}

}  // namespace

SoftmaxSource prepared_source(const SoftmaxSource& source) {
    return repeats(source) ? source_of(distinct_boolean(source))
                           : held_in_memory(source, kHeldBytes);
}

}  // namespace attest
