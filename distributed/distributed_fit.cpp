#include "distributed/distributed_fit.hpp"

#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/iterative.hpp"
#include "core/solve/preconditioned.hpp"
#include "distributed/block_moments.hpp"
#include "distributed/distributed_cholesky.hpp"
#include "distributed/distributed_features.hpp"
#include "distributed/shards.hpp"
#include "distributed/tree_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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
    return minimum_eigenvalue(psi,
                              [&factor](const Vector& b) -> Vector { return factor.solve(b); });
}

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

namespace {

double as_double(Index n) {
    return static_cast<double>(n);
}

/// Moments of `share` examples, labels, residuals, values, and vectors of ψ·o.
double iteration_bytes(const SourceShape& shape, double share) {
    constexpr double kVectors = 16.0;  // of ψ·o: the iteration's, the tree's nodes, messages
    return 8.0 * share * as_double(shape.q() + shape.m() + 5 * shape.o) +
           8.0 * kVectors * as_double(shape.psi() * shape.o);
}

double kronecker_bytes(const SourceShape& shape, Index /*ranks*/, double share) {
    constexpr double kMatrices = 12.0;  // of q²: moment, factor, the tree's nodes, messages
    return 8.0 * kMatrices * as_double(shape.q() * shape.q()) + iteration_bytes(shape, share);
}

template <class Scalar>
double gram_bytes(const SourceShape& shape, Index ranks, double share) {
    return second_moment_share_bytes<Scalar>(shape, ranks) + iteration_bytes(shape, share);
}

constexpr std::array kSolvers{
    DistributedSolver{"gram32",
                      "second moment in single precision, ScaLAPACK's Cholesky, refined to double",
                      gram_bytes<float>,
                      fit_distributed_gram32},
    DistributedSolver{"gram64", "the same in double", gram_bytes<double>, fit_distributed_gram64},
    DistributedSolver{
        "kron",
        "conjugate gradients, nothing psi x psi; the same bits on any number of ranks",
        kronecker_bytes,
        fit_distributed_kronecker}};

/// Of a rank's blocks, most over the ranks.
double largest_share(const ShardTable& table, const BlockPartition& partition) {
    Index most = 0;
    for (Index r = 0; r + 1 < std::ssize(partition.starts); ++r) {
        Index count = 0;
        for (Index b = partition.first(r); b < partition.last(r); ++b) {
            count += table.blocks[static_cast<std::size_t>(b)].num_examples;
        }
        most = std::max(most, count);
    }
    return as_double(most);
}

bool fits_everywhere(const Communicator& ranks, double bytes) {
    std::array<double, 1> missing{bytes > rank_memory_limit(ranks) ? 1.0 : 0.0};
    ranks.largest(missing);
    return !(missing[0] > 0.0);
}

}  // namespace

std::span<const DistributedSolver> distributed_solvers() {
    return kSolvers;
}

const DistributedSolver& distributed_solver_named(std::string_view name) {
    std::vector<std::string> names;
    for (const DistributedSolver& solver : kSolvers) {
        if (solver.name == name) {
            return solver;
        }
        names.emplace_back(solver.name);
    }
    throw UnknownName(unknown_name_message("solver", name, names));
}

double rank_bytes(const DistributedSolver& solver,
                  const ShardTable& table,
                  const BlockPartition& partition) {
    return share_bytes(table, partition) + solver.bytes(table.shape(),
                                                        std::ssize(partition.starts) - 1,
                                                        largest_share(table, partition));
}

double share_bytes(const ShardTable& table, const BlockPartition& partition) {
    const double inputs = largest_share(table, partition) /
                          as_double(std::max<Index>(table.num_examples, 1)) *
                          as_double(table.num_inputs);
    // A block on its way, as it is stored and as it is read; where each sequence of a shard begins.
    return 24.0 * as_double(table.largest_block) + 16.0 * as_double(table.largest_index) +
           8.0 * inputs;
}

void require_rank_memory(const Communicator& ranks,
                         double needed,
                         std::string_view what,
                         std::string_view alternative) {
    together(ranks, [&] {
        const double limit = rank_memory_limit(ranks);
        if (needed > limit) {
            throw EnvironmentFailure(
                formatted("{} needs about {} of memory on a rank, the limit is {}; take more ranks "
                          "or {}",
                          what,
                          format_bytes(needed),
                          format_bytes(limit),
                          alternative));
        }
    });
}

double rank_memory_limit(const Communicator& ranks) {
    return chosen_memory_limit() ? memory_limit()
                                 : std::min(shared_memory_limit() / as_double(ranks.ranks_here()),
                                            process_memory_limit());
}

std::vector<std::string_view> distributed_chain(const Communicator& ranks,
                                                const ShardedData& data,
                                                std::string_view solver) {
    const auto bytes = [&](std::string_view name) {
        return rank_bytes(distributed_solver_named(name), data.table, data.partition);
    };
    if (solver != "auto") {
        require_rank_memory(
            ranks, bytes(solver), solver, solver == "kron" ? "smaller shards" : "--solver kron");
        return {solver};
    }
    std::vector<std::string_view> chain;
    for (const char* name : {"gram32", "gram64"}) {
        if (fits_everywhere(ranks, bytes(name))) {
            chain.emplace_back(name);
        }
    }
    return chain.empty() ? distributed_chain(ranks, data, "kron") : chain;
}

LeastSquaresFit fit_distributed(const Communicator& ranks,
                                const ShardedData& data,
                                const std::vector<std::string_view>& chain,
                                const SolveOptions& options) {
    require_ordinary_sizes(ranks, data);
    LeastSquaresFit fit;
    std::string before;
    for (const std::string_view name : chain) {
        fit = distributed_solver_named(name).fit(ranks, data, options);
        if (!fit.P.allFinite() || std::isnan(fit.error_bound)) {
            fit = refusal(name, "a number left the range of doubles");
        }
        if (fit.status != SolveStatus::refused) {
            break;
        }
        before += formatted("{}: {}; ", name, fit.note);
    }
    if (fit.status != SolveStatus::refused) {
        fit.note = before + fit.note;
    }
    return fit;
}

Risk distributed_risk(const Communicator& ranks, const ShardedData& data, const Matrix& P) {
    const SourceShape shape = data.table.shape();
    const Matrix sums = tree_sum(ranks, data.partition, 2, 1, [&](Index b) {
        const Dataset& block = data.own[static_cast<std::size_t>(b - data.first_own)];
        const MomentBatch batch = sequence_moments<double>(block, 0, block.num_sequences());
        const Matrix residual = predict(P, batch, shape.layout) - batch.y;
        Matrix part(2, 1);
        part << residual.squaredNorm(), batch.y.squaredNorm();
        return part;
    });
    Risk risk;
    risk.risk = sums(0) / as_double(shape.num_examples);
    risk.mse = risk.risk / as_double(shape.o);
    risk.relative = sums(1) > 0.0 ? sums(0) / sums(1) : 0.0;
    return risk;
}

}  // namespace attest
