#include "tasks/associative_memory.hpp"
#include "tasks/registry.hpp"
#include "tests/support/statistics.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::chi_square;
using test::chi_square_critical;

constexpr Index kSequences = Index{1} << 16;

TEST(TaskStatistics, MixtureIsTheShareOfUnitarySequences) {
    AssociativeMemoryOptions options;
    options.mixture = 0.95;
    const AssociativeMemory task(options, Stream(2024));

    double unitary = 0.0;
    for (Index i = 0; i < kSequences; ++i) {
        unitary += task.unitary(i) ? 1.0 : 0.0;
    }

    const auto N = static_cast<double>(kSequences);
    EXPECT_LT(chi_square({unitary, N - unitary}, {0.95 * N, 0.05 * N}), chi_square_critical(1));
    EXPECT_GT(chi_square({unitary, N - unitary}, {0.94 * N, 0.06 * N}), chi_square_critical(1));
}

TEST(TaskStatistics, EveryKeyIsAskedForEquallyOften) {
    AssociativeMemoryOptions options;
    options.mixture = 1.0;
    options.orthogonal = OrthogonalKind::signed_permutation;
    const AssociativeMemory task(options, Stream(2024));
    const Index trials = 8000;

    std::vector<double> observed(4, 0.0);
    for (Index i = 0; i < trials; ++i) {
        const Matrix Z = task.draw(i).Z;
        for (Index j = 0; j < 4; ++j) {
            observed[static_cast<std::size_t>(j)] +=
                Z.col(j).head(4) == Z.col(4).head(4) ? 1.0 : 0.0;
        }
    }

    EXPECT_LT(chi_square(observed, std::vector<double>(4, 2000.0)), chi_square_critical(3));
}

TEST(TaskStatistics, LengthsAreUniform) {
    const std::unique_ptr<Task> task = make_task("random-linear-attention", {{"n", "4..13"}}, 2024);

    std::vector<double> observed(10, 0.0);
    for (Index i = 0; i < kSequences; ++i) {
        observed[static_cast<std::size_t>(task->length(i) - 4)] += 1.0;
    }

    EXPECT_LT(chi_square(observed, std::vector<double>(10, static_cast<double>(kSequences) / 10.0)),
              chi_square_critical(9));
}

}  // namespace
}  // namespace attest
