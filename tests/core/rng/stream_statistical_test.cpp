#include "core/rng/stream.hpp"
#include "tests/support/statistics.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::chi_square;
using test::chi_square_critical;

constexpr Index kPairs = Index{1} << 18;

/// Chi-square of the joint law of four bits of one word and four of another over many pairs.
template <class Pair>
double joint_statistic(const Pair& pair, unsigned shift) {
    std::vector<double> observed(256, 0.0);
    for (Index i = 0; i < kPairs; ++i) {
        const auto [a, b] = pair(i);
        observed[(a >> shift & 15U) * 16 + (b >> shift & 15U)] += 1.0;
    }
    return chi_square(observed, std::vector<double>(256, static_cast<double>(kPairs) / 256.0));
}

TEST(StreamStatistics, SiblingsAreIndependent) {
    const Stream root = Stream(1).child("siblings");
    for (const unsigned shift : {0U, 30U, 60U}) {
        const auto pair = [&](Index i) {
            return std::pair{root.child(i).at(0), root.child(i + 1).at(0)};
        };

        EXPECT_LT(joint_statistic(pair, shift), chi_square_critical(255)) << shift;
    }
}

TEST(StreamStatistics, ParentAndChildAreIndependent) {
    const auto pair = [](Index i) {
        const Stream parent(static_cast<std::uint64_t>(i));
        return std::pair{parent.at(0), parent.child(0).at(0)};
    };

    EXPECT_LT(joint_statistic(pair, 60), chi_square_critical(255));
}

TEST(StreamStatistics, NeighbouringWordsAreIndependent) {
    const Stream stream = Stream(1).child("words");
    for (const unsigned shift : {0U, 60U}) {
        const auto pair = [&](Index i) { return std::pair{stream.at(i), stream.at(i + 1)}; };

        EXPECT_LT(joint_statistic(pair, shift), chi_square_critical(255)) << shift;
    }
}

TEST(StreamStatistics, AStreamPairedWithItselfIsCaught) {
    const Stream stream = Stream(1).child("words");
    const auto pair = [&](Index i) { return std::pair{stream.at(i), stream.at(i)}; };

    EXPECT_GT(joint_statistic(pair, 60), chi_square_critical(255));
}

}  // namespace
}  // namespace attest
