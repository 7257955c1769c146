#include "programs/language/coefficient_matrix.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/memory.hpp"

namespace attest {

Matrix coefficient_matrix(const SparseCoefficients& coefficients) {
    const Index d = coefficients.d;
    require_memory(8.0 * static_cast<double>(feature_dim(d)) * static_cast<double>(d),
                   "the coefficients as a matrix",
                   "take a smaller class");
    Matrix P = Matrix::Zero(feature_dim(d), d);
    for (const Coefficient& c : coefficients.entries) {
        P(pack_index(d, c.b, c.k) * d + c.e, c.output) =
            static_cast<double>(c.value) / static_cast<double>(coefficients.denominator);
    }
    return P;
}

}  // namespace attest
