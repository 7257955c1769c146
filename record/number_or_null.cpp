#include "record/number_or_null.hpp"

#include <cmath>

namespace attest {

nlohmann::ordered_json number_or_null(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace attest
