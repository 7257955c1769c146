#include "core/features/gauge.hpp"

#include "core/base/choice.hpp"

#include <cmath>

namespace attest {

namespace {

constexpr Choices<Norm, 2> kNormNames{{{Norm::sym, "sym"}, {Norm::packed, "packed"}}};

}  // namespace

std::string_view to_string(Norm norm) {
    return name_of(kNormNames, norm);
}

Norm norm_from_string(std::string_view text) {
    return choice_named("norm", text, kNormNames);
}

Vector norm_weights(Index d, Norm norm) {
    Vector w = Vector::Ones(feature_dim(d));
    if (norm == Norm::sym) {
        w.head(feature_dim(d) - d * d).setConstant(std::sqrt(0.5));
    }
    return w;
}

double coefficient_norm(const Matrix& P, Index d, Norm norm) {
    require(P.rows() == feature_dim(d), "coefficient_norm: P does not have psi(d) rows");
    return (norm_weights(d, norm).asDiagonal() * P).norm();
}

}  // namespace attest
