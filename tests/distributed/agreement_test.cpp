#include "distributed/agreement.hpp"

#include <gtest/gtest.h>

#include <new>

namespace attest {
namespace {

/// What all ranks hear when `phase` runs.
AgreedFailure heard(const Communicator& ranks, const std::function<void()>& phase) {
    try {
        together(ranks, phase);
    } catch (const AgreedFailure& failure) {
        return failure;
    }
    return {FailureKind::none, ""};
}

std::string on_rank(const Communicator& ranks, Index r) {
    return ranks.size() == 1 ? "" : formatted(" (rank {} of {})", r, ranks.size());
}

TEST(Agreement, WhatOneRankThrowsAllThrow) {
    const Communicator ranks;
    for (Index bad = 0; bad < ranks.size(); ++bad) {
        const AgreedFailure failure =
            heard(ranks, [&] { require(ranks.rank() != bad, "shard {} is bad", bad); });
        EXPECT_EQ(failure.kind(), FailureKind::input);
        EXPECT_EQ(std::string(failure.what()),
                  formatted("shard {} is bad", bad) + on_rank(ranks, bad));
    }
    EXPECT_EQ(heard(ranks, [] {}).kind(), FailureKind::none);
}

TEST(Agreement, TheWorstFailureOfTheFirstRankIsTold) {
    const Communicator ranks;
    const Index last = ranks.size() - 1;
    const AgreedFailure failure = heard(ranks, [&] {
        if (ranks.rank() == last) {
            throw InvalidInput("of the last");
        }
        throw EnvironmentFailure("of the others");
    });
    EXPECT_EQ(failure.kind(), FailureKind::input);
    EXPECT_EQ(std::string(failure.what()), "of the last" + on_rank(ranks, last));
    const AgreedFailure alike =
        heard(ranks, [&] { throw NotAvailable(formatted("{}", ranks.rank())); });
    EXPECT_EQ(std::string(alike.what()), "0" + on_rank(ranks, 0));
    EXPECT_EQ(alike.kind(), FailureKind::unavailable);
    EXPECT_EQ(heard(ranks, [] { throw std::bad_alloc(); }).kind(), FailureKind::environment);
    EXPECT_EQ(heard(ranks, [] { throw std::logic_error("ours"); }).kind(), FailureKind::internal);
}

TEST(Agreement, RanksThatDifferAreFound) {
    const Communicator ranks;
    EXPECT_NO_THROW(require_same(ranks, "processor", "Zen"));
    if (ranks.size() > 1) {
        EXPECT_THROW(require_same(ranks, "processor", ranks.rank() == 1 ? "Haswell" : "Zen"),
                     AgreedFailure);
    }
}

}  // namespace
}  // namespace attest
