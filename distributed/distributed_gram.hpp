#pragma once

#include "core/algebra/minimum_eigenvalue.hpp"
#include "core/solve/problem.hpp"
#include "distributed/shards.hpp"

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

}  // namespace attest
