#include "programs/language/literal_model.hpp"

#include "core/model/autoregressive.hpp"
#include "programs/language/compile.hpp"

#include <vector>

namespace attest {

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
