#pragma once

#include "tests/cli/run_attest.hpp"

namespace attest::test {

/// Arguments of mpirun and of the programs that it starts.
[[nodiscard]] RunResult mpirun(const std::vector<std::string>& arguments);

/// attest-mpi with these arguments on so many ranks.
[[nodiscard]] RunResult on_ranks(int ranks, const std::vector<std::string>& arguments);

/// The environment in which mpirun runs as root and with more ranks than processors.
void set_mpi_environment();

/// The lines of standard error that attest-mpi wrote, but for the memory it announces: mpirun adds
/// words of its own where ranks fail.
[[nodiscard]] std::vector<std::string> complaints(const RunResult& run);

}  // namespace attest::test
