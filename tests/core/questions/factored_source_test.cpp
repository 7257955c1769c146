#include "core/questions/factored_source.hpp"

#include "core/solve/orthogonal.hpp"
#include "tests/core/questions/audit_examples.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/sources.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace attest {
namespace {

TEST(FactoredSource, AnswersEveryQuestionFromOnePass) {
    const Dataset data = test::planted(600, 3);  // three blocks
    const Dataset queries = test::planted(5, 3, 8);
    const test::CountedSource source(data);
    const FactoredSource shared(source);

    EXPECT_EQ(source.passes(), 0) << "nothing was asked yet";
    for (int again = 0; again < 2; ++again) {
        (void)shared.spectrum();
        (void)shared.leverage();
        (void)shared.minimiser();
        (void)shared.factor();
    }

    EXPECT_EQ(source.passes(), 1);
    const TriangularFactor factor = triangular_factor(source);
    EXPECT_EQ(source.passes(), 2) << "the count sees a second factorisation";
    EXPECT_EQ(shared.factor().R, factor.R);
    EXPECT_EQ(shared.spectrum().sigma, numerical_spectrum(factor).sigma);
    EXPECT_EQ(shared.minimiser().P, fit_svd(factor, 2, {}).P);
    EXPECT_EQ(shared.leverage().of(DatasetSource(queries)),
              NumericalLeverage(factor).of(DatasetSource(queries)));
}

TEST(FactoredSource, HasADataSetOnlyWhereTheTokensAreAtHand) {
    const Dataset data = test::planted(4, 3);
    const DatasetSource tokens(data);
    const test::BatchSource moments(tokens.block(0), 2);

    EXPECT_EQ(&FactoredSource(tokens).dataset(), &data);
    EXPECT_REFUSED("audit: the source has no tokens", FactoredSource(moments).dataset());
}

TEST(Lazy, IsComputedOnceByWhicheverThreadAsksFirst) {
    Lazy<int> value;
    std::atomic<int> made = 0;
    std::vector<std::thread> threads;
    threads.reserve(8);

    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&] { EXPECT_EQ(value.get([&] { return 41 + ++made; }), 42); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }

    EXPECT_EQ(made, 1);
}

TEST(Lazy, StaysUnknownWhereItsComputationThrows) {
    Lazy<int> value;

    EXPECT_THROW((void)value.get([]() -> int { throw std::runtime_error("no"); }),
                 std::runtime_error);

    EXPECT_EQ(value.get([] { return 7; }), 7);
}

}  // namespace

}  // namespace attest
