#include "core/features/model_coefficients.hpp"

namespace attest {

Matrix coefficients(const Model& model) {
    return model.P.size() > 0 ? model.P : coefficients(model.heads);
}

}  // namespace attest
