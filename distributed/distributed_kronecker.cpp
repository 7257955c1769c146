#include "distributed/distributed_kronecker.hpp"

#include "core/base/text.hpp"
#include "core/solve/iterative.hpp"
#include "core/solve/kronecker_factors.hpp"
#include "distributed/block_moments.hpp"
#include "distributed/distributed_features.hpp"

namespace attest {

namespace {

/// N·M⁻¹ G, column by column: each on one rank, in a call whose shape is always the same.
Matrix solve_columns(const Communicator& ranks,
                     const KroneckerFactors& factors,
                     double N,
                     const Matrix& G) {
    const Index rows = G.rows();
    std::vector<Index> starts;
    for (Index r = 0; r <= ranks.size(); ++r) {
        starts.push_back(r * G.cols() / ranks.size() * rows);
    }
    const auto me = static_cast<std::size_t>(ranks.rank());
    Matrix X(rows, G.cols());
    for (Index a = starts[me] / rows; a < starts[me + 1] / rows; ++a) {
        X.col(a) = N * factors.solve(G.col(a));
    }
    ranks.gather_to_all({X.data(), static_cast<std::size_t>(X.size())}, starts);
    return X;
}

}  // namespace

LeastSquaresFit fit_distributed_kronecker(const Communicator& ranks,
                                          const ShardedData& data,
                                          const SolveOptions& options) {
    const SourceShape shape = data.table.shape();
    if (shape.num_examples < shape.psi() && !(options.ridge > 0.0)) {
        return refusal(
            "kron",
            formatted("N = {} < psi = {}: no unique solution", shape.num_examples, shape.psi()));
    }
    const SolveCoordinates coordinates = distributed_coordinates(ranks, data, options);
    const std::vector<MomentBatch> moments = own_moments(data, coordinates);
    const DistributedFeatures features(ranks, data, moments);
    const KroneckerFactors factors =
        kronecker_factors(features.state_moment(), features.query_moment());
    if (factors.singular_to_rounding()) {
        return refusal("kron", "s or u alone are rank deficient");
    }
    const auto N = static_cast<double>(shape.num_examples);
    const Preconditioner preconditioner{
        [&](const Matrix& G) { return solve_columns(ranks, factors, N, G); },
        factors.norm1 / N,
        factors.s.rcond * factors.u.rcond,
        {}};
    return fit_iteratively("kron", features, coordinates, options, preconditioner, {2000, 40});
}

}  // namespace attest
