#pragma once

#include "core/solve/problem.hpp"
#include "distributed/shards.hpp"

namespace attest {

/// fit_kronecker over the examples of all ranks: the same method and error bound. Its bits do not
/// depend on the number of ranks. The preconditioner's factors are on every rank, each output's
/// column is preconditioned on one: ranks beyond o idle there. 16q² bytes and the moments. A rank
/// sends 8ψo bytes for each node it has and 16ψo more in a step. Collective.
[[nodiscard]] LeastSquaresFit fit_distributed_kronecker(const Communicator& ranks,
                                                        const ShardedData& data,
                                                        const SolveOptions& options);

}  // namespace attest
