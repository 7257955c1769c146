#include "programs/language/literal_model.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/memory.hpp"
#include "core/model/autoregressive.hpp"
#include "programs/language/compile.hpp"

#include <vector>

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

bool literal_model_prints(const Program& program, const Trace& expected) {
    const Index d = program.schema.dim();
    std::vector<Token> all = expected.prompt;
    all.insert(all.end(), expected.generated.begin(), expected.generated.end());
    const Matrix history = computation_history(dense_parameters(program),
                                               to_columns(expected.prompt, d),
                                               static_cast<Index>(expected.generated.size()),
                                               [](const Vector& token) { return token; });
    return history == to_columns(all, d);
}

}  // namespace attest
