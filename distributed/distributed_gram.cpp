#include "distributed/distributed_gram.hpp"

#include "core/base/text.hpp"
#include "core/solve/gram_departure.hpp"
#include "core/solve/iterative.hpp"
#include "distributed/block_moments.hpp"
#include "distributed/broadcast_source.hpp"
#include "distributed/distributed_cholesky.hpp"
#include "distributed/distributed_features.hpp"

#include <limits>
#include <utility>

namespace attest {

namespace {

template <class Scalar>
LeastSquaresFit fit_gram(std::string_view name,
                         const Communicator& ranks,
                         const ShardedData& data,
                         const SolveOptions& options) {
    const SourceShape shape = data.table.shape();
    const Index psi = shape.psi();
    if (shape.num_examples < psi && !(options.ridge > 0.0)) {
        return refusal(name,
                       formatted("N = {} < psi = {}: no unique solution", shape.num_examples, psi));
    }
    const SolveCoordinates coordinates = distributed_coordinates(ranks, data, options);
    const std::vector<MomentBatch> moments = own_moments(data, coordinates);
    const ProcessGrid grid(ranks);
    MatrixShareOf<Scalar> G = second_moment_share<Scalar>(
        ranks, grid, BroadcastSource(ranks, data, moments), options.threads);
    const double ridge = summed_ridge(shape.num_examples, options, coordinates);
    if (ridge > 0.0) {
        const Vector weights = norm_weights(shape.layout, options.norm);
        add_to_shared_diagonal(grid, G, ridge * weights.cwiseAbs2());
    }
    const DistributedCholeskyOf<Scalar> factor(ranks, grid, std::move(G));
    constexpr auto kUnit = static_cast<double>(std::numeric_limits<Scalar>::epsilon());
    if (!factor.positive() || factor.rcond() < kUnit) {
        return refusal(name,
                       formatted("the second moment is singular to this precision, 1/cond = {}",
                                 round_trip(factor.rcond())));
    }
    const FactoredMatrixOf<Scalar> facts{
        psi, factor.trace(), factor.norm1(), factor.rcond(), [&factor](const MatrixOf<Scalar>& B) {
            return factor.solve(B);
        }};
    const Preconditioner preconditioner{[&facts](const Matrix& B) { return solve_in(facts, B); },
                                        factor.norm1(),
                                        factor.rcond(),
                                        {},
                                        gram_departure(facts, shape)};
    const DistributedFeatures features(ranks, data, moments);
    return fit_iteratively(name, features, coordinates, options, preconditioner, {30, 2});
}

}  // namespace

LeastSquaresFit fit_distributed_gram64(const Communicator& ranks,
                                       const ShardedData& data,
                                       const SolveOptions& options) {
    return fit_gram<double>("gram64", ranks, data, options);
}

LeastSquaresFit fit_distributed_gram32(const Communicator& ranks,
                                       const ShardedData& data,
                                       const SolveOptions& options) {
    return fit_gram<float>("gram32", ranks, data, options);
}

EigenvalueEstimate distributed_minimum_eigenvalue(const Communicator& ranks,
                                                  const ShardedData& data,
                                                  int threads) {
    const SourceShape shape = data.table.shape();
    const Index psi = shape.psi();
    const std::vector<MomentBatch> moments = own_moments(data, given_coordinates(data));
    const ProcessGrid grid(ranks);
    MatrixShareOf<double> G =
        second_moment_share<double>(ranks, grid, BroadcastSource(ranks, data, moments), threads);
    G.entries /= static_cast<double>(shape.num_examples);
    const DistributedCholeskyOf<double> factor(ranks, grid, std::move(G));
    const double resolution = static_cast<double>(psi) * std::numeric_limits<double>::epsilon();
    if (!factor.positive() || !(factor.rcond() > resolution)) {
        return {};
    }
    return minimum_eigenvalue(psi, [&factor](const Matrix& B) { return factor.solve(B); });
}

}  // namespace attest
