#include "tasks/degraded_sequences.hpp"

#include "core/base/text.hpp"
#include "core/rng/orthogonal.hpp"
#include "core/rng/sample.hpp"

#include <cmath>
#include <utility>

namespace attest {

namespace {

/// What the jitter is added to.
Matrix undisturbed(const DegradedOptions& options, const Matrix& basis, const Stream& stream) {
    if (options.violation == Violation::low_rank) {
        return basis * grid_matrix(grid_normal(), basis.cols(), options.n, stream);
    }
    if (options.violation == Violation::signs) {
        return grid_matrix(rademacher(), options.d, options.n, stream);
    }
    Matrix Z = Matrix::Zero(options.d, options.n);
    Draws draws(stream);
    for (Index t = 0; t < options.n; ++t) {
        Z(static_cast<Index>(draws.below(static_cast<std::uint64_t>(options.d))), t) = 1.0;
    }
    return Z;
}

}  // namespace

Dataset degraded_sequences(const DegradedOptions& options,
                           Index count,
                           const Stream& examples,
                           const Stream& subspace) {
    require(options.d >= 2 && options.n >= 1 && count >= 1,
            "degraded_sequences: got d = {}, n = {}, {} sequences, expected at least 2, 1 and 1",
            options.d,
            options.n,
            count);
    const Matrix basis = random_orthogonal(options.d, subspace).leftCols(options.d - 1);
    const auto several =
        static_cast<Index>(std::llround(options.degree * static_cast<double>(count)));
    const bool mixture = options.violation == Violation::single_token;
    Dataset data;
    Matrix tokens(options.d, options.n * count);
    data.offsets.push_back(0);
    for (Index i = 0; i < count; ++i) {
        const Stream stream = examples.child(i);
        const Index n = mixture && i >= several ? 1 : options.n;
        const Index first = data.offsets.back();
        const Matrix gaussian = grid_matrix(grid_normal(), options.d, n, stream.child("gaussian"));
        tokens.middleCols(first, n) = gaussian;
        if (!mixture) {
            tokens.middleCols(first, n) =
                undisturbed(options, basis, stream.child("tokens")) + options.degree * gaussian;
        }
        data.offsets.push_back(first + n);
    }
    tokens.conservativeResize(options.d, data.offsets.back());
    data.tokens = std::move(tokens);
    return data;
}

}  // namespace attest
