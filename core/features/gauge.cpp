#include "core/features/gauge.hpp"

#include <cmath>

namespace attest {

std::string_view to_string(Norm norm) {
    return norm == Norm::sym ? "sym" : "packed";
}

Norm norm_from_string(std::string_view text) {
    if (text == "sym") {
        return Norm::sym;
    }
    if (text == "packed") {
        return Norm::packed;
    }
    throw UnknownName(formatted("norm: got '{}', expected sym or packed", text));
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
