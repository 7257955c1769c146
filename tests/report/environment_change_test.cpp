#include "report/environment_change.hpp"

#include "tests/record/fixture.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

ResultEntry entry(const std::string& id, const std::string& compiler) {
    ResultEntry made;
    made.id = id;
    made.profile = "quick";
    made.header = record_test::sample_header();
    made.header.provenance.compiler = compiler;
    return made;
}

TEST(EnvironmentChanges, ThatFilesShareAreOneLine) {
    const ResultEntry a = entry("a", "GNU 12");
    const ResultEntry b = entry("b", "GNU 12");
    const ResultEntry a_after = entry("a", "GNU 13");
    const ResultEntry b_after = entry("b", "GNU 13");

    const std::vector<Change> changes = environment_changes({{&a, &a_after}, {&b, &b_after}});

    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].file, "quick/a, quick/b");
    EXPECT_EQ(changes[0].subject, "compiler");
    EXPECT_EQ(changes[0].before, "GNU 12");
    EXPECT_EQ(changes[0].after, "GNU 13");
}

TEST(EnvironmentChanges, OfTheCommitAreListedAndLeaveTimesComparable) {
    const ResultEntry before = entry("a", "GNU 12");
    ResultEntry after = before;
    after.header.provenance.commit = "def";
    after.header.provenance.dirty = true;
    after.header.provenance.libraries["gmp"] = "6.3";

    const std::vector<Change> changes = environment_changes({{&before, &after}});

    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].subject, "commit");
    EXPECT_EQ(changes[0].before, "abc");
    EXPECT_EQ(changes[0].after, "def with uncommitted changes");
    EXPECT_EQ(changes[1].subject, "library gmp");
    EXPECT_TRUE(same_machine(before.header.provenance, after.header.provenance));
    after.header.provenance.cpu = "another";
    EXPECT_FALSE(same_machine(before.header.provenance, after.header.provenance));
}

}  // namespace
}  // namespace attest
