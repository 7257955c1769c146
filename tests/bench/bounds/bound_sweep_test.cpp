#include "bench/bounds/bound_search.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

// `attest bench --bounds --fits 100000` goes on from here.
TEST(BoundSweep, FindsNoSolverBeyondItsBound) {
    for (const BoundTally& tally : search_bounds({20000, 11}).tallies) {
        EXPECT_EQ(tally.beyond, 0)
            << tally.solver << ": problem " << tally.worst_problem << ", " << tally.worst_words;
    }
}

}  // namespace
}  // namespace attest
