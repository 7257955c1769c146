#include "core/features/model_coefficients.hpp"

#include "core/base/error.hpp"

namespace attest {

Matrix coefficients(const Model& model, std::string_view name) {
    if (model.P.size() > 0) {
        return model.P;
    }
    Matrix P = coefficients(model.heads);
    require(P.allFinite(),
            "{}: the coefficients V times Q are beyond the largest double, 1.8e308; divide V or Q",
            name);
    return P;
}

}  // namespace attest
