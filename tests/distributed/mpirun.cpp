#include "tests/distributed/mpirun.hpp"

#include <cstdlib>
#include <sstream>

namespace attest::test {

void set_mpi_environment() {
    for (const auto& [name, value] : {std::pair{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                      {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                      {"OMPI_MCA_mpi_yield_when_idle", "1"},
                                      {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                                      {"OPENBLAS_NUM_THREADS", "1"}}) {
        setenv(name, value, 1);
    }
}

RunResult mpirun(const std::vector<std::string>& arguments) {
    set_mpi_environment();
    return run_program(MPIEXEC, arguments);
}

RunResult on_ranks(int ranks, const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"-n", std::to_string(ranks), ATTEST_MPI_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return mpirun(words);
}

std::vector<std::string> complaints(const RunResult& run) {
    std::vector<std::string> lines;
    std::istringstream all(run.err);
    for (std::string line; std::getline(all, line);) {
        if (line.starts_with("attest-mpi") && line.find("of memory on each") == std::string::npos) {
            lines.push_back(line);
        }
    }
    return lines;
}

}  // namespace attest::test
