#include "bench/experiments/text/token_types.hpp"

#include "core/algebra/symmetric_pack.hpp"

#include <algorithm>
#include <map>

namespace attest {

TokenTypes token_types(const Eigen::Ref<const Matrix>& tokens) {
    const auto less = [](const Vector& a, const Vector& b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    std::map<Vector, Index, decltype(less)> numbers(less);
    for (Index t = 0; t < tokens.cols(); ++t) {
        numbers.emplace(tokens.col(t), 0);
    }
    TokenTypes found;
    for (auto& [type, number] : numbers) {
        number = found.count();
        found.types.push_back(type);
    }
    for (Index t = 0; t < tokens.cols(); ++t) {
        found.of.push_back(numbers.at(tokens.col(t)));
    }
    return found;
}

Matrix packed_squares(const TokenTypes& tokens, const std::vector<Index>& listed) {
    const Index d = tokens.types.front().size();
    Matrix rows(std::ssize(listed), packed_dim(d));
    for (Index i = 0; i < rows.rows(); ++i) {
        const Vector& e =
            tokens.types[static_cast<std::size_t>(listed[static_cast<std::size_t>(i)])];
        rows.row(i) = pack<double>(Matrix(e * e.transpose())).transpose();
    }
    return rows;
}

}  // namespace attest
