#include "core/base/error.hpp"
#include "core/heads/lower_bound.hpp"
#include "core/heads/minimal_heads.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/process_settings.hpp"

#include <gtest/gtest.h>

#include <string>

namespace attest::test {
namespace {

std::string refusal(const FitTarget& target) {
    try {
        (void)fit_heads(target, 3, {});
    } catch (const EnvironmentFailure& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(HeadMemory, OfAFitIsAskedForBeforeItStarts) {
    const FitTarget target = frobenius_target(generic_coefficients(3, 3, Stream(1)), 3);
    const auto needed = static_cast<long>(variable_projection_cost(target, 3).bytes);

    {
        const MemoryLimit scarce(needed - 1);
        EXPECT_EQ(refusal(target).rfind("fit_heads: a fit with 3 heads needs", 0), 0U)
            << refusal(target);
    }
    const MemoryLimit enough(needed + 1);
    EXPECT_EQ(refusal(target), "nothing was thrown");
}

TEST(HeadMemory, OfASearchIsAskedForWhereItBegins) {
    // A generic function at d = 4: at least 4 heads are certified, 7 needed.
    const FitTarget target = frobenius_target(generic_coefficients(4, 4, Stream(2)), 4);
    const auto bytes = [&](Index H) {
        return static_cast<long>(variable_projection_cost(target, H).bytes);
    };

    {
        const MemoryLimit scarce(bytes(4) - 1);
        EXPECT_THROW((void)minimal_heads(target, {}), EnvironmentFailure);
    }
    const MemoryLimit some(bytes(5) + 1);
    HeadSearchOptions options;
    options.max_starts = 1;
    const MinimalHeads found = minimal_heads(target, options);
    EXPECT_EQ(found.heads.num_heads(), linear_head_count(4, 4));
    ASSERT_EQ(found.attempts.size(), 2U);  // 4 and 5 heads; 6 and 7 do not fit
    EXPECT_EQ(found.attempts.back().num_heads, 5);
}

}  // namespace
}  // namespace attest::test
