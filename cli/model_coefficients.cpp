#include "cli/model_coefficients.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"

namespace attest::cli {

Matrix model_coefficients(const std::string& path, const Model& model) {
    if (model.P.size() > 0) {
        return model.P;
    }
    Matrix P = coefficients(model.heads);
    require(P.allFinite(),
            concat(path,
                   ": the coefficients V times Q are beyond the largest double, 1.8e308; divide V "
                   "or Q"));
    return P;
}

}  // namespace attest::cli
