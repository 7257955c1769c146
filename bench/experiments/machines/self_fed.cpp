#include "bench/experiments/machines/self_fed.hpp"

#include "core/features/predict.hpp"
#include "programs/language/execute.hpp"

#include <algorithm>

namespace attest {

SelfFed feed_exactly(const SparseCoefficients& coefficients, const Trace& expected) {
    IntegerAttention model(coefficients);
    for (const Token& token : expected.prompt) {
        model.append(token);
    }
    SelfFed found;
    for (const Token& token : expected.generated) {
        if (model.next() != token) {
            break;
        }
        ++found.right;
        model.append(token);
    }
    return found;
}

SelfFed feed_doubles(const Matrix& P, const Trace& expected, Index d, Feedback feedback) {
    Vector s = Vector::Zero(packed_dim(d));
    Vector z;
    for (const Token& token : expected.prompt) {
        z = to_column(token, d);
        add_token<double>(s, z);
    }
    SelfFed found;
    for (const Token& token : expected.generated) {
        const Vector truth = to_column(token, d);
        z = P.transpose() * features_of_moments<double>(s, z);
        const double error = (z - truth).lpNorm<Eigen::Infinity>();
        if (!(error < 0.5)) {
            break;
        }
        ++found.right;
        found.deviation = std::max(found.deviation, error);
        if (feedback == Feedback::rounded) {
            z = truth;  // what every entry rounds to
        }
        add_token<double>(s, z);
    }
    return found;
}

}  // namespace attest
