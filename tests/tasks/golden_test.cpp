#include "tasks/registry.hpp"
#include "tests/tasks/contract_cases.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::contract_cases;
using test::ContractCase;

// The committed digests are the promise that a seed names the same data on every machine and in
// every version. A change that alters them on purpose is a change of data format and belongs in the
// change log.
TEST(GoldenDigests, OfEveryContractCaseAreTheCommittedOnes) {
    for (const ContractCase& c : contract_cases()) {
        const std::unique_ptr<Task> task = make_task(c.task, c.parameters, 20241014);

        EXPECT_EQ(digest(materialise(*task, 0, 130, 2)), c.digest) << testing::PrintToString(c);
    }
}

TEST(GoldenDigests, OfAnotherSeedAreOthers) {
    const ContractCase& c = contract_cases().front();

    EXPECT_NE(digest(materialise(*make_task(c.task, c.parameters, 1), 0, 130, 1)), c.digest);
}

}  // namespace
}  // namespace attest
