#include "tasks/conditioned_data.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/model/forward.hpp"
#include "core/rng/orthogonal.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

constexpr Choices<Degeneracy, 2> kDegeneracyNames{
    {{Degeneracy::dependent, "dependent"}, {Degeneracy::unitary, "unitary"}}};

Matrix dependent_tokens(Index d, double condition, const Stream& stream) {
    constexpr Index kTokens = 8;
    Matrix Z = grid_matrix(grid_normal(), d, kTokens, stream);
    Z.row(d - 1) = Z.row(0) + std::min(1.0, std::cbrt(20.0 / condition)) * Z.row(d - 1);
    return Z;
}

Matrix unitary_tokens(Index d, double condition, const Stream& stream) {
    const Index k = d / 2;
    Matrix Z = Matrix::Zero(d, k + 1);
    Z.topLeftCorner(k, k) = random_orthogonal(k, stream.child("keys"));
    Z.bottomLeftCorner(k, k) = random_orthogonal(k, stream.child("values"));
    Z.col(k).head(k) = Z.col(0).head(k);
    return Z +
           grid_matrix(grid_normal(), d, k + 1, stream.child("noise")) * std::sqrt(2.0 / condition);
}

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

std::string_view to_string(Degeneracy degeneracy) {
    return name_of(kDegeneracyNames, degeneracy);
}

Dataset conditioned_data(Degeneracy degeneracy,
                         const ConditionedDataOptions& options,
                         const Stream& stream) {
    const bool unitary = degeneracy == Degeneracy::unitary;
    require(options.d >= 2 && !(unitary && options.d % 2 != 0),
            "conditioned_data: got d = {}, expected 2 or more, even if unitary",
            options.d);
    require(options.condition >= 1.0,
            "conditioned_data: got condition {}, expected 1 or more",
            options.condition);
    const Index n = unitary ? options.d / 2 + 1 : 8;
    Parameters theta{options.d, options.o, {}};
    theta.heads.push_back({grid_matrix(grid_normal(), options.o, options.d, stream.child("V")),
                           grid_matrix(grid_normal(), options.d, options.d, stream.child("Q"))});
    Dataset data;
    Matrix tokens(options.d, n * options.num_sequences);
    data.labels = LabelKind::per_sequence;
    data.y = options.noise *
             grid_matrix(grid_normal(), options.o, options.num_sequences, stream.child("labels"));
    for (Index i = 0; i < options.num_sequences; ++i) {
        const Stream own = stream.child("example").child(i);
        const Matrix Z = unitary ? unitary_tokens(options.d, options.condition, own)
                                 : dependent_tokens(options.d, options.condition, own);
        data.offsets.push_back(i * n);
        tokens.middleCols(i * n, n) = Z;
        data.y.col(i) += attend<double>(theta, Z, Z.col(n - 1));
    }
    data.offsets.push_back(n * options.num_sequences);
    data.tokens = std::move(tokens);
    return data;
}

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
