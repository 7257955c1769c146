#include "core/features/coefficients.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"

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

Vector norm_weights(const FeatureLayout& layout, Norm norm) {
    Vector w = Vector::Ones(layout.psi());
    if (norm == Norm::sym) {
        for (Index i = 0; i < w.size(); ++i) {
            w(i) = std::sqrt(1.0 / static_cast<double>(layout.multiplicity(i)));
        }
    }
    return w;
}

double coefficient_norm(const Matrix& P, const FeatureLayout& layout, Norm norm) {
    require(P.rows() == layout.psi(), "coefficient_norm: P does not have psi(d) rows");
    return (norm_weights(layout, norm).asDiagonal() * P).norm();
}

Matrix coefficients(const Model& model, std::string_view name) {
    if (model.P.size() > 0) {
        return model.P;
    }
    Matrix P = model.layer.is_linear()
                   ? coefficients(model.heads)
                   : coefficients(model.layer, model.input, model.o, model.layer_heads);
    require(P.allFinite(),
            "{}: the coefficients V times Q are beyond the largest double, 1.8e308; divide V or Q",
            name);
    return P;
}

}  // namespace attest
