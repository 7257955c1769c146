#pragma once

#include "core/algebra/minimum_eigenvalue.hpp"
#include "core/features/predict.hpp"
#include "core/solve/problem.hpp"
#include "distributed/shards.hpp"

#include <string_view>

namespace attest {

/// fit_gram64 and fit_gram32 over the examples of all ranks: the same method and error bound, the
/// second moment by its owners, its Cholesky by ScaLAPACK. What ScaLAPACK adds in another order on
/// other grids moves the answer within its error bound. Collective.
[[nodiscard]] LeastSquaresFit fit_distributed_gram64(const Communicator& ranks,
                                                     const ShardedData& data,
                                                     const SolveOptions& options);
[[nodiscard]] LeastSquaresFit fit_distributed_gram32(const Communicator& ranks,
                                                     const ShardedData& data,
                                                     const SolveOptions& options);

/// λ_min(Λ_D) by Cholesky and inverse Lanczos on the factor, as minimum_eigenvalue(source):
/// numerical, resolved down to about ψ·ε·λ_max only; value 0 and not converged below. Collective.
[[nodiscard]] EigenvalueEstimate distributed_minimum_eigenvalue(const Communicator& ranks,
                                                                const ShardedData& data,
                                                                int threads);

/// fit_kronecker over the examples of all ranks: the same method and error bound. Its bits do not
/// depend on the number of ranks. The preconditioner's factors are on every rank, each output's
/// column is preconditioned on one: ranks beyond o idle there. 16q² bytes and the moments. A rank
/// sends 8ψo bytes for each node it has and 16ψo more in a step. Collective.
[[nodiscard]] LeastSquaresFit fit_distributed_kronecker(const Communicator& ranks,
                                                        const ShardedData& data,
                                                        const SolveOptions& options);

/// A solver over several machines.
struct DistributedSolver {
    std::string_view name;
    std::string_view summary;
    double (*bytes)(const SourceShape& shape, Index ranks, double share);  ///< see rank_bytes
    LeastSquaresFit (*fit)(const Communicator&, const ShardedData&, const SolveOptions&);
};

[[nodiscard]] std::span<const DistributedSolver> distributed_solvers();

/// The solver of that name; throws UnknownName listing the names otherwise.
[[nodiscard]] const DistributedSolver& distributed_solver_named(std::string_view name);

/// Bytes the solver takes on the rank that needs most, its examples and the largest shard included.
[[nodiscard]] double rank_bytes(const DistributedSolver& solver,
                                const ShardTable& table,
                                const BlockPartition& partition);

/// Of these, what its examples and the largest shard take, whatever is asked of them.
[[nodiscard]] double share_bytes(const ShardTable& table, const BlockPartition& partition);

/// Throws AgreedFailure where a rank would need more than rank_memory_limit; collective. `what` and
/// `alternative` are for the message.
void require_rank_memory(const Communicator& ranks,
                         double needed,
                         std::string_view what,
                         std::string_view alternative);

/// memory_limit(), what is shared divided among the ranks on this machine unless
/// ATTEST_MEMORY_LIMIT, which is each rank's own, says otherwise.
[[nodiscard]] double rank_memory_limit(const Communicator& ranks);

/// The names of the solvers to try: `solver`, or for "auto" gram32 then gram64 as far as they fit
/// on every rank, kron where neither does. Throws AgreedFailure when none fits. Collective.
[[nodiscard]] std::vector<std::string_view> distributed_chain(const Communicator& ranks,
                                                              const ShardedData& data,
                                                              std::string_view solver);

/// Least squares by the first of them that does not refuse; else the last refusal. Collective,
/// after read_own_blocks. Throws AgreedFailure for sizes beyond require_ordinary_sizes.
[[nodiscard]] LeastSquaresFit fit_distributed(const Communicator& ranks,
                                              const ShardedData& data,
                                              const std::vector<std::string_view>& chain,
                                              const SolveOptions& options);

/// The squared error of P over all examples; collective, its bits do not depend on the number of
/// ranks.
[[nodiscard]] Risk distributed_risk(const Communicator& ranks,
                                    const ShardedData& data,
                                    const Matrix& P);

}  // namespace attest
