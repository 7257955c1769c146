#include "core/certify/null_vector_text.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/text.hpp"

namespace attest {

namespace {

std::string feature_name(Index feature, Index d) {
    const auto [j, k] = packed_pair(d, feature / d);
    const std::string separator = d >= 10 ? "," : "";
    return formatted("S_{}{}{} z_{}", j + 1, separator, k + 1, feature % d + 1);
}

std::string term(const Integer& coefficient, bool first) {
    const Integer size = abs(coefficient);
    const std::string sign = coefficient < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
    return sign + (size == 1 ? "" : size.str() + " ");
}

}  // namespace

std::string describe_combination(const IntegerVector& v, Index d, Index terms) {
    require(v.size() == feature_dim(d),
            "describe_combination: the vector does not have psi(d) entries");
    std::string text;
    Index shown = 0;
    Index total = 0;
    for (Index k = 0; k < v.size(); ++k) {
        if (v(k) == 0) {
            continue;
        }
        ++total;
        if (shown < terms) {
            text += term(v(k), shown == 0) + feature_name(k, d);
            ++shown;
        }
    }
    return total > shown ? formatted("{} + {} more terms", text, total - shown) : text;
}

}  // namespace attest
