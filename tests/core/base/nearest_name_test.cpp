#include "core/base/nearest_name.hpp"

#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndReplacements) {
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("abc", ""), 3U);
    EXPECT_EQ(edit_distance("abc", "abc"), 0U);
}

RC_GTEST_PROP(EditDistance, IsSymmetric, (std::string a, std::string b)) {
    RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
}

RC_GTEST_PROP(EditDistance, OfADroppedCharacterIsOne, (std::string a)) {
    RC_PRE(!a.empty());
    const auto at = *rc::gen::inRange<std::size_t>(0, a.size());
    std::string shorter = a;
    shorter.erase(at, 1);

    RC_ASSERT(edit_distance(a, shorter) == 1U);
}

TEST(NearestName, PrefersTheLongestCommonStartThenTheFirstOfEquals) {
    EXPECT_EQ(nearest_name("soft", {"none", "softmax"}), "softmax");
    EXPECT_EQ(nearest_name("gausian", {"uniform", "gaussian", "laplace"}), "gaussian");
    EXPECT_EQ(nearest_name("x", {"a", "b"}), "a");
}

TEST(NearestName, NeedsAName) {
    EXPECT_EQ(test::invalid_input_message([] { return nearest_name("x", {}); }),
              "nearest_name: no name is known");
}

TEST(UnknownNameMessage, ListsTheNamesAndTheNearest) {
    EXPECT_EQ(unknown_name_message("task", "ab", {"abc", "xyz"}),
              "task: got 'ab', expected one of abc, xyz; nearest: abc");
}

}  // namespace
}  // namespace attest
